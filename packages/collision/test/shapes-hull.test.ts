import { describe, expect, it } from 'vitest'
import type { HullData } from '../src/shapes/hull-data.js'
import { convexHull } from '../src/shapes/convex-hull.js'
import { data } from './support/shapes.js'
import { Random } from '../../core/test/support/random.js'
import { SEED } from '../../core/test/support/seed.js'
import { runs } from '../../core/test/support/runs.js'

/** Share of the size by which points may stick out: 2e-7 for each of the few times that a hull is cleaned up, and as much
 *  for what a plane evens out. */
const OUTSIDE = 1e-6
/** Share of the size by which corners may lie below their face: what is merged lies within 2e-7 of the largest triangle. */
const OFF_PLANE = 1e-6
/** Sums of a few products of doubles, relative to the size. */
const ROUND_OFF = 1e-14

type Points = [number, number, number][]

function cubeCorners(half = 0.5): Points {
  const points: Points = []
  for (let k = 0; k < 8; k++) points.push([k & 1 ? half : -half, k & 2 ? half : -half, k & 4 ? half : -half])
  return points
}

/** Points all over the faces of a cube, and its corners. */
function onCube(random: Random, count = 1000): Points {
  const points: Points = []
  for (let k = 0; k < count; k++) {
    const p = random.vector(0.5) as Points[number]
    p[random.below(3)] = random.chance(0.5) ? 0.5 : -0.5
    points.push(p)
  }
  return [...points, ...cubeCorners()]
}

function onSphere(random: Random, count: number, scale: readonly number[] = [1, 1, 1]): Points {
  return Array.from({ length: count }, () => {
    const d = random.direction()
    return [scale[0] * d[0], scale[1] * d[1], scale[2] * d[2]]
  })
}

function turned(random: Random, points: Points): Points {
  const [x, y, z, w] = random.rotation()
  return points.map(([px, py, pz]) => {
    const [tx, ty, tz] = [2 * (y * pz - z * py), 2 * (z * px - x * pz), 2 * (x * py - y * px)]
    return [px + w * tx + y * tz - z * ty, py + w * ty + z * tx - x * tz, pz + w * tz + x * ty - y * tx]
  })
}

function moved(points: Points, by: number): Points {
  return points.map(([x, y, z]) => [x + by, y + by, z + by])
}

function noisy(random: Random, points: Points, noise: number): Points {
  return points.map((p) => p.map((x) => x + random.between(-noise, noise)) as Points[number])
}

function grid(n: number, step = 0.1): Points {
  return Array.from({ length: n * n * n }, (_, k) => [
    step * (k % n),
    step * (Math.floor(k / n) % n),
    step * Math.floor(k / (n * n)),
  ])
}

function prism(sides: number): Points {
  const points: Points = []
  for (let k = 0; k < sides; k++) {
    const [x, z] = [Math.cos((2 * Math.PI * k) / sides), Math.sin((2 * Math.PI * k) / sides)]
    points.push([x, 1, z], [x, -1, z])
  }
  return points
}

/** Rings of latitude, with each pole 32 times. */
function globe(): Points {
  const points: Points = []
  for (let i = 0; i <= 16; i++) {
    for (let j = 0; j < 32; j++) {
      const [a, b] = [(Math.PI * i) / 16, (Math.PI * j) / 16]
      points.push([Math.sin(a) * Math.cos(b), Math.cos(a), Math.sin(a) * Math.sin(b)])
    }
  }
  return points
}

/** A bowl so shallow that the tolerance has to draw lines somewhere. */
function dome(random: Random, rise: number): Points {
  const points: Points = [[0, -1, 0]]
  for (let k = 0; k < 300; k++) {
    const [x, , z] = random.vector(0.5)
    points.push([x, -rise * (x * x + z * z), z])
  }
  return points
}

