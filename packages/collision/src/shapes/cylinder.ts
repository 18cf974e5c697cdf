/** A straight round cylinder about the local origin, its axis on y. */

import { CYLINDER, Shape } from './shape.js'
import { extent } from './points.js'

/**
 * A cylinder along y.
 * @param radius - [m]
 * @param halfHeight - half its length [m]
 */
export function cylinder(radius: number, halfHeight: number): Shape {
  const r = extent('cylinder: radius', radius)
  const h = extent('cylinder: halfHeight', halfHeight)
  return new Shape({
    kind: CYLINDER,
    params: Float64Array.of(r, h),
    bounds: Float64Array.of(-r, -h, -r, r, h, r),
    reach: Math.sqrt(r * r + h * h),
    json: () => ({ type: 'cylinder', radius: r, halfHeight: h }),
  })
}
