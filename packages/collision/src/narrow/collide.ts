/**
 * The narrow phase: contacts of two shapes.
 *
 * Each pair of kinds is written once, for the lower kind first, in the frame of that shape; `collide` swaps, and turns what
 * was found to the world's axes.
 */

import { BOX, PLANE, type Shape, SPHERE } from '../shape.js'
import { boxBox } from './box-box.js'
import type { ManifoldList } from './manifold.js'
import { convexPair } from './convex-pair.js'
import { convexPlane } from './plane.js'
import { flip, relativeTransform, toWorld } from './relative.js'
import { sphereShape } from './sphere.js'

const relative = /* @__PURE__ */ new Float64Array(12)

/**
 * Appends the manifolds of shape a at transform A[ao…] and b at B[bo…]: every patch with points of separation <= margin.
 *
 * Transforms are 12 numbers, t (x, y, z) then R row by row. The margin may be large: what is found is then still the true
 * nearest features.
 */
export function collide(
  a: Shape,
  A: Float64Array,
  ao: number,
  b: Shape,
  B: Float64Array,
  bo: number,
  margin: number,
  out: ManifoldList,
): void {
  const first = out.count
  if (a.kind <= b.kind) {
    collideInOrder(a, b, relativeTransform(A, ao, B, bo, relative), margin, out)
    toWorld(out, first, A, ao)
  } else {
    collideInOrder(b, a, relativeTransform(B, bo, A, ao, relative), margin, out)
    toWorld(out, first, B, bo)
    flip(out, first)
  }
}

function collideInOrder(a: Shape, b: Shape, T: Float64Array, margin: number, out: ManifoldList): void {
  if (a.kind === SPHERE) sphereShape(a, b, T, margin, out)
  else if (b.kind === PLANE) convexPlane(a, b, T, margin, out)
  else if (a.kind === BOX && b.kind === BOX) boxBox(a, b, T, margin, out)
  else convexPair(a, b, T, margin, out)
}
