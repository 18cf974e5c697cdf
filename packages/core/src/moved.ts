/** How far a body has turned since the substep began: the angular part of X + ΔX − X_start. */

import type { BodyColumns } from './body-columns.js'

/** Where {@link turnedSinceStart} leaves its result. */
export const TURNED: Float64Array = /* @__PURE__ */ new Float64Array(3)

/** 2 vec(q q̄_start): a body's rotation in this substep up to its third order [rad], into `TURNED`. */
export function turnedSinceStart(bodies: BodyColumns, i: number): void {
  const q = bodies.orientation
  const u = bodies.startOrientation
  const o = 4 * i
  const ax = q[o]
  const ay = q[o + 1]
  const az = q[o + 2]
  const aw = q[o + 3]
  const bx = u[o]
  const by = u[o + 1]
  const bz = u[o + 2]
  const bw = u[o + 3]
  const s = aw * bw + ax * bx + ay * by + az * bz < 0 ? -2 : 2
  TURNED[0] = s * (ax * bw - aw * bx - ay * bz + az * by)
  TURNED[1] = s * (ay * bw - aw * by - az * bx + ax * bz)
  TURNED[2] = s * (az * bw - aw * bz - ax * by + ay * bx)
}
