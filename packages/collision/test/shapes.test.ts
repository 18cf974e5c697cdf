import { describe, expect, it } from 'vitest'
import { writeBounds } from '../src/shapes/bounds.js'
import { box } from '../src/shapes/box.js'
import { capsule } from '../src/shapes/capsule.js'
import { compound, type Part } from '../src/shapes/compound.js'
import { cylinder } from '../src/shapes/cylinder.js'
import { shapeFromJSON } from '../src/shapes/from-json.js'
import { writeHeightfieldTriangle } from '../src/shapes/heightfield-data.js'
import { writeMeshTriangle } from '../src/shapes/mesh-data.js'
import { plane } from '../src/shapes/plane.js'
import { sphere } from '../src/shapes/sphere.js'
import { FACE_NORMAL, support, writeFace } from '../src/shapes/support.js'
import { taperedCapsule } from '../src/shapes/tapered-capsule.js'
import type { Shape, ShapeJson, ShapeName } from '../src/shapes/shape.js'
import { Random } from '../../core/test/support/random.js'
import { SEED } from '../../core/test/support/seed.js'
import { ALL, CONVEX, data, surfaceSamples } from './support/shapes.js'

/** Sums of a few products of doubles, sizes of a few metres. */
const ROUND_OFF = 1e-14
/** A hull's faces hide the corners that lie within 2e-7 of its size, which is at most 4 m. */
const HULL = 1e-6

const NAMES = Object.keys(ALL) as ShapeName[]
const CONVEX_NAMES = Object.keys(CONVEX) as ShapeName[]

/** t, then R row by row. */
function randomTransform(random: Random): Float64Array {
  const [x, y, z, w] = random.rotation()
  // prettier-ignore
  return Float64Array.of(...random.vector(5),
    1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),
    2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
    2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y))
}

function applied(T: Float64Array, p: ArrayLike<number>): number[] {
  return [0, 1, 2].map((k) => T[k] + T[3 + 3 * k] * p[0] + T[4 + 3 * k] * p[1] + T[5 + 3 * k] * p[2])
}

function supportOf(shape: Shape, d: ArrayLike<number>): number[] {
  const out = new Float64Array(3)
  support(shape, Float64Array.from(d), 0, out, 0)
  return Array.from(out)
}

const dot = (a: ArrayLike<number>, b: ArrayLike<number>): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]

describe(`support, seed ${SEED}`, () => {
  it.each(CONVEX_NAMES)('of a %s lies on it, and no point of it lies farther', (name) => {
    const random = new Random(SEED)
    for (let run = 0; run < 30; run++) {
      const shape = CONVEX[name]!(random)
      const samples = surfaceSamples(shape, random, 300)
      for (let k = 0; k < 30; k++) {
        const d = random.vector(3)
        const reach = dot(supportOf(shape, d), d)
        let most = -Infinity
        for (let i = 0; i < samples.length; i += 3) {
          most = Math.max(most, samples[i] * d[0] + samples[i + 1] * d[1] + samples[i + 2] * d[2])
        }
        expect(most).toBeLessThanOrEqual(reach + ROUND_OFF)
        // It lies on the shape: in no direction beyond the support there.
        const p = supportOf(shape, d)
        for (let i = 0; i < 5; i++) {
          const e = random.direction()
          expect(dot(p, e)).toBeLessThanOrEqual(dot(supportOf(shape, e), e) + ROUND_OFF)
        }
      }
    }
  })

  it.each(CONVEX_NAMES)('of a %s is finite along the axes and along no direction', (name) => {
    const shape = CONVEX[name]!(new Random(SEED))
    for (const d of [
      [0, 0, 0],
      [0, 1, 0],
      [0, -1, 0],
      [1, 0, 0],
      [0, 0, -1],
    ]) {
      expect(supportOf(shape, d).every(Number.isFinite)).toBe(true)
    }
  })

  it('has closed forms', () => {
    const [s, c] = [0.6, 0.8]
    const expectSupport = (shape: Shape, d: number[], p: number[]): void => {
      supportOf(shape, d).forEach((x, k) => expect(x).toBeCloseTo(p[k], 14))
    }
    expectSupport(sphere(2), [0, 3 * s, 3 * c], [0, 2 * s, 2 * c])
    expectSupport(capsule(0.5, 1), [0, s, c], [0, 1 + 0.5 * s, 0.5 * c])
    expectSupport(cylinder(0.5, 1), [0, -s, c], [0, -1, 0.5])
    expectSupport(box([1, 2, 3]), [1, -1, 1], [1, -2, 3])
    // Radii 1 and 2, centres 2 apart: the side's normal leans up by 1/2. Just above it the top ball leads.
    const tapered = taperedCapsule(1, 2, 1)
    const high = supportOf(tapered, [Math.sqrt(1 - 0.51 * 0.51), 0.51, 0])
    expect(high[1]).toBeCloseTo(1.51, 12)
    const low = supportOf(tapered, [Math.sqrt(1 - 0.49 * 0.49), 0.49, 0])
    expect(low[1]).toBeCloseTo(-1 + 2 * 0.49, 12)
  })

  it('numbers the corners of a box by bits, and those of hulls and triangles by their vertices', () => {
    const out = new Float64Array(3)
    for (let k = 0; k < 8; k++) {
      const d = Float64Array.of(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1)
      expect(support(box([1, 1, 1]), d, 0, out, 0)).toBe(k)
      expect(Array.from(out)).toEqual(Array.from(d))
    }
    const random = new Random(SEED)
    for (const name of ['convexHull', 'triangle'] as const) {
      for (let run = 0; run < 20; run++) {
        const shape = CONVEX[name]!(random)
        const vertices = shape.hull?.vertices ?? shape.params
        const v = support(shape, Float64Array.from(random.direction()), 0, out, 0)
        expect(Array.from(out)).toEqual(Array.from(vertices.subarray(3 * v, 3 * v + 3)))
      }
    }
  })
})

