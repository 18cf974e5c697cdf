/** Rows 7.5 to 7.7 and 13.4: what hangs on soft bodies, what they lie on, and whether any of it gains. */

import { attach, rope, type SoftBody, softBody } from '@tautline/assemblies'
import { box, Collisions, plane, sphere } from '@tautline/collision'
import type { ElasticReport } from '@tautline/constraints'
import { type Body, solidBox, World } from '@tautline/core'
import { BoxGeometry } from 'three'
import { randomNumbers } from '../../lib/random.js'
import { figure, type Measured, type ReportRow } from '../report.js'

type Triple = [number, number, number]

const SCENES = 200
const SECONDS = 3
/** Share of the energy in motion that a scene may gain. */
const GAIN = 0.01
const G = 9.81
const STEP = 1 / 60

/** A box with a corner at the origin, as `softBody` takes it. */
function cuboid(...sides: [number, number, number]): { positions: number[]; indices: number[] } {
  const { attributes, index } = new BoxGeometry(...sides)
  return {
    positions: Array.from(attributes.position.array, (x, k) => x + sides[k % 3] / 2),
    indices: Array.from(index?.array ?? []),
  }
}

function nearest(nodes: readonly Body[], point: readonly number[]): Body {
  const far = ({ position }: Body): number => Math.hypot(...point.map((x, k) => x - position[k]))
  return nodes.reduce((a, b) => (far(b) < far(a) ? b : a))
}

/** Steps of `seconds` in which speeds fall, to rest without a swing. */
function settle(world: World, bodies: readonly Body[], seconds: number, act: () => void = () => undefined): void {
  for (let t = 0; t < seconds; t += STEP) {
    for (const body of bodies) {
      const [x, y, z] = body.velocity
      if (body.type === 'dynamic') body.setVelocity([0.95 * x, 0.95 * y, 0.95 * z])
    }
    act()
    world.step(STEP)
  }
}

const LOAD = 2

/** Sag of the end of a bar under a load: a box attached to a node, or its weight as a force. */
function sag(substeps: number, attached: boolean): number {
  const world = new World({ substeps })
  const bar = softBody(world, { ...cuboid(0.8, 0.1, 0.1), size: 0.05, youngsModulus: 2e6, density: 1000 })
  for (const node of bar.nodes) if (node.position[0] < 1e-6) node.type = 'static'
  const end = nearest(bar.nodes, [0.8, 0.05, 0.05])
  const from = end.position[1]
  const bodies = [...bar.nodes]
  if (attached) {
    const crate = world.addBody({ position: end.position, mass: LOAD, inertia: solidBox(LOAD, [0.05, 0.05, 0.05]) })
    attach(world, end, crate)
    bodies.push(crate)
  }
  settle(world, bodies, 5, () => {
    if (!attached) end.applyForce([0, -LOAD * G, 0])
  })
  return from - end.position[1]
}

function hanging(): Measured {
  const wanted = sag(8, false)
  const worst = [1, 2, 8].map((substeps) => ({ substeps, off: Math.abs(sag(substeps, true) / wanted - 1) }))
  return {
    figures: `as a force ${figure(wanted)} m; attached ${worst.map(({ substeps, off }) => `${figure(100 * off)} % off at ${substeps}`).join(', ')} substeps`,
    holds: worst.every(({ substeps, off }) => substeps < 8 || off < 0.01),
  }
}

/** Energy that a cube stores which hangs by one node: by the node itself, held, or by a row. */
function stored(substeps: number, how: 'static' | 'attached' | 'rope'): number {
  const world = new World({ substeps })
  const cube = softBody(world, { ...cuboid(0.2, 0.2, 0.2), size: 0.05, youngsModulus: 1e6, density: 1000 })
  const top = nearest(cube.nodes, [0.1, 0.2, 0.1])
  const point = [...top.position] as Triple
  if (how === 'static') top.type = 'static'
  else if (how === 'attached') attach(world, top, world.addBody({ type: 'static', position: point }))
  else {
    rope(world, {
      from: [point[0], point[1] + 1, point[2]],
      to: point,
      start: 'world',
      end: top,
      radius: 0.01,
      collides: false,
    })
  }
  settle(world, cube.nodes, 5)
  return world.energy().elastic
}

