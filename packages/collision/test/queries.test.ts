import fc from 'fast-check'
import { type Body, World } from '@tautline/core'
import { describe, expect, test } from 'vitest'
import { runs } from '../../core/test/support/runs.js'
import { Random } from '../../core/test/support/random.js'
import { SEED } from '../../core/test/support/seed.js'
import type { ColliderRecord } from '../src/state/collider.js'
import { writePose } from '../src/state/colliders.js'
import {
  addParticles,
  box,
  capsule,
  closestPoint,
  type Collider,
  Collisions,
  compound,
  heightfield,
  overlapPoint,
  overlapShape,
  plane,
  type QueryFilter,
  rayCast,
  rayCastAll,
  shapeCast,
  shapeCastAll,
  sphere,
  triangleMesh,
} from '../src/index.js'
import { composeTransforms } from '../src/detect/narrow/relative.js'
import { CastHit, castShape } from '../src/query/cast.js'
import { closestOnShape, PointHit } from '../src/query/closest-point.js'
import { overlapShapes } from '../src/query/overlap.js'
import { RayHit, rayShape } from '../src/query/ray.js'
import { MOVABLE } from './support/query.js'
import { ALL } from './support/shapes.js'

/** Closed forms of lengths around 10: a few roundings. */
const DIGITS = 12
/** A shape cast ends within a ten-millionth of the size of what is cast. */
const CAST_DIGITS = 6

const UP = [0, 1, 0] as const
const DOWN = [0, -1, 0] as const
const RIGHT = [1, 0, 0] as const

function empty(): { world: World; collisions: Collisions } {
  const world = new World({ substeps: 4 })
  return { world, collisions: new Collisions(world) }
}

/** Floor at y = 0, a crate of 1 m on it at x = 0, a ball of 0.5 m at x = 3, y = 2. */
function yard(): { world: World; collisions: Collisions; floor: Collider; crate: Body; ball: Body } {
  const { world, collisions } = empty()
  const floor = collisions.addCollider(null, { shape: plane(UP, 0), name: 'floor' })
  const crate = collisions.addBody({ shape: box([0.5, 0.5, 0.5]), position: [0, 0.5, 0], name: 'crate' })
  const ball = collisions.addBody({ shape: sphere(0.5), position: [3, 2, 0], name: 'ball' })
  return { world, collisions, floor, crate, ball }
}

/** A hit by names: whole worlds are slow to compare and long to print. */
const plain = <Hit extends { collider: Collider; body: Body | null }>(hit: Hit | null): unknown =>
  hit && { ...hit, collider: hit.collider.label, body: hit.body?.label }
const labels = (colliders: readonly Collider[]): string[] => colliders.map(({ label }) => label)
/** Names of what was hit. */
const names = (hits: readonly { collider: Collider }[]): (string | undefined)[] =>
  hits.map(({ collider }) => collider.name)