const CLOUDS: Record<string, (random: Random) => Points> = {
  'a few random points': (random) =>
    Array.from({ length: 4 + random.below(40) }, () => random.vector() as Points[number]),
  'a grid': () => grid(8),
  'a turned grid': (random) => turned(random, grid(8)),
  'every point twice': () => [...grid(6), ...grid(6)],
  'points on a cube': (random) => onCube(random),
  'points on a turned cube': (random) => turned(random, onCube(random)),
  'noise of 1e-12 on a cube': (random) => noisy(random, turned(random, onCube(random)), 1e-12),
  'noise of 1e-9 on a cube': (random) => noisy(random, turned(random, onCube(random)), 1e-9),
  'noise of 1e-7 on a cube': (random) => noisy(random, turned(random, onCube(random)), 1e-7),
  'noise of 1e-6 on a cube': (random) => noisy(random, turned(random, onCube(random)), 1e-6),
  'a turned cube in float32': (random) =>
    turned(random, onCube(random)).map((p) => p.map(Math.fround) as Points[number]),
  'a sphere': (random) => onSphere(random, 300),
  'a sphere of 1e-6 m': (random) => onSphere(random, 300, [1e-6, 1e-6, 1e-6]),
  'a sphere of 1e6 m': (random) => onSphere(random, 300, [1e6, 1e6, 1e6]),
  'a sphere 1e6 m away': (random) => moved(onSphere(random, 100), 1e6),
  'a needle': (random) => turned(random, onSphere(random, 100, [1e-4, 1, 1e-4])),
  'a needle at the limit': (random) => turned(random, onSphere(random, 100, [1e-6, 1, 1e-6])),
  'a sheet': (random) => turned(random, onSphere(random, 100, [1, 1e-4, 1])),
  'a sheet at the limit': (random) => turned(random, onSphere(random, 100, [1, 1e-6, 1])),
  'a prism': (random) => turned(random, prism(3 + random.below(60))),
  'a globe': () => globe(),
  'a shallow dome': (random) => turned(random, dome(random, 3e-6)),
  'a dome within the tolerance': (random) => turned(random, dome(random, 3e-7)),
}

function extent(points: readonly (readonly number[])[]): number {
  const sides = [0, 1, 2].map((k) => Math.max(...points.map((p) => p[k])) - Math.min(...points.map((p) => p[k])))
  return Math.max(...sides)
}

function faceOf(hull: HullData, f: number): number[] {
  return Array.from(hull.faceVertices.subarray(hull.faceStart[f], hull.faceStart[f + 1]))
}

function counts(hull: HullData): { V: number; E: number; F: number } {
  return { V: hull.vertices.length / 3, E: hull.edges.length / 4, F: hull.faceStart.length - 1 }
}

/** The face's normal as its corners wind, from all of them. */
function windingNormal(hull: HullData, face: readonly number[]): number[] {
  const v = (k: number): number[] => Array.from(hull.vertices.subarray(3 * k, 3 * k + 3))
  const o = v(face[0])
  const n = [0, 0, 0]
  for (let k = 1; k + 1 < face.length; k++) {
    const [a, b] = [v(face[k]).map((x, i) => x - o[i]), v(face[k + 1]).map((x, i) => x - o[i])]
    for (let i = 0; i < 3; i++) n[i] += a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3]
  }
  const length = Math.hypot(...n)
  return n.map((x) => x / length)
}

