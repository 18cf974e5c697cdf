/**
 * Pairs (a, b), a < b, in the order of a, then b.
 *
 * Sorted by counting, first by b, then by a: two stable passes, in time linear in pairs and ids (radix sort of two digits).
 */

const FIRST_CAPACITY = 256

/** Growable pairs, kept and used again: `items[2k]`, `items[2k + 1]` for k < count. The array is replaced when it grows. */
export class PairList {
  items: Int32Array = new Int32Array(2 * FIRST_CAPACITY)
  count = 0
  private spare: Int32Array = new Int32Array(2 * FIRST_CAPACITY)
  private slots: Int32Array = new Int32Array(FIRST_CAPACITY)

  clear(): void {
    this.count = 0
  }

  /** Makes room for `capacity` pairs in all. */
  reserve(capacity: number): void {
    if (2 * capacity <= this.items.length) return
    const size = Math.max(2 * capacity, 2 * this.items.length)
    const items = new Int32Array(size)
    items.set(this.items.subarray(0, 2 * this.count))
    this.items = items
    this.spare = new Int32Array(size)
  }

  /** Sorts pairs of numbers below `ids`. */
  sort(ids: number): void {
    if (this.slots.length < ids + 1) this.slots = new Int32Array(Math.max(ids + 1, 2 * this.slots.length))
    scatter(this.items, this.spare, this.count, 1, this.slots, ids)
    scatter(this.spare, this.items, this.count, 0, this.slots, ids)
  }
}

/** Copies pairs in the order of their first (`digit` 0) or second (1) number; equal ones stay as they were. */
function scatter(from: Int32Array, to: Int32Array, count: number, digit: number, slots: Int32Array, ids: number): void {
  slots.fill(0, 0, ids + 1)
  for (let k = 0; k < count; k++) slots[from[2 * k + digit] + 1]++
  for (let id = 0; id < ids; id++) slots[id + 1] += slots[id]
  for (let k = 0; k < count; k++) {
    const a = from[2 * k]
    const b = from[2 * k + 1]
    const slot = slots[digit === 0 ? a : b]++
    to[2 * slot] = a
    to[2 * slot + 1] = b
  }
}