describe('closed forms', () => {
  test('a ray', () => {
    const { collisions, floor, crate, ball } = yard()
    const hit = rayCast(collisions, [0.2, 5, 0.1], [0, -3, 0])!
    expect(hit).toMatchObject({ distance: 4, point: [0.2, 1, 0.1], normal: [0, 1, 0], child: -1, inside: false })
    expect(hit.body).toBe(crate)
    expect(hit.collider.label).toBe(collisions.collidersOf(crate)[0].label)
    expect(rayCast(collisions, [0.2, 5, 0.1], DOWN, { maxDistance: 3.9 })).toBeNull()
    expect(rayCast(collisions, [0.2, 5, 0.1], DOWN, { maxDistance: 4 })?.body).toBe(crate)
    const all = rayCastAll(collisions, [-5, 6, 0], [1, -1, 0])
    expect(names(all)).toEqual(['crate', 'floor'])
    expect(all[0].distance).toBeCloseTo(5 * Math.SQRT2, DIGITS)
    expect(all[1].body).toBeNull()
    expect(all[1].collider.id).toBe(floor.id)
    expect(all[1].distance).toBeCloseTo(6 * Math.SQRT2, DIGITS)
    expect(rayCast(collisions, [0, 3, 0], UP)).toBeNull()
    expect(rayCastAll(collisions, [0, 3, 0], UP)).toEqual([])
    const side = rayCast(collisions, [3.3, 5, 0], DOWN)!
    expect(side.body).toBe(ball)
    expect(side.distance).toBeCloseTo(5 - 2.4, DIGITS)
    expect(side.normal).toEqual([expect.closeTo(0.6, DIGITS), expect.closeTo(0.8, DIGITS), 0])
  })

  test('a ray from inside, solid or not', () => {
    const { collisions, ball } = yard()
    expect(rayCast(collisions, [3, 2, 0], RIGHT)).toMatchObject({ distance: 0, inside: true, normal: [-1, 0, 0] })
    const through = rayCast(collisions, [3, 2, 0], RIGHT, { solid: false })!
    expect(through).toMatchObject({ distance: 0.5, inside: true })
    expect(through.body).toBe(ball)
    expect(rayCastAll(collisions, [3, 2, 0], DOWN, { solid: false }).map(({ distance }) => distance)).toEqual([0.5, 2])
  })

  test('a shape cast', () => {
    const { collisions, crate } = yard()
    const hit = shapeCast(collisions, sphere(0.25), { position: [-4, 0.5, 0] }, [10, 0, 0])!
    expect(hit.body).toBe(crate)
    expect(hit.distance).toBeCloseTo(3.25, CAST_DIGITS)
    expect(hit.time).toBeCloseTo(0.325, CAST_DIGITS)
    expect(hit.point[0]).toBeCloseTo(-0.5, CAST_DIGITS)
    expect(hit).toMatchObject({ normal: [-1, 0, 0], separation: 0, feature: -1, child: -1, ownChild: -1 })
    const near = shapeCast(collisions, sphere(0.25), { position: [-4, 0.5, 0] }, [10, 0, 0], { margin: 0.1 })!
    expect(near.distance).toBeCloseTo(3.15, CAST_DIGITS)
    expect(near.separation).toBe(0.1)
    expect(shapeCast(collisions, sphere(0.25), { position: [-4, 0.5, 0] }, [3.2, 0, 0])).toBeNull()
    // A rod along y, laid down along x, comes down beside the crate's edge and on it.
    const lying = { position: [0, 4, 0], orientation: [0, 0, Math.SQRT1_2, Math.SQRT1_2] } as const
    const all = shapeCastAll(collisions, capsule(0.1, 4), lying, [0, -4, 0])
    expect(names(all)).toEqual(['ball', 'crate', 'floor'])
    expect(all.map(({ distance }) => distance)).toEqual([
      expect.closeTo(4 - 2.6, CAST_DIGITS),
      expect.closeTo(4 - 1.1, CAST_DIGITS),
      expect.closeTo(4 - 0.1, CAST_DIGITS),
    ])
  })

  test('a shape cast of no length, or from an overlap', () => {
    const { collisions, ball } = yard()
    const at = { position: [3.6, 2, 0] } as const
    const still = shapeCast(collisions, sphere(0.25), at, [0, 0, 0])!
    expect(still).toMatchObject({ time: 0, distance: 0 })
    expect(still.body).toBe(ball)
    expect(still.separation).toBeCloseTo(-0.15, DIGITS)
    expect(shapeCast(collisions, sphere(0.25), at, [5, 0, 0])?.time).toBe(0)
    expect(shapeCast(collisions, sphere(0.25), { position: [4, 2, 0] }, [0, 0, 0])).toBeNull()
  })

  test('overlaps', () => {
    const { collisions } = yard()
    const turned = [0, 0, Math.sin(Math.PI / 8), Math.cos(Math.PI / 8)] as const
    const at = (...position: [number, number, number]): (string | undefined)[] =>
      overlapShape(collisions, sphere(0.1), { position }).map(({ name }) => name)
    expect(at(0, 0.05, 0)).toEqual(['floor', 'crate'])
    expect(at(0, 1.05, 0)).toEqual(['crate'])
    expect(at(0, 9, 0)).toEqual([])
    // Turned by 45° about z a cube reaches √2 as far to the side.
    const cube = box([0.5, 0.5, 0.5])
    expect(labels(overlapShape(collisions, cube, { position: [1.1, 0.9, 0] }))).toEqual([])
    expect(labels(overlapShape(collisions, cube, { position: [1.1, 0.9, 0], orientation: turned }))).toEqual([
      'collider 1 "crate"',
    ])
    expect(labels(overlapPoint(collisions, [3, 2.4, 0]))).toEqual(['collider 2 "ball"'])
    expect(overlapPoint(collisions, [3, 2.6, 0])).toEqual([])
    expect(labels(overlapPoint(collisions, [0.4, -1, 0]))).toEqual(['collider 0 "floor"'])
  })

  test('nearest points', () => {
    const { collisions, crate, ball } = yard()
    expect(closestPoint(collisions, [3, 5, 0])?.body).toBe(ball)
    expect(closestPoint(collisions, [3, 5, 0])).toMatchObject({
      distance: 2.5,
      point: [3, 2.5, 0],
      normal: [0, 1, 0],
    })
    expect(closestPoint(collisions, [3, 5, 0], { maxDistance: 2.4 })).toBeNull()
    expect(closestPoint(collisions, [3, 5, 0], { maxDistance: 2.5 })?.body).toBe(ball)
    const inside = closestPoint(collisions, [0.2, 0.6, 0])!
    expect(inside.body).toBe(crate)
    expect(inside).toMatchObject({ distance: expect.closeTo(-0.3, DIGITS), normal: [1, 0, 0] })
    expect(closestPoint(empty().collisions, [0, 0, 0])).toBeNull()
  })

  test('parts of a compound, triangles of a mesh and of a heightfield', () => {
    const { collisions } = empty()
    const dumbbell = compound([
      { shape: sphere(0.5), position: [-1, 0, 0] },
      { shape: sphere(0.5), position: [1, 0, 0] },
    ])
    collisions.addBody({ shape: dumbbell, position: [0, 5, 0] })
    const quad = [-2, 0, -2, 2, 0, -2, 2, 0, 2, -2, 0, 2]
    collisions.addCollider(null, { shape: triangleMesh(quad, [0, 2, 1, 0, 3, 2]), name: 'mesh' })
    const hills = heightfield({ heights: [0, 0, 0, 0], columns: 2, rows: 2, cellX: 4, cellZ: 4 })
    collisions.addCollider(null, { shape: hills, position: [10, 0, 0], name: 'field' })
    expect(rayCast(collisions, [1, 9, 0], DOWN)).toMatchObject({ distance: 3.5, child: 1 })
    expect(closestPoint(collisions, [-1, 9, 0])).toMatchObject({ distance: 3.5, child: 0 })
    expect(plain(rayCast(collisions, [1.5, 1, -1], DOWN))).toMatchObject({ collider: 'collider 1 "mesh"', feature: 0 })
    expect(plain(rayCast(collisions, [-1.5, 1, 1], DOWN))).toMatchObject({ collider: 'collider 1 "mesh"', feature: 1 })
    const onField = shapeCast(collisions, dumbbell, { position: [10.5, 1, 0.1] }, [0, -2, 0])!
    expect(onField.collider.name).toBe('field')
    expect(onField.feature).toBeGreaterThanOrEqual(0)
    expect(onField.ownChild).toBeGreaterThanOrEqual(0)
    expect(onField.child).toBe(-1)
  })
})

