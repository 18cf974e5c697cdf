/** Rows that are added to a batch at once, and their shared definitions: apart from it, so that only `addConstraints` brings them along. */

import { type Batch, type CommonColumn, DefinitionSource } from './batch.js'
import type { Bodies } from './bodies.js'

/** Definitions of constraints added at once: the first one and the numbers in which the others differ. Each is made on request. */
export class SharedDefinitions extends DefinitionSource {
  /** The resolved definition of the first of them. */
  private readonly first: Readonly<Record<string, unknown>>
  /** Fields that differ, a number or a vector a constraint. */
  private readonly numbers: Readonly<Record<string, Float64Array>>
  /** Their slots when they were made, ascending. */
  private readonly slots: Int32Array
  private readonly bodies: Bodies

  constructor(first: object, numbers: Readonly<Record<string, Float64Array>>, slots: Int32Array, bodies: Bodies) {
    super()
    this.first = first as Record<string, unknown>
    this.numbers = numbers
    this.slots = slots
    this.bodies = bodies
  }

  /** One field of the definition of a slot, other than its bodies. */
  field(slot: number, name: string): unknown {
    const column = this.numbers[name] as Float64Array | undefined
    return column === undefined ? this.first[name] : this.valueIn(column, this.placeOf(slot))
  }

  /** The definition of a slot that joins the rows `bodies`; fields stand in the order of the first one's. */
  make(slot: number, bodies: ArrayLike<number>): object {
    const { first, numbers } = this
    const place = this.placeOf(slot)
    const def = { ...first }
    for (const name of Object.keys(numbers)) def[name] = this.valueIn(numbers[name], place)
    const handles = Array.from(bodies, (row) => this.bodies.handle(row) ?? null)
    if ('bodies' in first) def.bodies = handles
    else [def.a, def.b] = handles
    return def
  }

  private valueIn(column: Float64Array, place: number): number | number[] {
    const width = column.length / this.slots.length
    return width === 1 ? column[place] : Array.from(column.subarray(width * place, width * (place + 1)))
  }

  private placeOf(slot: number): number {
    const { slots } = this
    let low = 0
    let high = slots.length - 1
    while (low < high) {
      const middle = (low + high) >> 1
      if (slots[middle] < slot) low = middle + 1
      else high = middle
    }
    return low
  }
}

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
