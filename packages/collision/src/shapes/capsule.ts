/** All points within `radius` of a segment on y. */

import { type MassProperties, solidCapsule } from '@tautline/core'
import { capsuleVolume } from '@tautline/core/kernel'
import { convexPair } from '../detect/narrow/convex-pair.js'
import { centredSolid } from './mass.js'
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
    contacts: convexPair,
    solid: solidOf,
    json: () => ({ type: 'capsule', radius: r, halfHeight: h }),
  })
}

function solidOf({ params: [r, h] }: Shape): MassProperties {
  return centredSolid(capsuleVolume(r, 2 * h), solidCapsule(capsuleVolume(r, 2 * h), r, 2 * h))
}