describe('filters', () => {
  const first = (collisions: Collisions, filter: QueryFilter): string | undefined =>
    rayCast(collisions, [0, 10, 0], DOWN, { filter })?.collider.name

  /** From above: a sensor, a ball, a box, the floor. */
  function tower(): { world: World; collisions: Collisions; ball: Body; crate: Body; sensor: Collider } {
    const { world, collisions } = empty()
    collisions.addCollider(null, { shape: plane(UP, 0), name: 'floor', layer: 8 })
    const crate = collisions.addBody({ shape: box([1, 1, 1]), position: [0, 2, 0], name: 'crate', layer: 4, group: 3 })
    const ball = collisions.addBody({ shape: sphere(0.5), position: [0, 5, 0], name: 'ball', layer: 2, group: -5 })
    const shape = box([1, 1, 1])
    const sensor = collisions.addCollider(null, { shape, position: [0, 8, 0], sensor: true, name: 'sensor', layer: 6 })
    return { world, collisions, ball, crate, sensor }
  }

  test('sensors are left out unless asked for', () => {
    const { collisions, sensor } = tower()
    expect(first(collisions, {})).toBe('ball')
    expect(first(collisions, { sensors: false })).toBe('ball')
    expect(first(collisions, { sensors: true })).toBe('sensor')
    expect(overlapPoint(collisions, [0, 8, 0])).toEqual([])
    expect(labels(overlapPoint(collisions, [0, 8, 0], { filter: { sensors: true } }))).toEqual([sensor.label])
    expect(closestPoint(collisions, [0, 8, 0])?.collider.name).toBe('ball')
    sensor.set({ sensor: false })
    expect(first(collisions, {})).toBe('sensor')
  })

  test('layers', () => {
    const { collisions } = tower()
    expect(first(collisions, { layers: 2 })).toBe('ball')
    expect(first(collisions, { layers: 4 })).toBe('crate')
    expect(first(collisions, { layers: 8 + 4 })).toBe('crate')
    expect(first(collisions, { layers: 8 })).toBe('floor')
    expect(first(collisions, { layers: 1 })).toBeUndefined()
    expect(first(collisions, { layers: 0 })).toBeUndefined()
    expect(first(collisions, { layers: 0xffffffff })).toBe('ball')
    expect(first(collisions, { layers: 2, sensors: true })).toBe('sensor')
  })

  test('groups', () => {
    const { collisions } = tower()
    expect(first(collisions, { group: -5 })).toBe('crate')
    expect(first(collisions, { group: -3 })).toBe('ball')
    expect(first(collisions, { group: 3, layers: 8 })).toBe('crate')
    expect(first(collisions, { group: 2, layers: 8 })).toBe('floor')
  })

  test('bodies and colliders that do not count', () => {
    const { world, collisions, ball, crate } = tower()
    const [skin] = collisions.collidersOf(ball)
    const horn = collisions.addCollider(ball, { shape: sphere(0.1), position: [0, 1, 0], name: 'horn' })
    expect(first(collisions, {})).toBe('horn')
    expect(first(collisions, { exclude: horn })).toBe('ball')
    expect(first(collisions, { exclude: [skin, horn] })).toBe('crate')
    expect(first(collisions, { exclude: ball })).toBe('crate')
    expect(first(collisions, { exclude: [crate, horn, ball] })).toBe('floor')
    expect(first(collisions, { exclude: [] })).toBe('horn')
    // Colliders of the world stay when a body is left out whose row it is not.
    expect(first(collisions, { exclude: world.bodies.all() })).toBe('floor')
  })

  test('a function of the user, which may query', () => {
    const { collisions, crate } = tower()
    const asked: string[] = []
    const predicate = (collider: Collider): boolean => {
      asked.push(collider.name!)
      return collider.body === crate
    }
    expect(first(collisions, { predicate })).toBe('crate')
    expect(asked).not.toContain('sensor')
    expect(new Set(asked).size).toBe(asked.length)
    const nested = (collider: Collider): boolean =>
      collider.name !== rayCast(collisions, [0, 10, 0], DOWN)!.collider.name &&
      overlapPoint(collisions, [9, 9, 9]).length === 0
    expect(first(collisions, { predicate: nested })).toBe('crate')
    expect(() =>
      first(collisions, {
        predicate: () => {
          throw new Error('no')
        },
      }),
    ).toThrow('no')
    expect(first(collisions, {})).toBe('ball')
  })

  test('every query takes one', () => {
    const { collisions, ball, crate } = tower()
    const filter = { exclude: ball }
    const pose = { position: [0, 10, 0] } as const
    expect(names(rayCastAll(collisions, [0, 10, 0], DOWN, { filter }))).toEqual(['crate', 'floor'])
    expect(shapeCast(collisions, sphere(0.1), pose, [0, -9, 0], { filter })?.body).toBe(crate)
    expect(names(shapeCastAll(collisions, sphere(0.1), pose, [0, -10, 0], { filter }))).toEqual(['crate', 'floor'])
    expect(overlapShape(collisions, sphere(9), pose, { filter }).map(({ name }) => name)).toEqual(['crate'])
    expect(overlapPoint(collisions, [0, 5, 0], { filter })).toEqual([])
    expect(closestPoint(collisions, [0, 5, 0], { filter })?.body).toBe(crate)
  })
})