function byANode(): Measured {
  const wanted = stored(8, 'static')
  const runs = ([1, 2, 8] as const).flatMap((substeps) =>
    (['attached', 'rope'] as const).map((how) => ({ substeps, how, energy: stored(substeps, how) })),
  )
  return {
    figures: `held ${figure(wanted)} J; ${runs.map(({ substeps, how, energy }) => `${how} at ${substeps} substeps ${figure(energy)} J`).join(', ')}`,
    holds: runs.every(({ substeps, energy }) => substeps < 8 || Math.abs(energy / wanted - 1) < 0.05),
  }
}

/** Turns of a dropped cube: flat, on edges, and on its corner. */
const TILTS: Readonly<Record<string, [number, number, number, number]>> = {
  flat: [0, 0, 0, 1],
  'at 0.4 rad': [Math.sin(0.2), 0, 0, Math.cos(0.2)],
  'at 0.9 rad': [Math.sin(0.45), 0, 0, Math.cos(0.45)],
  'on a corner': corner(),
}

/** Turns (1, 1, 1) upright. */
function corner(): [number, number, number, number] {
  const half = Math.acos(1 / Math.sqrt(3)) / 2
  const s = Math.sin(half) / Math.SQRT2
  return [-s, 0, s, Math.cos(half)]
}

/** Deepest node in the floor [m], and most that is stored of what a dropped cube has. */
function drop(youngsModulus: number, orientation: [number, number, number, number]): { deep: number; share: number } {
  const world = new World()
  new Collisions(world).addCollider(null, { shape: plane([0, 1, 0], 0) })
  const cube = softBody(world, {
    ...cuboid(0.4, 0.4, 0.4),
    size: 0.1,
    youngsModulus,
    density: 1000,
    position: [0, 1, 0],
    orientation,
  })
  const start = world.energy().potential
  let [deep, share] = [0, 0]
  for (let t = 0; t < 3; t += STEP) {
    world.step(STEP)
    for (const { position } of cube.nodes) deep = Math.max(deep, -position[1])
    share = Math.max(share, world.energy().elastic / start)
  }
  return { deep, share }
}

function dropped(): Measured {
  const runs = [2e5, 5e6].flatMap((modulus) =>
    Object.entries(TILTS).map(([tilt, orientation]) => ({ modulus, tilt, ...drop(modulus, orientation) })),
  )
  return {
    figures: runs
      .map(
        ({ modulus, tilt, deep, share }) =>
          `${figure(modulus)} Pa ${tilt} ${figure(1e3 * deep)} mm, ${figure(100 * share)} %`,
      )
      .join('; '),
    holds: runs.every(({ deep, share }) => deep < 1e-3 && share < 1),
  }
}

export interface Outcome {
  /** Of T + V. */
  gain: number
  /** The same with what is stored: of what is swept that is an overestimate, where rows are not met. */
  withStored: number
  unmet: number
  substeps: number
}

