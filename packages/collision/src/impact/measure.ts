/** Gaps and speeds of a manifold's points, at the present poses and velocities. */

import type { BodyColumns } from '@tautline/core/kernel'
import { measureNormals } from '../contact/gaps.js'
import { prepareLeverArms } from '../contact/lever-arms.js'
import { measureVelocities } from '../contact/relax.js'
import { type Manifolds, residual } from '../contact/manifold-columns.js'

/** Writes the gaps of a manifold to `residual` [m] and the speeds of its points to `speeds` [m/s]; returns the least gap. */
export function measureApproach(c: BodyColumns, batch: Manifolds, row: number, speeds: Float64Array): number {
  const n = batch.columns.points[row]
  prepareLeverArms(c, batch, row)
  measureVelocities(c, batch, row)
  for (let i = 0; i < n; i++) speeds[i] = residual[i]
  return measureGap(c, batch, row)
}

/** Writes the gaps of a manifold to `residual` [m]; returns the least. */
export function measureGap(c: BodyColumns, batch: Manifolds, row: number): number {
  measureNormals(c, batch, row)
  let gap = Infinity
  for (let i = 0; i < batch.columns.points[row]; i++) if (residual[i] < gap) gap = residual[i]
  return gap
}