describe('where bodies are now', () => {
  const top = (collisions: Collisions, x: number): number | undefined =>
    rayCast(collisions, [x, 50, 0], DOWN, { maxDistance: 49.5 })?.distance

  test('before the first step, and moved between steps', () => {
    const { world, collisions, ball } = yard()
    ball.setPosition([30, 4, 0])
    expect(top(collisions, 30)).toBe(45.5)
    expect(top(collisions, 3)).toBeUndefined()
    world.step()
    const { position } = ball
    expect(position[1]).toBeLessThan(4)
    expect(top(collisions, 30)).toBeCloseTo(50 - position[1] - 0.5, DIGITS)
    ball.setPosition([-30, 7, 0])
    expect(top(collisions, -30)).toBe(42.5)
    ball.setPosition([30, 4, 0])
    expect(top(collisions, 30)).toBe(45.5)
  })

  test('turned, with a shape away from the centre', () => {
    const { world, collisions } = empty()
    const body = world.addBody({ type: 'kinematic', inertia: 1 })
    collisions.addCollider(body, { shape: sphere(1), position: [10, 0, 0] })
    expect(top(collisions, 10)).toBe(49)
    body.setOrientation([0, 0, 1, 0])
    expect(top(collisions, -10)).toBeCloseTo(49, DIGITS)
    expect(top(collisions, 10)).toBeUndefined()
  })

  test('added, changed and removed', () => {
    const { world, collisions, ball } = yard()
    world.step()
    const hat = collisions.addCollider(ball, { shape: sphere(0.2), position: [0, 3, 0], name: 'hat' })
    const hit = rayCast(collisions, [3, 50, 0], DOWN)!
    expect(hit.collider.name).toBe('hat')
    expect(hit.distance).toBeCloseTo(50 - (ball.position[1] + 3.2), DIGITS)
    hat.set({ position: [0, 5, 0] })
    expect(rayCast(collisions, [3, 50, 0], DOWN)!.distance).toBeCloseTo(50 - (ball.position[1] + 5.2), DIGITS)
    hat.remove()
    expect(rayCast(collisions, [3, 50, 0], DOWN)!.body).toBe(ball)
    ball.remove()
    expect(rayCast(collisions, [3, 50, 0], DOWN)!.collider.name).toBe('floor')
    expect(hit.collider.shape.name).toBe('sphere')
    expect(hit.collider.alive).toBe(false)
  })

  test('thrown farther in a step than it seemed it would go', () => {
    const { world, collisions } = empty()
    const bat = collisions.addBody({ shape: box([0.5, 0.5, 0.5]), mass: 1000, velocity: [80, 0, 0], gravityScale: 0 })
    const ball = collisions.addBody({
      ...{ shape: sphere(0.2), position: [1, 0, 0], mass: 0.1, restitution: 1, gravityScale: 0 },
    })
    for (let k = 0; k < 3; k++) {
      world.step()
      for (const body of [bat, ball]) expect(overlapPoint(collisions, body.position)[0]?.body).toBe(body)
    }
    expect(ball.velocity[0]).toBeGreaterThan(80)
  })

  test('put back to the bit where it was before a step in which it was found anew', () => {
    const { world, collisions } = empty()
    collisions.addCollider(null, { shape: box([0.1, 2, 2]), position: [1, 0, 0] })
    const ball = collisions.addBody({ shape: sphere(0.5), velocity: [60, 0, 0], gravityScale: 0 })
    world.step()
    expect(ball.position[0]).not.toBe(0)
    ball.setPosition([0, 0, 0])
    ball.setOrientation([0, 0, 0, 1])
    expect(top(collisions, 0)).toBe(49.5)
  })

  test('within a step: in the hook after each substep, and again after the step', () => {
    const { world, collisions, ball } = yard()
    const seen: number[] = []
    const height = (): number => 50 - rayCast(collisions, [3, 50, 0], DOWN)!.distance - 0.5
    expect(height()).toBe(2)
    world.onVelocities(() => {
      seen.push(height())
      expect(seen.at(-1)).toBeCloseTo(ball.position[1], DIGITS)
    })
    world.step()
    expect(seen).toHaveLength(4)
    expect(new Set(seen).size).toBe(4)
    world.onVelocities(undefined)
    ball.setPosition([3, 2, 0])
    expect(height()).toBe(2)
  })

  test.each([false, true])('after a restore (asked in between: %s)', (asks) => {
    const { world, collisions, ball } = yard()
    world.step()
    const snapshot = world.snapshot()
    const all = (): unknown[] => rayCastAll(collisions, [3, 50, 0], DOWN).map(plain)
    const before = all()
    for (let k = 0; k < 10; k++) world.step()
    if (asks) expect(all()).not.toEqual(before)
    world.restore(snapshot)
    expect(all()).toEqual(before)
    ball.remove()
    world.restore(snapshot)
    expect(all()).toEqual(before)
  })
})

