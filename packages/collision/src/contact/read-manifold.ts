/** A manifold as plain numbers. */

import { type BodyColumns, rotateVector } from '@tautline/core/kernel'
import { MAX_POINTS } from '../detect/narrow/manifold.js'
import { measureNormals } from './loops/gaps.js'
import { carrierOf, LOCAL_N, type Manifolds, RECORD, residual, ROWS } from './manifold-columns.js'
import { viewOf } from './manifold-plan.js'

const n = /* @__PURE__ */ new Float64Array(3)
const p = /* @__PURE__ */ new Float64Array(3)

/** Writes a manifold as plain numbers, see `Collisions.readManifold`. `h` is the length of the last substep [s]. */
export function readManifold(bodies: BodyColumns, batch: Manifolds, row: number, h: number, out: Float64Array): number {
  const { points, record, anchorB, round, lambda } = batch.columns
  const count = points[row]
  if (count === 0) return 0
  const b = batch.ids[2 * row + 1]
  const k = RECORD * row + LOCAL_N
  const { position: x, orientation: q } = bodies
  rotateVector(q, 4 * carrierOf(batch, row), record[k], record[k + 1], record[k + 2], n, 0)
  measureNormals(viewOf(bodies, batch), row)
  for (let axis = 0; axis < 3; axis++) out[axis] = n[axis]
  for (let i = 0; i < count; i++) {
    const o = 3 * (MAX_POINTS * row + i)
    const at = 3 + 5 * i
    rotateVector(q, 4 * b, anchorB[o], anchorB[o + 1], anchorB[o + 2], p, 0)
    for (let axis = 0; axis < 3; axis++) out[at + axis] = x[4 * b + axis] + p[axis] + round[2 * row + 1] * n[axis]
    out[at + 3] = residual[i]
    out[at + 4] = h > 0 ? lambda[ROWS * row + i] / (h * h) : 0
  }
  return count
}
