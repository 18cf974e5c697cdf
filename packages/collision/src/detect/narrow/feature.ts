/** The feature that a convex shape shows along a direction: a face, the line of a side, or a point. */

import { CAPSULE, CYLINDER, type Shape, TAPERED_CAPSULE } from '../../shapes/shape.js'
import { FACE_NORMAL, support, writeFace } from '../../shapes/support.js'
import type { Polygon } from './polygon.js'

/** cos 45°: a capsule nearer than this to upright shows an end, not its side. */
const STEEP = Math.SQRT1_2
/** sin² of the angle to the axis of a direction that is along it. */
const UPRIGHT = 1e-16

/** Writes the feature that faces most along the unit vector d, in the shape's frame; `label` is added to its corners' names. */
export function writeFeature(shape: Shape, d: Float64Array, label: number, out: Polygon): void {
  if (shape.hull !== null) out.reserve(shape.hull.largestFace)
  const { points, labels } = out
  const radius = shape.params[0]
  out.radius = 0
  if (shape.kind === CAPSULE) {
    // Points of the core, pushed out along d: so they are what `roundA` and `roundB` say.
    const h = shape.params[1]
    const ends = Math.abs(d[1]) <= STEEP ? 2 : 1
    for (let k = 0; k < ends; k++) {
      const top = ends === 2 ? k === 0 : d[1] > 0
      points[3 * k] = radius * d[0]
      points[3 * k + 1] = (top ? h : -h) + radius * d[1]
      points[3 * k + 2] = radius * d[2]
      labels[k] = label + (top ? 0 : 1)
    }
    out.count = ends
    out.radius = radius
    return
  }
  if (shape.kind === CYLINDER) out.radius = radius
  else if (shape.kind === TAPERED_CAPSULE) {
    out.radius = Math.min(radius, shape.params[1])
    if (d[0] * d[0] + d[2] * d[2] <= UPRIGHT) {
      // The side of a steep cone faces along its axis, but no line of it more than any other.
      labels[0] = label + support(shape, d, 0, points, 0)
      out.count = 1
      return
    }
  }
  const count = writeFace(shape, d, 0, points, labels)
  out.normal.set(FACE_NORMAL)
  out.count = count
  if (label !== 0) for (let k = 0; k < count; k++) labels[k] += label
}
