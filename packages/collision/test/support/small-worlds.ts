/** Small random worlds of shapes that fall on each other, of ragged figures, and of sets of particles. */

import { type Body, solidBox, World } from '@tautline/core'
import type { MakeSmallWorld, SmallWorld } from '../../../core/test/support/small-world.js'
import { Random } from '../../../core/test/support/random.js'
import { ballSocket, distance, hinge, lineDistance } from '../../../constraints/src/index.js'
import { addParticles, type ColliderDef, Collisions, box, capsule, plane, type Shape, sphere } from '../../src/index.js'
import { ALL, CONVEX } from './shapes.js'
import { FLOORS } from './scene.js'

const HEAPS = 48
const FIGURES = 48
const CLOUDS = 40
/** Steps: until most of what falls has met something. */
const STEPS = 14
const MOST_BODIES = 7

const RATES = [30, 60, 60, 144]
const MOVING = ['sphere', 'capsule', 'taperedCapsule', 'box', 'cylinder', 'convexHull', 'compound'] as const

function pick<T>(random: Random, values: readonly T[]): T {
  return values[random.below(values.length)]
}

interface Setting {
  world: World
  collisions: Collisions
  dt: number
}

function setting(random: Random): Setting {
  const world = new World({
    substeps: pick(random, [1, 2, 4, 8]),
    iterations: pick(random, [1, 1, 2]),
    warmStart: pick(random, [0, 0, 0.5]),
    energyLedger: random.chance(0.4),
  })
  const collisions = new Collisions(world, {
    sleeping: random.chance(0.5) ? false : { speed: 0.3, time: 0.05 },
    margin: pick(random, [0.02, 0.02, 0.1]),
  })
  return { world, collisions, dt: 1 / pick(random, RATES) }
}

function material(random: Random): Omit<ColliderDef, 'shape'> {
  const friction = random.between(0, 1)
  return {
    friction,
    ...(random.chance(0.5) && { dynamicFriction: friction * random.next() }),
    ...(random.chance(0.3) && { torsionalFriction: 0.02 }),
    ...(random.chance(0.3) && { rollingFriction: 0.01 }),
    ...(random.chance(0.4) && { restitution: random.next() }),
    ...(random.chance(0.3) && { maxPushOut: random.between(0, 5) }),
  }
}

/** A floor of some kind; half the time a shape of any kind that cannot move lies on it. */
function addGround(random: Random, { collisions, world }: Setting): void {
  const floor = pick(random, Object.values(FLOORS))()
  collisions.addCollider(null, { shape: floor, ...material(random) })
  if (random.chance(0.5)) return
  const shape = pick(random, Object.values(ALL) as ((random: Random) => Shape)[])(random)
  if (shape.name === 'plane') return
  const moves = random.chance(0.3)
  const body = world.addBody({
    type: moves ? 'kinematic' : 'static',
    inertia: 1,
    ...(moves && { velocity: [0.5, 0, 0] }),
  })
  collisions.addCollider(body, { shape, orientation: random.rotation(), ...material(random) })
}

/** Bodies of any shape, one above the other, turned and thrown. */
function heap(seed: number): SmallWorld {
  const random = new Random(3000 + seed)
  const one = setting(random)
  addGround(random, one)
  const fast = pick(random, [1, 1, 5, 60])
  for (let k = 0; k < 2 + random.below(MOST_BODIES); k++) {
    const mass = 10 ** random.between(-1, 2)
    const body = one.world.addBody({
      position: [random.between(-1, 1), 0.8 * k, random.between(-1, 1)],
      orientation: random.rotation(),
      mass,
      inertia: solidBox(mass, [0.5, 0.4, 0.3]),
      velocity: random.vector(fast),
      angularVelocity: random.vector(fast),
    })
    const shape = pick(random, MOVING)
    one.collisions.addCollider(body, {
      shape: (shape === 'compound' ? ALL : CONVEX)[shape]!(random),
      ...material(random),
    })
  }
  return { world: one.world, steps: STEPS, dt: one.dt }
}

