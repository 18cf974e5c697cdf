/** Whether an overlap is still being pushed out. */

import type { BodyColumns } from '@tautline/core/kernel'
import { measureNormals } from './loops/gaps.js'
import { DEEP_SPEED, LOADED, REPAIR, SAG } from './loops/goals.js'
import { G_NORMAL, type Manifolds, RECORD, residual, ROWS } from './manifold-columns.js'
import { viewOf } from './manifold-plan.js'

/**
 * Whether a manifold is deep at the present poses, so that it is still being pushed out. `h` is the length of the last substep [s], `usual` that of the
 * world's settings: what stands deep by its load in a long step rises when steps are short again.
 */
export function isDeep(bodies: BodyColumns, batch: Manifolds, row: number, h: number, usual: number): boolean {
  const { points, lambda, record } = batch.columns
  const g = RECORD * row + G_NORMAL
  const least = DEEP_SPEED * Math.min(h, usual)
  const share = usual < h ? (usual * usual) / (h * h) : 1
  measureNormals(viewOf(bodies, batch), row)
  for (let i = 0; i < points[row]; i++) {
    const depth = -residual[i]
    const sag = SAG * record[g + ((i * (i + 3)) >> 1)] * lambda[ROWS * row + i]
    if (REPAIR * depth > least && depth > LOADED * share * sag) return true
  }
  return false
}
