/** Rows 3.1 and 13.5 to 13.7: cloth on bodies that move by themselves, and nets that bear soft bodies. */

import { attach, type Cloth, cloth, rope, softBody } from '@tautline/assemblies'
import { capsule, Collisions, sphere } from '@tautline/collision'
import { ballSocket, hinge, lineDistance, pin } from '@tautline/constraints'
import { type Body, solidBox, World } from '@tautline/core'
import { cos, sin } from '@tautline/core/kernel'
import { BoxGeometry } from 'three'
import { grid } from '../../lib/grid.js'
import { randomNumbers } from '../../lib/random.js'
import { figure, type Measured, type ReportRow } from '../report.js'
import { besidePins } from './cape.js'

const DT = 1 / 60
const SCENES = 200
/** Worlds of nets, and how long they run [s]. */
const CAUGHT = 12
const LASTS = 1
/** Share of the energy in motion that a scene may gain. */
const GAIN = 0.01

const upto = (count: number): number[] => Array.from({ length: count }, (_, k) => k)

/** Most stretch beside pins in `seconds`, and farthest that a pin was from its place. */
function watch(world: World, sheet: Cloth, body: Body, seconds: number, act: (t: number) => void): [number, number] {
  const pinned = sheet.pins.map(({ vertex }) => vertex)
  const local = pinned.map((v) => body.toBody(sheet.vertices[v].position))
  let [stretch, lag] = [0, 0]
  for (let k = 0; k < seconds / DT; k++) {
    act(k * DT)
    world.step(DT)
    stretch = Math.max(stretch, besidePins(sheet, pinned))
    pinned.forEach((v, n) => {
      const at = body.toWorld(local[n])
      const { position } = sheet.vertices[v]
      lag = Math.max(lag, Math.hypot(...[0, 1, 2].map((k) => position[k] - at[k])))
    })
  }
  return [stretch, lag]
}

const PINS = 17

/** A curtain of 2 m on a beam of `mass` that swings on joints. */
function curtain(mass: number, isHinged: boolean): [number, number] {
  const world = new World()
  const beam = world.addBody({ position: [0, 2, 0], mass, inertia: solidBox(mass, [1, 0.05, 0.05]) })
  if (isHinged) world.add(hinge, { a: beam, b: null, point: [0, 2, 0], axis: [0, 0, 1] })
  else for (const x of [-1, 1]) world.add(ballSocket, { a: beam, b: null, point: [x, 2, 0] })
  const mesh = grid(PINS, PINS, (u, v) => [2 * u - 1, 2 - 2 * v, 0])
  const sheet = cloth(world, { ...mesh, density: 0.2, pins: [{ vertices: upto(PINS), body: beam }] })
  return watch(world, sheet, beam, 6, () => undefined)
}

const ACROSS = 40
const DOWN = 30
const HALF = 1.2

/** The cape of row 3 on a trunk that hangs by its neck, in wind that turns. */
function cape(wind: number): [number, number] {
  const world = new World()
  const collisions = new Collisions(world)
  const trunk = collisions.addBody({ shape: capsule(0.18, 0.25), position: [0, 2, 0] })
  world.add(ballSocket, { a: trunk, b: null, point: [0, 2.6, 0] })
  const mesh = grid(ACROSS, DOWN, (u, v) => {
    const a = HALF * (2 * u - 1)
    const r = 0.24 + 0.12 * v
    return [r * sin(a), 2.42 - 1.1 * v, -r * cos(a)]
  })
  const sheet = cloth(world, { ...mesh, drag: 1.2, pins: [{ vertices: upto(ACROSS), body: trunk }] })
  return watch(world, sheet, trunk, 6, (t) => {
    sheet.wind = [wind * sin(1.2 * t), 0, -wind * cos(1.2 * t)]
  })
}

function carried(): Measured {
  const scenes: [string, [number, number]][] = [
    ['beam of 2 kg on two joints', curtain(2, false)],
    ['beam of 0.2 kg', curtain(0.2, false)],
    ['beam of 20 kg on a hinge', curtain(20, true)],
    ['cape in calm air', cape(0)],
    ['cape in wind of 8 m/s', cape(8)],
  ]
  const figures = scenes.map(
    ([name, [stretch, lag]]) => `${name} ${figure(100 * stretch)} %, pins ${figure(1000 * lag)} mm off`,
  )
  return { figures: figures.join('; '), holds: scenes.every(([, [stretch, lag]]) => stretch < 0.01 && lag < 1e-3) }
}

