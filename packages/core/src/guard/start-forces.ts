/** Forces that rows began the step with, for what is to know how much of their stored energy they can give back. */

import type { Batch } from '../state/batch.js'
import { type BodyColumns, DISTURBED } from '../state/body-columns.js'
import type { WorldView } from '../define/contract.js'

/** Buffers that grow with the world and are kept. */
export class StartForces {
  private readonly forces: Float64Array[] = []
  private readonly of: Batch[] = []
  /** The order of the rows that the forces are of. */
  private orderings = -1

  /** Notes λ/h² of all rows that are not made anew in each step; 0, as of what was never solved, where the user has moved a body. */
  begin({ batches, bodies, clock, orderings }: WorldView): void {
    const h = clock.substepLength
    const wasMoved = isAnyMoved(bodies.columns.flags, bodies.count)
    this.orderings = h > 0 ? orderings : -1
    this.of.length = batches.length
    for (let b = 0; b < batches.length; b++) {
      const { type, active, common } = batches[b]
      this.of[b] = batches[b]
      if (type.transient === true || h === 0) continue
      const count = type.multipliers * active
      while (this.forces.length <= b) this.forces.push(new Float64Array(0))
      if (this.forces[b].length < count) this.forces[b] = new Float64Array(2 * count)
      const forces = this.forces[b]
      for (let k = 0; k < count; k++) forces[k] = common.lambda[k] / (h * h)
      if (wasMoved) forgetMoved(batches[b], bodies.columns.flags, forces)
    }
  }

  /** The forces of batch `b` of the world; none where its rows were put in order since, or never solved. */
  forcesOf({ batches, orderings }: WorldView, b: number): Float64Array | undefined {
    return orderings === this.orderings && this.of[b] === batches[b] ? this.forces[b] : undefined
  }
}

function isAnyMoved(flags: BodyColumns['flags'], count: number): boolean {
  for (let i = 0; i < count; i++) if ((flags[i] & DISTURBED) !== 0) return true
  return false
}

function forgetMoved({ ids, arity, active, type }: Batch, flags: BodyColumns['flags'], forces: Float64Array): void {
  for (let row = 0; row < active; row++) {
    let wasMoved = false
    for (let b = arity * row; b < arity * (row + 1); b++) if ((flags[ids[b]] & DISTURBED) !== 0) wasMoved = true
    if (wasMoved) forces.fill(0, type.multipliers * row, type.multipliers * (row + 1))
  }
}
