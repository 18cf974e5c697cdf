/**
 * Overlap of two polytopes (Gregorius 2013, "The separating axis test between convex polyhedra"). The faces of the
 * Minkowski difference are those of a, those of b, and parallelograms of an edge of each; the nearest plane of these tells
 * the depth exactly. An edge pair makes one only if their arcs on the Gauss map cross. For edges e and f with left and right
 * normals a, b and c, d, and n = ± e × f outward from a,
 *
 *   a·f >= 0 >= b·f  and  c·e >= 0 >= d·e   for +,   all reversed for −
 *
 * from eᵀ(a × (e × f)) = |e|² a·f; so it holds for the half circles of triangles and the full one of a segment as well.
 */

import { CLOSEST, UNSURE } from './closest-pair.js'
import type { Polytope } from './polytope.js'

/** sin² of two edges' angle below which their faces' planes stand for them. */
const PARALLEL = 1e-14
/** Separation [m] by which an axis must be better than one before it: faces first, and no flicker. */
const BETTER = 1e-8

const FACE_OF_A = 0
const FACE_OF_B = 1
const EDGES = 2

/**
 * Separation of two polytopes along their best axis [m]: negative, it is their depth; positive, a lower bound of their
 * distance. `CLOSEST` gets the axis, the separation and the points there.
 */
export function separatingAxis(a: Polytope, b: Polytope): number {
  let best = -Infinity
  let kind = FACE_OF_A
  let first = 0
  let second = 0
  let outward = 1
  for (let f = 0; f < a.faceCount; f++) {
    const s = farthestBelow(a.planes, f, b)
    if (s > best + BETTER) {
      best = s
      first = f
    }
  }
  for (let f = 0; f < b.faceCount; f++) {
    const s = farthestBelow(b.planes, f, a)
    if (s > best + BETTER) {
      best = s
      kind = FACE_OF_B
      first = f
    }
  }
  const p = a.edges
  const q = b.edges
  for (let i = 0; i < 12 * a.edgeCount; i += 12) {
    const ex = p[i + 3]
    const ey = p[i + 4]
    const ez = p[i + 5]
    for (let j = 0; j < 12 * b.edgeCount; j += 12) {
      const fx = q[j + 3]
      const fy = q[j + 4]
      const fz = q[j + 5]
      const left = p[i + 6] * fx + p[i + 7] * fy + p[i + 8] * fz
      const right = p[i + 9] * fx + p[i + 10] * fy + p[i + 11] * fz
      if (left * right > 0) continue
      const otherLeft = q[j + 6] * ex + q[j + 7] * ey + q[j + 8] * ez
      const otherRight = q[j + 9] * ex + q[j + 10] * ey + q[j + 11] * ez
      if (otherLeft * otherRight > 0) continue
      const plus = left >= 0 && right <= 0 && otherLeft >= 0 && otherRight <= 0
      const minus = left <= 0 && right >= 0 && otherLeft <= 0 && otherRight >= 0
      if (!plus && !minus) continue
      const x = ey * fz - ez * fy
      const y = ez * fx - ex * fz
      const z = ex * fy - ey * fx
      const square = x * x + y * y + z * z
      if (square <= PARALLEL * (ex * ex + ey * ey + ez * ez) * (fx * fx + fy * fy + fz * fz)) continue
      const along = x * (q[j] - p[i]) + y * (q[j + 1] - p[i + 1]) + z * (q[j + 2] - p[i + 2])
      // Both signs pass where both shapes are flat along n: then they lie on either side of it.
      const sign = plus && minus ? (along < 0 ? -1 : 1) : plus ? 1 : -1
      const s = (sign * along) / Math.sqrt(square)
      if (s > best + BETTER) {
        best = s
        kind = EDGES
        first = i
        second = j
        outward = sign
      }
    }
  }
  if (kind === FACE_OF_A) writeFacePoint(a.planes, first, b, -1)
  else if (kind === FACE_OF_B) writeFacePoint(b.planes, first, a, 1)
  else writeEdgePoints(p, first, q, second, outward)
  CLOSEST[UNSURE] = kind === EDGES ? 0 : 1
  CLOSEST[9] = best
  return best
}

/** Height above a plane of the corner that lies lowest. */
function farthestBelow(planes: Float64Array, f: number, { vertices, vertexCount }: Polytope): number {
  const x = planes[4 * f]
  const y = planes[4 * f + 1]
  const z = planes[4 * f + 2]
  let least = Infinity
  for (let o = 0; o < 3 * vertexCount; o += 3) {
    const height = x * vertices[o] + y * vertices[o + 1] + z * vertices[o + 2]
    if (height < least) least = height
  }
  return least - planes[4 * f + 3]
}

/** The lowest corner over the face and its foot on the face's plane. `sign`: −1 for a face of a, 1 for one of b. */
function writeFacePoint(planes: Float64Array, f: number, { vertices, vertexCount }: Polytope, sign: number): void {
  const x = planes[4 * f]
  const y = planes[4 * f + 1]
  const z = planes[4 * f + 2]
  let least = Infinity
  let at = 0
  for (let o = 0; o < 3 * vertexCount; o += 3) {
    const height = x * vertices[o] + y * vertices[o + 1] + z * vertices[o + 2]
    if (height < least) {
      least = height
      at = o
    }
  }
  const above = least - planes[4 * f + 3]
  const foot = sign < 0 ? 3 : 6
  const corner = sign < 0 ? 6 : 3
  for (let k = 0; k < 3; k++) {
    CLOSEST[k] = sign * planes[4 * f + k]
    CLOSEST[corner + k] = vertices[at + k]
    CLOSEST[foot + k] = vertices[at + k] - above * planes[4 * f + k]
  }
}

/** The nearest points of two lines, whose common perpendicular is the normal. */
function writeEdgePoints(p: Float64Array, i: number, q: Float64Array, j: number, outward: number): void {
  const ex = p[i + 3]
  const ey = p[i + 4]
  const ez = p[i + 5]
  const fx = q[j + 3]
  const fy = q[j + 4]
  const fz = q[j + 5]
  const dx = q[j] - p[i]
  const dy = q[j + 1] - p[i + 1]
  const dz = q[j + 2] - p[i + 2]
  const ee = ex * ex + ey * ey + ez * ez
  const ff = fx * fx + fy * fy + fz * fz
  const ef = ex * fx + ey * fy + ez * fz
  const de = dx * ex + dy * ey + dz * ez
  const df = dx * fx + dy * fy + dz * fz
  const determinant = ee * ff - ef * ef
  const alpha = (de * ff - df * ef) / determinant
  const beta = (de * ef - df * ee) / determinant
  const x = ey * fz - ez * fy
  const y = ez * fx - ex * fz
  const z = ex * fy - ey * fx
  const scale = -outward / Math.sqrt(x * x + y * y + z * z)
  CLOSEST[0] = scale * x
  CLOSEST[1] = scale * y
  CLOSEST[2] = scale * z
  CLOSEST[3] = p[i] + alpha * ex
  CLOSEST[4] = p[i + 1] + alpha * ey
  CLOSEST[5] = p[i + 2] + alpha * ez
  CLOSEST[6] = q[j] + beta * fx
  CLOSEST[7] = q[j + 1] + beta * fy
  CLOSEST[8] = q[j + 2] + beta * fz
}
