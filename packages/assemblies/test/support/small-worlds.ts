/** Small random worlds of ropes, cloths and soft bodies that fall on shapes. */

import { cloth, rod, rope, softBody, softBodyAsset } from '@tautline/assemblies'
import { box, capsule, Collisions, cylinder, plane, type Shape, sphere } from '@tautline/collision'
import { type Body, solidBox, World } from '@tautline/core'
import type { MakeSmallWorld, SmallWorld } from '../../../core/test/support/small-world.js'
import { Random } from '../../../core/test/support/random.js'
import { sheet, splitBox } from './meshes.js'

const ROPES = 48
const RODS = 8
const CLOTHS = 24
const SOFT = 12
/** Steps: until most of what falls has met something. */
const STEPS = 12

const RATES = [30, 60, 60, 144]
const filled = softBodyAsset({ ...splitBox(2), size: 0.5 })

function pick<T>(random: Random, values: readonly T[]): T {
  return values[random.below(values.length)]
}

interface Setting {
  world: World
  collisions: Collisions
  dt: number
}

function setting(random: Random): Setting {
  const world = new World({ substeps: pick(random, [1, 2, 4, 8]), energyLedger: random.chance(0.4) })
  const collisions = new Collisions(world, { sleeping: random.chance(0.5) ? false : { speed: 0.3, time: 0.05 } })
  return { world, collisions, dt: 1 / pick(random, RATES) }
}

/** Something below, and something round or with edges on it that stands, moves by itself, or is pushed. */
function addGround(random: Random, { world, collisions }: Setting): void {
  collisions.addCollider(null, { shape: plane([0, 1, 0]), friction: random.next() })
  const shape: Shape = pick(random, [sphere(0.3), box([0.3, 0.2, 0.3]), capsule(0.2, 0.3), cylinder(0.25, 0.4)])
  const type = pick(random, ['static', 'kinematic', 'dynamic'] as const)
  const body = world.addBody({
    type,
    position: [0, 0.3, 0],
    orientation: random.rotation(),
    inertia: solidBox(5, [0.5, 0.5, 0.5]),
    mass: 5,
    ...(type !== 'static' && { velocity: random.vector(), angularVelocity: random.vector(2) }),
  })
  collisions.addCollider(body, { shape, friction: random.next() })
}

function load(random: Random, { world, collisions }: Setting, position: [number, number, number]): Body {
  const mass = 10 ** random.between(-2, 2)
  if (random.chance(0.4)) return world.addParticle({ position, mass })
  const body = world.addBody({ position, mass, inertia: solidBox(mass, [0.2, 0.2, 0.2]), velocity: random.vector(2) })
  if (random.chance(0.7)) collisions.addCollider(body, { shape: box([0.1, 0.1, 0.1]) })
  return body
}

/** A rope laid over what is below, with loads at its ends, sometimes wound in or paid out. */
function hungRope(seed: number): SmallWorld {
  const random = new Random(6000 + seed)
  const one = setting(random)
  addGround(random, one)
  const height = random.between(0.55, 0.8)
  const half = random.between(0.5, 1)
  const start = random.chance(0.6) ? load(random, one, [-half, height, 0]) : undefined
  const end = random.chance(0.6) ? load(random, one, [half, height, 0]) : undefined
  const line = rope(one.world, {
    from: [-half, height, 0],
    to: [half, height, random.between(-0.1, 0.1)],
    radius: pick(random, [0.01, 0.03]),
    segments: 4 + random.below(20),
    mass: 10 ** random.between(-3, 0),
    friction: random.next(),
    ...(random.chance(0.3) && { stretchCompliance: 1e-5 }),
    ...(random.chance(0.3) && { bendCompliance: 0.1, damping: 1 }),
    ...(random.chance(0.3) && { linearDamping: 0.5 }),
    ...(random.chance(0.3) && { selfCollision: true }),
    ...(random.chance(0.2) && { breakForce: 50 }),
    ...(start !== undefined && { start }),
    ...(end !== undefined && { end }),
  })
  if (random.chance(0.3)) line.reel(random.between(-0.5, 0.5))
  return { world: one.world, steps: STEPS, dt: one.dt }
}

