/** Rows 7 and 11: soft bodies, and everything tied to everything. */

import {
  assembliesFromJSON,
  attach,
  cloth,
  clothKind,
  rope,
  ropeKind,
  softBody,
  type SoftBody,
  type SoftBodyAsset,
  softBodyAsset,
  softBodyKind,
} from '@tautline/assemblies'
import { box, Collisions } from '@tautline/collision'
import * as constraints from '@tautline/constraints'
import { type Body, fromJSON, solidBox, World, type WorldOptions } from '@tautline/core'
import { gradient } from '@tautline/core/kernel'
import { BoxGeometry } from 'three'
import { randomNumbers } from '../../lib/random.js'
import { bunnyMesh } from '../../lib/bunny.js'
import { figure, type Measured, type ReportRow } from '../report.js'
import { level } from './meshes.js'

/** What a body stores of E V when it is back: strains of some hundredths. */
const BACK = 1e-3
/** What is nearer than this to a side is on it [m]. */
const EDGE = 1e-9

function meshes(): Record<string, { positions: number[]; indices: number[]; size: number }> {
  const cube = new BoxGeometry(1, 1, 1)
  const bunny = bunnyMesh()
  return {
    cube: {
      positions: Array.from(cube.attributes.position.array),
      indices: Array.from(cube.index?.array ?? []),
      size: 0.25,
    },
    bunny: { positions: Array.from(bunny.positions, (x) => 0.1 * x), indices: Array.from(bunny.triangles), size: 0.12 },
  }
}

function inversion(): Measured {
  const texts: string[] = []
  let all = true
  for (const [name, { size, ...mesh }] of Object.entries(meshes())) {
    const asset = softBodyAsset({ ...mesh, size })
    const times: number[] = []
    for (const how of ['inside out', 'flat', 'a point', 'at random'] as const) {
      const random = randomNumbers(17)
      const world = new World({ gravity: [0, 0, 0] })
      const body = softBody(world, { asset, youngsModulus: 1e5 })
      for (const node of body.nodes) {
        const [x, y, z] = node.position
        if (how === 'inside out') node.setPosition([-x, y, z])
        else if (how === 'flat') node.setPosition([x, 0, z])
        else node.setPosition(how === 'a point' ? [0, 0, 0] : [0.5 * random(), 0.5 * random(), 0.5 * random()])
      }
      let time = 0
      const isBack = (): boolean =>
        body.measure().energy < BACK * 1e5 * asset.report.volume &&
        Math.abs(body.volume / asset.report.volume - 1) < 0.01
      while (time < 10 && !isBack()) {
        for (let k = 0; k < 10; k++) world.step()
        time += 10 / 60
      }
      times.push(time < 10 ? time : Infinity)
    }
    all &&= times.every(Number.isFinite)
    texts.push(
      `${name} (${asset.report.tetrahedra} tetrahedra) after ${times.map((time) => figure(time)).join(', ')} s`,
    )
  }
  return { figures: texts.join('; '), holds: all }
}

/** A beam of cubes of six tetrahedra. */
function beam(length: number, side: number, across: number): { positions: number[]; tetrahedra: number[] } {
  const along = Math.round((across * length) / side)
  const step = side / across
  const positions: number[] = []
  const tetrahedra: number[] = []
  const place = (at: readonly number[]): number => at[0] + (along + 1) * (at[1] + (across + 1) * at[2])
  for (let k = 0; k <= across; k++) {
    for (let j = 0; j <= across; j++) {
      for (let i = 0; i <= along; i++) positions.push(i === along ? length : i * step, j * step - side / 2, k * step)
    }
  }
  const ways = [0, 1, 2].flatMap((a) => [0, 1, 2].filter((b) => b !== a).map((b) => [a, b, 3 - a - b]))
  for (let cell = 0; cell < along * across * across; cell++) {
    const from = [cell % along, Math.floor(cell / along) % across, Math.floor(cell / along / across)]
    for (const way of ways) {
      const at = [...from]
      tetrahedra.push(place(at), ...way.map((axis) => (at[axis]++, place(at))))
    }
  }
  return { positions, tetrahedra }
}

/** Length and side [m]. */
const BEAM = [0.4, 0.1] as const
/** Beams filled with tetrahedra, whose edges are a share of the side, and a beam of cubes of six tetrahedra each. */
const BEAMS = [
  { name: 'four edges across', asset: () => boxBeam(4), judged: true },
  { name: 'three across', asset: () => boxBeam(3), judged: false },
  { name: 'four cubes of six across', asset: () => softBodyAsset(beam(...BEAM, 4)), judged: false },
]