describe(`writeFace, seed ${SEED}`, () => {
  it.each(CONVEX_NAMES)(
    'of a %s: corners on the surface, counter-clockwise, and the normal no other face beats',
    (name) => {
      const random = new Random(SEED)
      const tolerance = name === 'convexHull' ? HULL : ROUND_OFF
      for (let run = 0; run < 200; run++) {
        const shape = CONVEX[name]!(random)
        const room = Math.max(8, shape.hull?.largestFace ?? 0)
        const points = new Float64Array(3 * room)
        const ids = new Int32Array(room)
        const d = random.vector(2)
        const count = writeFace(shape, Float64Array.from(d), 0, points, ids)
        const normal = Array.from(FACE_NORMAL)
        expect(Math.hypot(...normal)).toBeCloseTo(1, 12)
        expect(new Set(ids.subarray(0, count)).size).toBe(count)
        const reach = dot(supportOf(shape, normal), normal)
        for (let k = 0; k < count; k++) {
          expect(Math.abs(dot(points.subarray(3 * k, 3 * k + 3), normal) - reach)).toBeLessThanOrEqual(tolerance)
        }
        if (count > 2) {
          for (let k = 0; k < count; k++) {
            const [a, b, c] = [0, 1, 2].map((j) => points.subarray(3 * ((k + j) % count), 3 * ((k + j) % count) + 3))
            const [u, v] = [b.map((x, i) => x - a[i]), c.map((x, i) => x - b[i])]
            const turn = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
            expect(dot(turn, normal)).toBeGreaterThan(-tolerance)
          }
        }
        expect(dot(normal, d)).toBeGreaterThan(0)
        if (name === 'box') expect(dot(normal, d)).toBe(Math.max(...Array.from(d, Math.abs)))
        const planes = shape.hull?.planes ?? []
        for (let o = 0; o < planes.length; o += 4) {
          expect(dot(planes.slice(o, o + 3), d)).toBeLessThanOrEqual(dot(normal, d))
        }
      }
    },
  )

  it('is a face of a box, cap or line of a cylinder, line or end of a capsule', () => {
    const points = new Float64Array(24)
    const ids = new Int32Array(8)
    const count = (shape: Shape, x: number, y: number, z: number): number =>
      writeFace(shape, Float64Array.of(x, y, z), 0, points, ids)
    expect(count(box([1, 1, 1]), 0.3, 0.2, -1)).toBe(4)
    expect(count(sphere(1), 0.3, 0.2, -1)).toBe(1)
    expect(count(cylinder(1, 2), 0.3, -1, 0.3)).toBe(8)
    expect(count(cylinder(1, 2), 0, -1, 0.9)).toBe(8)
    expect(count(cylinder(1, 2), 0, -1, 1.1)).toBe(2)
    expect(Array.from(points.subarray(0, 6))).toEqual([0, 2, 1, 0, -2, 1])
    expect(count(capsule(1, 2), 0, 0.1, 1)).toBe(2)
    expect(count(capsule(1, 2), 0, 1, 0.1)).toBe(1)
    expect(Array.from(ids.subarray(0, 1))).toEqual([0])
    expect(count(capsule(1, 2), 0, -1, 0.1)).toBe(1)
    expect(Array.from(ids.subarray(0, 1))).toEqual([1])
  })

  it('gives no corner of a shape the name of another', () => {
    for (const shape of [box([1, 2, 3]), cylinder(1, 2)]) {
      const points = new Float64Array(24)
      const ids = new Int32Array(8)
      const where = new Map<number, string>()
      for (const d of [
        [1, 0, 0],
        [-1, 0, 0],
        [0, 1, 0],
        [0, -1, 0],
        [0, 0, 1],
        [0, 0, -1],
      ]) {
        // The side of a cylinder is another line for each direction.
        if (shape.name === 'cylinder' && d[1] === 0) continue
        const count = writeFace(shape, Float64Array.from(d), 0, points, ids)
        for (let k = 0; k < count; k++) {
          const p = points.subarray(3 * k, 3 * k + 3).join()
          expect(where.get(ids[k]) ?? p).toBe(p)
          where.set(ids[k], p)
        }
      }
      expect(new Set(where.values()).size).toBe(where.size)
    }
  })
})