/** Bodies of all kinds that tumble over rough ground, a sensor, a turntable and some particles among them. */
function tumble(random: Random, count: number): { world: World; collisions: Collisions } {
  const { world, collisions } = empty()
  const heights = Array.from({ length: 64 }, () => random.between(0, 0.5))
  const ground = heightfield({ heights, columns: 8, rows: 8, cellX: 1.5, cellZ: 1.5 })
  collisions.addCollider(null, { shape: ground })
  collisions.addCollider(null, { shape: plane(UP, -1) })
  collisions.addCollider(null, { shape: box([1, 1, 1]), position: [0, 1, 0], sensor: true })
  const table = world.addBody({ type: 'kinematic', inertia: 1, angularVelocity: [0, 3, 0] })
  collisions.addCollider(table, { shape: box([0.3, 0.3, 2]), position: [2, 1, 0] })
  for (let k = 0; k < count; k++) {
    const shape = ALL[MOVABLE[random.below(MOVABLE.length)]]!(random)
    const position = [random.between(-3, 3), 2 + k, random.between(-3, 3)] as const
    const velocity = random.vector(random.chance(0.2) ? 60 : 3)
    collisions.addBody({ shape, position, orientation: random.rotation(), velocity, angularVelocity: random.vector(9) })
  }
  const positions = Float64Array.from({ length: 60 }, (_, k) => (k % 3 === 1 ? 2 : random.between(-3, 3)))
  addParticles(collisions, world.addBodies({ count: 20, positions, mass: 0.1 }), { radius: 0.1 })
  return { world, collisions }
}

