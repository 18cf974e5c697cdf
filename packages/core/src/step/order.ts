/**
 * The order of a sweep.
 *
 * Outward: rows are layered by their distance, in constraints, from the nearest static or kinematic body, so that one
 * pass carries support from the ground to the tip. Within a layer rows are coloured greedily, oldest first: no two rows
 * of a colour move the same body. Both depend on the present set of bodies and constraints alone, not on its history.
 * A type may have an order of its own.
 *
 * Rows of types that are `unordered` stay as they stand, and take no part in any of it.
 *
 * Nets, whose rows close rings, come first in their batch, as they are swept out and back (nets.ts).
 */

import type { Batch } from '../state/batch.js'
import type { Bodies } from '../state/bodies.js'
import { ROTATES } from '../state/body-columns.js'
import type { SweepOrder } from '../state/settings.js'
import { mayHaveNets, Nets } from './nets.js'
import { RowSort } from './row-sort.js'

/** Colours that fit a body's mask; rows beyond share the last one, and are only ever swept one after another. */
const COLOURS = 31

/** What the layers of rows begin with that belong to no net. */
const OUTSIDE = 0x40000000
/** Layers after all others: rows that trees solve, and rows that do not act. */
const TAKEN = 0x7ffffffe
const RESTING = 0x7fffffff

/** In place of a batch at an end of a pair, whose other body stands beside it. */
const PAIR = -1

/** Buffers that grow with the world and are kept. */
export class Ordering {
  /** Those whose rows are put in order. */
  private readonly batches: Batch[] = []
  private hops = new Int32Array(0)
  private firstEdge = new Int32Array(0)
  private queue = new Int32Array(0)
  /** Of each end of a row, its batch and the first of its ends. */
  private edges = new Int32Array(0)
  private mask = new Int32Array(0)
  private maskLayer = new Int32Array(0)
  private layer = new Int32Array(0)
  private colour = new Int32Array(0)
  private source = new Int32Array(0)
  private scratch = new Float64Array(0)
  private readonly nets = new Nets()
  private readonly sorting = new RowSort()

  /** Orders the rows of every batch and refreshes what mirrors them. */
  run(bodies: Bodies, all: readonly Batch[], order: SweepOrder): void {
    const { batches } = this
    batches.length = 0
    for (const batch of all) if (batch.type.unordered !== true) batches.push(batch)
    this.reserve(bodies, batches)
    if (order !== 'given') this.measureDistances(bodies, batches)
    this.nets.find(bodies, batches)
    for (const batch of batches) this.sort(bodies, batch, order)
  }

  private reserve(bodies: Bodies, batches: readonly Batch[]): void {
    let rows = 1
    let ends = 1
    let widest = 1
    for (const batch of batches) {
      rows = Math.max(rows, batch.count)
      ends += batch.count * batch.arity
      widest = Math.max(widest, batch.count * batch.table.widest)
    }
    const count = bodies.count
    if (this.hops.length < count + 1) {
      const size = 2 * (count + 1)
      this.hops = new Int32Array(size)
      this.firstEdge = new Int32Array(size)
      this.queue = new Int32Array(size)
      this.mask = new Int32Array(size)
      this.maskLayer = new Int32Array(size)
    }
    if (this.edges.length < 2 * ends) this.edges = new Int32Array(4 * ends)
    if (this.layer.length < rows) {
      this.layer = new Int32Array(2 * rows)
      this.colour = new Int32Array(2 * rows)
      this.source = new Int32Array(2 * rows)
    }
    if (this.scratch.length < widest) this.scratch = new Float64Array(2 * widest)
  }

  /** Breadth-first distances from what does not move; a body that nothing static reaches is at 0 as well. */
  private measureDistances(bodies: Bodies, batches: readonly Batch[]): void {
    const { hops, firstEdge, queue, edges } = this
    const { position } = bodies.columns
    const count = bodies.count
    firstEdge.fill(0, 0, count + 1)
    for (const { common, ids, arity, count: rows } of batches) {
      const { enabled } = common
      for (let row = 0; row < rows; row++) {
        if (enabled[row] === 0) continue
        for (let k = arity * row; k < arity * (row + 1); k++) firstEdge[ids[k] + 1]++
      }
    }
    for (let i = 0; i < count; i++) firstEdge[i + 1] += firstEdge[i]
    const fill = this.mask
    fill.set(firstEdge.subarray(0, count))
    for (let t = 0; t < batches.length; t++) {
      const { common, ids, arity, count: rows } = batches[t]
      const { enabled } = common
      for (let row = 0; row < rows; row++) {
        if (enabled[row] === 0) continue
        for (let k = arity * row; k < arity * (row + 1); k++) {
          const e = fill[ids[k]]++
          edges[2 * e] = arity === 2 ? PAIR : t
          edges[2 * e + 1] = arity === 2 ? ids[4 * row + 1 - k] : arity * row
        }
      }
    }
    let tail = 0
    for (let i = 0; i < count; i++) {
      const still = position[4 * i + 3] === 0
      hops[i] = still ? 0 : -1
      if (still) queue[tail++] = i
    }
    for (let head = 0; head < tail; head++) {
      const i = queue[head]
      for (let e = firstEdge[i]; e < firstEdge[i + 1]; e++) {
        const first = edges[2 * e + 1]
        if (edges[2 * e] === PAIR) {
          if (hops[first] >= 0) continue
          hops[first] = hops[i] + 1
          queue[tail++] = first
          continue
        }
        const { ids, arity } = batches[edges[2 * e]]
        for (let b = first; b < first + arity; b++) {
          const j = ids[b]
          if (hops[j] >= 0) continue
          hops[j] = hops[i] + 1
          queue[tail++] = j
        }
      }
    }
    for (let i = 0; i < count; i++) if (hops[i] < 0) hops[i] = 0
  }

