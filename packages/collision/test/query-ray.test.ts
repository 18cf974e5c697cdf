import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../../core/test/support/runs.js'
import { Random } from '../../core/test/support/random.js'
import { SEED } from '../../core/test/support/seed.js'
import { RayHit, rayShape } from '../src/query/ray.js'
import type { Shape } from '../src/shapes/shape.js'
import { box } from '../src/shapes/box.js'
import { capsule } from '../src/shapes/capsule.js'
import { compound } from '../src/shapes/compound.js'
import { cylinder } from '../src/shapes/cylinder.js'
import { heightfield } from '../src/shapes/heightfield.js'
import { plane } from '../src/shapes/plane.js'
import { sphere } from '../src/shapes/sphere.js'
import { taperedCapsule } from '../src/shapes/tapered-capsule.js'
import { triangleMesh } from '../src/shapes/triangle-mesh.js'
import {
  along,
  dot,
  facets,
  least,
  length,
  level,
  minus,
  parts,
  randomTransform,
  root,
  SOLID,
  SURFACE,
  toLocal,
  turnBack,
  type Vec,
} from './support/query.js'
import { ALL } from './support/shapes.js'

/** Rounding of lengths up to ten metres through two frames and a root [m]. */
const ROUNDING = 1e-9
/** A line that passes so near to a surface [m] may meet it or not. */
const GRAZE = 1e-9

const IDENTITY = Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1)

/** Fewer of those whose definition is slow. */
const RUNS: Partial<Record<string, number>> = { taperedCapsule: 200, convexHull: 300, compound: 150 }

function cast(
  shape: Shape,
  T: Float64Array,
  origin: ArrayLike<number>,
  direction: ArrayLike<number>,
  maxDistance = Infinity,
  solid = true,
): RayHit | null {
  const hit = new RayHit()
  const d = Float64Array.from(direction, (c) => c / length(direction))
  return rayShape(shape, T, 0, Float64Array.from(origin), d, maxDistance, solid, hit) ? hit : null
}

/** From where to where a line is in a convex shape, by its definition; null also where it only grazes. */
function span(shape: Shape, o: Vec, d: Vec): [number, number] | null {
  const f = (t: number): number => level(shape, along(o, d, t))
  const [from, to] = [-50, 50]
  const middle = least(f, from, to)
  if (f(middle) > -GRAZE) return null
  return [f(from) > 0 ? root(f, from, middle) : -Infinity, f(to) > 0 ? root(f, to, middle) : Infinity]
}

/** A line near a shape: some along an axis of it, some from inside. */
function randomRay(random: Random, T: Float64Array): { origin: Vec; direction: Vec } {
  const origin = [...random.vector(random.chance(0.3) ? 0.5 : 4)] as Vec
  const target = [...random.vector(1)] as Vec
  const d = minus(target, origin)
  let direction: Vec = [d[0] / length(d), d[1] / length(d), d[2] / length(d)]
  if (random.chance(0.2))
    direction = [
      [1, 0, 0],
      [0, -1, 0],
      [0, 0, 1],
    ][random.below(3)] as Vec
  else if (random.chance(0.1)) direction = [0, 0.6, -0.8]
  return {
    origin: [0, 1, 2].map((k) => T[k] + dot(T.subarray(3 + 3 * k), origin)) as Vec,
    direction: [0, 1, 2].map((k) => dot(T.subarray(3 + 3 * k), direction)) as Vec,
  }
}