/** Something that changes the world between steps. */
function disturb(random: Random, world: World, collisions: Collisions): void {
  const all = world.bodies.all()
  if (all.length === 0) return
  const body = all[random.below(all.length)]
  const turns = !body.isParticle
  switch (random.below(8)) {
    case 0:
      body.setPosition(random.vector(4))
      break
    case 1:
      if (turns) body.setOrientation(random.rotation())
      break
    case 2:
      body.setVelocity(random.vector(20))
      break
    case 3:
      body.remove()
      break
    case 4:
      collisions.addBody({ shape: sphere(0.3), position: random.vector(4) })
      break
    case 5:
      collisions.addCollider(null, { shape: box([0.2, 0.2, 0.2]), position: random.vector(3) })
      break
    case 6:
      for (const collider of collisions.collidersOf(body)) collider.set({ shape: sphere(random.between(0.1, 1)) })
      break
    default:
      body.sleep()
  }
}

/** Asks a bit of everything. */
function ask(random: Random, collisions: Collisions): void {
  const pose = { position: random.vector(4), orientation: random.rotation() }
  rayCast(collisions, random.vector(8), random.direction(), { filter: { sensors: random.chance(0.5) } })
  rayCastAll(collisions, random.vector(8), random.direction(), { solid: false })
  shapeCast(collisions, sphere(0.3), pose, random.vector(5))
  overlapShape(collisions, box([1, 1, 1]), pose)
  closestPoint(collisions, random.vector(4), { maxDistance: 3 })
}

/** Where each collider is, from its body and its record alone. */
function stood(collisions: Collisions): { id: number; record: ColliderRecord; T: Float64Array }[] {
  const found: { id: number; record: ColliderRecord; T: Float64Array }[] = []
  const pose = new Float64Array(12)
  collisions.colliders.records.forEach((record, id) => {
    if (record === undefined || record.sensor) return
    writePose(collisions.world.bodies.columns, record.body?.index ?? 0, pose)
    found.push({ id, record, T: composeTransforms(pose, 0, record.local, 0, new Float64Array(12)) })
  })
  return found
}

describe('boxes keep the margin of a step', () => {
  /** A slab moved to 0.015 m under a ball that floats: nearer than the margin, but only the boxes of both together say so. */
  function manifolds(type: 'static' | 'kinematic', between: (world: World, collisions: Collisions) => void): number {
    const { world, collisions } = empty()
    collisions.addBody({ shape: sphere(0.5), position: [0, 0.5, 0], gravityScale: 0 })
    const slab = collisions.addBody({ shape: box([1, 0.1, 1]), type, position: [0, -5, 0] })
    world.step()
    expect(collisions.batch.count).toBe(0)
    slab.setPosition([0, -0.115, 0])
    between(world, collisions)
    world.step()
    return collisions.batch.count
  }

  test.each(['static', 'kinematic'] as const)('a %s body', (type) => {
    expect(manifolds(type, () => undefined)).toBe(1)
    expect(manifolds(type, (_, collisions) => closestPoint(collisions, [0, 9, 0]))).toBe(1)
    expect(manifolds(type, (world) => world.restore(world.snapshot()))).toBe(1)
  })

  test('one that never moved', () => {
    const { world, collisions } = empty()
    collisions.addBody({ shape: sphere(0.5), position: [0, 0.515, 0], gravityScale: 0 })
    collisions.addCollider(null, { shape: box([1, 0.1, 1]), position: [0, -0.1, 0] })
    overlapPoint(collisions, [0, 0, 0])
    const snapshot = world.snapshot()
    world.step()
    expect(collisions.batch.count).toBe(1)
    const hash = world.hash()
    world.restore(snapshot)
    world.step()
    expect(world.hash()).toBe(hash)
  })
})

