/** Gives back memory that removed bodies and constraints leave. */

import type { Batch } from '../state/batch.js'
import type { Bodies } from '../state/bodies.js'
import { DEAD } from '../state/body-columns.js'
import type { WorldState } from '../state/world-state.js'

/**
 * Makes all tables as large as their contents. The state stays the same, and handles and snapshots stay valid. Costs about as much as an ordering;
 * call it after much was removed, not every step.
 */
export function shrink(world: WorldState): void {
  shrinkBodies(world.bodies)
  for (const batch of world.batches) shrinkBatch(batch)
  world.renewOrdering()
}

/** Gives back the room of the last rows, where they are free. */
function shrinkBodies(bodies: Bodies): void {
  const { table } = bodies
  const { kind } = table.columns
  while (kind[table.count - 1] === DEAD) table.count--
  bodies.refreshHandles(bodies.handlesByRow().slice(0, table.count))
  table.shrink()
}

/** Gives back the room of removed rows. */
function shrinkBatch(batch: Batch): void {
  let slots = batch.slotRow.length
  while (slots > 0 && batch.slotRow[slots - 1] < 0) slots--
  batch.slotRow.length = batch.slotGeneration.length = slots
  batch.defs = batch.defs.slice(0, slots)
  batch.handles.length = Math.min(batch.handles.length, slots)
  batch.defsShared = false
  batch.table.shrink()
  batch.segments = batch.segments.slice(0, batch.segmentCount + 1)
  batch.restored()
}