describe(`shapes with an inside, against their definition (seed ${SEED})`, () => {
  test.each(SOLID)('%s', (kind) => {
    const property = fc.property(fc.integer(), (seed) => {
      const random = new Random(seed)
      const shape = ALL[kind]!(random)
      const T = randomTransform(random)
      const { origin, direction } = randomRay(random, T)
      const maxDistance = random.chance(0.2) ? random.between(0, 5) : 40
      const solid = random.chance(0.7)
      const hit = cast(shape, T, origin, direction, maxDistance, solid)
      let [enter, inside, part] = [Infinity, false, -1]
      let unsure = false
      parts(shape).forEach(({ shape: own, transform }, k) => {
        const o = toLocal(transform, toLocal(T, origin))
        const d = turnBack(transform, turnBack(T, direction))
        const found = span(own, o, d)
        if (found === null) {
          // Where the definition is not sure, neither is what is nearest.
          const f = (t: number): number => level(own, along(o, d, t))
          if (f(least(f, -50, 50)) < GRAZE) unsure = true
          return
        }
        const within = found[0] < 0 && found[1] > 0
        if (found.some((t) => Math.abs(t) < GRAZE)) unsure = true
        const t = found[0] >= 0 ? found[0] : !within ? Infinity : solid ? 0 : found[1]
        if (t < enter) [enter, inside, part] = [t, within, k]
      })
      if (unsure || Math.abs(enter - maxDistance) < ROUNDING) return
      if (!(enter <= maxDistance)) {
        expect(hit).toBeNull()
        return
      }
      expect(hit).not.toBeNull()
      const { point, normal, distance } = hit!
      expect(Math.abs(distance - enter)).toBeLessThan(ROUNDING)
      expect(length(minus(point, along(origin, direction, distance)))).toBeLessThan(ROUNDING)
      expect(Math.abs(length(normal) - 1)).toBeLessThan(ROUNDING)
      expect(hit!.inside).toBe(inside)
      if (inside && solid) {
        expect(length(minus(normal, along([0, 0, 0], direction, -1)))).toBeLessThan(ROUNDING)
        return
      }
      // Out of the surface: towards the ray where it enters, with it where it leaves from within.
      expect(inside ? -dot(normal, direction) : dot(normal, direction)).toBeLessThan(ROUNDING)
      const own = shape.children?.[hit!.child] ?? { shape, transform: IDENTITY }
      if (shape.children !== null && hit!.child !== part) return
      const above = (s: number): number => level(own.shape, toLocal(own.transform, toLocal(T, along(point, normal, s))))
      // Away along the normal it grows as fast as the distance does, on a face; at least it grows.
      expect(Math.abs(above(0))).toBeLessThan(ROUNDING)
      expect(above(1e-4)).toBeGreaterThan(0.9e-4)
    })
    fc.assert(property, { seed: SEED, numRuns: runs(RUNS[kind] ?? 1000) })
  })
})

/** Nearest triangle by Cramer's rule (Möller and Trumbore 1997); NaN when a ray passes too near to an edge to be sure. */
function nearestFacet(shape: Shape, o: Vec, d: Vec, maxDistance: number): { t: number; number: number } {
  let [t, number] = [Infinity, -1]
  for (const { number: name, corners } of facets(shape)) {
    const [a, b, c] = [0, 3, 6].map((k) => [...corners.subarray(k, k + 3)] as Vec)
    const [u, v] = [minus(b, a), minus(c, a)]
    const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]] as Vec
    const det = -dot(d, n)
    const s = minus(o, a)
    const e = [s[1] * d[2] - s[2] * d[1], s[2] * d[0] - s[0] * d[2], s[0] * d[1] - s[1] * d[0]] as Vec
    const [x, y, at] = [dot(v, e) / det, -dot(u, e) / det, dot(s, n) / det]
    const inner = Math.min(x, y, 1 - x - y, at, maxDistance - at)
    if (Math.abs(det) < 1e-9 || Math.abs(inner) < 1e-9) return { t: NaN, number: -1 }
    if (inner < 0 || (shape.mesh?.oneSided === true && det < 0)) continue
    if (at < t) [t, number] = [at, name]
  }
  return { t, number }
}