describe(`random scenes (seed ${SEED})`, () => {
  test('nothing is missed, whatever was done before', () => {
    const property = fc.property(fc.integer(), (seed) => {
      const random = new Random(seed)
      const { world, collisions } = tumble(random, 8)
      for (let round = 0; round < 12; round++) {
        if (random.chance(0.6)) world.step(random.between(0.005, 0.03))
        if (random.chance(0.6)) disturb(random, world, collisions)
        if (random.chance(0.4)) continue
        const all = stood(collisions)
        const ids = (hits: (typeof all)[number][]): number[] => hits.map(({ id }) => id)
        const idOf = ({ collider }: { collider: Collider }): number => collider.id

        const origin = Float64Array.from(random.vector(8))
        const direction = Float64Array.from(random.direction())
        const hit = new RayHit()
        const struck = all.filter(({ record: { shape }, T }) =>
          rayShape(shape, T, 0, origin, direction, Infinity, true, hit),
        )
        const rays = rayCastAll(collisions, origin as never, direction as never)
        expect(rays.map(idOf).sort((a, b) => a - b)).toEqual(ids(struck))
        expect(plain(rayCast(collisions, origin as never, direction as never))).toEqual(plain(rays[0] ?? null))

        const pose = { position: random.vector(4) }
        const A = Float64Array.of(...(pose.position as number[]), 1, 0, 0, 0, 1, 0, 0, 0, 1)
        const lump = capsule(0.3, 0.4)
        const met = all.filter(({ record: { shape }, T }) => overlapShapes(lump, A, 0, shape, T, 0))
        expect(overlapShape(collisions, lump, pose).map(({ id }) => id)).toEqual(ids(met))
        const way = random.vector(6)
        const cast = new CastHit()
        const swept = all.filter(({ record: { shape }, T }) =>
          castShape(lump, A, 0, Float64Array.from(way), shape, T, 0, 0, cast),
        )
        const casts = shapeCastAll(collisions, lump, pose, way)
        expect(casts.map(idOf).sort((a, b) => a - b)).toEqual(ids(swept))
        expect(plain(shapeCast(collisions, lump, pose, way))).toEqual(plain(casts[0] ?? null))

        const near = new PointHit()
        const gaps = all.map(({ record: { shape }, T }) =>
          closestOnShape(shape, T, 0, A.subarray(0, 3), Infinity, near) ? near.distance : Infinity,
        )
        expect(closestPoint(collisions, pose.position)?.distance ?? Infinity).toBe(Math.min(...gaps))
      }
    })
    fc.assert(property, { seed: SEED, numRuns: runs(40) })
  })

  test('a step does not depend on what was asked before it', () => {
    const property = fc.property(fc.integer(), (seed) => {
      const run = (asks: boolean): string[] => {
        const random = new Random(seed)
        const { world, collisions } = tumble(random, 8)
        const asker = new Random(seed + 1)
        const inquire = (): void => {
          if (asks) ask(asker, collisions)
        }
        collisions.onContact(inquire)
        world.onVelocities(inquire)
        const hashes: string[] = []
        const round = (wild: Random): void => {
          inquire()
          if (wild.chance(0.3)) disturb(wild, world, collisions)
          inquire()
          world.step()
          hashes.push(world.hash())
        }
        for (let k = 0; k < 6; k++) round(random)
        const snapshot = world.snapshot()
        const later = hashes.length
        for (let k = 0; k < 6; k++) round(new Random(seed + k))
        world.restore(snapshot)
        for (let k = 0; k < 6; k++) round(new Random(seed + k))
        expect(hashes.slice(later + 6)).toEqual(hashes.slice(later, later + 6))
        return hashes
      }
      expect(run(true)).toEqual(run(false))
    })
    fc.assert(property, { seed: SEED, numRuns: runs(8) })
  })
})

