/**
 * The bodies that a step visits: all but those that were removed and those that sleep. A step then costs nothing for bodies at rest.
 *
 * A body that has fallen asleep is visited for one more whole step: that step writes its pose to the columns of the start of the step and of
 * the substep, where it stays. Ascending, so that sums over bodies are added in the order of rows whatever has slept before.
 */

import { type BodyColumns, ASLEEP, DEAD } from '../state/body-columns.js'
import { roomFor } from '../state/room.js'

export class AwakeBodies {
  /** How many there are. */
  count = 0
  private list: Int32Array = new Int32Array(16)
  private isListed: Uint8Array = new Uint8Array(16)
  /** By row: 1 where it slept when the step began, and nothing has changed it since. */
  private rested: Uint8Array = new Uint8Array(16)
  private isSorted = true

  /** Rows, ascending; the first `count` of them. */
  get rows(): Int32Array {
    if (!this.isSorted) this.list.subarray(0, this.count).sort()
    this.isSorted = true
    return this.list
  }

  /** Adds a row that was made, woken or changed. */
  add(row: number): void {
    if (row >= this.isListed.length) this.reserve(row + 1)
    this.rested[row] = 0
    if (this.isListed[row] !== 0) return
    this.isListed[row] = 1
    this.isSorted &&= this.count === 0 || this.list[this.count - 1] < row
    this.list[this.count++] = row
  }

  /** Lists all of `count` rows: they may have changed in any way. */
  reset(count: number): void {
    this.isListed.fill(0)
    this.count = 0
    this.isSorted = true
    for (let row = 0; row < count; row++) this.add(row)
  }

  /** Begins a step: notes which of the rows sleep. */
  begin({ flags }: BodyColumns): void {
    const { rows, rested, count } = this
    for (let k = 0; k < count; k++) rested[rows[k]] = (flags[rows[k]] & ASLEEP) !== 0 ? 1 : 0
  }

  /** Ends a step: leaves out what has slept through it, and removed rows. */
  end({ kind }: BodyColumns): void {
    const { rows, rested, isListed, count } = this
    let kept = 0
    for (let k = 0; k < count; k++) {
      const row = rows[k]
      if (rested[row] === 0 && kind[row] !== DEAD) rows[kept++] = row
      else isListed[row] = 0
    }
    this.count = kept
  }

  private reserve(count: number): void {
    const size = roomFor(count, this.isListed)
    const { list, isListed, rested } = this
    this.list = new Int32Array(size)
    this.isListed = new Uint8Array(size)
    this.rested = new Uint8Array(size)
    this.list.set(list)
    this.isListed.set(isListed)
    this.rested.set(rested)
  }
}
