/**
 * The hip strategy: where ankles cannot bring the capture point back, the trunk bends to the way that the figure falls, which pushes hips and
 * centre of mass back (F. Horak and L. Nashner 1986; the linear inverted pendulum with a flywheel of Pratt et al. 2006):
 *
 *   ẍ = ω₀² (x − p) − τ/(m z),   τ: couple that turns the trunk
 *
 * It comes up again slowly, as that takes back what it gave.
 */

import {
  across,
  cross,
  difference,
  direction,
  normalized,
  type Quat,
  scaled,
  size,
  sum,
  type Vec3,
} from '../algebra.js'
import type { Moment } from './moment.js'

/** Tangent of half the tilt, by how far the capture point is outside of the soles, in heights of the centre of mass; and the largest: 14° of tilt. */
const GAIN = 1
const MOST = 0.12
/** How fast that grows and goes back [1/s]. */
const RATE = 2
const BACK = 0.4

/** How the trunk is tilted after a step of `dt` [s], `tall` the height of its centre of mass when it stands [m]: a way, as long as the tangent of half the angle. */
export function nextTilt(tilt: Vec3, { up, capture, base, excess }: Moment, tall: number, dt: number): Vec3 {
  const way = direction(across(difference(capture, base), up), 1e-3)
  const wanted: Vec3 = way === undefined ? [0, 0, 0] : scaled(way, Math.min(MOST, (GAIN * excess) / tall))
  const change = difference(wanted, tilt)
  const most = (size(wanted) > size(tilt) ? RATE : BACK) * dt
  return size(change) <= most ? wanted : sum(tilt, scaled(change, most / size(change)))
}

/** The turn of a tilt. */
export function tiltRotation(tilt: Vec3, up: Vec3): Quat {
  const [x, y, z] = cross(up, tilt)
  return normalized([x, y, z, 1])
}
