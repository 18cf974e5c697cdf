/** Slip of a contact manifold. */

import { type BodyColumns, rotateVectorInverse, rotateVector, TURNED, rotationSinceStart } from '@tautline/core/kernel'
import { ARM_T, FRAME, FRICTION, type Manifolds, ORIGIN, RECORD, residual, ROLLING, TWIST } from './manifold-columns.js'

const v = /* @__PURE__ */ new Float64Array(3)
const slip = /* @__PURE__ */ new Float64Array(3)
const turned = /* @__PURE__ */ new Float64Array(3)

/** Displacement of the manifold centre in the plane [m], and rotations [rad], of a relative to b, into `residual`. */
export function measureSlip(bodies: BodyColumns, batch: Manifolds, row: number): void {
  const a = batch.ids[2 * row]
  const b = batch.ids[2 * row + 1]
  const { record } = batch.columns
  const f = RECORD * row + FRAME
  const t = RECORD * row + ARM_T
  const dot = (i: number, u: ArrayLike<number>, j: number): number =>
    record[i] * u[j] + record[i + 1] * u[j + 1] + record[i + 2] * u[j + 2]
  // The lever arm c to the centre from c × t̂₁ and c × t̂₂.
  const onS = dot(f, record, t + 3)
  const onT = -dot(f, record, t)
  const onN = dot(f + 6, record, t)
  slip.fill(0)
  turned.fill(0)
  for (let side = 0; side < 2; side++) {
    const i = side === 0 ? a : b
    const sign = side === 0 ? 1 : -1
    const { position: x, orientation: q, startPosition, startOrientation } = bodies
    const p = 4 * i
    const at = (k: number): number =>
      record[RECORD * row + ORIGIN + k] + onN * record[f + k] + onS * record[f + 3 + k] + onT * record[f + 6 + k]
    rotateVectorInverse(q, p, at(0) - x[p], at(1) - x[p + 1], at(2) - x[p + 2], v, 0)
    rotateVector(startOrientation, p, v[0], v[1], v[2], v, 0)
    rotationSinceStart(bodies, i)
    for (let k = 0; k < 3; k++) {
      slip[k] += sign * (at(k) - startPosition[p + k] - v[k])
      turned[k] += sign * TURNED[k]
    }
  }
  residual[FRICTION] = dot(f + 3, slip, 0)
  residual[FRICTION + 1] = dot(f + 6, slip, 0)
  residual[TWIST] = dot(f, turned, 0)
  residual[ROLLING] = dot(f + 3, turned, 0)
  residual[ROLLING + 1] = dot(f + 6, turned, 0)
}
