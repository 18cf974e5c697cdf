/**
 * Rows that are not finite: skipped, named, and switched off where they stay so.
 *
 * A loop that finds the change of a multiplier beyond all measure keeps the result in λ, moves nothing, and goes on: λ is the mark.
 * Once a substep those rows lose their λ and are counted in `faults`; a sound substep ends the count. While it lasts, trees are
 * gathered without such a joint, so that it alone is skipped.
 */

import type { Batch } from '../state/batch.js'
import type { BodyColumns } from '../state/body-columns.js'
import { coupling } from './group-system.js'
import { RUNAWAY } from './limits.js'
import type { WorldState } from '../state/world-state.js'

/** Errors and gradients beyond this [m, rad] make products that overflow. */
const BEYOND = 1e100
/** A row that is not finite for so many substeps in a row is switched off: four steps of eight. */
export const MOST_FAULTS = 32

/** Once a substep, when all passes are over: takes λ that are not finite, and counts whose they are. */
export function dropFaults(world: WorldState): void {
  const { batches, kernels } = world
  for (let b = 0; b < batches.length; b++) {
    const batch = batches[b]
    const { lambda } = batch.common
    const count = batch.type.multipliers * batch.active
    if (!batch.faulty && (kernels?.isBounded(lambda, 0, count) ?? isBounded(lambda, 0, count))) continue
    batch.faulty = false
    for (let row = 0; row < batch.active; row++) countFault(world, batch, row)
    for (let row = batch.active; row < batch.count; row++) endCount(batch, row)
  }
}

/** Whether all multipliers from one index to another are within measure; NaN fails the comparison. */
function isBounded(lambda: Float64Array, from: number, to: number): boolean {
  for (let k = from; k < to; k++) if (!(Math.abs(lambda[k]) < RUNAWAY)) return false
  return true
}

function countFault(world: WorldState, batch: Batch, row: number): void {
  const { type, common } = batch
  const { lambda, faults, enabled } = common
  const from = type.multipliers * row
  const to = from + type.multipliers
  if (isBounded(lambda, from, to) && (faults[row] === 0 || !isUnsound(world.bodies.columns, batch, row))) {
    if (faults[row] === 0) return
    faults[row] = 0
    world.markOrderStale(batch)
    return
  }
  const slot = common.slot[row]
  if (faults[row] === 0) {
    world.skipped.push({ batch, slot, generation: batch.slotGeneration[slot] })
    for (const error of batch.rows.thrown.splice(0)) world.bodies.callbacks.keep(error)
  }
  lambda.fill(0, from, to)
  for (const name of type.saved?.state ?? []) clearState(batch.columns[name], type.columns[name], row)
  batch.faulty = true
  if (faults[row]++ === 0) world.markOrderStale(batch)
  if (faults[row] < MOST_FAULTS || type.traits?.transient === true) return
  enabled[row] = 0
  world.markOrderStale(batch)
}

/** Of a row that does not act: it was not skipped, unless that switched it off. */
function endCount({ common: { faults } }: Batch, row: number): void {
  if (faults[row] < MOST_FAULTS) faults[row] = 0
}

/** What a type keeps of a row from step to step, back to nothing where it is not finite either. */
function clearState(column: Float64Array, stride: number, row: number): void {
  for (let k = stride * row; k < stride * (row + 1); k++) if (!(Math.abs(column[k]) < Infinity)) column[k] = 0
}

/** Whether a row's error, gradient or softness is beyond measure at the present pose: no solution of it can be finite. */
export function isUnsound(bodies: BodyColumns, batch: Batch, row: number): boolean {
  const { rows, type, arity } = batch
  const h = rows.substep
  rows.clear()
  type.evaluate(bodies, batch, row, rows)
  for (let g = 0; g < rows.groupCount; g++) if (!(rows.groups[g].compliance / (h * h) < Infinity)) return true
  for (let k = 0; k < rows.count; k++) {
    if (!(Math.abs(rows.c[k]) < BEYOND)) return true
    for (let o = 6 * arity * k; o < 6 * arity * (k + 1); o++) if (!(Math.abs(rows.J[o]) < BEYOND)) return true
    if (!(coupling(bodies, batch, row, k, k) < Infinity)) return true
  }
  return false
}
