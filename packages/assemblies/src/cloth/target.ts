/** Where a body that is led will be at the end of a step. */

import type { Body } from '@tautline/core'
import { HAS_TARGET, KINEMATIC, normalizeQuaternion, rotateVector, rotate } from '@tautline/core/kernel'
import type { vec3 } from 'gl-matrix'

const q = /* @__PURE__ */ new Float64Array(4)
const r = /* @__PURE__ */ new Float64Array(3)

/** Position and rotation of a body at the end of a step of `dt` [s], into `x` and `rotation`: its target, or where its velocity takes it. */
export function targetPose(body: Body, dt: number, x: vec3, rotation: Float64Array): void {
  const { columns } = body.bodies
  const i = body.index
  const { position, orientation, velocity, angularVelocity, targetPosition, targetOrientation } = columns
  const leads = columns.kind[i] === KINEMATIC
  if (leads && (columns.flags[i] & HAS_TARGET) !== 0) {
    for (let k = 0; k < 3; k++) x[k] = targetPosition[3 * i + k]
    for (let k = 0; k < 4; k++) rotation[k] = targetOrientation[4 * i + k]
    return
  }
  for (let k = 0; k < 3; k++) x[k] = position[4 * i + k] + (leads ? dt * velocity[3 * i + k] : 0)
  for (let k = 0; k < 4; k++) rotation[k] = orientation[4 * i + k]
  if (!leads) return
  rotate(rotation, 0, dt * angularVelocity[3 * i], dt * angularVelocity[3 * i + 1], dt * angularVelocity[3 * i + 2])
  normalizeQuaternion(rotation, 0)
}

/** Where a point of its body will be [m]. */
export function targetPoint(body: Body, local: ArrayLike<number>, dt: number, out: vec3): void {
  targetPose(body, dt, out, q)
  rotateVector(q, 0, local[0], local[1], local[2], r, 0)
  for (let k = 0; k < 3; k++) out[k] += r[k]
}
