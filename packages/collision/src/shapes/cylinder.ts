/** A straight round cylinder about the local origin, its axis on y. */

import { type MassProperties, solidCylinder } from '@tautline/core'
import { cylinderVolume } from '@tautline/core/kernel'
import { convexPair } from '../detect/narrow/convex-pair.js'
import { centredSolid } from './mass.js'
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
    contacts: convexPair,
    solid: solidOf,
    json: () => ({ type: 'cylinder', radius: r, halfHeight: h }),
  })
}

function solidOf({ params: [r, h] }: Shape): MassProperties {
  return centredSolid(cylinderVolume(r, 2 * h), solidCylinder(cylinderVolume(r, 2 * h), r, 2 * h))
}
