/** Poses and forces at the start of the step, from which the energy guard finds how much energy rows have stored or released since. */

import type { Batch } from '../state/batch.js'
import type { Bodies } from '../state/bodies.js'
import { type BodyColumns, RESET } from '../state/body-columns.js'
import type { WorldView } from '../define/contract.js'

/** Poses at the start of the step in columns with the strides of the present ones, made on first use and filled on each call. */
export class StartPoses {
  private view: BodyColumns | undefined

  /** The columns of the first `count` bodies. */
  columnsOf(bodies: BodyColumns, count: number): BodyColumns {
    if (this.view?.startPosition !== bodies.startPosition) {
      this.view = { ...bodies, position: bodies.position.slice(), orientation: bodies.previousOrientation }
    }
    const { position } = this.view
    for (let i = 0; i < count; i++) {
      for (let k = 0; k < 3; k++) position[4 * i + k] = bodies.previousPosition[3 * i + k]
      position[4 * i + 3] = bodies.position[4 * i + 3]
    }
    return this.view
  }
}

/** Forces of rows at the start of the step. Buffers that grow with the world and are kept: by slot, as contacts may put rows in another order within the step. */
export class StartForces {
  private readonly forces: Float64Array[] = []
  private readonly of: Batch[] = []
  private isKnown = false

  /** Notes λ/h² of all rows that are not made anew in each step; 0, as of what was never solved, where the user has moved a body. */
  begin({ batches, bodies, clock }: WorldView): void {
    const h = clock.substepLength
    const wasMoved = isAnyMoved(bodies)
    this.isKnown = h > 0
    this.of.length = batches.length
    for (let b = 0; b < batches.length; b++) {
      const { type, slotRow } = batches[b]
      this.of[b] = batches[b]
      if (type.traits?.transient === true || h === 0) continue
      const count = type.multipliers * slotRow.length
      while (this.forces.length <= b) this.forces.push(new Float64Array(0))
      if (this.forces[b].length < count) this.forces[b] = new Float64Array(2 * count)
      // A row that sleeps now and is woken within the step counts as never solved.
      this.forces[b].fill(0, 0, count)
      note(batches[b], 1 / (h * h), this.forces[b])
      if (wasMoved) forgetMoved(batches[b], bodies.columns.flags, this.forces[b])
    }
  }

  /** The forces of batch `b` of the world, those of a row from multipliers × slot on; none before the first step. */
  forcesOf({ batches }: WorldView, b: number): Float64Array | undefined {
    return this.isKnown && this.of[b] === batches[b] ? this.forces[b] : undefined
  }
}

function note({ type, active, common }: Batch, scale: number, forces: Float64Array): void {
  const { lambda, slot } = common
  const m = type.multipliers
  for (let row = 0; row < active; row++) {
    for (let k = 0; k < m; k++) forces[m * slot[row] + k] = scale * lambda[m * row + k]
  }
}

function isAnyMoved({ columns: { flags }, awake }: Bodies): boolean {
  const { rows, count } = awake
  for (let n = 0; n < count; n++) if ((flags[rows[n]] & RESET) !== 0) return true
  return false
}

function forgetMoved(batch: Batch, flags: BodyColumns['flags'], forces: Float64Array): void {
  const { ids, arity, active, type, common } = batch
  for (let row = 0; row < active; row++) {
    let wasMoved = false
    for (let b = arity * row; b < arity * (row + 1); b++) if ((flags[ids[b]] & RESET) !== 0) wasMoved = true
    const slot = common.slot[row]
    if (wasMoved) forces.fill(0, type.multipliers * slot, type.multipliers * (slot + 1))
  }
}
