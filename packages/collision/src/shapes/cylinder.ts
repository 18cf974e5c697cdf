/** A straight round cylinder about the local origin, its axis on y. */

import { positive } from '@tautline/core'
import { CYLINDER, Shape } from '../shape.js'

/**
 * A cylinder along y.
 * @param radius - [m]
 * @param halfHeight - half its length [m]
 */
export function cylinder(radius: number, halfHeight: number): Shape {
  const r = positive('cylinder: radius', radius)
  const h = positive('cylinder: halfHeight', halfHeight)
  return new Shape({
    kind: CYLINDER,
    params: Float64Array.of(r, h),
    bounds: Float64Array.of(-r, -h, -r, r, h, r),
    reach: Math.sqrt(r * r + h * h),
    json: () => ({ type: 'cylinder', radius: r, halfHeight: h }),
  })
}
