/**
 * The narrow phase: contacts of two shapes.
 *
 * Each pair of kinds is written once, for the lower kind first, in the frame of that shape. Here pairs are put in order and
 * compounds taken apart, and what was found is turned to the world's axes.
 */

import { BOX, COMPOUND, PLANE, type Shape, SPHERE } from '../../shapes/shape.js'
import { boxBox } from './box-box.js'
import { MARGIN } from './closest-pair.js'
import type { ManifoldList } from './manifold.js'
import { convexPlane } from './plane.js'
import { flip, relativeTransform, rotateOut } from './relative.js'
import { noteRolling } from './rolling.js'
import { sphereShape } from './sphere.js'

const relative = /* @__PURE__ */ new Float64Array(12)

/**
 * Appends the manifolds of shape a at transform A[ao…] and b at B[bo…]: every manifold with points of separation <= margin.
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
  MARGIN[0] = margin
  if (a.kind <= b.kind) {
    collideInOrder(a, b, relativeTransform(A, ao, B, bo, relative), out)
    rotateOut(out, first, A, ao)
  } else {
    collideInOrder(b, a, relativeTransform(B, bo, A, ao, relative), out)
    rotateOut(out, first, B, bo)
    flip(out, first)
  }
}

/** The same in the frame of a, b standing at `T`, for a of no higher kind. */
function collideInOrder(a: Shape, b: Shape, T: Float64Array, out: ManifoldList): void {
  if (b.kind === COMPOUND) b.contacts!(a, b, T, out)
  else collideParts(a, b, T, out)
}

/** Two shapes of which none is a compound, b standing at `T` in the frame of a, for a of no higher kind. */
export function collideParts(a: Shape, b: Shape, T: Float64Array, out: ManifoldList): void {
  const first = out.count
  if (b.kind === PLANE) convexPlane(a, b, T, out)
  else if (!b.convex) b.contacts!(a, b, T, out)
  else if (a.kind === SPHERE) sphereShape(a, b, T, out)
  else if (a.kind === BOX && b.kind === BOX) boxBox(a, b, T, out)
  else (a.contacts ?? b.contacts!)(a, b, T, out)
  noteRolling(a, b, T, out, first)
}