describe(`bounds, seed ${SEED}`, () => {
  it.each(CONVEX_NAMES)('of a %s are tight: a support point lies on every side', (name) => {
    const random = new Random(SEED)
    for (let run = 0; run < 100; run++) {
      const shape = CONVEX[name]!(random)
      if (shape.hull !== null && shape.hull.vertices.length > 3 * 32) continue
      const T = randomTransform(random)
      const out = new Float64Array(8)
      writeBounds(shape, T, 0, out, 2)
      for (let k = 0; k < 3; k++) {
        const n = [T[3 + 3 * k], T[4 + 3 * k], T[5 + 3 * k]]
        expect(out[5 + k]).toBeCloseTo(applied(T, supportOf(shape, n))[k], 12)
        const back = n.map((x) => -x)
        expect(out[2 + k]).toBeCloseTo(applied(T, supportOf(shape, back))[k], 12)
      }
    }
  })

  it.each(NAMES.filter((name) => name !== 'plane'))(
    'of a %s hold all of it, where it stands and where it was made',
    (name) => {
      const random = new Random(SEED)
      const out = new Float64Array(6)
      const identity = Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1)
      const beyond = (p: ArrayLike<number>, box: Float64Array): number =>
        Math.max(...[0, 1, 2].flatMap((k) => [box[k] - p[k], p[k] - box[3 + k]]))
      for (let run = 0; run < 20; run++) {
        const shape = ALL[name]!(random)
        const samples = pointsOf(shape, random)
        const T = randomTransform(random)
        writeBounds(shape, T, 0, out, 0)
        expect(samples.length).toBeGreaterThan(0)
        expect(Math.max(...samples.map((p) => beyond(applied(T, p), out)))).toBeLessThanOrEqual(ROUND_OFF)
        expect(Math.max(...samples.map((p) => beyond(p, shape.bounds)))).toBeLessThanOrEqual(ROUND_OFF)
        expect(Math.max(...samples.map((p) => Math.hypot(...p)))).toBeLessThanOrEqual(shape.reach + ROUND_OFF)
        writeBounds(shape, identity, 0, out, 0)
        for (let k = 0; k < 6; k++) expect(out[k]).toBeCloseTo(shape.bounds[k], 12)
      }
    },
  )

  it('have closed forms', () => {
    const out = new Float64Array(6)
    // Turned by 45° about z, at (1, 2, 3).
    const c = Math.SQRT1_2
    const T = Float64Array.of(1, 2, 3, c, -c, 0, c, c, 0, 0, 0, 1)
    const expectBounds = (shape: Shape, half: number[], middle = [1, 2, 3]): void => {
      writeBounds(shape, T, 0, out, 0)
      for (let k = 0; k < 3; k++) {
        expect(out[k]).toBeCloseTo(middle[k] - half[k], 14)
        expect(out[3 + k]).toBeCloseTo(middle[k] + half[k], 14)
      }
    }
    expectBounds(sphere(2), [2, 2, 2])
    expectBounds(capsule(0.5, 2), [2 * c + 0.5, 2 * c + 0.5, 0.5])
    expectBounds(box([1, 2, 3]), [3 * c, 3 * c, 3])
    expectBounds(cylinder(0.5, 2), [2.5 * c, 2.5 * c, 0.5])
    // The top one's centre at (1 − 2c, 2 + 2c), radius 1/4; the bottom one's at (1 + 2c, 2 − 2c), radius 1.
    const reach = 2 * c + 5 / 8
    expectBounds(taperedCapsule(0.25, 1, 2), [reach, reach, 1], [1 + 3 / 8, 2 - 3 / 8, 3])
    expectBounds(
      compound([
        { shape: sphere(1), position: [0, 2, 0] },
        { shape: sphere(1), position: [0, -2, 0] },
      ]),
      [2 * c + 1, 2 * c + 1, 1],
    )
    writeBounds(plane([0, 1, 0]), T, 0, out, 0)
    expect(Array.from(out)).toEqual([-Infinity, -Infinity, -Infinity, Infinity, Infinity, Infinity])
    expect(plane([0, 1, 0]).reach).toBe(Infinity)
  })
})