/** Columns of equal boxes, and figures of capsules on joints, on a plane. */
function figure(seed: number): SmallWorld {
  const random = new Random(4000 + seed)
  const one = setting(random)
  one.collisions.addCollider(null, { shape: plane([0, 1, 0]), ...material(random) })
  const stands = random.chance(0.3)
  const mass = 10 ** random.between(-1, 2)
  let last: Body | null = null
  for (let k = 0; k < 3 + random.below(stands ? 16 : 5); k++) {
    const body: Body = one.world.addBody({
      position: stands
        ? [random.between(-0.002, 0.002), 0.25 + 0.5 * k, 0]
        : [0.5 * k, 0.15 + random.between(0, 0.3), 0],
      mass: stands ? mass : mass * 10 ** random.between(-1, 1),
      inertia: solidBox(mass, [0.5, 0.5, 0.5]),
      velocity: stands ? [0, 0, 0] : random.vector(3),
      angularVelocity: stands ? [0, 0, 0] : random.vector(5),
    })
    const shape = stands || random.chance(0.5) ? box([0.25, stands ? 0.25 : 0.1, 0.1]) : capsule(0.1, 0.15)
    one.collisions.addCollider(body, { shape, ...(stands ? { friction: 0.6 } : material(random)) })
    const point: [number, number, number] = [0.5 * k - 0.25, body.position[1], 0]
    if (last !== null && !stands) {
      if (random.chance(0.5)) one.world.add(ballSocket, { a: last, b: body, point })
      else one.world.add(hinge, { a: last, b: body, point, axis: [0, 0, 1], limits: { min: -0.5, max: 0.5 } })
    }
    last = body
  }
  return { world: one.world, steps: STEPS, dt: one.dt }
}

/** A rope, a cloth or loose particles over a shape, with bodies that fall into them. */
function cloud(seed: number): SmallWorld {
  const random = new Random(5000 + seed)
  const one = setting(random)
  const { world, collisions } = one
  addGround(random, one)
  const columns = pick(random, [1, 4, 6])
  const rows = pick(random, [4, 6])
  const type = pick(random, [distance as unknown as typeof lineDistance, lineDistance])
  const isLoose = random.chance(0.2)
  const speed = random.vector(pick(random, [1, 20]))
  const beads: Body[] = []
  const triangles: number[] = []
  const edges: number[] = []
  for (let k = 0; k < columns * rows; k++) {
    const [i, j] = [k % columns, Math.floor(k / columns)]
    const position: [number, number, number] = [0.08 * i, 0.3 + random.between(0, 0.02), 0.08 * j]
    beads.push(world.addParticle({ position, mass: random.chance(0.05) ? Infinity : 0.02, velocity: speed }))
    if (j > 0) edges.push(k - columns, k)
    if (i > 0 && j > 0) triangles.push(k, k - 1, k - columns, k - 1, k - columns - 1, k - columns)
    if (i > 0 && !isLoose) world.add(type, { a: beads[k - 1], b: beads[k] })
    if (j > 0 && !isLoose) world.add(type, { a: beads[k - columns], b: beads[k] })
  }
  addParticles(collisions, beads, {
    radius: pick(random, [0.005, 0.03]),
    friction: random.next(),
    selfCollision: pick(random, [false, 'vertices', 'surface'] as const),
    ...(columns > 1 ? { triangles } : { edges }),
    ...(random.chance(0.6) && { surfaceContacts: true }),
  })
  for (let k = 0; k < random.below(3); k++) {
    const mass = 10 ** random.between(-2, 1)
    const body = world.addBody({
      position: [0.1 * k, 0.6 + 0.3 * k, 0.15],
      mass,
      inertia: solidBox(mass, [0.2, 0.2, 0.2]),
      velocity: [0, -random.between(0, 10), 0],
    })
    collisions.addCollider(body, { shape: random.chance(0.5) ? sphere(0.1) : box([0.1, 0.1, 0.1]) })
    if (random.chance(0.3)) world.add(ballSocket, { a: body, b: beads[beads.length - 1], anchorA: [0, -0.1, 0] })
  }
  return { world, steps: STEPS, dt: one.dt }
}

function all(kind: string, count: number, make: (seed: number) => SmallWorld): [string, MakeSmallWorld][] {
  return Array.from({ length: count }, (_, k) => [`${kind} ${k}`, () => make(k)])
}

/** All of them, by name. */
export const SMALL_WORLDS: Readonly<Record<string, MakeSmallWorld>> = Object.fromEntries([
  ...all('heap', HEAPS, heap),
  ...all('figure', FIGURES, figure),
  ...all('cloud', CLOUDS, cloud),
])
