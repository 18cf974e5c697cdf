/** Definitions of constraints that were made at once: one for all, the numbers in which they differ, and none by itself until it is asked for. */

import type { Bodies } from './bodies.js'
import { DefinitionSource } from './definition-source.js'

/** Stands for the definition of each of its slots. */
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