/** A sheet of 5 × 5 on a beam, both thrown and spun, free or on a joint: how much more than at first was in motion at any time, of all at the start. */
function thrown(seed: number): { gain: number; ratio: number; isHeld: boolean } {
  const random = randomNumbers(7919 * seed + 13)
  // The first numbers of neighbouring seeds are alike.
  for (let k = 0; k < 50; k++) random()
  const unit = (): number => 0.5 + 0.5 * random()
  const world = new World({ gravity: [0, 0, 0], substeps: 1 + Math.min(7, Math.floor(8 * unit())) })
  const dt = 1 / [30, 60, 144][Math.min(2, Math.floor(3 * unit()))]
  const mass = 10 ** (5 * unit() - 2)
  const sheetMass = 10 ** (5 * unit() - 2)
  const beam = world.addBody({ mass, inertia: solidBox(mass, [0.5, 0.02, 0.02]) })
  // Threads alone: what shear and bending store would come back.
  const vertices = upto(25).map((k) =>
    world.addParticle({ position: [0.25 * (k % 5) - 0.5, -0.25 * Math.floor(k / 5), 0], mass: sheetMass / 25 }),
  )
  vertices.forEach((a, k) => {
    if (k % 5 < 4) world.add(lineDistance, { a, b: vertices[k + 1] })
    if (k < 20) world.add(lineDistance, { a, b: vertices[k + 5] })
    if (k < 5) world.add(pin, { a, b: beam })
  })
  const isHeld = unit() < 0.5
  if (isHeld) world.add(ballSocket, { a: beam, b: null, point: [0.5, 0, 0] })
  beam.setAngularVelocity([10 * random(), 10 * random(), 10 * random()])
  const velocity: [number, number, number] = [10 * random(), 10 * random(), 10 * random()]
  for (const vertex of vertices.slice(5)) vertex.setVelocity(velocity)
  const start = world.energy().kinetic
  world.step(dt)
  const first = world.energy().kinetic
  let most = 0
  for (let k = 0; k < 120; k++) {
    world.step(dt)
    most = Math.max(most, world.energy().kinetic - first)
  }
  return { gain: most / start, ratio: sheetMass / mass, isHeld }
}

function passivity(): Measured {
  const all = Array.from({ length: SCENES }, (_, seed) => ({ seed, ...thrown(seed) }))
  const gains = all.map(({ gain }) => gain).sort((a, b) => a - b)
  const above = all.filter(({ gain }) => gain > GAIN)
  const which = above.map(
    ({ seed, gain, ratio, isHeld }) =>
      `seed ${seed}: ${figure(100 * gain)} %, the sheet ${figure(ratio)} of the beam${isHeld ? ', held' : ''}`,
  )
  return {
    figures: `${above.length} above${which.length > 0 ? ` (${which.join('; ')})` : ''}, 99 in a hundred at most ${figure(100 * gains[Math.floor(0.99 * SCENES)])} %`,
    holds: above.length === 0,
  }
}

/** A swept jelly lies on a net that a falling rope pulls at: most that T + V was above its least before, and the most over that at the start [J]. */
function netted(): Measured {
  const world = new World()
  new Collisions(world)
  const corners = [0, 20, 420, 440]
  const net = cloth(world, {
    ...grid(21, 21, (u, v) => [2 * u - 1, 2, 2 * v - 1]),
    density: 1,
    selfCollision: 'surface',
    pins: corners,
  })
  const { attributes, index } = new BoxGeometry(0.4, 0.4, 0.4)
  softBody(world, {
    positions: Array.from(attributes.position.array, (x, k) => x + (k % 3 === 1 ? 2.22 : 0)),
    indices: Array.from(index?.array ?? []),
    density: 100,
    selfCollision: 'surface',
    solver: 'sweep',
  })
  const tow = rope(world, { from: [-0.1, 2, -0.1], to: [-0.1, 3, -0.1], length: 1, radius: 0.02 })
  attach(world, net.bodyOf(210), tow.nodes[tow.nodes.length - 1])
  const now = (): number => world.energy().kinetic + world.energy().potential
  const start = now()
  let [least, rise, above] = [start, 0, 0]
  for (let k = 0; k < 2 / DT; k++) {
    world.step(DT)
    const energy = now()
    rise = Math.max(rise, energy - least)
    least = Math.min(least, energy)
    above = Math.max(above, energy - start)
  }
  return {
    figures: `at most ${figure(above)} J above the start, ${figure(rise)} J above what was left before`,
    holds: above <= 1,
  }
}