describe(`surfaces, against all triangles (seed ${SEED})`, () => {
  test.each(SURFACE)('%s', (kind) => {
    let hits = 0
    const property = fc.property(fc.integer(), (seed) => {
      const random = new Random(seed)
      const shape = ALL[kind]!(random)
      const T = randomTransform(random)
      const { origin, direction } = randomRay(random, T)
      const maxDistance = random.chance(0.2) ? random.between(0, 5) : Infinity
      const expected = nearestFacet(shape, toLocal(T, origin), turnBack(T, direction), maxDistance)
      const hit = cast(shape, T, origin, direction, maxDistance)
      if (expected.t !== expected.t) return
      if (expected.number < 0) {
        expect(hit).toBeNull()
        return
      }
      hits++
      expect(hit).not.toBeNull()
      // Triangles of a random mesh cut each other, so that two may be as near.
      expect(Math.abs(hit!.distance - expected.t)).toBeLessThan(ROUNDING)
      expect(hit!.inside).toBe(false)
      expect(Math.abs(length(hit!.normal) - 1)).toBeLessThan(ROUNDING)
      expect(dot(hit!.normal, direction)).toBeLessThan(0)
      const own = facets(shape).find(({ number }) => number === hit!.feature)!
      const p = toLocal(T, hit!.point)
      const n = turnBack(T, hit!.normal)
      for (const k of [0, 3, 6]) expect(Math.abs(dot(n, minus(p, own.corners.subarray(k))))).toBeLessThan(ROUNDING)
    })
    fc.assert(property, { seed: SEED, numRuns: runs(1500) })
    expect(hits).toBeGreaterThan(runs(100))
  })

  test('no ray slips through an edge or a corner of a closed mesh', () => {
    const random = new Random(SEED)
    const { vertices, triangles } = globe(random)
    const mesh = triangleMesh(vertices, triangles, { oneSided: true })
    const T = randomTransform(random)
    const at = (k: number): Vec => vertices.slice(3 * k, 3 * k + 3) as Vec
    for (let k = 0; k < triangles.length; k++) {
      const [a, b] = [at(triangles[k]), at(triangles[k - (k % 3) + ((k + 1) % 3)])]
      const s = [0, 0.5, 0.25, random.next()][random.below(4)]
      const p = along(a, minus(b, a), s)
      const from = random.direction()
      const origin = along([0, 0, 0], p, 3)
      for (const start of [origin, along(origin, from, 0.1)]) {
        const target = [0, 1, 2].map((i) => T[i] + dot(T.subarray(3 + 3 * i), p)) as Vec
        const world = [0, 1, 2].map((i) => T[i] + dot(T.subarray(3 + 3 * i), start)) as Vec
        const hit = cast(mesh, T, world, minus(target, world))
        expect(hit).not.toBeNull()
        expect(hit!.distance).toBeLessThan(length(minus(target, world)) + 1e-9)
      }
    }
  })

  test('nor where it passes exactly through one', () => {
    const n = 5
    const vertices = Array.from({ length: n * n }, (_, k) => [k % n, 0, Math.floor(k / n)]).flat()
    const triangles: number[] = []
    for (let j = 0; j + 1 < n; j++) {
      for (let i = 0; i + 1 < n; i++) {
        const k = j * n + i
        // The diagonal one way and the other: four, six or eight triangles about a corner.
        if ((i + j) % 2 === 0) triangles.push(k, k + n, k + 1, k + 1, k + n, k + n + 1)
        else triangles.push(k, k + n, k + n + 1, k, k + n + 1, k + 1)
      }
    }
    const ways: Vec[] = [
      [0, -1, 0],
      [1, -1, 0],
      [0, -2, -1],
      [0.5, -1, 0.5],
    ]
    for (const oneSided of [false, true]) {
      const mesh = triangleMesh(vertices, triangles, { oneSided })
      for (const way of ways) {
        for (let i = 1; i <= 6; i++) {
          for (let j = 1; j <= 6; j++) {
            const origin = along([0.5 + i / 2, 0, 0.5 + j / 2], way, -1)
            expect(cast(mesh, IDENTITY, origin, way)?.distance).toBeCloseTo(length(way), 12)
          }
        }
      }
    }
  })

  test('no ray slips through a line of the grid of a heightfield', () => {
    const random = new Random(SEED)
    const [columns, rows] = [9, 7]
    const heights = Array.from({ length: columns * rows }, () => random.between(-0.1, 0.1))
    const ground = heightfield({ heights, columns, rows, cellX: 0.3, cellZ: 0.7 })
    const T = randomTransform(random)
    const toWorld = (p: Vec): Vec => [0, 1, 2].map((i) => T[i] + dot(T.subarray(3 + 3 * i), p)) as Vec
    for (let k = 0; k < 2000; k++) {
      // A point on a line of the grid or on a diagonal, seen from above: along it, across it, or straight down.
      const [i, j] = [1 + random.below(columns - 2), 1 + random.below(rows - 2)]
      const s = random.chance(0.3) ? 0 : random.between(0, 0.9)
      const [u, v] = [
        [s, 0],
        [0, s],
        [s, -s],
      ][random.below(3)]
      const [x, z] = [(i + u - (columns - 1) / 2) * 0.3, (j + v - (rows - 1) / 2) * 0.7]
      const slope = [
        [0, 0],
        [1, 0],
        [0, 1],
        [0.3, -0.7],
        [random.between(-1, 1), random.between(-1, 1)],
      ][random.below(5)]
      const target = toWorld([x, -0.2, z])
      const origin = toWorld([x - 0.05 * slope[0], 0.2, z - 0.05 * slope[1]])
      const hit = cast(ground, T, origin, minus(target, origin))
      expect(hit).not.toBeNull()
      expect(hit!.distance).toBeLessThan(length(minus(target, origin)))
    }
  })

  test('a mesh that is one-sided is passed from behind, one that is not turns its normal', () => {
    const corners = [-1, 0, -1, 0, 0, 1, 1, 0, -1]
    for (const oneSided of [false, true]) {
      const mesh = triangleMesh(corners, [0, 1, 2], { oneSided })
      const above = cast(mesh, IDENTITY, [0, 1, 0], [0, -1, 0])
      expect(above).toMatchObject({ distance: 1, feature: 0, child: -1, inside: false })
      expect([...above!.normal]).toEqual([0, 1, 0])
      const below = cast(mesh, IDENTITY, [0, -1, 0], [0, 1, 0])
      expect(below === null ? null : [...below.normal].map((c) => c + 0)).toEqual(oneSided ? null : [0, -1, 0])
    }
  })
})

