/** How far a body has turned since the substep began: the angular part of X + ΔX − X_start. */

import type { BodyColumns } from '../state/body-columns.js'
import { turnBy } from '../math/rotation.js'

/** Where {@link turnedSinceStart} leaves its result. */
export const TURNED: Float64Array = /* @__PURE__ */ new Float64Array(3)

const PREDICTED = /* @__PURE__ */ new Float64Array(4)

/**
 * A body's rotation in this substep [rad], into `TURNED`: h ω̂ + 2 vec(q q̂̄), what was predicted and, up to third order, what the
 * solve has added. The rotation from start to present pose alone has the wrong sign beyond half a turn.
 */
export function turnedSinceStart(bodies: BodyColumns, i: number): void {
  const q = bodies.orientation
  const o = 4 * i
  for (let k = 0; k < 3; k++) TURNED[k] = bodies.predictedTurn[3 * i + k]
  for (let k = 0; k < 4; k++) PREDICTED[k] = bodies.startOrientation[o + k]
  if (TURNED[0] !== 0 || TURNED[1] !== 0 || TURNED[2] !== 0) turnBy(PREDICTED, 0, TURNED)
  const ax = q[o]
  const ay = q[o + 1]
  const az = q[o + 2]
  const aw = q[o + 3]
  const bx = PREDICTED[0]
  const by = PREDICTED[1]
  const bz = PREDICTED[2]
  const bw = PREDICTED[3]
  const s = aw * bw + ax * bx + ay * by + az * bz < 0 ? -2 : 2
  TURNED[0] += s * (ax * bw - aw * bx - ay * bz + az * by)
  TURNED[1] += s * (ay * bw - aw * by - az * bx + ax * bz)
  TURNED[2] += s * (az * bw - aw * bz - ax * by + ay * bx)
}
