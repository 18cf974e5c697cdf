/** A list of integers that grows, is emptied and is filled again, so that a step allocates nothing. */

const FIRST_CAPACITY = 64

/** Up to this many, sorting by insertion beats a view of the array and the sort of the engine. */
const FEW = 32

/** Growable integers: `items[0 … count)`. The array is replaced when it grows. */
export class IntList {
  items: Int32Array = new Int32Array(FIRST_CAPACITY)
  count = 0

  clear(): void {
    this.count = 0
  }

  push(value: number): void {
    if (this.count === this.items.length) this.reserve(this.count + 1)
    this.items[this.count++] = value
  }

  /** Makes room for `capacity` in all. */
  reserve(capacity: number): void {
    if (capacity <= this.items.length) return
    const items = new Int32Array(Math.max(capacity, 2 * this.items.length))
    items.set(this.items.subarray(0, this.count))
    this.items = items
  }

  /** Puts what follows from index `from` on in ascending order. */
  sort(from: number): void {
    const { items, count } = this
    if (count - from > FEW) {
      items.subarray(from, count).sort()
      return
    }
    for (let k = from + 1; k < count; k++) {
      const value = items[k]
      let j = k - 1
      while (j >= from && items[j] > value) {
        items[j + 1] = items[j]
        j--
      }
      items[j + 1] = value
    }
  }

  /** Index of `value` in a sorted list, or of the first that is greater. */
  lowerBound(value: number): number {
    const { items } = this
    let from = 0
    let to = this.count
    while (from < to) {
      const middle = (from + to) >> 1
      if (items[middle] < value) from = middle + 1
      else to = middle
    }
    return from
  }

  /** Puts `value` at `index`; what follows moves up. */
  insertAt(index: number, value: number): void {
    this.push(value)
    this.items.copyWithin(index + 1, index, this.count - 1)
    this.items[index] = value
  }

  /** Takes out the one at `index`; what follows moves down. */
  removeAt(index: number): void {
    this.items.copyWithin(index, index + 1, this.count)
    this.count--
  }
}
