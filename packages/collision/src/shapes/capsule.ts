/** All points within `radius` of a segment on y. */

import { CAPSULE, Shape } from './shape.js'
import { extent } from './points.js'

/**
 * A capsule along y: a cylinder with a half ball on each end.
 * @param radius - [m]
 * @param halfHeight - half the length of the cylinder, without the ends [m]
 */
export function capsule(radius: number, halfHeight: number): Shape {
  const r = extent('capsule: radius', radius)
  const h = extent('capsule: halfHeight', halfHeight)
  return new Shape({
    kind: CAPSULE,
    params: Float64Array.of(r, h),
    bounds: Float64Array.of(-r, -h - r, -r, r, h + r, r),
    reach: h + r,
    json: () => ({ type: 'capsule', radius: r, halfHeight: h }),
  })
}
