/** Gaps and speeds of a manifold's points, at the present poses and velocities. */

import type { BodyColumns } from '@tautline/core/kernel'
import { viewOf } from '../contact/manifold-plan.js'
import { measureNormals } from '../contact/loops/gaps.js'
import { prepareLeverArms } from '../contact/loops/lever-arms.js'
import { measureVelocities } from '../contact/loops/velocities.js'
import { type Manifolds, residual } from '../contact/manifold-columns.js'

/** Writes the gaps of a manifold to `residual` [m] and the speeds of its points to `speeds` [m/s]; returns the least gap. */
export function measureApproach(c: BodyColumns, batch: Manifolds, row: number, speeds: Float64Array): number {
  const m = viewOf(c, batch)
  const n = batch.columns.points[row]
  prepareLeverArms(m, row)
  measureVelocities(m, row)
  for (let i = 0; i < n; i++) speeds[i] = residual[i]
  return measureGap(c, batch, row)
}

/** Writes the gaps of a manifold to `residual` [m]; returns the least. */
export function measureGap(c: BodyColumns, batch: Manifolds, row: number): number {
  const m = viewOf(c, batch)
  measureNormals(m, row)
  let gap = Infinity
  for (let i = 0; i < batch.columns.points[row]; i++) if (residual[i] < gap) gap = residual[i]
  return gap
}
