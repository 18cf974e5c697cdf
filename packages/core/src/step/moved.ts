/** How far a body has turned since the substep began: the angular part of X + ΔX − X_start. */

import type { BodyColumns } from '../state/body-columns.js'
import { rotationBetween, rotateBy } from '../math/rotation.js'

/** Where {@link rotationSinceStart} leaves its result. */
export const TURNED: Float64Array = /* @__PURE__ */ new Float64Array(3)

const PREDICTED = /* @__PURE__ */ new Float64Array(4)
const SOLVED = /* @__PURE__ */ new Float64Array(3)
/** Square of the half angle below which four terms of the arcsine are exact to round-off [rad²]. */
const SLIGHT = 1e-4

/**
 * A body's rotation in this substep [rad], into `TURNED`: h ω̂ + log(q q̂̄), what was predicted and what the solve has added. The rotation from
 * start to present pose alone has the wrong sign beyond half a turn; 2 vec(q q̂̄) in place of the logarithm is short by θ³/24, which dampers
 * of light bodies under large couples took for motion: they bore a part of what stands still.
 */
export function rotationSinceStart(bodies: BodyColumns, i: number): void {
  const q = bodies.orientation
  const o = 4 * i
  for (let k = 0; k < 3; k++) TURNED[k] = bodies.predictedRotation[3 * i + k]
  for (let k = 0; k < 4; k++) PREDICTED[k] = bodies.startOrientation[o + k]
  if (TURNED[0] !== 0 || TURNED[1] !== 0 || TURNED[2] !== 0) rotateBy(PREDICTED, 0, TURNED)
  const ax = q[o]
  const ay = q[o + 1]
  const az = q[o + 2]
  const aw = q[o + 3]
  const bx = PREDICTED[0]
  const by = PREDICTED[1]
  const bz = PREDICTED[2]
  const bw = PREDICTED[3]
  const s = aw * bw + ax * bx + ay * by + az * bz < 0 ? -1 : 1
  const x = s * (ax * bw - aw * bx - ay * bz + az * by)
  const y = s * (ay * bw - aw * by - az * bx + ax * bz)
  const z = s * (az * bw - aw * bz - ax * by + ay * bx)
  const t = x * x + y * y + z * z
  if (t > SLIGHT) {
    rotationBetween(q, o, PREDICTED, 0, SOLVED, 0)
    for (let k = 0; k < 3; k++) TURNED[k] += SOLVED[k]
    return
  }
  // 2 asin(√t)/√t.
  const scale = 2 + t * (1 / 3 + t * (3 / 20 + t * (5 / 56)))
  TURNED[0] += scale * x
  TURNED[1] += scale * y
  TURNED[2] += scale * z
}