/** One or two random soft bodies, treated badly, with up to three loads on random nodes, for `seconds`. */
export function run(seed: number, seconds: number): Outcome {
  const random = randomNumbers(7919 * seed + 13)
  for (let k = 0; k < 5; k++) random()
  const between = (low: number, high: number): number => low + (high - low) * (0.5 + 0.5 * random())
  const log = (low: number, high: number): number => low * (high / low) ** (0.5 + 0.5 * random())
  const pick = <T>(list: readonly T[]): T => list[Math.min(list.length - 1, Math.floor(between(0, list.length)))]
  const substeps = 1 + Math.floor(between(0, 8))
  const dt = 1 / pick([30, 60, 90, 144])
  const world = new World({ substeps, dt, gravity: between(0, 1) < 0.3 ? [0, 0, 0] : [0, -G, 0] })
  const collisions = between(0, 1) < 0.6 ? new Collisions(world) : undefined
  collisions?.addCollider(null, { shape: plane([0, 1, 0], 0), friction: between(0, 1) })
  const things: SoftBody[] = []
  for (let k = between(0, 1) < 0.3 ? 0 : 1; k < 2; k++) {
    const sides: [number, number, number] = [log(0.1, 0.6), log(0.1, 0.4), log(0.1, 0.4)]
    const thing = softBody(world, {
      ...cuboid(...sides),
      position: [1.2 * k, between(0.5, 2), 0],
      size: Math.max(...sides) / Math.floor(between(2, 5)),
      youngsModulus: log(1e3, 1e8),
      poissonRatio: between(0, 0.45),
      density: log(100, 3000),
      damping: pick([0, log(1e-4, 0.1)]),
    })
    things.push(thing)
    treat(thing, pick(['thrown', 'spun', 'stretched', 'still', 'kicked', 'held']), between)
  }
  for (let k = Math.floor(between(0, 4)); k > 0; k--) {
    const { nodes } = pick(things)
    hang(world, collisions, things, pick(nodes), log(0.01, 30), pick, between)
  }
  const start = world.energy()
  const scale = start.kinetic + start.elastic + massOf(things) * G * 0.3
  const begin = start.kinetic + start.potential + start.elastic
  const outcome = { gain: -Infinity, withStored: -Infinity, unmet: 0, substeps: 0 }
  for (let t = 0; t < seconds; t += dt) {
    world.step(dt)
    const { kinetic, potential, elastic } = world.energy()
    outcome.gain = Math.max(outcome.gain, (kinetic + potential - begin) / scale)
    outcome.withStored = Math.max(outcome.withStored, (kinetic + potential + elastic - begin) / scale)
    if (!Number.isFinite(kinetic + potential + elastic)) outcome.gain = outcome.withStored = Infinity
    const { pieces, swept, unsolved } = world.report.solvers.elastic as ElasticReport
    outcome.unmet += swept + unsolved
    outcome.substeps += pieces * substeps
  }
  return outcome
}

/** Of nodes that move [kg]. */
function massOf(things: readonly SoftBody[]): number {
  const moving = things.flatMap(({ nodes }) => nodes.filter(({ type }) => type === 'dynamic'))
  return moving.reduce((sum, { mass }) => sum + mass, 0)
}

/** How a body is treated at the start. */
function treat(thing: SoftBody, how: string, between: (low: number, high: number) => number): void {
  const c = [0, 1, 2].map((k) => thing.centre[k])
  const [v, w] = [8, 15].map((limit): Triple => [
    between(-limit, limit),
    between(-limit, limit),
    between(-limit, limit),
  ])
  const stretch = between(0.7, 1.5)
  const low = Math.min(...thing.nodes.map(({ position }) => position[0]))
  for (const node of thing.nodes) {
    const [x, y, z] = c.map((centre, k) => node.position[k] - centre)
    if (how === 'thrown') node.setVelocity(v)
    if (how === 'spun') node.setVelocity([w[1] * z - w[2] * y, w[2] * x - w[0] * z, w[0] * y - w[1] * x])
    if (how === 'stretched') node.setPosition([c[0] + stretch * x, c[1] + y, c[2] + z])
    if (how === 'kicked') node.setVelocity([between(-3, 3), between(-3, 3), between(-3, 3)])
    if (how === 'held' && node.position[0] < low + 1e-6) node.type = 'static'
  }
}

