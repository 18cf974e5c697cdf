/** The feature that a convex shape shows along a direction: a face, the line of a side, or a point. */

import { CAPSULE, type Shape } from '../shape.js'
import { FACE_NORMAL, writeFace } from '../shapes/support.js'
import type { Polygon } from './polygon.js'

/** cos 45°: a capsule nearer than this to upright shows an end, not its side. */
const STEEP = Math.SQRT1_2

/** Writes the feature that faces most along the unit vector d, in the shape's frame; `label` is added to its corners' names. */
export function writeFeature(shape: Shape, d: Float64Array, label: number, out: Polygon): void {
  if (shape.hull !== null) out.reserve(shape.hull.largestFace)
  const { points, labels } = out
  if (shape.kind === CAPSULE) {
    // Points of the core, pushed out along d: so they are what `roundA` and `roundB` say.
    const radius = shape.params[0]
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
    return
  }
  const count = writeFace(shape, d, 0, points, labels)
  out.normal.set(FACE_NORMAL)
  out.count = count
  if (label !== 0) for (let k = 0; k < count; k++) labels[k] += label
}
