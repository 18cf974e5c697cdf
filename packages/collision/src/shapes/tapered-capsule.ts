/**
 * The convex hull of two balls whose centres lie on y.
 *
 * Its side is a cone frustum that touches both balls. Seen from the axis, the side's outward normal has the slope
 * sin φ = (r_bottom − r_top)/(2 h) towards +y, where 2 h is the distance of the centres; a direction steeper than the
 * side's normal is met by the top ball, any other by the bottom one. Where |sin φ| >= 1 one ball holds the other.
 */

import type { MassProperties } from '@tautline/core'
import { convexPair } from '../detect/narrow/convex-pair.js'
import { solidTaperedCapsule } from './tapered-mass.js'
import { Shape, TAPERED_CAPSULE } from './shape.js'
import { extent } from './points.js'

/**
 * A capsule along y with ends of different size: the hull of two balls.
 * @param radiusTop - of the ball at y = +halfHeight [m]
 * @param radiusBottom - of the ball at y = −halfHeight [m]
 * @param halfHeight - half the distance of the two centres [m]
 */
export function taperedCapsule(radiusTop: number, radiusBottom: number, halfHeight: number): Shape {
  const top = extent('taperedCapsule: radiusTop', radiusTop)
  const bottom = extent('taperedCapsule: radiusBottom', radiusBottom)
  const h = extent('taperedCapsule: halfHeight', halfHeight)
  if (Math.abs(top - bottom) >= 2 * h) {
    throw new RangeError(
      'taperedCapsule: halfHeight must be > half the difference of the radii, ' +
        `got ${h} with radii ${top} and ${bottom}: one ball holds the other, use sphere(${Math.max(top, bottom)})`,
    )
  }
  const r = Math.max(top, bottom)
  return new Shape({
    kind: TAPERED_CAPSULE,
    params: Float64Array.of(top, bottom, h),
    bounds: Float64Array.of(-r, -h - bottom, -r, r, h + top, r),
    reach: h + r,
    contacts: convexPair,
    solid: solidOf,
    json: () => ({ type: 'taperedCapsule', radiusTop: top, radiusBottom: bottom, halfHeight: h }),
  })
}

function solidOf({ params: [top, bottom, h] }: Shape): MassProperties {
  return solidTaperedCapsule(top, bottom, h)
}