/** Hangs something on a node, or lets it fall on it. */
function hang(
  world: World,
  collisions: Collisions | undefined,
  things: readonly SoftBody[],
  node: Body,
  mass: number,
  pick: <T>(list: readonly T[]) => T,
  between: (low: number, high: number) => number,
): void {
  const how = pick(['body', 'static', 'rope', 'between', 'particle', 'chain', 'ball'])
  const p = [...node.position] as Triple
  const at = (x: number, y: number): Triple => [p[0] + x, p[1] + y, p[2]]
  const crate = (position: Triple, velocity: Triple = [0, 0, 0]): Body =>
    world.addBody({ position, velocity, mass, inertia: solidBox(mass, [0.1, 0.1, 0.1]) })
  if (how === 'body') {
    attach(world, node, crate(at(between(-0.2, 0.2), between(0, 0.2)), [between(-3, 3), between(-3, 3), 0]))
  } else if (how === 'static') attach(world, node, world.addBody({ type: 'static', position: p }))
  else if (how === 'rope')
    rope(world, { from: at(0, 0.5), to: p, ...pick([{ start: 'world' as const }, {}]), end: node, radius: 0.01 })
  else if (how === 'between') {
    const other = pick(pick(things).nodes)
    if (other !== node) attach(world, node, other)
  } else if (how === 'particle') attach(world, node, world.addParticle({ position: p, mass }))
  else if (how === 'chain') {
    let last = node
    for (let k = 1; k < 4; k++) {
      const link = crate(at(0.1 * k, 0))
      attach(world, last, link)
      last = link
    }
  } else {
    const body = crate(at(0, 0.5), [0, -between(0, 15), 0])
    collisions?.addCollider(body, { shape: pick([sphere(0.1), box([0.1, 0.1, 0.1])]) })
  }
}

function loaded(): Measured {
  const outcomes = Array.from({ length: SCENES }, (_, seed) => ({ seed, ...run(seed, SECONDS) }))
  const gains = outcomes.map(({ gain }) => gain).sort((a, b) => a - b)
  const above = outcomes.filter(({ gain }) => gain > GAIN)
  const stored = outcomes.filter(({ withStored }) => withStored > GAIN)
  const unmet = outcomes.reduce((sum, { unmet: k }) => sum + k, 0)
  const all = outcomes.reduce((sum, { substeps }) => sum + substeps, 0)
  return {
    figures: `T + V: ${above.length} above${above.map(({ seed, gain }) => ` (seed ${seed}: ${figure(100 * gain)} %)`).join('')}, 99 in a hundred at most ${figure(100 * gains[Math.floor(0.99 * SCENES)])} %; with what is stored: ${stored.length} above${stored.map(({ seed, withStored }) => ` (seed ${seed}: ${figure(100 * withStored)} %)`).join('')}; ${figure((100 * unmet) / all)} % of the substeps of what is a whole without a solution`,
    holds: above.length + stored.length === 0,
  }
}

export const loads: readonly ReportRow[] = [
  {
    id: '7.5',
    claim: 'What is attached to a soft body is as heavy as its weight',
    asked: 'sag within 1 % of that under a force at default substeps; others stand beside',
    scene: `0.8 m × 0.1 m × 0.1 m, two edges across, E 2 MPa, 1000 kg/m³, one end held, ${LOAD} kg attached to the node in the middle of the other`,
    measure: hanging,
  },
  {
    id: '7.6',
    claim: 'A stiff soft body that hangs by one node is strained as if that were held',
    asked: 'stored energy within 5 % at default substeps; others stand beside',
    scene: 'a cube of 0.2 m, E 1 MPa, 1000 kg/m³, by attach to what is static, and by a rope',
    measure: byANode,
  },
  {
    id: '7.7',
    claim: 'A soft body that is dropped stays above the floor and stores no more than it has',
    asked: 'no node deeper than 1 mm; stored < 100 % of the energy of the drop',
    scene: 'a cube of 0.4 m, 1000 kg/m³, by 1 m, flat, on edges and on a corner, 3 s, defaults',
    measure: dropped,
  },
  {
    id: '13.4',
    claim: 'Random soft bodies with loads gain nothing',
    asked: `0 of ${SCENES} more than ${100 * GAIN} % of what is in motion, stored, and m g 0.3 m, with what is stored and without`,
    scene: `one or two boxes of 0.1 to 0.6 m, E 1 kPa to 0.1 GPa, 100 to 3000 kg/m³, ν to 0.45, thrown, spun, stretched, kicked, held, on a floor and off it, up to three of: boxes, particles, chains and ropes of 10 g to 30 kg a piece on a node, a node held or tied to another, a ball or box that falls on one; 1 to 8 substeps at 30 to 144 Hz, ${SECONDS} s`,
    measure: loaded,
  },
]
