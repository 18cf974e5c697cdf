/**
 * Rows by body: doubly linked lists of the ends of rows. Removing a body then costs as much as it has rows, and not as much as the world has.
 * An end is `arity · slot + b`: slots stay where they are when rows change places.
 */

const NONE = -1

/** Which rows each body has. */
export class Incidence {
  private readonly arity: number
  /** First end of a body; and of each end its body, and the ends after and before it. */
  private first: Int32Array = new Int32Array(16).fill(NONE)
  private body: Int32Array = new Int32Array(16)
  private next: Int32Array = new Int32Array(16)
  private previous: Int32Array = new Int32Array(16)

  constructor(arity: number) {
    this.arity = arity
  }

  /** First end of a body, or −1. */
  firstEnd(body: number): number {
    return body < this.first.length ? this.first[body] : NONE
  }

  /** The end of the same body after `end`, or −1. */
  nextEnd(end: number): number {
    return this.next[end]
  }

  /** Some slot of a body, or −1. */
  slotOf(body: number): number {
    const end = this.firstEnd(body)
    return end === NONE ? NONE : (end / this.arity) | 0
  }

  /** The slots of a body, ascending; a slot with two ends at it counts once. */
  slotsOf(body: number): number[] {
    const slots: number[] = []
    for (let end = this.firstEnd(body); end !== NONE; end = this.next[end]) slots.push((end / this.arity) | 0)
    slots.sort((r, s) => r - s)
    return slots.filter((slot, k) => slot !== slots[k - 1])
  }

  /** Adds a slot, whose bodies are at `from` of `bodies`. */
  add(slot: number, bodies: ArrayLike<number>, from: number): void {
    const { arity } = this
    if (arity * (slot + 1) > this.next.length) this.reserveEnds(2 * arity * (slot + 1))
    for (let b = 0; b < arity; b++) {
      const end = arity * slot + b
      const i = bodies[from + b]
      if (i >= this.first.length) this.reserveBodies(2 * (i + 1))
      const before = this.first[i]
      this.body[end] = i
      this.next[end] = before
      this.previous[end] = NONE
      if (before !== NONE) this.previous[before] = end
      this.first[i] = end
    }
  }

  /** Removes a slot. */
  remove(slot: number): void {
    const { arity, first, body, next, previous } = this
    for (let end = arity * slot; end < arity * (slot + 1); end++) {
      if (previous[end] === NONE) first[body[end]] = next[end]
      else next[previous[end]] = next[end]
      if (next[end] !== NONE) previous[next[end]] = previous[end]
    }
  }

  private reserveEnds(length: number): void {
    this.body = grown(this.body, length)
    this.next = grown(this.next, length)
    this.previous = grown(this.previous, length)
  }

  private reserveBodies(length: number): void {
    const used = this.first.length
    this.first = grown(this.first, length).fill(NONE, used)
  }
}

function grown(old: Int32Array, length: number): Int32Array {
  const array = new Int32Array(length)
  array.set(old)
  return array
}
