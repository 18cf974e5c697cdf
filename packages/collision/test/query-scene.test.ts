import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../../core/test/support/runs.js'
import { Random } from '../../core/test/support/random.js'
import { SEED } from '../../core/test/support/seed.js'
import { writeBounds } from '../src/shapes/bounds.js'
import { BoxTree } from '../src/detect/broad/tree.js'
import type { QuerySource } from '../src/query/candidates.js'
import { CastHit, castShape } from '../src/query/cast.js'
import { checkDistance, checkMovable, checkRay, checkTransform, checkVector } from '../src/query/check.js'
import { closestOnShape, PointHit } from '../src/query/closest-point.js'
import { overlapShapes } from '../src/query/overlap.js'
import { RayHit, rayShape } from '../src/query/ray.js'
import {
  closestPoint,
  overlapPoint,
  overlapShape,
  rayCast,
  rayCastAll,
  shapeCast,
  shapeCastAll,
} from '../src/query/scene.js'
import type { Shape } from '../src/shapes/shape.js'
import { box } from '../src/shapes/box.js'
import { plane } from '../src/shapes/plane.js'
import { sphere } from '../src/shapes/sphere.js'
import { MOVABLE, randomTransform, SOLID, SURFACE } from './support/query.js'
import { ALL } from './support/shapes.js'

const still = (x: number, y: number, z: number): Float64Array => Float64Array.of(x, y, z, 1, 0, 0, 0, 1, 0, 0, 0, 1)

/** Colliders for queries. */
class Scene implements QuerySource {
  readonly tree = new BoxTree()
  transform = new Float64Array(0)
  readonly shapes = new Map<number, Shape>()
  hidden = new Set<number>()
  asked: number[] = []

  add(id: number, shape: Shape, T: Float64Array): void {
    const transform = new Float64Array(Math.max(this.transform.length, 12 * id + 12))
    transform.set(this.transform)
    transform.set(T, 12 * id)
    this.transform = transform
    this.shapes.set(id, shape)
    const bounds = new Float64Array(6)
    writeBounds(shape, T, 0, bounds, 0)
    this.tree.insert(id, bounds, 0, true)
  }

  shapeOf(id: number): Shape {
    return this.shapes.get(id)!
  }

  accepts(id: number): boolean {
    this.asked.push(id)
    return !this.hidden.has(id)
  }

  /** Those that count, ascending. */
  ids(): number[] {
    return [...this.shapes.keys()].filter((id) => !this.hidden.has(id)).sort((a, b) => a - b)
  }
}

function randomScene(random: Random, size: number): Scene {
  const scene = new Scene()
  const ids = Array.from({ length: size }, (_, k) => k)
  while (ids.length > 0) {
    const [id] = ids.splice(random.below(ids.length), 1)
    const kind = random.chance(0.9) ? MOVABLE[random.below(MOVABLE.length)] : [...SOLID, ...SURFACE][random.below(10)]
    scene.add(id, ALL[kind]!(random), randomTransform(random, 6))
    if (random.chance(0.2)) scene.hidden.add(id)
  }
  return scene
}

const randomRay = (random: Random): ReturnType<typeof checkRay> =>
  checkRay('test', random.vector(8), random.direction(), random.chance(0.3) ? random.between(0, 10) : Infinity)

function check(holds: (random: Random, scene: Scene) => void, numRuns = 100): void {
  const property = fc.property(fc.integer(), fc.integer({ min: 0, max: 30 }), (seed, size) => {
    const random = new Random(seed)
    holds(random, randomScene(random, size))
  })
  fc.assert(property, { seed: SEED, numRuns: runs(numRuns) })
}

