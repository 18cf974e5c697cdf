/** A ball about the local origin. */

import { Shape, SPHERE } from './shape.js'
import { extent } from './points.js'

/**
 * A ball.
 * @param radius - [m]
 */
export function sphere(radius: number): Shape {
  const r = extent('sphere: radius', radius)
  return new Shape({
    kind: SPHERE,
    params: Float64Array.of(r),
    bounds: Float64Array.of(-r, -r, -r, r, r, r),
    reach: r,
    json: () => ({ type: 'sphere', radius: r }),
  })
}