  private sort(bodies: Bodies, batch: Batch, order: SweepOrder): void {
    const { layer, colour, source, hops } = this
    const { arity, count, ids } = batch
    const { enabled, live, direct, sequence } = batch.common
    const { position, flags } = bodies.columns
    const { members } = this.nets
    const mayBeNet = mayHaveNets(batch)
    let acting = 0
    let inNets = 0
    for (let row = 0; row < count; row++) {
      source[row] = row
      colour[row] = 0
      let nearest = RESTING
      let first = -1
      let rotates = false
      for (let b = arity * row; b < arity * (row + 1); b++) {
        const i = ids[b]
        if (hops[i] < nearest) nearest = hops[i]
        if (position[4 * i + 3] === 0) continue
        if (first < 0) first = i
        if ((flags[i] & ROTATES) !== 0) rotates = true
      }
      live[row] = enabled[row] !== 0 && first >= 0 ? 1 : 0
      if (live[row] === 0) layer[row] = RESTING
      else if (direct[row] !== 0) layer[row] = TAKEN
      else {
        acting++
        const isNet = mayBeNet && !rotates && members[first] !== 0
        if (isNet) inNets++
        layer[row] = (isNet ? 0 : OUTSIDE) + (order === 'given' ? 0 : nearest)
      }
    }
    batch.inNets = inNets
    const rows = source.subarray(0, count)
    this.sorting.byAge(rows, sequence)
    this.sorting.byKey(rows, layer)
    const isArranged = batch.type.arrange !== undefined
    if (isArranged) {
      batch.type.arrange?.(bodies.columns, batch, rows.subarray(0, acting), colour)
      for (let k = 0; k < acting; k++) layer[rows[k]] = 0
      // Its order is one: a net in it takes all along.
      if (inNets > 0) batch.inNets = acting
    } else if (order !== 'given') {
      this.paint(bodies, batch, rows)
      this.sortColours(rows)
    }
    this.cut(batch, rows, order, isArranged)
    batch.table.permute(source, this.scratch)
    batch.refresh()
  }

  /** Sorts rows that stand by layer by colour within each. */
  private sortColours(rows: Int32Array): void {
    const { layer, colour } = this
    const { length } = rows
    let from = 0
    while (from < length) {
      const at = layer[rows[from]]
      let to = from + 1
      while (to < length && layer[rows[to]] === at) to++
      if (to - from > 1) this.sorting.byColour(rows, from, to, colour, COLOURS)
      from = to
    }
  }

  /** Gives each row, in order, the first colour that none of its moving bodies has in its layer. */
  private paint(bodies: Bodies, batch: Batch, rows: Int32Array): void {
    const { mask, maskLayer, layer, colour } = this
    const { position } = bodies.columns
    const { arity, ids } = batch
    maskLayer.fill(-1, 0, bodies.count)
    for (let k = 0; k < rows.length; k++) {
      const row = rows[k]
      const at = layer[row]
      if (at === TAKEN) continue
      let used = 0
      for (let b = arity * row; b < arity * (row + 1); b++) {
        const i = ids[b]
        if (position[4 * i + 3] !== 0 && maskLayer[i] === at) used |= mask[i]
      }
      let free = 0
      while (free < COLOURS - 1 && (used & (1 << free)) !== 0) free++
      colour[row] = free
      for (let b = arity * row; b < arity * (row + 1); b++) {
        const i = ids[b]
        mask[i] = (maskLayer[i] === at ? mask[i] : 0) | (1 << free)
        maskLayer[i] = at
      }
    }
  }

  /**
   * Notes where layer or colour changes among the live rows. Rows of nets that may share a body are runs of their own, as the way back
   * has to turn them round.
   */
  private cut(batch: Batch, rows: Int32Array, order: SweepOrder, isArranged: boolean): void {
    const { layer, colour } = this
    if (batch.segments.length < rows.length + 1) batch.segments = new Int32Array(2 * rows.length + 1)
    let n = 0
    batch.netSegments = 0
    for (let k = 0; k < rows.length && layer[rows[k]] < TAKEN; k++) {
      const row = rows[k]
      const before = k > 0 ? rows[k - 1] : -1
      const isNet = k < batch.inNets
      const isAlone = isNet && !isArranged && (order === 'given' || colour[row] === COLOURS - 1)
      if (k === 0 || isAlone || layer[row] !== layer[before] || colour[row] !== colour[before]) batch.segments[n++] = k
      batch.segments[n] = k + 1
      if (isNet) batch.netSegments = n
    }
    batch.segmentCount = n
  }
}