/** Corners of all triangles that are there. */
function corners<Of>(
  count: number,
  write: (of: Of, triangle: number, out: Float64Array, o: number) => void,
  of: Of,
): number[][] {
  const all: number[][] = []
  const out = new Float64Array(9)
  for (let t = 0; t < count; t++) {
    write(of, t, out, 0)
    if (!out.some(Number.isNaN)) for (const k of [0, 3, 6]) all.push(Array.from(out.subarray(k, k + 3)))
  }
  return all
}

/** Points of a shape of any kind but a plane. */
function pointsOf(shape: Shape, random: Random): number[][] {
  if (shape.children !== null) {
    return shape.children.flatMap((child) => pointsOf(child.shape, random).map((p) => applied(child.transform, p)))
  }
  if (shape.mesh !== null) return corners(shape.mesh.triangles.length / 3, writeMeshTriangle, shape.mesh)
  if (shape.heightfield !== null) {
    return corners(shape.heightfield.innerEdges.length, writeHeightfieldTriangle, shape.heightfield)
  }
  const flat = surfaceSamples(shape, random, 100)
  return Array.from({ length: flat.length / 3 }, (_, k) => [flat[3 * k], flat[3 * k + 1], flat[3 * k + 2]])
}

describe(`JSON, seed ${SEED}`, () => {
  it.each(NAMES)('of a %s, through text, makes the same shape to the last bit', (name) => {
    const random = new Random(SEED)
    for (let run = 0; run < 10; run++) {
      const shape = ALL[name]!(random)
      const read = shapeFromJSON(JSON.parse(JSON.stringify(shape)) as ShapeJson)
      expect(read.name).toBe(name)
      expect(data(read)).toEqual(data(shape))
    }
  })

  it('is what a user would write by hand', () => {
    expect(JSON.parse(JSON.stringify(compound([{ shape: box([1, 2, 3]), position: [0, 1, 0] }])))).toEqual({
      type: 'compound',
      parts: [{ shape: { type: 'box', halfExtents: [1, 2, 3] }, position: [0, 1, 0], orientation: [0, 0, 0, 1] }],
    })
    expect(data(shapeFromJSON({ type: 'plane', normal: [0, 2, 0] }))).toEqual(data(plane([0, 1, 0], 0)))
  })

  it.each([
    [undefined, TypeError, 'shapeFromJSON: shape must be an object, got undefined'],
    [{ type: 'teapot' }, RangeError, 'got "teapot"'],
    [{ type: 'triangle' }, RangeError, 'got "triangle"'],
    [{ type: 'sphere' }, TypeError, 'sphere: radius must be a number > 0, got undefined'],
    [{ type: 'box', halfExtents: [1, 2] }, RangeError, 'box: halfExtents must be an array of 3 numbers'],
    [{ type: 'compound' }, TypeError, 'shapeFromJSON: parts must be an array, got undefined'],
    [
      { type: 'compound', parts: [{ shape: { type: 'sphere', radius: -1 } }] },
      RangeError,
      'sphere: radius must be > 0',
    ],
  ] as const)('%j is refused', (json, error, message) => {
    const read = (): unknown => shapeFromJSON(json as unknown as ShapeJson)
    expect(read).toThrow(error)
    expect(read).toThrow(message)
  })
})