function boxBeam(across: number): SoftBodyAsset {
  const [length, side] = BEAM
  const box = new BoxGeometry(length, side, side)
  const positions = Array.from(box.getAttribute('position').array)
  return softBodyAsset({ positions, indices: Array.from(box.getIndex()?.array ?? []), size: side / across })
}

/** A beam filled with so many edges across, held at one end, and how far its other end is off the sag of beam theory, as a share of that. */
export function hangingBeam(across: number, options: WorldOptions = {}): { world: World; off(): number } {
  return sagging(boxBeam(across), options)
}

/** The same of any beam and world. */
function sagging(asset: SoftBodyAsset, options: WorldOptions): { world: World; off(): number } {
  const [E, density, g] = [1e5, 200, 1]
  const [length, side] = BEAM
  const world = new World({ gravity: [0, -g, 0], ...options })
  const material = { youngsModulus: E, poissonRatio: 0.3, density, damping: 5e-4, linearDamping: 2 }
  const body = softBody(world, { asset, ...material, collides: false })
  const x = body.nodes.map(({ position }) => position[0])
  const [held, free] = [Math.min(...x), Math.max(...x)]
  for (const [v, node] of body.nodes.entries()) if (x[v] < held + EDGE) node.type = 'static'
  const end = body.nodes.filter((_, v) => x[v] > free - EDGE)
  const before = end.map(({ position }) => position[1])
  const load = density * g * side * side
  const bending = (load * length ** 4) / ((8 * E * side ** 4) / 12)
  const shear = (load * length * length) / 2 / (((5 / 6) * E * side * side) / 2.6)
  return {
    world,
    off() {
      const sag = end.reduce((sum, { position }, k) => sum + before[k] - position[1], 0) / end.length
      return sag / (bending + shear) - 1
    },
  }
}

/** How far the end of a beam sags by its own weight, beside beam theory. */
function sagOf(asset: SoftBodyAsset, options: WorldOptions): number {
  const { world, off } = sagging(asset, options)
  for (let k = 0; k < 150; k++) world.step()
  return off()
}

function cantilever(): Measured {
  let off = Infinity
  const texts = BEAMS.map(({ name, asset: make, judged }) => {
    const asset = make()
    const share = sagOf(asset, {})
    if (judged) off = Math.abs(share)
    const others = [{ substeps: 2 }, { solver: 'sweep' as const }].map((options) => figure(100 * sagOf(asset, options)))
    return `${asset.report.tetrahedra} tetrahedra, ${name}: ${figure(100 * share)} % (${others[0]} % at two substeps, ${others[1]} % swept)`
  })
  return { figures: `${texts.join('; ')} of beam theory`, holds: off < 0.05 }
}

/** Nominal stress of Macklin and Müller's law (2021, (10) and (13)) along a bar pulled by `along` that is free across [Pa], and its stretch across. */
function lawOf(E: number, ratio: number, along: number): { stress: number; across: number } {
  const mu = E / (2 * (1 + ratio))
  const lambda = (E * ratio) / ((1 + ratio) * (1 - 2 * ratio))
  // dW/dt over 2 of W = ½ μ (s² + 2 t² − 3) + ½ (λ + μ) (s t² − 1 − μ/(λ + μ))²: 0 where nothing pulls across.
  const side = (t: number): number => mu * t + (lambda + mu) * (along * t * t - 1 - mu / (lambda + mu)) * along * t
  let [low, high] = [0.3, 1.5]
  for (let k = 0; k < 60; k++) {
    const middle = 0.5 * (low + high)
    if (side(middle) > 0) high = middle
    else low = middle
  }
  const J = along * low * low
  return { stress: mu * along + (lambda + mu) * (J - 1 - mu / (lambda + mu)) * low * low, across: low }
}

/** Force along x of all rows of a soft body on some of its nodes, in the last substep [N]. */
function pullOn(world: World, body: SoftBody, nodes: ReadonlySet<Body | null>): number {
  const h = world.settings.dt / world.settings.substeps
  let pull = 0
  for (const constraint of body.constraints) {
    const { bodies, multipliers } = constraint
    for (const { rows } of gradient(constraint)) {
      for (const row of rows) {
        row.bodies.forEach(({ linear }, b) => {
          if (nodes.has(bodies[b])) pull -= (multipliers[row.multiplier] * linear[0]) / (h * h)
        })
      }
    }
  }
  return pull
}

