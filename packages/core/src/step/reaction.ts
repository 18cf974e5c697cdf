/** The force of one constraint on one of its bodies. */

import type { WorldView } from '../define/contract.js'
import type { Rows } from '../define/rows.js'
import type { Batch } from '../state/batch.js'

/**
 * Writes what a row pushes its `b`-th body with to `out`, in place of `Constraint.reaction`, which makes objects: force (3) [N] and couple
 * (3) [N m] of the last substep, world frame. A row without a linear part anywhere is a couple.
 */
export function measureReaction(world: WorldView, batch: Batch, row: number, b: number, out: Float64Array): void {
  out.fill(0)
  const h = world.clock.substepLength
  if (!(h > 0)) return
  const { rows } = batch
  rows.clear()
  batch.type.evaluate(world.bodies.columns, batch, row, rows)
  const { lambda } = batch.common
  for (let k = 0; k < rows.count; k++) {
    const force = lambda[batch.type.multipliers * row + rows.multiplier[k]] / (h * h)
    const o = 6 * (batch.arity * k + b)
    const couple = isCouple(rows, k)
    for (let i = 0; i < 3; i++) {
      out[i] += known(force * rows.J[o + i])
      if (couple) out[3 + i] += known(force * rows.J[o + 3 + i])
    }
  }
}

/** What a gradient that is none gives: no force. */
function known(x: number): number {
  return x === x ? x : 0
}

function isCouple(rows: Rows, k: number): boolean {
  for (let b = 0; b < rows.arity; b++) {
    const o = 6 * (rows.arity * k + b)
    if (rows.J[o] !== 0 || rows.J[o + 1] !== 0 || rows.J[o + 2] !== 0) return false
  }
  return true
}
