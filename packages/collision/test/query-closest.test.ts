import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../../core/test/support/runs.js'
import { Random } from '../../core/test/support/random.js'
import { SEED } from '../../core/test/support/seed.js'
import { NEAREST, pointToTriangle } from '../src/detect/narrow/point.js'
import { closestOnShape, PointHit } from '../src/query/closest-point.js'
import { overlapShapes } from '../src/query/overlap.js'
import type { Shape } from '../src/shapes/shape.js'
import { box } from '../src/shapes/box.js'
import { heightfield } from '../src/shapes/heightfield.js'
import { sphere } from '../src/shapes/sphere.js'
import {
  along,
  facets,
  gap,
  length,
  level,
  minus,
  MOVABLE,
  parts,
  randomTransform,
  SOLID,
  SURFACE,
  toLocal,
  toWorld,
} from './support/query.js'
import { ALL, surfaceSamples } from './support/shapes.js'

/** Rounding of lengths up to ten metres through two frames and a root [m]. */
const ROUNDING = 1e-9
/** Pairs whose distance is this near to 0 [m] may overlap or not: more than GJK's own tolerance, a billionth of sizes. */
const TOUCH = 1e-7

const IDENTITY = Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1)

function nearest(shape: Shape, T: Float64Array, p: ArrayLike<number>, maxDistance = Infinity): PointHit | null {
  const hit = new PointHit()
  return closestOnShape(shape, T, 0, Float64Array.from(p), maxDistance, hit) ? hit : null
}

describe(`nearest point (seed ${SEED})`, () => {
  test.each(SOLID)('%s: on the surface, that far along the normal, and no sample is nearer', (kind) => {
    const property = fc.property(fc.integer(), (seed) => {
      const random = new Random(seed)
      const shape = ALL[kind]!(random)
      const T = randomTransform(random)
      const p = toWorld(T, random.vector(random.chance(0.5) ? 0.7 : 3))
      const { distance, point, normal, child } = nearest(shape, T, p)!
      expect(Math.abs(length(normal) - 1)).toBeLessThan(ROUNDING)
      expect(length(minus(along(point, normal, distance), p))).toBeLessThan(ROUNDING)
      const own = parts(shape)[child < 0 ? 0 : child]
      expect(Math.abs(level(own.shape, toLocal(own.transform, toLocal(T, point))))).toBeLessThan(ROUNDING)
      const inside = parts(shape).some((part) => level(part.shape, toLocal(part.transform, toLocal(T, p))) < -ROUNDING)
      if (inside) expect(distance).toBeLessThan(0)
      else expect(distance).toBeGreaterThan(-2 * ROUNDING)
      if (kind === 'plane') return
      for (const part of parts(shape)) {
        const local = toLocal(part.transform, toLocal(T, p))
        const within = level(part.shape, local) < 0
        const samples = surfaceSamples(part.shape, random, 50)
        // Corners of a hull are not all of its surface, but outside none is nearer than the surface.
        for (let k = 0; k < samples.length; k += 3) {
          const to = length(minus(samples.slice(k, k + 3), local))
          if (!within) expect(to).toBeGreaterThan(distance - ROUNDING)
        }
      }
    })
    fc.assert(property, { seed: SEED, numRuns: runs(200) })
  })

  test.each(SURFACE)('%s: the nearest of all triangles', (kind) => {
    const property = fc.property(fc.integer(), (seed) => {
      const random = new Random(seed)
      const shape = ALL[kind]!(random)
      const T = randomTransform(random)
      const p = toWorld(T, random.vector(random.chance(0.5) ? 1 : 5))
      const local = Float64Array.from(toLocal(T, p))
      const distances = facets(shape).map(({ number, corners }) => ({
        number,
        distance: pointToTriangle(local, corners, 0, 3, 6),
      }))
      const least = Math.min(...distances.map(({ distance }) => distance))
      const limit = random.chance(0.3) ? random.between(0, 5) : Infinity
      const hit = nearest(shape, T, p, limit)
      if (Math.abs(least - limit) < ROUNDING) return
      if (least > limit) {
        expect(hit).toBeNull()
        return
      }
      expect(Math.abs(hit!.distance - least)).toBeLessThan(ROUNDING)
      expect(length(minus(along(hit!.point, hit!.normal, hit!.distance), p))).toBeLessThan(ROUNDING)
      const own = facets(shape).find(({ number }) => number === hit!.feature)!
      expect(pointToTriangle(local, own.corners, 0, 3, 6)).toBeLessThan(least + ROUNDING)
      expect(length(minus(toLocal(T, hit!.point), NEAREST))).toBeLessThan(1e-4)
    })
    fc.assert(property, { seed: SEED, numRuns: runs(400) })
  })

  test('far beside, above and below a ground', () => {
    const ground = heightfield({ heights: new Float64Array(30), columns: 6, rows: 5, cellX: 1, cellZ: 1 })
    expect(nearest(ground, IDENTITY, [0.2, 100, 0.1])).toMatchObject({ distance: 100 })
    expect(nearest(ground, IDENTITY, [102.5, 0, 0.1])).toMatchObject({ distance: 100 })
    expect(nearest(ground, IDENTITY, [0.2, -100, 0.1], 99)).toBeNull()
    expect(nearest(ground, IDENTITY, [0.2, -7, 0.1], 7)).toMatchObject({ distance: 7 })
    expect([...nearest(ground, IDENTITY, [0.2, -7, 0.1])!.normal].map((c) => c + 0)).toEqual([0, -1, 0])
  })

  test('at the very centre', () => {
    expect(nearest(sphere(2), IDENTITY, [0, 0, 0])).toMatchObject({ distance: -2 })
    expect(nearest(box([1, 2, 3]), IDENTITY, [0, 0, 0])).toMatchObject({ distance: -1 })
  })
})

describe(`overlap (seed ${SEED})`, () => {
  test.each(MOVABLE)('%s against all kinds', (kind) => {
    let overlapping = 0
    let decided = 0
    const property = fc.property(fc.integer(), (seed) => {
      const random = new Random(seed)
      const other = [...SOLID, ...SURFACE][random.below(10)]
      const [a, b] = [ALL[kind]!(random), ALL[other]!(random)]
      const A = randomTransform(random, 1.5)
      const B = randomTransform(random, 1.5)
      const distance = gap(a, A, b, B)
      if (Math.abs(distance) < TOUCH) return
      decided++
      if (distance < 0) overlapping++
      expect(overlapShapes(a, A, 0, b, B, 0), other).toBe(distance < 0)
    })
    fc.assert(property, { seed: SEED, numRuns: runs(150) })
    expect(overlapping).toBeGreaterThan(0.1 * decided)
    expect(overlapping).toBeLessThan(0.9 * decided)
  })

  test('a ball on the plane of a triangle, from either side', () => {
    const ground = heightfield({ heights: new Float64Array(4), columns: 2, rows: 2, cellX: 1, cellZ: 1 })
    for (const [y, expected] of [
      [0.9, true],
      [-0.9, true],
      [1.1, false],
      [-1.1, false],
    ] as const) {
      const T = Float64Array.of(0, y, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1)
      expect(overlapShapes(sphere(1), T, 0, ground, IDENTITY, 0)).toBe(expected)
    }
  })
})
