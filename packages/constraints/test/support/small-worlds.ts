/** Small random worlds of all constraint types at all settings, of trees of joints, and of nets with bodies at their ends. */

import { type Body, solidBox, World, type WorldOptions } from '@tautline/core'
import type { MakeSmallWorld, SmallWorld } from '../../../core/test/support/small-world.js'
import { Random } from '../../../core/test/support/random.js'
import {
  ballSocket,
  dihedralBend,
  distance,
  isometricBend,
  lineBend,
  lineDistance,
  ropeLength,
  tether,
} from '../../src/index.js'
import { JOINTS } from '../joints/support.js'
import { scene } from './scene.js'
import { type Entry, TABLE } from './table.js'

/** Worlds of a type, and of each kind of what hangs together. */
const VARIANTS = 12
/** Seeds between variants of a type: a number of its own, so that a new type at the end of the table leaves the others theirs. */
const SPACED = 37
const TREES = 120
const NETS = 120
/** Steps of a world of one constraint, and of many. */
const FEW = 5
const MORE = 8

const RATES = [30, 60, 60, 144]

function pick<T>(random: Random, values: readonly T[]): T {
  return values[random.below(values.length)]
}

/** Settings of all kinds, the usual ones more often than others. */
function settings(random: Random): WorldOptions {
  return {
    substeps: pick(random, [1, 1, 2, 4]),
    iterations: pick(random, [1, 1, 2]),
    jacobians: pick(random, ['fresh', 'fresh', 'frozen', 'start'] as const),
    gyroscopic: pick(random, ['midpoint', 'midpoint', 'implicit', 'explicit', 'none'] as const),
    effectiveInertia: random.chance(0.2),
    warmStart: pick(random, [0, 0, 0.5]),
    order: pick(random, ['outward', 'outward', 'given', 'alternating'] as const),
    solver: pick(random, ['auto', 'auto', 'sweep', 'direct'] as const),
    repairSpeed: pick(random, [1000, 1000, 2]),
    tolerance: pick(random, [0, 0, 1e-6]),
    maxIterations: 6,
    energyLedger: random.chance(0.5),
  }
}

function oneConstraint(entry: Entry, seed: number): SmallWorld {
  const random = new Random(seed)
  const options = { ...settings(random), gravity: random.vector(10) }
  const one = scene(entry, seed, { far: pick(random, [0.02, 0.1, 0.3, 1]), options })
  for (const body of one.bodies) {
    if (body === null || body.type === 'static') continue
    body.setVelocity(random.vector(3))
    if (!body.isParticle) body.setAngularVelocity(random.vector(5))
  }
  return { world: one.world, steps: FEW, dt: 1 / pick(random, RATES) }
}

/** A tree of random joints with ranges, drives and friction, sometimes with a loop, thrown or hung. */
function tree(seed: number): SmallWorld {
  const random = new Random(1000 + seed)
  const { solver, ...options } = settings(random)
  const world = new World({ ...options, jacobians: 'fresh', solver: solver === 'sweep' ? 'auto' : solver! })
  const decades = pick(random, [0, 0, 3, 6])
  const bodies: Body[] = []
  const joints = JOINTS.filter(({ type }) => type.name !== 'angularDrive')
  for (let k = 0; k < 3 + random.below(6); k++) {
    const mass = 10 ** random.between(0, decades)
    const parent = bodies[random.below(Math.max(1, k))] ?? null
    const from = parent?.position ?? [0, 0, 0]
    const way = random.direction()
    const position = [0, 1, 2].map((i) => from[i] + 0.5 * way[i]) as [number, number, number]
    const body = world.addBody({
      position,
      mass,
      inertia: solidBox(mass, [0.5, 0.2, 0.1]),
      velocity: random.vector(2),
      angularVelocity: random.vector(pick(random, [1, 10])),
    })
    if (parent !== null || random.chance(0.5)) {
      const { type, def } = pick(random, joints)
      const point = [0, 1, 2].map((i) => from[i] + 0.25 * way[i]) as [number, number, number]
      const fields = def(random)
      const isAt = 'point' in fields && random.chance(0.7)
      if (type.name === 'cone' || type.name === 'axle' || random.chance(0.2)) {
        world.add(ballSocket, { a: parent, b: body, point })
      }
      world.add(type, { a: parent, b: body, ...fields, ...(isAt && { point }) })
    }
    bodies.push(body)
  }
  if (random.chance(0.4)) world.add(distance, { a: bodies[0], b: bodies[bodies.length - 1] })
  if (random.chance(0.4)) bodies[bodies.length - 1].setPosition(random.vector(0.6))
  return { world, steps: MORE, dt: 1 / pick(random, RATES) }
}

