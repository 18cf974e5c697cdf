/** How many rows each body is away from the nearest one that does not move. */

import type { Batch } from '../state/batch.js'

/** In place of a batch at an end of a pair, whose other body stands beside it. */
const PAIR = -1

/** Breadth-first distances over rows; buffers that grow with the world and are kept. */
export class Hops {
  /** By body. */
  of: Int32Array = new Int32Array(0)
  /** By body: the first of the ends of rows on it, and where the next one is put. */
  private firstEdge = new Int32Array(0)
  private nextEdge = new Int32Array(0)
  private queue = new Int32Array(0)
  /** Of each end of a row, its batch and the first of its ends. */
  private edges = new Int32Array(0)

  /** Makes room for `count` bodies and the ends of all rows. */
  reserve(count: number, ends: number): void {
    if (this.of.length < count + 1) {
      const size = 2 * (count + 1)
      this.of = new Int32Array(size)
      this.firstEdge = new Int32Array(size)
      this.nextEdge = new Int32Array(size)
      this.queue = new Int32Array(size)
    }
    if (this.edges.length < 2 * ends) this.edges = new Int32Array(4 * ends)
  }

  /** Measures the distances of `count` bodies, of which `motion` is 0 where they stand; a body that nothing static reaches is at 0 as well. */
  measure(motion: Uint8Array, count: number, batches: readonly Batch[]): void {
    const { of, firstEdge, nextEdge, queue } = this
    firstEdge.fill(0, 0, count + 1)
    for (const batch of batches) countEnds(batch, firstEdge)
    for (let i = 0; i < count; i++) firstEdge[i + 1] += firstEdge[i]
    nextEdge.set(firstEdge.subarray(0, count))
    for (let t = 0; t < batches.length; t++) {
      if (batches[t].arity === 2) listPairs(batches[t], nextEdge, this.edges)
      else listEnds(batches[t], t, nextEdge, this.edges)
    }
    let tail = 0
    for (let i = 0; i < count; i++) {
      of[i] = motion[i] === 0 ? 0 : -1
      if (motion[i] === 0) queue[tail++] = i
    }
    this.spread(tail, batches)
    for (let i = 0; i < count; i++) if (of[i] < 0) of[i] = 0
  }

  /** Goes out from the bodies in the queue to all that rows reach. */
  private spread(tail: number, batches: readonly Batch[]): void {
    const { of, firstEdge, queue, edges } = this
    for (let head = 0; head < tail; head++) {
      const i = queue[head]
      for (let e = firstEdge[i]; e < firstEdge[i + 1]; e++) {
        const first = edges[2 * e + 1]
        if (edges[2 * e] === PAIR) {
          if (of[first] >= 0) continue
          of[first] = of[i] + 1
          queue[tail++] = first
          continue
        }
        const { ids, arity } = batches[edges[2 * e]]
        for (let b = first; b < first + arity; b++) {
          const j = ids[b]
          if (of[j] >= 0) continue
          of[j] = of[i] + 1
          queue[tail++] = j
        }
      }
    }
  }
}

/** Adds the ends of rows that act to the number of each body, one place further on. */
function countEnds({ common, ids, arity, count }: Batch, firstEdge: Int32Array): void {
  const { enabled } = common
  for (let row = 0; row < count; row++) {
    if (enabled[row] === 0) continue
    for (let k = arity * row; k < arity * (row + 1); k++) firstEdge[ids[k] + 1]++
  }
}

/** Lists at each body of rows that act the other one. */
function listPairs({ common, ids, count }: Batch, nextEdge: Int32Array, edges: Int32Array): void {
  const { enabled } = common
  for (let row = 0; row < count; row++) {
    if (enabled[row] === 0) continue
    const a = ids[2 * row]
    const b = ids[2 * row + 1]
    const atA = 2 * nextEdge[a]++
    const atB = 2 * nextEdge[b]++
    edges[atA] = edges[atB] = PAIR
    edges[atA + 1] = b
    edges[atB + 1] = a
  }
}

/** Lists at each body of rows that act where the row's bodies begin. */
function listEnds({ common, ids, arity, count }: Batch, t: number, nextEdge: Int32Array, edges: Int32Array): void {
  const { enabled } = common
  for (let row = 0; row < count; row++) {
    if (enabled[row] === 0) continue
    for (let k = arity * row; k < arity * (row + 1); k++) {
      const at = 2 * nextEdge[ids[k]]++
      edges[at] = t
      edges[at + 1] = arity * row
    }
  }
}
