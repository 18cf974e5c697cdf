/** Signed distance of two convex shapes, for queries: closest point, overlap, casts. */

import type { Shape } from '../../shapes/shape.js'
import { CLOSEST, MARGIN, UNSURE } from './closest-pair.js'
import { distanceInOrder } from './convex-pair.js'
import { Manifold } from './manifold.js'
import { relativeTransform } from './relative.js'
import { touch } from './touch.js'

/** Separations [m] that are equal. */
const SAME = 1e-7

const relative = /* @__PURE__ */ new Float64Array(12)
const manifold = /* @__PURE__ */ new Manifold()

/**
 * Signed distance [m] of two convex shapes, or of one and a plane; negative is the depth. Shape a stands at transform A[ao…],
 * b at B[bo…].
 * @param out - gets the unit normal from b to a (3), the point of a (3), the point of b (3), and the distance; the points are
 *   the distance apart along the normal
 */
export function closest(
  a: Shape,
  A: Float64Array,
  ao: number,
  b: Shape,
  B: Float64Array,
  bo: number,
  out: Float64Array,
): number {
  if (a.kind <= b.kind) {
    distanceInOrder(a, b, relativeTransform(A, ao, B, bo, relative), Infinity)
    if (CLOSEST[UNSURE] === 1) pointsOnFaces(a, b, relative)
    writeWorld(A, ao, 1, 3, out)
  } else {
    distanceInOrder(b, a, relativeTransform(B, bo, A, ao, relative), Infinity)
    if (CLOSEST[UNSURE] === 1) pointsOnFaces(b, a, relative)
    writeWorld(B, bo, -1, 6, out)
  }
  return out[9]
}

/** Takes the points from the features that touch: the deepest of them, if they are as deep. */
function pointsOnFaces(a: Shape, b: Shape, T: Float64Array): void {
  manifold.count = 0
  MARGIN[0] = Infinity
  touch(a, b, T, false, manifold)
  let deepest = 0
  for (let k = 1; k < manifold.count; k++) if (manifold.separation[k] < manifold.separation[deepest]) deepest = k
  if (manifold.count === 0 || manifold.separation[deepest] > CLOSEST[9] + SAME) return
  for (let k = 0; k < 3; k++) {
    CLOSEST[3 + k] = manifold.pointA[3 * deepest + k]
    CLOSEST[6 + k] = manifold.pointB[3 * deepest + k]
  }
}

/** `CLOSEST` in world axes: the first shape's point goes to `first` (3 or 6), the other's to where the first's is not. */
function writeWorld(T: Float64Array, o: number, sign: number, first: number, out: Float64Array): void {
  for (let k = 0; k < 3; k++) {
    const x = T[o + 3 + 3 * k]
    const y = T[o + 4 + 3 * k]
    const z = T[o + 5 + 3 * k]
    out[k] = sign * (x * CLOSEST[0] + y * CLOSEST[1] + z * CLOSEST[2])
    out[first + k] = x * CLOSEST[3] + y * CLOSEST[4] + z * CLOSEST[5] + T[o + k]
    out[9 - first + k] = x * CLOSEST[6] + y * CLOSEST[7] + z * CLOSEST[8] + T[o + k]
  }
  out[9] = CLOSEST[9]
}