describe(`against all colliders one by one (seed ${SEED})`, () => {
  test('rays', () => {
    check((random, scene) => {
      const ray = randomRay(random)
      const solid = random.chance(0.5)
      const hit = new RayHit()
      const all = scene
        .ids()
        .filter((id) => {
          const { origin, direction, maxDistance } = ray
          return rayShape(scene.shapeOf(id), scene.transform, 12 * id, origin, direction, maxDistance, solid, hit)
        })
        .map((id) => {
          rayShape(scene.shapeOf(id), scene.transform, 12 * id, ray.origin, ray.direction, Infinity, solid, hit)
          const [point, normal] = [[...hit.point], [...hit.normal]]
          return { id, ...hit, point, normal }
        })
        .sort((a, b) => a.distance - b.distance || a.id - b.id)
      expect(rayCastAll(scene, ray, solid)).toEqual(all)
      expect(rayCast(scene, ray, solid)).toEqual(all[0] ?? null)
      for (const id of scene.hidden) expect(all.map((result) => result.id)).not.toContain(id)
    }, 300)
  })

  test('casts', () => {
    check((random, scene) => {
      const shape = ALL[MOVABLE[random.below(MOVABLE.length)]]!(random)
      const T = randomTransform(random, 8)
      const way = Float64Array.from(random.vector(10))
      const margin = random.chance(0.5) ? 0 : 0.1
      const hit = new CastHit()
      const all = scene
        .ids()
        .filter((id) => castShape(shape, T, 0, way, scene.shapeOf(id), scene.transform, 12 * id, margin, hit))
        .map((id) => {
          castShape(shape, T, 0, way, scene.shapeOf(id), scene.transform, 12 * id, margin, hit)
          const { time, distance, feature, child, ownChild } = hit
          const [point, normal] = [[...hit.point], [...hit.normal]]
          return { id, time, separation: distance, point, normal, feature, child, ownChild }
        })
        .sort((a, b) => a.time - b.time || a.separation - b.separation || a.id - b.id)
      expect(shapeCastAll(scene, shape, T, way, margin)).toEqual(all)
      expect(shapeCast(scene, shape, T, way, margin)).toEqual(all[0] ?? null)
    })
  })

  test('overlaps', () => {
    check((random, scene) => {
      const shape = ALL[MOVABLE[random.below(MOVABLE.length)]]!(random)
      const T = randomTransform(random, 6)
      const meets = (id: number): boolean => overlapShapes(shape, T, 0, scene.shapeOf(id), scene.transform, 12 * id)
      expect(overlapShape(scene, shape, T)).toEqual(scene.ids().filter(meets))
      const point = Float64Array.from(random.vector(6))
      const hit = new PointHit()
      const holds = (id: number): boolean =>
        closestOnShape(scene.shapeOf(id), scene.transform, 12 * id, point, 0, hit) && hit.distance < 0
      expect(overlapPoint(scene, point)).toEqual(scene.ids().filter(holds))
    })
  })

  test('nearest points', () => {
    check((random, scene) => {
      const point = Float64Array.from(random.vector(8))
      const maxDistance = random.chance(0.5) ? Infinity : random.between(0, 3)
      const hit = new PointHit()
      const all = scene
        .ids()
        .filter((id) => closestOnShape(scene.shapeOf(id), scene.transform, 12 * id, point, maxDistance, hit))
        .map((id) => {
          closestOnShape(scene.shapeOf(id), scene.transform, 12 * id, point, Infinity, hit)
          return { id, ...hit, point: [...hit.point], normal: [...hit.normal] }
        })
        .sort((a, b) => a.distance - b.distance || a.id - b.id)
      expect(closestPoint(scene, point, maxDistance)).toEqual(all[0] ?? null)
    }, 200)
  })
})