/** A soft body is thrown at a net, with or without a rope that bears a load: most that T + V is above its start, as a share of what moved then or may fall a metre. */
function caught(seed: number): number {
  const random = randomNumbers(7919 * seed + 29)
  for (let k = 0; k < 50; k++) random()
  const unit = (): number => 0.5 + 0.5 * random()
  const world = new World()
  const collisions = new Collisions(world)
  const n = 9 + Math.floor(9 * unit())
  const net = cloth(world, {
    ...grid(n, n, (u, v) => [2 * u - 1, 2, 2 * v - 1]),
    density: 0.2 * 10 ** unit(),
    selfCollision: 'surface',
    pins: [0, n - 1, n * n - n, n * n - 1],
  })
  const half = 0.1 + 0.15 * unit()
  const { attributes, index } = new BoxGeometry(2 * half, 2 * half, 2 * half)
  const speed = 8 * unit()
  const place = [0.4 * random(), 2.1 + half, 0.4 * random()]
  const jelly = softBody(world, {
    positions: Array.from(attributes.position.array, (x, k) => x + place[k % 3]),
    indices: Array.from(index?.array ?? []),
    density: 30 * 10 ** unit(),
    selfCollision: 'surface',
    ...(unit() < 0.5 && { solver: 'sweep' as const }),
  })
  for (const node of jelly.nodes) node.setVelocity([speed * 0.3 * random(), -speed, speed * 0.3 * random()])
  if (unit() < 0.6) {
    const vertex = net.bodyOf(Math.floor(n * n * unit()))
    const [x, y, z] = vertex.position
    const tow = rope(world, { from: [x, y - 1, z], to: [x, y, z], radius: 0.02 })
    attach(world, vertex, tow.nodes[tow.nodes.length - 1])
    if (unit() < 0.5) {
      const load = collisions.addBody({ shape: sphere(0.1), mass: 10 ** (2 * unit() - 0.5), position: [x, y - 1.1, z] })
      tow.attachStart(load)
    }
  }
  const start = world.energy()
  let above = 0
  for (let k = 0; k < LASTS / DT; k++) {
    world.step(DT)
    const { kinetic, potential } = world.energy()
    above = Math.max(above, kinetic + potential - start.kinetic - start.potential)
  }
  const weight = jelly.nodes.reduce((sum, { mass }) => sum + mass, 0) * 9.81
  return above / Math.max(start.kinetic, weight)
}

function searched(): Measured {
  const gains = Array.from({ length: CAUGHT }, (_, seed) => caught(seed))
  const above = gains.flatMap((gain, seed) => (gain > GAIN ? [`seed ${seed}: ${figure(100 * gain)} %`] : []))
  return {
    figures: `${above.length} above${above.length > 0 ? ` (${above.join('; ')})` : ''}, the worst ${figure(100 * Math.max(...gains))} %`,
    holds: above.length === 0,
  }
}

export const pins: readonly ReportRow[] = [
  {
    id: '3.1',
    claim: 'Cloth on bodies that move by themselves does not stretch beside its pins',
    asked: 'stretch beside pins < 1 %, pins at their places within 1 mm',
    scene: `a curtain of 2 m, ${PINS} × ${PINS}, 0.2 kg/m², on beams that swing on joints; the cape of row 3 on a trunk that hangs by its neck, in calm air and in wind of 8 m/s that turns by 1.2 rad/s; 6 s at 60 Hz, defaults`,
    measure: carried,
  },
  {
    id: '13.5',
    claim: 'Sheets on bodies, thrown and spun, gain nothing',
    asked: `0 of ${SCENES} more than ${100 * GAIN} % of all that was in motion`,
    scene:
      'threads of 5 × 5 vertices pinned to a beam, 10 g to 1 t each, half of the beams on a joint, at up to 10 m/s and 10 rad/s an axis, 1 to 8 substeps at 30 to 144 Hz, 120 steps after the first',
    measure: passivity,
  },
  {
    id: '13.6',
    claim: 'A swept soft body on a net that a rope pulls at gains nothing',
    asked: 'T + V at most 1 J above the start',
    scene:
      'a cube of 0.4 m and 6.4 kg, swept, 2 cm above a net of 2 m and 21 × 21 that is held at its corners, a rope of 1 m that falls attached to its edge, all with surfaces that touch; 2 s at 60 Hz, defaults',
    measure: netted,
  },
  {
    id: '13.7',
    claim: 'Soft bodies thrown at nets that ropes hang on gain nothing',
    asked: `0 of ${CAUGHT} worlds more than ${100 * GAIN} % above the start, of what moved then or falls a metre`,
    scene: `cubes of 0.2 to 0.5 m and 30 to 300 kg/m³, solved as a whole or swept, at up to 8 m/s at nets of 9² to 17² and 0.2 to 2 kg/m² held at their corners; in three of five a rope attached to a vertex, half of these with a load of 0.3 to 30 kg; ${LASTS} s at 60 Hz, defaults`,
    slow: true,
    measure: searched,
  },
]
