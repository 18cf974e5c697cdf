/** What the tests of queries are held against: shapes by their definition, and all triangles one by one. */

import type { Random } from '../../../core/test/support/random.js'
import { closest } from '../../src/detect/narrow/distance.js'
import { composeTransforms } from '../../src/detect/narrow/relative.js'
import type { Shape } from '../../src/shapes/shape.js'
import { BOX, CAPSULE, CONVEX_HULL, CYLINDER, PLANE, SPHERE, TAPERED_CAPSULE } from '../../src/shapes/shape.js'
import { writeHeightfieldTriangle } from '../../src/shapes/heightfield-data.js'
import { writeMeshTriangle } from '../../src/shapes/mesh-data.js'
import { triangle } from './shapes.js'

export type Vec = [number, number, number]

/** Shapes with an inside. */
export const SOLID = [
  'sphere',
  'capsule',
  'taperedCapsule',
  'box',
  'cylinder',
  'convexHull',
  'compound',
  'plane',
] as const
/** Shapes without one. */
export const SURFACE = ['triangleMesh', 'heightfield'] as const
/** Shapes that can be cast. */
export const MOVABLE = ['sphere', 'capsule', 'taperedCapsule', 'box', 'cylinder', 'convexHull', 'compound'] as const

export const dot = (a: ArrayLike<number>, b: ArrayLike<number>): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
export const length = (a: ArrayLike<number>): number => Math.sqrt(dot(a, a))
export const minus = (a: ArrayLike<number>, b: ArrayLike<number>): Vec => [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
export const along = (o: ArrayLike<number>, d: ArrayLike<number>, t: number): Vec => [
  o[0] + t * d[0],
  o[1] + t * d[1],
  o[2] + t * d[2],
]

export function randomTransform(random: Random, size = 3, offset = 0): Float64Array {
  const [x, y, z, w] = random.rotation()
  return Float64Array.from([
    ...random.vector(size),
    ...[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
    ...[2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
    ...[2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
  ]).map((c, k) => (k < 3 ? c + offset : c))
}

export const toLocal = (T: Float64Array, p: ArrayLike<number>): Vec => turnBack(T, minus(p, T))

export const turnBack = (T: Float64Array, d: ArrayLike<number>): Vec =>
  [0, 1, 2].map((k) => T[3 + k] * d[0] + T[6 + k] * d[1] + T[9 + k] * d[2]) as Vec

export const toWorld = (T: Float64Array, p: ArrayLike<number>): Vec =>
  [0, 1, 2].map((k) => T[k] + T[3 + 3 * k] * p[0] + T[4 + 3 * k] * p[1] + T[5 + 3 * k] * p[2]) as Vec

/**
 * A convex function of p, at most 0 inside a convex shape and more outside, that grows no faster than the distance. What each
 * shape is by definition.
 */
export function level(shape: Shape, p: Vec): number {
  const q = shape.params
  switch (shape.kind) {
    case SPHERE:
      return length(p) - q[0]
    case CAPSULE:
      return length([p[0], p[1] - Math.max(-q[1], Math.min(q[1], p[1])), p[2]]) - q[0]
    case TAPERED_CAPSULE: {
      // The union of all balls between the two.
      const ball = (s: number): number => length([p[0], p[1] - (2 * s - 1) * q[2], p[2]]) - (s * q[0] + (1 - s) * q[1])
      return ball(least(ball, 0, 1))
    }
    case BOX:
      return Math.max(Math.abs(p[0]) - q[0], Math.abs(p[1]) - q[1], Math.abs(p[2]) - q[2])
    case CYLINDER:
      return Math.max(Math.hypot(p[0], p[2]) - q[0], Math.abs(p[1]) - q[1])
    case CONVEX_HULL:
    case PLANE: {
      const planes = shape.kind === PLANE ? q : shape.hull!.planes
      let most = -Infinity
      for (let o = 0; o < planes.length; o += 4) most = Math.max(most, dot(planes.subarray(o), p) - planes[o + 3])
      return most
    }
    default:
      throw new Error(`no definition of a ${shape.name}`)
  }
}

/** Where a convex function is least, by thirds. */
export function least(f: (t: number) => number, from: number, to: number): number {
  let [a, b] = [from, to]
  for (let k = 0; k < 100; k++) {
    const [c, d] = [a + (b - a) / 3, b - (b - a) / 3]
    if (f(c) <= f(d)) b = d
    else a = c
  }
  return 0.5 * (a + b)
}

/** Where f, which is above 0 at `outside` and not at `inside`, becomes 0. */
export function root(f: (t: number) => number, outside: number, inside: number): number {
  let [a, b] = [outside, inside]
  for (let k = 0; k < 100; k++) {
    const middle = 0.5 * (a + b)
    if (f(middle) > 0) a = middle
    else b = middle
  }
  return b
}

/** Convex parts in the shape's own frame, with where they stand. */
export function parts(shape: Shape): { shape: Shape; transform: Float64Array }[] {
  return shape.children?.slice() ?? [{ shape, transform: Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1) }]
}

/** Corners (9) of each triangle of a surface that is there. */
export function facets(shape: Shape): { number: number; corners: Float64Array }[] {
  const count = shape.mesh?.source.length ?? shape.heightfield!.innerEdges.length
  return Array.from({ length: count }, (_, k) => {
    const corners = new Float64Array(9)
    if (shape.mesh !== null) writeMeshTriangle(shape.mesh, k, corners, 0)
    else writeHeightfieldTriangle(shape.heightfield!, k, corners, 0)
    return { number: shape.mesh?.source[k] ?? k, corners }
  }).filter(({ corners }) => corners.every((c) => c === c))
}

/** A triangle about its own middle. */
function centred(corners: Float64Array, T: Float64Array): { shape: Shape; T: Float64Array } {
  const middle = [0, 1, 2].map((k) => (corners[k] + corners[3 + k] + corners[6 + k]) / 3)
  const at = T.slice()
  at.set(toWorld(T, middle))
  return { shape: triangle(corners.map((c, k) => c - middle[k % 3])), T: at }
}

/** Signed distance of two convex pieces, and the unit normal from the second to the first. */
export interface PieceGap {
  distance: number
  normal: Vec
}

/** Signed distances of all pairs of parts and triangles of two shapes. */
export function pieceGaps(a: Shape, A: Float64Array, b: Shape, B: Float64Array): PieceGap[] {
  const out = new Float64Array(10)
  const world = (T: Float64Array, shape: Shape): { shape: Shape; T: Float64Array }[] =>
    shape.mesh !== null || shape.heightfield !== null
      ? facets(shape).map(({ corners }) => centred(corners, T))
      : parts(shape).map((part) => ({
          shape: part.shape,
          T: composeTransforms(T, 0, part.transform, 0, new Float64Array(12)),
        }))
  const others = world(B, b)
  return world(A, a).flatMap((own) =>
    others.map((other): PieceGap => {
      const distance = closest(own.shape, own.T, 0, other.shape, other.T, 0, out)
      return { distance, normal: [out[0], out[1], out[2]] }
    }),
  )
}

/** Signed distance of any two shapes, part by part and triangle by triangle. */
export function gap(a: Shape, A: Float64Array, b: Shape, B: Float64Array): number {
  return Math.min(...pieceGaps(a, A, b, B).map(({ distance }) => distance))
}