function fallingRod(seed: number): SmallWorld {
  const random = new Random(7000 + seed)
  const one = setting(random)
  addGround(random, one)
  rod(one.world, {
    from: [-0.5, 0.6, 0],
    to: [0.5, 0.6, 0.1],
    radius: 0.02,
    segments: 3 + random.below(6),
    velocity: random.vector(2),
  })
  return { world: one.world, steps: STEPS, dt: one.dt }
}

/** A cloth by its materials and models, pinned or loose, in wind, over what is below. */
function fallingCloth(seed: number): SmallWorld {
  const random = new Random(8000 + seed)
  const one = setting(random)
  addGround(random, one)
  const n = 5 + random.below(3)
  const holder = one.world.addBody({ type: 'kinematic', position: [0, 0.7, 0], velocity: random.vector(2), inertia: 1 })
  const pins = pick(random, [[], [0, n - 1], [{ vertices: [0, 1], body: holder }]])
  cloth(one.world, {
    ...sheet(n, n, 1, 0.7),
    pins,
    thickness: pick(random, [0.01, 0.03]),
    friction: random.next(),
    velocity: random.vector(2),
    ...(random.chance(0.5) && { material: pick(random, ['silk', 'denim', 'leather', 'rubber'] as const) }),
    ...(random.chance(0.3) && { stretchCompliance: 1e-5, damping: 1 }),
    ...(random.chance(0.3) && { tether: 'geodesic' as const }),
    ...(random.chance(0.3) && { selfCollision: 'surface' as const }),
    ...(random.chance(0.3) && { surfaceContacts: true }),
    ...(random.chance(0.4) && { drag: 1, lift: 0.5, wind: random.vector(3) }),
    ...(random.chance(0.2) && { stretchLimit: 0.05 }),
    ...(random.chance(0.2) && { strength: 20 }),
    bendModel: pick(random, ['distance', 'dihedral', 'isometric'] as const),
  })
  return { world: one.world, steps: STEPS, dt: one.dt }
}

function fallingSoftBody(seed: number): SmallWorld {
  const random = new Random(9000 + seed)
  const one = setting(random)
  addGround(random, one)
  softBody(one.world, {
    asset: filled,
    model: pick(random, ['neoHookean', 'distance', 'shape'] as const),
    position: [-0.5, 0.7, -0.5],
    velocity: random.vector(3),
    youngsModulus: 1e4,
    damping: random.chance(0.5) ? 0.02 : 0,
  })
  return { world: one.world, steps: STEPS, dt: one.dt }
}

/** Tetrahedra that are solved as a whole. */
function fallingBlock(seed: number): SmallWorld {
  const random = new Random(11_000 + seed)
  const one = setting(random)
  addGround(random, one)
  softBody(one.world, {
    asset: filled,
    position: [-0.5, 0.7, -0.5],
    velocity: random.vector(3),
    youngsModulus: 10 ** random.between(4, 7),
    poissonRatio: random.between(0, 0.49),
    damping: random.chance(0.5) ? 0.01 : 0,
    solver: 'direct',
  })
  return { world: one.world, steps: STEPS, dt: one.dt }
}

function all(kind: string, count: number, make: (seed: number) => SmallWorld): [string, MakeSmallWorld][] {
  return Array.from({ length: count }, (_, k) => [`${kind} ${k}`, () => make(k)])
}

/** All of them, by name. */
export const SMALL_WORLDS: Readonly<Record<string, MakeSmallWorld>> = Object.fromEntries([
  ...all('rope', ROPES, hungRope),
  ...all('rod', RODS, fallingRod),
  ...all('cloth', CLOTHS, fallingCloth),
  ...all('soft body', SOFT, fallingSoftBody),
  ...all('soft body as a whole', SOFT, fallingBlock),
])