/** All that must hold of any hull of these points. */
function expectHull(hull: HullData, points: Points): void {
  const size = extent(points)
  const { V, E, F } = counts(hull)
  expect(V - E + F).toBe(2)

  // Each side of a face is the side of one other face, run the other way, and edges say so.
  const left = new Map<string, number>()
  for (let f = 0; f < F; f++) {
    const face = faceOf(hull, f)
    expect(face.length).toBeGreaterThanOrEqual(3)
    face.forEach((v, k) => {
      const side = `${v} ${face[(k + 1) % face.length]}`
      expect(left.has(side)).toBe(false)
      left.set(side, f)
    })
  }
  expect(left.size).toBe(2 * E)
  for (let e = 0; e < hull.edges.length; e += 4) {
    const [a, b, f, g] = hull.edges.subarray(e, e + 4)
    expect(left.get(`${a} ${b}`)).toBe(f)
    expect(left.get(`${b} ${a}`)).toBe(g)
    expect(Array.from(hull.neighbours.subarray(hull.neighbourStart[a], hull.neighbourStart[a + 1]))).toContain(b)
    expect(Array.from(hull.neighbours.subarray(hull.neighbourStart[b], hull.neighbourStart[b + 1]))).toContain(a)
  }
  expect(hull.neighbours.length).toBe(2 * E)

  const near = Math.max(...points.map((p) => Math.max(...p.map(Math.abs))))
  const rounding = ROUND_OFF * Math.max(size, near)
  for (let f = 0; f < F; f++) {
    const [x, y, z, d] = hull.planes.subarray(4 * f, 4 * f + 4)
    expect(Math.abs(Math.hypot(x, y, z) - 1)).toBeLessThan(ROUND_OFF)
    const winding = windingNormal(hull, faceOf(hull, f))
    expect(x * winding[0] + y * winding[1] + z * winding[2]).toBeGreaterThan(1 - ROUND_OFF)
    let worst = -Infinity
    for (const p of points) worst = Math.max(worst, x * p[0] + y * p[1] + z * p[2] - d)
    expect(worst).toBeLessThanOrEqual(OUTSIDE * size + rounding)
    for (const v of faceOf(hull, f)) {
      const below = d - (x * hull.vertices[3 * v] + y * hull.vertices[3 * v + 1] + z * hull.vertices[3 * v + 2])
      expect(below).toBeGreaterThanOrEqual(-rounding)
      expect(below).toBeLessThanOrEqual(OFF_PLANE * size + rounding)
    }
  }
}

describe(`convexHull, seed ${SEED}`, () => {
  it.each(Object.keys(CLOUDS))('of %s is closed, convex, flat-faced and holds all points', (name) => {
    const random = new Random(SEED)
    for (let run = 0; run < runs(8); run++) {
      const points = CLOUDS[name](random)
      const shape = convexHull(points)
      expectHull(shape.hull!, points)
      expect(shape.reach).toBeLessThanOrEqual(Math.max(...points.map((p) => Math.hypot(...p))) * (1 + ROUND_OFF))
    }
  })

  it('of a sheet keeps the corners on its rim, where both sides are within the tolerance', () => {
    // The seventh sheet of this seed lost one, and with it 7 µm of 2 m.
    const random = new Random(20261130)
    for (let run = 0; run < 8; run++) {
      const points = CLOUDS['a sheet at the limit'](random)
      expectHull(convexHull(points).hull!, points)
    }
  })

  it.each([
    'a grid',
    'a turned grid',
    'every point twice',
    'points on a cube',
    'points on a turned cube',
    'noise of 1e-12 on a cube',
    'noise of 1e-9 on a cube',
    'a turned cube in float32',
  ])('of %s is a box of 8 vertices, 12 edges and 6 faces', (name) => {
    const random = new Random(SEED + 1)
    for (let run = 0; run < runs(8); run++) {
      expect(counts(convexHull(CLOUDS[name](random)).hull!)).toEqual({ V: 8, E: 12, F: 6 })
    }
  })

  it('has a corner, a face and a cap for every side of a prism', () => {
    for (const sides of [3, 4, 7, 64]) {
      const { hull } = convexHull(turned(new Random(SEED), prism(sides)))
      expect(counts(hull!)).toEqual({ V: 2 * sides, E: 3 * sides, F: sides + 2 })
      expect(hull!.largestFace).toBe(Math.max(4, sides))
    }
  })

  it('keeps the vertices that it has, in the order in which they were given', () => {
    const points = cubeCorners(1)
    const expected = [points[3], ...points.slice(0, 3), ...points.slice(4)]
    const { hull } = convexHull([[0, 0, 0], expected[0], [0.5, 0, 0], ...expected.slice(1), [1, 0, 0]])
    expect(Array.from(hull!.vertices)).toEqual(expected.flat())
  })

  it('leaves out what lies on an edge, and keeps every corner of a sphere', () => {
    const random = new Random(SEED)
    const edgePoints = Array.from({ length: 100 }, (): Points[number] => [0.5, random.between(-0.5, 0.5), 0.5])
    expect(convexHull(turned(random, [...edgePoints, ...cubeCorners()])).hull!.vertices.length).toBe(24)
    // Far enough from each other that none is nearly on a facet of others.
    const golden = Array.from({ length: 200 }, (_, k): Points[number] => {
      const y = 1 - (2 * k + 1) / 200
      const r = Math.sqrt(1 - y * y)
      return [r * Math.cos(2.399963 * k), y, r * Math.sin(2.399963 * k)]
    })
    expect(convexHull(golden).hull!.vertices.length).toBe(600)
  })

  it('is the hull of its own vertices to the last bit', () => {
    const random = new Random(SEED)
    for (const cloud of Object.values(CLOUDS)) {
      const shape = convexHull(cloud(random))
      expect(data(convexHull(shape.hull!.vertices))).toEqual(data(shape))
    }
  })

  it('takes flat arrays, typed arrays and points alike', () => {
    const points = cubeCorners()
    const flat = points.flat()
    const expected = data(convexHull(points))
    expect(data(convexHull(flat))).toEqual(expected)
    expect(data(convexHull(Float32Array.from(flat)))).toEqual(expected)
    expect(data(convexHull(points.map((p) => Float64Array.from(p))))).toEqual(expected)
  })
})

