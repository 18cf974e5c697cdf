/**
 * The bodies that a step visits: all but those that were removed and those that sleep. A step then costs nothing for bodies at rest.
 *
 * A body that has fallen asleep is visited for one more whole step: that step writes its pose to the columns of the start of the step and of
 * the substep, where it stays. Ascending, so that sums over bodies are added in the order of rows whatever has slept before.
 */

import { type BodyColumns, ASLEEP, DEAD } from '../state/body-columns.js'
import { roomFor } from './disjoint-sets.js'

/** Where a row is. */
const ABSENT = 0
const LISTED = 1
const RESTS = 2

/** The bodies that a step visits, ascending. */
export class AwakeBodies {
  /** How many there are. */
  count = 0
  /** How many sleep, and are not visited. */
  resting = 0
  /** Counts changes of the list. */
  changes = 0
  private list: Int32Array = new Int32Array(16)
  /** By row: whether it is in the list, or rests. */
  private place: Uint8Array = new Uint8Array(16)
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
    if (row >= this.place.length) this.reserve(row + 1)
    this.rested[row] = 0
    if (this.place[row] === LISTED) return
    if (this.place[row] === RESTS) this.resting--
    this.place[row] = LISTED
    this.changes++
    this.isSorted &&= this.count === 0 || this.list[this.count - 1] < row
    this.list[this.count++] = row
  }

  /** Whether a row sleeps, and is not visited. */
  isResting(row: number): boolean {
    return this.place[row] === RESTS
  }

  /** Lists all of `count` rows: they may have changed in any way. */
  reset(count: number): void {
    this.place.fill(0)
    this.count = this.resting = 0
    this.changes++
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
    const { rows, rested, place, count } = this
    let kept = 0
    for (let k = 0; k < count; k++) {
      const row = rows[k]
      if (kind[row] === DEAD) place[row] = ABSENT
      else if (rested[row] === 0) rows[kept++] = row
      else {
        place[row] = RESTS
        this.resting++
      }
    }
    if (kept < count) this.changes++
    this.count = kept
  }

  private reserve(count: number): void {
    const size = roomFor(count, this.place)
    const { list, place, rested } = this
    this.list = new Int32Array(size)
    this.place = new Uint8Array(size)
    this.rested = new Uint8Array(size)
    this.list.set(list)
    this.place.set(place)
    this.rested.set(rested)
  }
}