/** A net of particles by lines or by rows, folded and held in some places, with bodies on balls or lines at its corners. */
function net(seed: number): SmallWorld {
  const random = new Random(2000 + seed)
  const world = new World({ ...settings(random), jacobians: 'fresh' })
  const byLines = random.chance(0.7)
  const type = byLines ? lineDistance : (distance as unknown as typeof lineDistance)
  const [columns, rows] = [2 + random.below(5), 1 + random.below(5)]
  const cell = random.between(0.05, 0.2)
  const beads: Body[] = []
  for (let k = 0; k < columns * rows; k++) {
    const at = [cell * (k % columns), cell * Math.floor(k / columns), 0].map((x) => x + random.between(-0.01, 0.01))
    beads.push(
      world.addParticle({
        position: at as [number, number, number],
        mass: random.chance(0.1) ? Infinity : random.between(0.01, 0.1),
        velocity: random.vector(),
      }),
    )
  }
  const soft = pick(random, [{}, {}, { compliance: 1e-5 }, { compliance: 1e-3, damping: 1 }, { frequency: 10 }])
  const mode = pick(random, ['rigid', 'rigid', 'rope'] as const)
  for (let k = 0; k < beads.length; k++) {
    const [i, j] = [k % columns, Math.floor(k / columns)]
    if (i + 1 < columns) world.add(type, { a: beads[k], b: beads[k + 1], mode, ...soft })
    if (j + 1 < rows) world.add(type, { a: beads[k], b: beads[k + columns], mode, ...soft })
    if (i + 1 === columns || j + 1 === rows) continue
    const corners = [beads[k], beads[k + columns + 1], beads[k + 1], beads[k + columns]]
    if (random.chance(0.3)) world.add(dihedralBend, { bodies: corners, compliance: 1e-2 })
    if (random.chance(0.3)) world.add(isometricBend, { bodies: corners, compliance: 1 })
    if (i + 2 < columns && random.chance(0.5)) {
      world.add(lineBend, { bodies: [beads[k], beads[k + 1], beads[k + 2]], compliance: 1e-3 })
    }
  }
  const last = beads[beads.length - 1]
  if (rows === 1 && random.chance(0.5)) world.add(ropeLength, { bodies: beads })
  if (random.chance(0.4)) world.add(tether, { a: last, point: [0, 0, 0], length: cell * columns })
  hang(world, random, beads[0], byLines)
  if (random.chance(0.5)) hang(world, random, last, byLines)
  return { world, steps: MORE, dt: 1 / pick(random, RATES) }
}

/** Hangs a body on a particle: heavy or light, by a ball joint or by a row to a point of it. */
function hang(world: World, random: Random, bead: Body, byLines: boolean): void {
  const mass = 10 ** random.between(-2, 2)
  const [x, y, z] = bead.position
  const body = world.addBody({
    position: [x + 0.1, y, z],
    mass,
    inertia: solidBox(mass, [0.2, 0.1, 0.1]),
    angularVelocity: random.vector(4),
  })
  if (random.chance(0.5)) world.add(ballSocket, { a: bead, b: body, point: [x, y, z] })
  else if (!byLines || random.chance(0.5)) world.add(distance, { a: bead, b: body, anchorB: [-0.05, 0, 0] })
  else world.add(lineDistance, { a: bead, b: body })
}

/** All of them, by name. */
export const SMALL_WORLDS: Readonly<Record<string, MakeSmallWorld>> = Object.fromEntries([
  ...TABLE.flatMap((entry, i) =>
    Array.from(
      { length: VARIANTS },
      (_, k) => [`${entry.name} ${k}`, () => oneConstraint(entry, 1 + i + SPACED * k)] as const,
    ),
  ),
  ...Array.from({ length: TREES }, (_, k) => [`tree ${k}`, () => tree(k)] as const),
  ...Array.from({ length: NETS }, (_, k) => [`net ${k}`, () => net(k)] as const),
])