/** A closed surface about the origin. */
function globe(random: Random): { vertices: number[]; triangles: number[] } {
  const [rings, sides] = [6, 8]
  const vertices: number[] = [0, 1, 0]
  for (let r = 1; r < rings; r++) {
    for (let s = 0; s < sides; s++) {
      const [theta, phi] = [(Math.PI * r) / rings, (2 * Math.PI * s) / sides]
      const radius = random.between(0.9, 1)
      vertices.push(
        radius * Math.sin(theta) * Math.cos(phi),
        radius * Math.cos(theta),
        radius * Math.sin(theta) * Math.sin(phi),
      )
    }
  }
  vertices.push(0, -1, 0)
  const last = vertices.length / 3 - 1
  const triangles: number[] = []
  const ring = (r: number, s: number): number => 1 + (r - 1) * sides + (s % sides)
  for (let s = 0; s < sides; s++) {
    triangles.push(0, ring(1, s + 1), ring(1, s), last, ring(rings - 1, s), ring(rings - 1, s + 1))
    for (let r = 1; r + 1 < rings; r++) {
      triangles.push(ring(r, s), ring(r, s + 1), ring(r + 1, s), ring(r, s + 1), ring(r + 1, s + 1), ring(r + 1, s))
    }
  }
  return { vertices, triangles }
}

