/** Contacts of compounds: each part of the one with each part of the other. */

import { writeBounds } from '../../shapes/bounds.js'
import { COMPOUND, type Shape } from '../../shapes/shape.js'
import { MARGIN } from './closest-pair.js'
import { collideParts } from './collide.js'
import type { ManifoldList } from './manifold.js'
import { composeTransforms, flip, invertTransform, rotateOut } from './relative.js'

/** Where a part stands in the frame of the other shape, and that shape in the frame of the part. */
const part = /* @__PURE__ */ new Float64Array(12)
const reverse = /* @__PURE__ */ new Float64Array(12)
/** The same of the parts of two compounds. */
const whole = /* @__PURE__ */ new Float64Array(12)
const inverse = /* @__PURE__ */ new Float64Array(12)
const box = /* @__PURE__ */ new Float64Array(6)

/** Appends the contacts of any shape and a compound at `T`, in the frame of a. */
export function compoundContacts(a: Shape, b: Shape, T: Float64Array, out: ManifoldList): void {
  if (a.kind === COMPOUND) compoundCompound(a, b, T, out)
  else shapeCompound(a, b, T, out)
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
      rotateOut(out, first, part, 0)
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
    rotateOut(out, first, transform, 0)
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