describe('order and filters', () => {
  const row = (order: number[]): Scene => {
    const scene = new Scene()
    for (const id of order) scene.add(id, box([1, 1, 1]), still(4 * (id % 3), 0, 0))
    return scene
  }
  const down = checkRay('test', [-10, 0, 0], [3, 0, 0], Infinity)

  test('of several as near, the lowest number, however they were added', () => {
    for (const order of [
      [0, 1, 2, 3, 4, 5],
      [5, 4, 3, 2, 1, 0],
      [3, 0, 4, 1, 5, 2],
    ]) {
      const scene = row(order)
      expect(rayCast(scene, down, true)).toMatchObject({ id: 0, distance: 9 })
      expect(rayCastAll(scene, down, true).map(({ id }) => id)).toEqual([0, 3, 1, 4, 2, 5])
      const ball = sphere(0.5)
      const way = Float64Array.of(30, 0, 0)
      expect(shapeCast(scene, ball, still(-10, 0, 0), way, 0)).toMatchObject({ id: 0 })
      expect(shapeCastAll(scene, ball, still(-10, 0, 0), way, 0).map(({ id }) => id)).toEqual([0, 3, 1, 4, 2, 5])
      expect(closestPoint(scene, Float64Array.of(-3, 0, 0), 5)).toMatchObject({ id: 0, distance: 2 })
      expect(overlapPoint(scene, Float64Array.of(4.5, 0, 0))).toEqual([1, 4])
      expect(overlapShape(scene, ball, still(8, 0, 0))).toEqual([2, 5])
    }
  })

  test('what is not accepted is passed, and each is asked about at most once', () => {
    const scene = row([0, 1, 2, 3, 4, 5])
    scene.hidden = new Set([0, 3, 1])
    expect(rayCast(scene, down, true)).toMatchObject({ id: 4 })
    expect(new Set(scene.asked).size).toBe(scene.asked.length)
    scene.asked = []
    expect(rayCastAll(scene, down, true).map(({ id }) => id)).toEqual([4, 2, 5])
    expect(new Set(scene.asked).size).toBe(scene.asked.length)
  })

  test('a filter may ask queries of its own', () => {
    const scene = row([0, 1, 2, 3, 4, 5])
    const inner: QuerySource = { ...scene, shapeOf: (id) => scene.shapeOf(id), accepts: () => true }
    const outer: QuerySource = {
      ...inner,
      accepts: (id) =>
        rayCast(inner, down, true)!.id !== id && overlapPoint(inner, Float64Array.of(0, 0, 0)).includes(id),
    }
    expect(rayCast(outer, down, true)).toMatchObject({ id: 3, distance: 9 })
  })

  test('no colliders, no answers', () => {
    const scene = new Scene()
    expect(rayCast(scene, down, true)).toBeNull()
    expect(rayCastAll(scene, down, true)).toEqual([])
    expect(shapeCast(scene, sphere(1), still(0, 0, 0), Float64Array.of(1, 0, 0), 0)).toBeNull()
    expect(overlapShape(scene, sphere(1), still(0, 0, 0))).toEqual([])
    expect(closestPoint(scene, Float64Array.of(0, 0, 0), Infinity)).toBeNull()
  })

  test('planes, whose boxes have no end', () => {
    const scene = new Scene()
    scene.add(0, plane([0, 1, 0], 0), still(0, -1, 0))
    scene.add(1, sphere(1), still(0, 3, 0))
    const ray = checkRay('test', [0.2, 10, 0], [0, -1, 0], Infinity)
    expect(rayCastAll(scene, ray, true).map(({ id }) => id)).toEqual([1, 0])
    expect(closestPoint(scene, Float64Array.of(50, 0, 0), Infinity)).toMatchObject({ id: 0, distance: 1 })
    expect(overlapPoint(scene, Float64Array.of(50, -2, 0))).toEqual([0])
  })
})

describe('bad input', () => {
  test('rays', () => {
    const bad = (origin: unknown, direction: unknown, maxDistance: unknown) => () =>
      checkRay('rayCast', origin, direction, maxDistance)
    expect(bad([0, NaN, 0], [0, 1, 0], 1)).toThrow(new RangeError('rayCast: origin[1] must be finite, got NaN'))
    expect(bad([0, 0], [0, 1, 0], 1)).toThrow('rayCast: origin must be an array of 3 numbers, got 2 entries')
    expect(bad([0, 0, 0], [0, 0, 0], 1)).toThrow(
      new RangeError('rayCast: direction must be a direction, got [0, 0, 0] of length 0'),
    )
    expect(bad([0, 0, 0], 'up', 1)).toThrow(TypeError)
    expect(bad([0, 0, 0], [0, 1, 0], -1)).toThrow(new RangeError('rayCast: maxDistance must be >= 0, got -1'))
    expect(bad([0, 0, 0], [0, 1, 0], NaN)).toThrow(RangeError)
    expect(bad([0, 0, 0], [0, 1, 0], '1')).toThrow(TypeError)
    expect(checkRay('rayCast', [0, 0, 0], [0, 5, 0], Infinity)).toEqual({
      origin: new Float64Array(3),
      direction: Float64Array.of(0, 1, 0),
      maxDistance: Infinity,
    })
  })

  test('shapes and where they stand', () => {
    expect(() => checkMovable('shapeCast: shape', plane([0, 1, 0]))).toThrow(
      new TypeError('shapeCast: shape must be convex or a compound, got a plane'),
    )
    expect(() => checkMovable('shapeCast: shape', {})).toThrow(
      new TypeError('shapeCast: shape must be a shape, got an object'),
    )
    expect(() => checkTransform('overlap', [0, 0, Infinity], [0, 0, 0, 1])).toThrow(
      new RangeError('overlap: position[2] must be finite, got Infinity'),
    )
    expect(() => checkTransform('overlap', [0, 0, 0], [0, 0, 0, 0])).toThrow(RangeError)
    expect(
      [...checkTransform('overlap', [1, 2, 3], [0, Math.SQRT1_2, 0, Math.SQRT1_2])].map((c) => Math.round(c) + 0),
    ).toEqual([1, 2, 3, 0, 0, 1, 0, 1, 0, -1, 0, 0])
    expect(() => checkVector('shapeCast: displacement', null)).toThrow(TypeError)
    expect(checkDistance('closestPoint: maxDistance', Infinity)).toBe(Infinity)
  })
})