describe('single rays', () => {
  test('features of what has faces', () => {
    expect(cast(box([1, 2, 3]), IDENTITY, [5, 0, 0], [-1, 0, 0])).toMatchObject({ distance: 4, feature: 1 })
    expect(cast(box([1, 2, 3]), IDENTITY, [0, -5, 0], [0, 1, 0])).toMatchObject({ distance: 3, feature: 2 })
    expect(cast(cylinder(1, 2), IDENTITY, [0, 5, 0], [0, -1, 0])).toMatchObject({ distance: 3, feature: 0 })
    expect(cast(cylinder(1, 2), IDENTITY, [0, -5, 0], [0, 1, 0])).toMatchObject({ distance: 3, feature: 1 })
    expect(cast(cylinder(1, 2), IDENTITY, [5, 0, 0], [-1, 0, 0])).toMatchObject({ distance: 4, feature: 2 })
  })

  test('begins on the surface: out is a miss, in is a hit at 0', () => {
    for (const shape of [box([1, 1, 1]), sphere(1), cylinder(1, 1), plane([1, 0, 0], 1)]) {
      expect(cast(shape, IDENTITY, [1, 0, 0], [1, 0, 0]), shape.name).toBeNull()
      expect(cast(shape, IDENTITY, [1, 0, 0], [-1, 0, 0]), shape.name).toMatchObject({ distance: 0, inside: false })
    }
  })

  test('begins inside: at 0 against the ray, or where it leaves', () => {
    const hit = cast(box([1, 1, 1]), IDENTITY, [0, 0, 0], [0, 1, 0])
    expect(hit).toMatchObject({ distance: 0, inside: true, feature: -1 })
    expect([...hit!.normal].map((c) => c + 0)).toEqual([0, -1, 0])
    const out = cast(box([1, 1, 1]), IDENTITY, [0, 0, 0], [0, 1, 0], Infinity, false)
    expect(out).toMatchObject({ distance: 1, inside: true, feature: 3 })
    expect([...out!.normal]).toEqual([0, 1, 0])
    expect(cast(box([1, 1, 1]), IDENTITY, [0, 0, 0], [0, 1, 0], 0.5, false)).toBeNull()
    expect(cast(plane([0, 1, 0], 0), IDENTITY, [0, -1, 0], [0, -1, 0], Infinity, false)).toBeNull()
  })

  test('in the plane of a face and along an edge', () => {
    expect(cast(box([1, 1, 1]), IDENTITY, [-5, 1, 0], [1, 0, 0])).toMatchObject({ distance: 4 })
    expect(cast(box([1, 1, 1]), IDENTITY, [-5, 1, 1], [1, 0, 0])).toMatchObject({ distance: 4 })
    expect(cast(box([1, 1, 1]), IDENTITY, [-5, 1 + 1e-12, 0], [1, 0, 0])).toBeNull()
    expect(cast(cylinder(1, 1), IDENTITY, [0, 5, 1], [0, -1, 0])).toMatchObject({ distance: 4 })
    expect(cast(capsule(1, 1), IDENTITY, [0, 5, 0], [0, -1, 0])).toMatchObject({ distance: 3 })
  })

  test('along the slope of a cone', () => {
    const shape = taperedCapsule(0.5, 1, 1)
    const s = 0.25
    const c = Math.sqrt(1 - s * s)
    // Parallel to the side, inside by 0.1: in by one ball, out by the other.
    const d: Vec = [-s, c, 0]
    const n: Vec = [c, s, 0]
    const onSide = along([0, -1, 0], n, 0.9)
    const hit = cast(shape, IDENTITY, along(onSide, d, -5), d)
    expect(level(shape, [...hit!.point] as Vec)).toBeCloseTo(0, 9)
    expect(hit!.point[1]).toBeLessThan(-1)
  })

  test('from very far away, to the precision of where it begins', () => {
    /** One part in 2⁵³ of 10⁷ m, and as much from each of a few operations. */
    const FAR_ROUNDING = 2e-8
    const random = new Random(5)
    for (const kind of [...SOLID, ...SURFACE]) {
      if (kind === 'plane') continue
      const shape = ALL[kind]!(random)
      for (let k = 0; k < 200; k++) {
        const direction = random.direction()
        const near = along(random.vector(0.5), direction, -10)
        const far = along(near, direction, -1e7)
        const a = cast(shape, IDENTITY, near, direction)
        const b = cast(shape, IDENTITY, far, direction)
        if (a === null || b === null || Math.abs(dot(a.normal, direction)) < 0.1) continue
        expect(Math.abs(b.distance - 1e7 - a.distance), kind).toBeLessThan(10 * FAR_ROUNDING)
        expect(length(minus(a.point, b.point))).toBeLessThan(10 * FAR_ROUNDING)
      }
    }
  })

  test('parts of a compound', () => {
    const shape = compound([
      { shape: sphere(1), position: [3, 0, 0] },
      { shape: box([1, 1, 1]), position: [-3, 0, 0] },
    ])
    expect(cast(shape, IDENTITY, [10, 0, 0], [-1, 0, 0])).toMatchObject({ distance: 6, child: 0 })
    expect(cast(shape, IDENTITY, [-10, 0, 0], [1, 0, 0])).toMatchObject({ distance: 6, child: 1, feature: 0 })
    expect(cast(shape, IDENTITY, [0, 0, 0], [0, 1, 0])).toBeNull()
  })

  test('what is missed leaves the hit as it was', () => {
    const hit = new RayHit()
    hit.distance = 42
    const [o, d] = [Float64Array.of(0, 5, 0), Float64Array.of(0, 1, 0)]
    for (const kind of [...SOLID, ...SURFACE]) {
      if (kind === 'plane') continue
      expect(rayShape(ALL[kind]!(new Random(3)), IDENTITY, 0, o, d, Infinity, true, hit)).toBe(false)
    }
    expect(hit).toEqual(Object.assign(new RayHit(), { distance: 42 }))
  })
})