describe('compounds', () => {
  it('take compounds apart', () => {
    const c = Math.SQRT1_2
    const inner = compound([{ shape: sphere(1), position: [1, 0, 0], orientation: [0, 0, c, c] }])
    // A quarter turn about y takes x to −z.
    const outer = compound([
      { shape: inner, position: [0, 5, 0], orientation: [0, c, 0, c] },
      { shape: box([1, 1, 1]) },
    ])
    expect(outer.children!.map(({ shape }) => shape.name)).toEqual(['sphere', 'box'])
    const { transform } = outer.children![0]
    // x → y about z, and then nothing; y → −x → z; z → z → x.
    const expected = [0, 5, -1, 0, 0, 1, 1, 0, 0, 0, 1, 0]
    transform.forEach((x, k) => expect(x).toBeCloseTo(expected[k], 14))
  })

  it('are movable, as all that is convex; planes, meshes and heightfields are not', () => {
    const random = new Random(SEED)
    for (const name of NAMES) {
      expect(ALL[name]!(random).movable).toBe(!['plane', 'heightfield', 'triangleMesh'].includes(name))
    }
  })
})

describe('bad input', () => {
  const ball = sphere(1)
  const floor = plane([0, 1, 0])
  const bad: [string, () => unknown, typeof RangeError | typeof TypeError, string][] = [
    ['sphere of no size', () => sphere(0), RangeError, 'sphere: radius must be > 0 and finite, got 0'],
    ['sphere of NaN', () => sphere(NaN), RangeError, 'sphere: radius must be > 0 and finite, got NaN'],
    [
      'sphere of text',
      () => sphere('1' as unknown as number),
      TypeError,
      'sphere: radius must be a number > 0, got "1"',
    ],
    ['capsule without a length', () => capsule(1, 0), RangeError, 'capsule: halfHeight must be > 0 and finite, got 0'],
    ['capsule of negative radius', () => capsule(-1, 1), RangeError, 'capsule: radius must be > 0 and finite, got -1'],
    ['cylinder of no height', () => cylinder(1, 0), RangeError, 'cylinder: halfHeight must be > 0 and finite, got 0'],
    ['cylinder of infinite radius', () => cylinder(Infinity, 1), RangeError, 'cylinder: radius must be > 0 and finite'],
    ['box without a width', () => box([1, 0, 1]), RangeError, 'box: halfExtents[1] must be > 0 and finite, got 0'],
    [
      'box of two numbers',
      () => box([1, 1] as unknown as [1, 1, 1]),
      RangeError,
      'box: halfExtents must be an array of 3',
    ],
    ['box of NaN', () => box([1, NaN, 1]), RangeError, 'box: halfExtents[1] must be finite, got NaN'],
    [
      'tapered capsule of no radius',
      () => taperedCapsule(0, 1, 1),
      RangeError,
      'taperedCapsule: radiusTop must be > 0',
    ],
    ['tapered capsule in a ball', () => taperedCapsule(3, 1, 1), RangeError, 'one ball holds the other, use sphere(3)'],
    ['tapered capsule all but in a ball', () => taperedCapsule(1, 4, 1), RangeError, 'use sphere(4)'],
    ['plane without a normal', () => plane([0, 0, 0]), RangeError, 'plane: normal must be a direction'],
    ['plane at NaN', () => plane([0, 1, 0], NaN), RangeError, 'plane: offset must be finite, got NaN'],
    ['compound of nothing', () => compound([]), RangeError, 'compound: parts must have at least one entry, got 0'],
    [
      'compound of a shape',
      () => compound(ball as unknown as Part[]),
      TypeError,
      'compound: parts must be an array, got an object',
    ],
    [
      'compound of shapes',
      () => compound([ball] as unknown as Part[]),
      TypeError,
      'compound: parts[0] must have known fields only',
    ],
    [
      'compound with a plane',
      () => compound([{ shape: ball }, { shape: floor }]),
      RangeError,
      'compound: parts[1].shape must be convex or a compound, got a plane',
    ],
    [
      'compound at NaN',
      () => compound([{ shape: ball, position: [0, NaN, 0] }]),
      RangeError,
      'compound: parts[0].position[1] must be finite, got NaN',
    ],
    [
      'compound turned by nothing',
      () => compound([{ shape: ball, orientation: [0, 0, 0, 0] }]),
      RangeError,
      'compound: parts[0].orientation must be a unit quaternion',
    ],
  ]
  it.each(bad)('%s', (_, make, error, message) => {
    expect(make).toThrow(error)
    expect(make).toThrow(message)
  })
})
