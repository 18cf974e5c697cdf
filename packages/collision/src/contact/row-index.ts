/** Finds the row of a manifold by its two colliders and its key: a hash table over slots, rebuilt once a step. */

import type { Manifolds } from './manifold-columns.js'

const EMPTY = -1

export class RowIndex {
  private slots = new Int32Array(64).fill(EMPTY)
  private count = 0
  private isStale = true

  /** Has `refresh` take all rows in anew: some were removed, or the table was overwritten. */
  markStale(): void {
    this.isStale = true
  }

  /** Brings it up to date with the rows of the batch. */
  refresh(batch: Manifolds): void {
    if (this.isStale || this.count !== batch.count) this.rebuild(batch)
  }

  /** Takes in all rows of the batch. */
  rebuild(batch: Manifolds): void {
    this.isStale = false
    this.count = 0
    if (this.slots.length < 4 * (batch.count + 1)) this.slots = new Int32Array(8 * (batch.count + 1))
    this.slots.fill(EMPTY)
    for (let row = 0; row < batch.count; row++) this.insert(batch, row)
  }

  /** Adds a row, which must not be there. */
  add(batch: Manifolds, row: number): void {
    if (2 * (this.count + 1) > this.slots.length) this.rebuild(batch)
    else this.insert(batch, row)
  }

  /** Row of a manifold, or −1. */
  find(batch: Manifolds, a: number, b: number, key: number): number {
    const { pair } = batch.columns
    const mask = this.slots.length
    for (let at = hash(a, b, key) % mask; this.slots[at] !== EMPTY; at = at + 1 === mask ? 0 : at + 1) {
      const row = batch.slotRow[this.slots[at]]
      if (pair[3 * row] === a && pair[3 * row + 1] === b && pair[3 * row + 2] === key) return row
    }
    return -1
  }

  private insert(batch: Manifolds, row: number): void {
    const { pair, slot } = batch.columns
    const { slots } = this
    let at = hash(pair[3 * row], pair[3 * row + 1], pair[3 * row + 2]) % slots.length
    while (slots[at] !== EMPTY) at = at + 1 === slots.length ? 0 : at + 1
    slots[at] = slot[row]
    this.count++
  }
}

/** Mixes three integers (multipliers of Teschner et al. 2003). */
function hash(a: number, b: number, key: number): number {
  return (Math.imul(a, 73856093) ^ Math.imul(b, 19349663) ^ Math.imul(key, 83492791)) >>> 0
}
