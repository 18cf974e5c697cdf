/**
 * The narrow phase: contacts of two shapes.
 *
 * Each pair of kinds is written once, for the lower kind first, in the frame of that shape. Here pairs are put in order and
 * compounds taken apart, and what was found is turned to the world's axes.
 */

import { BOX, COMPOUND, PLANE, type Shape, SPHERE, CYLINDER, TAPERED_CAPSULE } from '../../shapes/shape.js'
import { boxBox } from './box-box.js'
import { MARGIN } from './closest-pair.js'
import type { ManifoldList } from './manifold.js'
import { convexPlane } from './plane.js'
import { flip, relativeTransform, rotateOut } from './relative.js'
import { sphereShape } from './sphere.js'

/** cos of the angle of normal and axis up to which a cylinder lies on its side rather than on its rim. */
const LYING = 0.1
/** How far that of a tapered capsule may be from its side's. */
const ON_SIDE = 1e-3

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

/**
 * Notes the rolling radii of manifolds from `first` on, of a and of b at `T`, in the frame of a.
 *
 * A contact point that is fixed to a rolling surface turns away with it, and its lever behind the axis would drive the body on. So where the ground is
 * along its side, a cylinder counts as round with its radius, and a tapered capsule with the mean of the radii at its points: the core, on the axis, stays.
 */
function noteRolling(a: Shape, b: Shape, T: Float64Array, list: ManifoldList, first: number): void {
  for (let m = first; m < list.count; m++) {
    const manifold = list.items[m]
    const { normal: n } = manifold
    if (manifold.roundA === 0) manifold.roundA = sideRadius(a, -n[1])
    if (manifold.roundB === 0) manifold.roundB = sideRadius(b, T[4] * n[0] + T[7] * n[1] + T[10] * n[2])
  }
}

/** Radius of what lies on its side, `up` the cos of the angle of its axis and the way out of it; else 0. */
function sideRadius({ kind, params }: Shape, up: number): number {
  if (kind === CYLINDER) return Math.abs(up) < LYING ? params[0] : 0
  if (kind !== TAPERED_CAPSULE) return 0
  const slant = (params[1] - params[0]) / (2 * params[2])
  return Math.abs(up - slant) < ON_SIDE ? 0.5 * (params[0] + params[1]) : 0
}