function stretchedCube(): Measured {
  const [E, side, across, stretch] = [1e4, 0.3, 4, 2]
  const shares: number[] = []
  const ratios = [0, 0.3, 0.45]
  for (const poissonRatio of ratios) {
    const law = lawOf(E, poissonRatio, stretch)
    const { positions, tetrahedra } = beam(side, side, across)
    const world = new World({ gravity: [0, 0, 0] })
    const ends = Array.from({ length: positions.length / 3 }, (_, v) => v).filter(
      (v) => positions[3 * v] === 0 || positions[3 * v] === side,
    )
    const body = softBody(world, {
      positions,
      tetrahedra,
      youngsModulus: E,
      poissonRatio,
      density: 1000,
      damping: 1e-3,
      pins: ends,
    })
    for (const v of ends) {
      const [x, y, z] = positions.slice(3 * v, 3 * v + 3)
      body.nodes[v].setPosition([stretch * x, law.across * y, law.across * z])
    }
    for (let k = 0; k < 300; k++) world.step()
    const pulled = new Set<Body | null>(ends.filter((v) => positions[3 * v] === side).map((v) => body.nodes[v]))
    shares.push(pullOn(world, body, pulled) / (side * side) / law.stress - 1)
  }
  return {
    figures: `${ratios.map((ratio, k) => `ν ${ratio}: ${figure(100 * shares[k])} %`).join(', ')} off the law`,
    holds: shares.every((share) => Math.abs(share) <= 0.05),
  }
}

/** Dent that is left of a cube 10 s after plates have pressed it to half of its width within 1 s, held it for 1 s and let it go. */
function pressed(plasticity: object | undefined): number {
  const { size: _, ...cube } = meshes().cube
  const world = new World({ gravity: [0, 0, 0] })
  const collisions = new Collisions(world)
  const asset = softBodyAsset({ ...cube, size: 0.34 })
  const body = softBody(world, { asset, model: 'shape', ...(plasticity && { plasticity }) })
  const width = (): number => {
    const xs = body.nodes.map((node) => node.position[0])
    return Math.max(...xs) - Math.min(...xs)
  }
  const before = width()
  const thick = 0.1
  const from = 0.5 * before + thick + 0.1
  const to = 0.25 * before + thick
  const plates = [-1, 1].map((side) =>
    collisions.addBody({
      type: 'kinematic',
      position: [side * from, 0, 0],
      shape: box([thick, 1, 1]),
      friction: 0,
    }),
  )
  for (let k = 1; k <= 720; k++) {
    const share = Math.min(k / 60, 1)
    const x = k > 120 ? from : from + share * (to - from)
    plates.forEach((plate, p) => plate.setTarget([(2 * p - 1) * x, 0, 0]))
    world.step()
  }
  return 1 - width() / before
}

/** The same of one that is pressed and let go within one substep. */
function struck(plasticity: object | undefined): number {
  const { size: _, ...cube } = meshes().cube
  const world = new World({ gravity: [0, 0, 0] })
  const body = softBody(world, {
    asset: softBodyAsset({ ...cube, size: 0.34 }),
    model: 'shape',
    ...(plasticity && { plasticity }),
  })
  const width = (): number => {
    const xs = body.nodes.map((node) => node.position[0])
    return Math.max(...xs) - Math.min(...xs)
  }
  const before = width()
  for (const node of body.nodes) node.setPosition([0.5 * node.position[0], node.position[1], node.position[2]])
  for (let k = 0; k < 600; k++) world.step()
  return 1 - width() / before
}

function dent(): Measured {
  const [springs, stays] = [undefined, {}].map(pressed)
  const [back, quick] = [undefined, { yield: 0.05, creep: 50, max: 1 }].map(struck)
  return {
    figures: `pressed by 50 % and held, after 10 s: ${figure(100 * stays)} % with plasticity, ${figure(100 * springs)} % without; let go at once: ${figure(100 * quick)} % at a creep of 50/s, ${figure(100 * back)} % without`,
    holds: stays > 0.1 && quick > 0.1 && springs < 0.01 && back < 0.01,
  }
}

const types = Object.values(constraints).filter((type) => typeof type === 'object' && 'evaluate' in type)

