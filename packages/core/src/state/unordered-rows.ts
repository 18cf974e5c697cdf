/** Rows of `unordered` types, which a stage keeps in order itself. */

import type { Batch } from './batch.js'

/**
 * Makes a batch `count` rows long, of which the first `active` act: slots are rows. Existing rows keep their contents, others hold zeros or anything: the
 * caller writes its columns, `body` and `ids`.
 */
export function setRows(batch: Batch, count: number, active: number): void {
  const before = batch.table.count
  if (count > batch.table.capacity) batch.table.reserve(2 * count)
  batch.table.count = count
  batch.reserveIds()
  const { slotRow, slotGeneration } = batch
  for (let row = slotRow.length; row < count; row++) slotGeneration[row] = slotRow.push(row) - 1 - row
  const c = batch.common
  for (let row = before; row < count; row++) {
    c.enabled[row] = c.relaxation[row] = 1
    c.breakForce[row] = c.breakTorque[row] = Infinity
    c.compliance[row] = c.rayleigh[row] = c.regularization[row] = c.softness[row] = c.gamma[row] = 0
    c.broken[row] = c.faults[row] = c.solver[row] = c.direct[row] = c.yields[row] = 0
    c.slot[row] = c.sequence[row] = slotRow[row] = row
  }
  for (let row = count; row < before; row++) slotRow[row] = -1
  for (let row = 0; row < count; row++) c.live[row] = row < active ? 1 : 0
  batch.links = undefined
  batch.damped = batch.breakable = false
  batch.active = batch.swept = active
  batch.closeSegments()
}
