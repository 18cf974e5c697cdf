/** Rows that are added to a batch at once: apart from it, so that only `addConstraints` brings them along. */

import type { Batch, CommonColumn } from './batch.js'
import type { DefinitionSource } from './definition-source.js'

/** Columns that tell rows of one definition apart. */
const OWN: readonly CommonColumn[] = ['body', 'slot', 'sequence']

/**
 * Appends rows, `arity` of `bodies` each, that are zeros but for bodies, slot and sequence. The caller writes them and marks the order stale. Returns
 * the first of them.
 */
export function pushMany(batch: Batch, bodies: Int32Array, sequence: number): number {
  const { arity, table } = batch
  const count = bodies.length / arity
  const first = table.count
  if (first + count > table.capacity) table.reserve(Math.max(first + count, 2 * table.capacity))
  for (let k = 0; k < count; k++) table.push()
  const { body, slot: slots, sequence: sequences } = batch.common
  batch.reserveIds()
  body.set(bodies, arity * first)
  batch.ids.set(bodies, arity * first)
  for (let k = 0; k < count; k++) {
    const slot = batch.takeSlot()
    batch.slotRow[slot] = first + k
    slots[first + k] = slot
    sequences[first + k] = sequence + k
    batch.links?.add(slot, bodies, arity * k)
  }
  return first
}

/** Gives the rows from `first` on the definitions that they share. */
export function shareDefinitions(batch: Batch, first: number, definitions: DefinitionSource): void {
  const { slot } = batch.common
  const defs = batch.defsShared ? batch.defs.slice() : batch.defs
  batch.defsShared = false
  batch.defs = defs
  while (defs.length < batch.slotRow.length) defs.push(undefined)
  for (let row = first; row < batch.count; row++) defs[slot[row]] = definitions
}

/** Copies a row to those behind it, up to `to`, which hold zeros in all columns but those that tell rows apart: these stay. */
export function repeatRow({ table: { columns, strides } }: Batch, row: number, to: number): void {
  for (const name of Object.keys(columns) as CommonColumn[]) {
    if (OWN.includes(name)) continue
    const column = columns[name]
    const width = strides[name]
    for (let s = 0; s < width; s++) {
      const value = column[row * width + s]
      if (Object.is(value, 0)) continue
      if (width === 1) column.fill(value, row + 1, to)
      else for (let i = (row + 1) * width + s; i < to * width; i += width) column[i] = value
    }
  }
}