describe('bad input', () => {
  const [a, b, c] = [
    [0, 0, 0],
    [1, 0, 0],
    [0, 1, 0],
  ]
  it.each([
    ['three points', [a, b, c], RangeError, 'convexHull: points must be at least 4, got 3'],
    ['none', [], RangeError, 'convexHull: points must be at least 4, got 0'],
    ['one point many times', Array(9).fill(b), RangeError, 'must span a volume, got 9 points that coincide'],
    ['points on a line', [0, 1, 2, 3, 7].map((t) => [t, 2 * t, -t]), RangeError, 'got 5 points that lie on a line'],
    ['points in a plane', [a, b, c, [3, 4, 0], [1, 1, 0]], RangeError, 'got 5 points that lie in a plane'],
    [
      'points in a plane up to rounding',
      turned(
        new Random(SEED),
        [...Array(50)].map((_, k) => [Math.cos(k), 0, Math.sin(k)]),
      ),
      RangeError,
      'got 50 points that lie in a plane',
    ],
    ['a NaN', [a, b, c, [0, NaN, 1]], RangeError, 'convexHull: points[3][1] must be finite, got NaN'],
    [
      'an infinity',
      [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, Infinity],
      RangeError,
      'convexHull: points[11] must be finite, got Infinity',
    ],
    ['a point of two numbers', [a, b, c, [1, 2]], RangeError, 'points[3] must be an array of 3 numbers, got 2 entries'],
    ['a ragged flat array', [1, 2, 3, 4], RangeError, 'must be 3 numbers each, got 4 numbers'],
    ['a string', 'cube', TypeError, 'must be an array of points, got "cube"'],
    ['nothing', undefined, TypeError, 'must be an array of points, got undefined'],
    ['null', null, TypeError, 'must be an array of points, got null'],
    ['numbers too large to multiply', cubeCorners(1e200), RangeError, 'must be of magnitude <= 1e+30'],
  ] as const)('%s', (_, points, error, message) => {
    const make = (): unknown => convexHull(points as unknown as Points)
    expect(make).toThrow(error)
    expect(make).toThrow(message)
  })
})