describe('bad input', () => {
  const { collisions, ball } = yard()
  const at = { position: [0, 5, 0] } as const
  /** The same function with any arguments. */
  const loose = (query: unknown) => query as (...args: unknown[]) => unknown

  test('numbers', () => {
    expect(() => rayCast(collisions, [0, NaN, 0], DOWN)).toThrow(
      new RangeError('rayCast: origin[1] must be finite, got NaN'),
    )
    expect(() => rayCastAll(collisions, [0, 0, 0], [0, 0, 0])).toThrow(
      new RangeError('rayCastAll: direction must be a direction, got [0, 0, 0] of length 0'),
    )
    expect(() => rayCast(collisions, [0, 0, 0], DOWN, { maxDistance: -1 })).toThrow(
      new RangeError('rayCast: maxDistance must be >= 0, got -1'),
    )
    expect(() => rayCast(collisions, [0, 0, 0], DOWN, { maxDistance: NaN })).toThrow(RangeError)
    expect(() => shapeCast(collisions, sphere(1), at, [0, Infinity, 0])).toThrow(
      new RangeError('shapeCast: displacement[1] must be finite, got Infinity'),
    )
    expect(() => shapeCastAll(collisions, sphere(1), at, [0, 1, 0], { margin: -0.1 })).toThrow(
      new RangeError('shapeCastAll: margin must be >= 0 and finite, got -0.1'),
    )
    expect(() => overlapShape(collisions, sphere(1), { position: [0, 0, 0], orientation: [1, 1, 0, 0] })).toThrow(
      'overlapShape: orientation must be a unit quaternion [x, y, z, w]',
    )
    expect(() => overlapPoint(collisions, [1, 2] as never)).toThrow(
      'overlapPoint: point must be an array of 3 numbers, got 2 entries',
    )
    expect(() => closestPoint(collisions, [0, 0, 0], { maxDistance: -2 })).toThrow(
      new RangeError('closestPoint: maxDistance must be >= 0, got -2'),
    )
  })

  test('the wrong kind of thing', () => {
    expect(() => loose(rayCast)({}, [0, 0, 0], DOWN)).toThrow(
      new TypeError('rayCast: collisions must be a Collisions, got an object'),
    )
    expect(() => loose(rayCast)(collisions, 'a', DOWN)).toThrow(TypeError)
    expect(() => loose(rayCast)(collisions, [0, 0, 0], DOWN, 5)).toThrow(
      new TypeError('rayCast: options must be an object, got 5'),
    )
    expect(() => loose(rayCast)(collisions, [0, 0, 0], DOWN, null)).toThrow(TypeError)
    expect(() => loose(rayCast)(collisions, [0, 0, 0], DOWN, { solid: 1 })).toThrow(
      new TypeError('rayCast: solid must be a boolean, got 1'),
    )
    expect(() => loose(shapeCast)(collisions, plane(UP, 0), at, RIGHT)).toThrow(
      new TypeError('shapeCast: shape must be convex or a compound, got a plane'),
    )
    expect(() => loose(overlapShape)(collisions, {}, at)).toThrow(
      new TypeError('overlapShape: shape must be a shape, got an object'),
    )
    expect(() => loose(overlapShape)(collisions, sphere(1))).toThrow(
      new TypeError('overlapShape: pose must be an object, got undefined'),
    )
    expect(() => loose(overlapShape)(collisions, sphere(1), {})).toThrow(TypeError)
  })

  test('filters', () => {
    const cast = (filter: unknown) => () => loose(rayCast)(collisions, [0, 5, 0], DOWN, { filter })
    expect(cast(7)).toThrow(new TypeError('rayCast: filter must be an object, got 7'))
    expect(cast({ layers: 1.5 })).toThrow(
      new RangeError('rayCast: filter.layers must be an integer of 32 bits, got 1.5'),
    )
    expect(cast({ group: NaN })).toThrow(RangeError)
    expect(cast({ sensors: 'yes' })).toThrow(new TypeError('rayCast: filter.sensors must be a boolean, got "yes"'))
    expect(cast({ predicate: true })).toThrow(new TypeError('rayCast: filter.predicate must be a function, got true'))
    expect(cast({ exclude: null })).toThrow(new TypeError('rayCast: filter: exclude must not be null, got null'))
    expect(cast({ exclude: [ball, 3] })).toThrow(
      new TypeError('rayCast: filter.exclude must be bodies and colliders, got 3'),
    )
  })

  test('stale handles, and those of another world', () => {
    const cast = (exclude: Body | Collider) => () => rayCast(collisions, [0, 5, 0], DOWN, { filter: { exclude } })
    const body = collisions.addBody({ shape: sphere(1), name: 'gone' })
    const [collider] = collisions.collidersOf(body)
    expect(cast(collider)).not.toThrow()
    body.remove()
    expect(cast(collider)).toThrow(
      new RangeError(
        `rayCast: filter.exclude: collider ${collider.id} "gone" of generation 0 must exist, got a removed one`,
      ),
    )
    expect(cast(body)).toThrow(/^rayCast: filter.exclude: body \d+ "gone" of generation 0 must exist/)
    const other = yard()
    expect(cast(other.floor)).toThrow(
      new RangeError(
        'rayCast: filter.exclude: collider 0 "floor" of generation 0 must be of this world, got another\'s',
      ),
    )
    expect(cast(other.crate)).toThrow(RangeError)
  })
})
