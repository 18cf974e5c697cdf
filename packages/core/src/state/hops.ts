/** How many rows each body is away from the nearest one that does not move. */

import type { Batch } from './batch.js'
import { roomFor } from '../graph/disjoint-sets.js'

/** Breadth-first distances over rows; buffers that grow with the world and are kept. */
export class Hops {
  /** By body. */
  of: Int32Array = new Int32Array(0)
  /** By body: the first of the ends of rows on it, and where the next one is put. */
  private firstEdge = new Int32Array(0)
  private nextEdge = new Int32Array(0)
  private queue = new Int32Array(0)
  /** Of each end of a row, the other body where it is a pair; else −1 − k, k the first of the row's ends, and which batch has them. */
  private edges = new Int32Array(0)
  private owners = new Int32Array(0)

  /** Makes room for `count` bodies and the ends of all rows. */
  reserve(count: number, batches: readonly Batch[]): void {
    let ends = 0
    let isAnyWide = false
    for (const { arity, count: rows } of batches) {
      ends += arity * rows
      if (arity !== 2) isAnyWide = true
    }
    if (this.edges.length < ends) this.edges = new Int32Array(roomFor(ends, this.edges))
    if (isAnyWide && this.owners.length < this.edges.length) this.owners = new Int32Array(this.edges.length)
    if (this.of.length < count + 1) {
      const size = roomFor(count + 1, this.of)
      this.of = new Int32Array(size)
      this.firstEdge = new Int32Array(size)
      this.nextEdge = new Int32Array(size)
      this.queue = new Int32Array(size)
    }
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
      else listEnds(batches[t], t, nextEdge, this.edges, this.owners)
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
    const { of, firstEdge, queue, edges, owners } = this
    for (let head = 0; head < tail; head++) {
      const i = queue[head]
      const next = of[i] + 1
      for (let e = firstEdge[i]; e < firstEdge[i + 1]; e++) {
        const other = edges[e]
        if (other >= 0) {
          if (of[other] >= 0) continue
          of[other] = next
          queue[tail++] = other
          continue
        }
        const { ids, arity } = batches[owners[e]]
        for (let b = -1 - other; b < arity - 1 - other; b++) {
          const j = ids[b]
          if (of[j] >= 0) continue
          of[j] = next
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

/** Lists at each body of pairs that act the other one. */
function listPairs({ common, ids, count }: Batch, nextEdge: Int32Array, edges: Int32Array): void {
  const { enabled } = common
  for (let row = 0; row < count; row++) {
    if (enabled[row] === 0) continue
    const a = ids[2 * row]
    const b = ids[2 * row + 1]
    edges[nextEdge[a]++] = b
    edges[nextEdge[b]++] = a
  }
}

/** Lists at each body of rows that act, those of batch `t`, where the row's bodies begin. */
function listEnds(
  { common, ids, arity, count }: Batch,
  t: number,
  nextEdge: Int32Array,
  edges: Int32Array,
  owners: Int32Array,
): void {
  const { enabled } = common
  for (let row = 0; row < count; row++) {
    if (enabled[row] === 0) continue
    for (let k = arity * row; k < arity * (row + 1); k++) {
      const e = nextEdge[ids[k]]++
      edges[e] = -1 - arity * row
      owners[e] = t
    }
  }
}
