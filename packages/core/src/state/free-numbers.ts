/** Numbers given up and waiting to be given out again, the lowest first: a binary heap. */
export class FreeNumbers {
  private readonly heap: number[] = []

  get count(): number {
    return this.heap.length
  }

  /** Forgets all. */
  clear(): void {
    this.heap.length = 0
  }

  add(n: number): void {
    const { heap } = this
    let at = heap.push(n) - 1
    while (at > 0) {
      const above = (at - 1) >> 1
      if (heap[above] <= n) break
      heap[at] = heap[above]
      at = above
    }
    heap[at] = n
  }

  /** Takes the lowest; there must be one. */
  take(): number {
    const { heap } = this
    const lowest = heap[0]
    const last = heap.pop() as number
    if (heap.length === 0) return lowest
    let at = 0
    for (;;) {
      let below = 2 * at + 1
      if (below >= heap.length) break
      if (below + 1 < heap.length && heap[below + 1] < heap[below]) below++
      if (heap[below] >= last) break
      heap[at] = heap[below]
      at = below
    }
    heap[at] = last
    return lowest
  }
}
