/** Stable sorts of lists of rows by whole numbers, in time that grows with the list alone. */

import { roomFor } from '../graph/disjoint-sets.js'

/** Bits of a key that one pass sorts by. */
const BITS = 11
const DIGITS = 1 << BITS
/** Passes that numbers below 2³¹ take. */
const PASSES = 3
/** Lists below this length are sorted by comparison: passes over all digits take longer. */
const SHORT = 256
/** Keys are below this. */
const LIMIT = 0x80000000

/** Buffers that grow with the lists and are kept. */
export class RowSort {
  private readonly starts = new Int32Array(DIGITS)
  private other: Int32Array = new Int32Array(0)
  private ages = new Int32Array(0)

  /** Sorts rows by an integer each, from 0 to 2³¹ − 1. */
  byKey(rows: Int32Array, key: Int32Array): void {
    const { length } = rows
    if (length < SHORT) {
      rows.sort((r, s) => key[r] - key[s])
      return
    }
    if (this.other.length < length) this.other = new Int32Array(roomFor(length, this.other))
    let from: Int32Array = rows
    let to: Int32Array = this.other
    const varying = varyingBits(rows, key)
    for (let pass = 0; pass < PASSES; pass++) {
      if (((varying >>> (BITS * pass)) & (DIGITS - 1)) === 0) continue
      this.scatter(from, to, length, key, BITS * pass)
      const done = to
      to = from
      from = done
    }
    if (from !== rows) rows.set(from.subarray(0, length))
  }

  /** Sorts rows by the sequence in which they were made. */
  byAge(rows: Int32Array, sequence: Float64Array): void {
    const { length } = rows
    let oldest = Infinity
    let newest = -Infinity
    let isSorted = true
    for (let k = 0; k < length; k++) {
      const age = sequence[rows[k]]
      if (age < newest) isSorted = false
      else newest = age
      if (age < oldest) oldest = age
    }
    if (isSorted) return
    if (length < SHORT || newest - oldest >= LIMIT) {
      rows.sort((r, s) => sequence[r] - sequence[s])
      return
    }
    if (this.ages.length < length) this.ages = new Int32Array(roomFor(length, this.ages))
    const { ages } = this
    for (let k = 0; k < length; k++) ages[rows[k]] = sequence[rows[k]] - oldest
    this.byKey(rows, ages)
  }

  /** Sorts the rows from `from` to `to` of a list by a small number each, below `most`. */
  byColour(rows: Int32Array, from: number, to: number, colour: Int32Array, most: number): void {
    if (this.other.length < to) this.other = new Int32Array(roomFor(to, this.other))
    const { starts, other } = this
    starts.fill(0, 0, most)
    for (let k = from; k < to; k++) starts[colour[rows[k]]]++
    let at = from
    for (let c = 0; c < most; c++) {
      const count = starts[c]
      starts[c] = at
      at += count
    }
    for (let k = from; k < to; k++) other[starts[colour[rows[k]]]++] = rows[k]
    for (let k = from; k < to; k++) rows[k] = other[k]
  }

  /** Sorts by the digit at `shift` into another list. */
  private scatter(from: Int32Array, to: Int32Array, length: number, key: Int32Array, shift: number): void {
    const { starts } = this
    starts.fill(0)
    for (let k = 0; k < length; k++) starts[(key[from[k]] >>> shift) & (DIGITS - 1)]++
    let at = 0
    for (let digit = 0; digit < DIGITS; digit++) {
      const count = starts[digit]
      starts[digit] = at
      at += count
    }
    for (let k = 0; k < length; k++) to[starts[(key[from[k]] >>> shift) & (DIGITS - 1)]++] = from[k]
  }
}

/** The bits in which keys of rows differ. */
function varyingBits(rows: Int32Array, key: Int32Array): number {
  const first = key[rows[0]]
  let varying = 0
  for (let k = 1; k < rows.length; k++) varying |= key[rows[k]] ^ first
  return varying
}
