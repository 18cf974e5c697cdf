/**
 * The box around a shape where it stands, sides along the world's axes.
 *
 * Row k of R is the world's axis k as the shape sees it, n. Along it a convex shape reaches from t_k − s(−n) to t_k + s(n):
 *
 *   sphere            s = r
 *   capsules          s = max(h n_y + r_top, −h n_y + r_bottom)
 *   box               s = e·|n|
 *   cylinder          s = h |n_y| + r √(n_x² + n_z²)
 *   hull, triangle    s = max v·n
 *
 * What is made of very many points is taken for its local box. A compound reaches as far as its parts.
 */

import { composeTransforms } from '../detect/narrow/relative.js'
import {
  CAPSULE,
  COMPOUND,
  CONVEX_HULL,
  CYLINDER,
  PLANE,
  type Shape,
  SPHERE,
  TAPERED_CAPSULE,
  TRIANGLE,
} from './shape.js'

/** A hull with more vertices than this gets the box around its local box. */
const VERTICES = 32

const PART = /* @__PURE__ */ new Float64Array(12)
const PART_BOX = /* @__PURE__ */ new Float64Array(6)

/**
 * Writes the box around a shape under the transform T[t…t + 11] to out[o…o + 5]: least x, y, z, greatest x, y, z. It is
 * tight but for meshes, heightfields and hulls of more than 32 vertices. A plane's is infinite.
 */
export function writeBounds(shape: Shape, T: Float64Array, t: number, out: Float64Array, o: number): void {
  const params = shape.params
  switch (shape.kind) {
    case PLANE:
      for (let k = 0; k < 3; k++) {
        out[o + k] = -Infinity
        out[o + 3 + k] = Infinity
      }
      return
    case SPHERE:
    case CAPSULE:
    case TAPERED_CAPSULE: {
      const top = params[0]
      const bottom = shape.kind === TAPERED_CAPSULE ? params[1] : top
      const h = shape.kind === SPHERE ? 0 : params[shape.kind === CAPSULE ? 1 : 2]
      for (let k = 0; k < 3; k++) {
        const rise = h * T[t + 4 + 3 * k]
        out[o + k] = T[t + k] + Math.min(rise - top, -rise - bottom)
        out[o + 3 + k] = T[t + k] + Math.max(rise + top, bottom - rise)
      }
      return
    }
    case CYLINDER:
      for (let k = 0; k < 3; k++) {
        const x = T[t + 3 + 3 * k]
        const z = T[t + 5 + 3 * k]
        const reach = params[1] * Math.abs(T[t + 4 + 3 * k]) + params[0] * Math.sqrt(x * x + z * z)
        out[o + k] = T[t + k] - reach
        out[o + 3 + k] = T[t + k] + reach
      }
      return
    case TRIANGLE:
      writePointBounds(params, T, t, out, o)
      return
    case COMPOUND:
      writeCompoundBounds(shape, T, t, out, o)
      return
    default:
      if (shape.kind === CONVEX_HULL && shape.hull!.vertices.length <= 3 * VERTICES) {
        writePointBounds(shape.hull!.vertices, T, t, out, o)
      } else {
        writeBoxBounds(shape.bounds, T, t, out, o)
      }
  }
}

function writePointBounds(points: Float64Array, T: Float64Array, t: number, out: Float64Array, o: number): void {
  for (let k = 0; k < 3; k++) {
    const x = T[t + 3 + 3 * k]
    const y = T[t + 4 + 3 * k]
    const z = T[t + 5 + 3 * k]
    let least = Infinity
    let greatest = -Infinity
    for (let i = 0; i < points.length; i += 3) {
      const p = x * points[i] + y * points[i + 1] + z * points[i + 2]
      if (p < least) least = p
      if (p > greatest) greatest = p
    }
    out[o + k] = T[t + k] + least
    out[o + 3 + k] = T[t + k] + greatest
  }
}

function writeBoxBounds(box: Float64Array, T: Float64Array, t: number, out: Float64Array, o: number): void {
  for (let k = 0; k < 3; k++) {
    let middle = T[t + k]
    let reach = 0
    for (let i = 0; i < 3; i++) {
      const n = T[t + 3 + 3 * k + i]
      middle += 0.5 * n * (box[i] + box[3 + i])
      reach += 0.5 * Math.abs(n) * (box[3 + i] - box[i])
    }
    out[o + k] = middle - reach
    out[o + 3 + k] = middle + reach
  }
}

/** No part of a compound is one itself, so the two scratch arrays are enough. */
function writeCompoundBounds(shape: Shape, T: Float64Array, t: number, out: Float64Array, o: number): void {
  for (let k = 0; k < 3; k++) {
    out[o + k] = Infinity
    out[o + 3 + k] = -Infinity
  }
  const children = shape.children!
  for (let c = 0; c < children.length; c++) {
    composeTransforms(T, t, children[c].transform, 0, PART)
    writeBounds(children[c].shape, PART, 0, PART_BOX, 0)
    for (let k = 0; k < 3; k++) {
      out[o + k] = Math.min(out[o + k], PART_BOX[k])
      out[o + 3 + k] = Math.max(out[o + 3 + k], PART_BOX[3 + k])
    }
  }
}
