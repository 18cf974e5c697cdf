/**
 * Distance of a swing (θ_y, θ_z) to an elliptic limit [rad], positive inside, and its gradient:
 *
 *   c = (√P − P)/√Q,  P = (θ_y/a_y)² + (θ_z/a_z)²,  Q = θ_y²/a_y⁴ + θ_z²/a_z⁴,  a = max or −min by the sign of θ
 *
 * To first order in c the distance, with a gradient of length 1 at the ellipse; exact on its axes and for a circle. The
 * radial distance has a gradient as long as the ellipse is slender, and overshoots.
 */

import { LIMIT } from './scalar.js'

/** Least half-axis [rad]: a direction that is all but locked. */
const LEAST = 1e-4
/** Below this P the swing is at the centre, where there is no direction and no need of one. */
const CENTRE = 1e-20

/** Reads the limits of y at `o` and of z after it; writes the angle [c, n] (see angles.ts) to `t`. */
export function coneAngle(limits: Float64Array, o: number, y: Float64Array, z: Float64Array, t: Float64Array): void {
  const ay = Math.max(y[0] < 0 ? -limits[o] : limits[o + 1], LEAST)
  const az = Math.max(z[0] < 0 ? -limits[o + LIMIT] : limits[o + LIMIT + 1], LEAST)
  const uy = y[0] / (ay * ay)
  const uz = z[0] / (az * az)
  const P = y[0] * uy + z[0] * uz
  if (P < CENTRE) {
    t[0] = Math.min(ay, az)
    t[1] = t[2] = t[3] = 0
    return
  }
  const p = Math.sqrt(P)
  const q = Math.sqrt(uy * uy + uz * uz)
  t[0] = (p - P) / q
  const byP = (1 / p - 2) / q
  const byQ = (P - p) / (q * q * q)
  const cy = byP * uy + (byQ * uy) / (ay * ay)
  const cz = byP * uz + (byQ * uz) / (az * az)
  for (let i = 1; i < 4; i++) t[i] = cy * y[i] + cz * z[i]
}
