/** A ball about the local origin. */

import { type MassProperties, solidSphere } from '@tautline/core'
import { sphereVolume } from '@tautline/core/kernel'
import { centredSolid } from './mass.js'
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
    solid: solidOf,
    json: () => ({ type: 'sphere', radius: r }),
  })
}

function solidOf({ params: [radius] }: Shape): MassProperties {
  return centredSolid(sphereVolume(radius), solidSphere(sphereVolume(radius), radius))
}
