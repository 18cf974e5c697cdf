/**
 * The narrow phase: contacts of two shapes.
 *
 * Each pair of kinds is written once, for the lower kind first, in the frame of that shape. Here pairs are put in order and
 * compounds taken apart, and what was found is turned to the world's axes.
 */

import { writeBounds } from '../../shapes/bounds.js'
import { BOX, COMPOUND, HEIGHTFIELD, PLANE, type Shape, SPHERE, TRIANGLE_MESH } from '../../shapes/shape.js'
import { boxBox } from './box-box.js'
import { MARGIN } from './closest-pair.js'
import { convexPair } from './convex-pair.js'
import type { ManifoldList } from './manifold.js'
import { convexSurface } from './mesh.js'
import { convexPlane } from './plane.js'
import { composeTransforms, flip, invertTransform, relativeTransform, turnOut } from './relative.js'
import { noteRolling } from './rolling.js'
import { sphereShape } from './sphere.js'

const relative = /* @__PURE__ */ new Float64Array(12)
/** Where a part stands in the frame of the other shape, and that shape in the frame of the part. */
const part = /* @__PURE__ */ new Float64Array(12)
const reverse = /* @__PURE__ */ new Float64Array(12)
/** The same of the parts of two compounds. */
const whole = /* @__PURE__ */ new Float64Array(12)
const inverse = /* @__PURE__ */ new Float64Array(12)
const box = /* @__PURE__ */ new Float64Array(6)

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
  MARGIN[0] = margin
  if (a.kind <= b.kind) {
    collideInOrder(a, b, relativeTransform(A, ao, B, bo, relative), out)
    turnOut(out, first, A, ao)
  } else {
    collideInOrder(b, a, relativeTransform(B, bo, A, ao, relative), out)
    turnOut(out, first, B, bo)
    flip(out, first)
  }
}

/** The same in the frame of a, b standing at `T`, for a of no higher kind. */
function collideInOrder(a: Shape, b: Shape, T: Float64Array, out: ManifoldList): void {
  if (b.kind === COMPOUND) {
    if (a.kind === COMPOUND) compoundCompound(a, b, T, out)
    else shapeCompound(a, b, T, out)
  } else collideParts(a, b, T, out)
}

/** Two shapes of which none is a compound. */
function collideParts(a: Shape, b: Shape, T: Float64Array, out: ManifoldList): void {
  const first = out.count
  if (b.kind === PLANE) convexPlane(a, b, T, out)
  else if (b.kind === HEIGHTFIELD || b.kind === TRIANGLE_MESH) convexSurface(a, b, T, out)
  else if (a.kind === SPHERE) sphereShape(a, b, T, out)
  else if (a.kind === BOX && b.kind === BOX) boxBox(a, b, T, out)
  else convexPair(a, b, T, out)
  noteRolling(a, b, T, out, first)
}

/** Shape a and each part of b; in the frame of a. */
function shapeCompound(a: Shape, b: Shape, T: Float64Array, out: ManifoldList): void {
  const children = b.children!
  for (let k = 0; k < children.length; k++) {
    const { shape, transform } = children[k]
    composeTransforms(T, 0, transform, 0, part)
    if (!isNear(a, shape, part)) continue
    const first = out.count
    if (a.kind <= shape.kind) {
      collideParts(a, shape, part, out)
    } else {
      collideParts(shape, a, invertTransform(part, 0, reverse), out)
      turnOut(out, first, part, 0)
      flip(out, first)
    }
    for (let m = first; m < out.count; m++) out.items[m].key = (out.items[m].key * children.length + k) | 0
  }
}

/** Each part of a with b; in the frame of a. */
function compoundCompound(a: Shape, b: Shape, T: Float64Array, out: ManifoldList): void {
  const children = a.children!
  for (let k = 0; k < children.length; k++) {
    const { shape, transform } = children[k]
    const first = out.count
    composeTransforms(invertTransform(transform, 0, inverse), 0, T, 0, whole)
    shapeCompound(shape, b, whole, out)
    turnOut(out, first, transform, 0)
    for (let m = first; m < out.count; m++) out.items[m].key = (out.items[m].key * children.length + k) | 0
  }
}

/** Whether the box around b, which stands at `T`, comes within the margin of the box around a; planes are always near. */
function isNear(a: Shape, b: Shape, T: Float64Array): boolean {
  const margin = MARGIN[0]
  writeBounds(b, T, 0, box, 0)
  const { bounds } = a
  for (let k = 0; k < 3; k++) {
    if (box[k] > bounds[3 + k] + margin || bounds[k] > box[3 + k] + margin) return false
  }
  return true
}