/** A rope tied to a cloth, the cloth to a soft body, that to two jointed boxes, in free flight. */
function mixed(): World {
  const world = new World({ gravity: [0, 0, 0] })
  const sheet = cloth(world, { ...level(8, 8, 0.5), velocity: [1, 0.5, 0] })
  const line = rope(world, { from: [-1, 0, 0], to: [0, 0, 0], segments: 8, end: sheet.bodyOf(0), velocity: [1, 2, 0] })
  const { size, ...cube } = meshes().cube
  const jelly = softBody(world, { ...cube, size, position: [1, -0.2, 0.6], velocity: [0, -1, 1], mass: 1 })
  attach(world, sheet.bodyOf(63), jelly.at(0))
  const doll = [0, 1, 2].map((k) =>
    world.addBody({
      position: [2 + 0.5 * k, 0, 0.6],
      mass: 2,
      inertia: solidBox(2, [0.4, 0.2, 0.2]),
      angularVelocity: [0, 1, 2 * k],
    }),
  )
  world.add(constraints.ballSocket, { a: doll[0], b: doll[1], point: [2.25, 0, 0.6] })
  world.add(constraints.hinge, { a: doll[1], b: doll[2], point: [2.75, 0, 0.6], axis: [0, 0, 1] })
  attach(world, jelly.bodyOf(7), doll[0])
  line.wake()
  return world
}

function together(): Measured {
  const world = mixed()
  const before = world.momentum()
  const readers = { assemblies: assembliesFromJSON([clothKind, ropeKind, softBodyKind]) }
  for (let k = 0; k < 60; k++) world.step()
  const again = fromJSON(JSON.stringify(world), types as never, readers)
  const snapshot = world.snapshot()
  for (let k = 0; k < 60; k++) {
    world.step()
    again.step()
  }
  const hash = world.hash()
  const isRead = again.hash() === hash
  const after = world.momentum()
  world.restore(snapshot)
  for (let k = 0; k < 60; k++) world.step()
  const isRestored = world.hash() === hash
  let [linear, angular] = [0, 0]
  for (let k = 0; k < 3; k++) {
    linear = Math.max(linear, Math.abs(after.linear[k] - before.linear[k]))
    angular = Math.max(angular, Math.abs(after.angular[k] - before.angular[k]))
  }
  return {
    figures: `momentum off by ${figure(linear)} N s, angular by ${figure(angular)} N m s; JSON ${isRead ? 'goes on to the bit' : 'DIFFERS'}, snapshot ${isRestored ? 'to the bit' : 'DIFFERS'}`,
    holds: linear < 1e-10 && angular < 1e-10 && isRead && isRestored,
  }
}

export const softRows: readonly ReportRow[] = [
  {
    id: '7.1',
    claim: 'A cube and the bunny come back from inversion',
    asked: 'within 10 s',
    scene:
      'mirrored, pressed flat, pressed to a point, put at random; E 0.1 MPa, no gravity, defaults; back when it stores < 1e-3 E V and has its volume to 1 %',
    measure: inversion,
  },
  {
    id: '7.2',
    claim: 'A cantilever beam of tetrahedra sags as beam theory has it',
    asked: 'within 5 % at default substeps; others stand beside',
    scene:
      '0.4 m × 0.1 m × 0.1 m, filled by softBodyAsset with four edges across, all nodes of one end held, E 0.1 MPa, ν 0.3; bending and shear (Timoshenko)',
    measure: cantilever,
  },
  {
    id: '7.3',
    claim: 'A cube pulled to twice its length bears the stress of its law',
    asked: 'within 5 %',
    scene:
      'neoHookean, side 0.3 m, four across, E 10 kPa, ends led in the way that nothing pulls across by the law, force on one end after 5 s, defaults',
    measure: stretchedCube,
  },
  {
    id: '7.4',
    claim: 'A shape-matched body keeps its dent',
    asked: '> 10 % with plasticity, < 1 % without',
    scene:
      'a cube pressed to half of its width by plates within 1 s, held for 1 s and let go, plasticity: {}, 10 s, defaults, and one that is pressed and let go within a substep',
    measure: dent,
  },
  {
    id: '11',
    claim: 'Rope tied to cloth tied to soft body tied to jointed bodies, in free flight',
    asked: 'momentum kept to 1e-10, snapshots and JSON to the bit',
    scene: '8 segments, 8 × 8 vertices, a cube of tetrahedra, three boxes by a ball joint and a hinge, 2 s, defaults',
    measure: together,
  },
]
