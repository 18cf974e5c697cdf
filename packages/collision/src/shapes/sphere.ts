/** A ball about the local origin. */

import { positive } from '@tautline/core'
import { Shape, SPHERE } from '../shape.js'

/**
 * A ball.
 * @param radius - [m]
 */
export function sphere(radius: number): Shape {
  const r = positive('sphere: radius', radius)
  return new Shape({
    kind: SPHERE,
    params: Float64Array.of(r),
    bounds: Float64Array.of(-r, -r, -r, r, r, r),
    reach: r,
    json: () => ({ type: 'sphere', radius: r }),
  })
}
