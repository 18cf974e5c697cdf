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

import type { Batch } from './batch.js'
import type { Bodies } from './bodies.js'
import { type BodyColumns, ROTATES } from './body-columns.js'
import type { SweepOrder } from './settings.js'
import { Hops } from './hops.js'
import { mayHaveNets, MOVES, Nets, STANDS, TURNS } from './nets.js'
import { RowSort } from './row-sort.js'
import { roomFor } from '../graph/disjoint-sets.js'

/** Colours that fit a body's mask; rows beyond share the last one, and are only ever swept one after another. */
const COLOURS = 31

/** What the layers of rows begin with that belong to no net. */
const OUTSIDE = 0x40000000
/** Layers after all others: rows that trees solve, and rows that do not act. */
const TAKEN = 0x7ffffffe
const RESTING = 0x7fffffff

/** Buffers that grow with the world and are kept. */
export class Ordering {
  /** Those whose rows are put in order. */
  private readonly batches: Batch[] = []
  private readonly hops = new Hops()
  /** By body: whether it stands, moves, or turns as well. */
  private motion = new Uint8Array(0)
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
    for (const batch of all) if (batch.type.traits?.unordered !== true) batches.push(batch)
    this.reserve(bodies.count, batches)
    noteMotion(bodies.columns, bodies.count, this.motion)
    if (order !== 'given') this.hops.measure(this.motion, bodies.count, batches)
    this.nets.find(this.motion, bodies.count, batches)
    for (const batch of batches) this.sort(bodies, batch, order)
  }

  private reserve(count: number, batches: readonly Batch[]): void {
    let rows = 1
    for (const batch of batches) rows = Math.max(rows, batch.count)
    this.hops.reserve(count, batches)
    if (this.motion.length < count) {
      const size = roomFor(count, this.motion)
      this.motion = new Uint8Array(size)
      this.mask = new Int32Array(size)
      this.maskLayer = new Int32Array(size)
    }
    if (this.layer.length < rows) {
      const size = roomFor(rows, this.layer)
      this.layer = new Int32Array(size)
      this.colour = new Int32Array(size)
      this.source = new Int32Array(size)
      this.scratch = new Float64Array(size)
    }
  }

  private sort(bodies: Bodies, batch: Batch, order: SweepOrder): void {
    const { layer, colour, source } = this
    const { count } = batch
    for (let row = 0; row < count; row++) source[row] = row
    colour.fill(0, 0, count)
    const acting = this.putInLayers(batch, order)
    const rows = source.subarray(0, count)
    this.sorting.byAge(rows, batch.common.sequence)
    this.sorting.byKey(rows, layer)
    const isArranged = batch.type.loop?.arrange !== undefined
    if (isArranged) {
      batch.type.loop?.arrange?.(bodies.columns, batch, rows.subarray(0, acting), colour)
      for (let k = 0; k < acting; k++) layer[rows[k]] = 0
      // Its order is one: a net in it takes all along.
      if (batch.inNets > 0) batch.inNets = acting
    } else if (order !== 'given') {
      this.paint(bodies.count, batch, rows)
      this.sortColours(rows)
    }
    this.cut(batch, rows, order, isArranged)
    batch.table.permute(source, this.scratch)
    batch.refresh()
  }

  /** Notes which rows are live, which of them belong to nets, and the layer of each; how many are swept. */
  private putInLayers(batch: Batch, order: SweepOrder): number {
    const { layer, motion, hops } = this
    const { arity, count, ids } = batch
    const { enabled, live, direct } = batch.common
    const { members } = this.nets
    const mayBeNet = mayHaveNets(batch)
    const isGiven = order === 'given'
    let acting = 0
    let inNets = 0
    for (let row = 0; row < count; row++) {
      let nearest = RESTING
      let first = -1
      let fastest = STANDS
      for (let b = arity * row; b < arity * (row + 1); b++) {
        const i = ids[b]
        if (hops.of[i] < nearest) nearest = hops.of[i]
        if (motion[i] === STANDS) continue
        if (first < 0) first = i
        if (motion[i] > fastest) fastest = motion[i]
      }
      live[row] = enabled[row] !== 0 && first >= 0 ? 1 : 0
      if (live[row] === 0) layer[row] = RESTING
      else if (direct[row] !== 0) layer[row] = TAKEN
      else {
        acting++
        const isNet = mayBeNet && fastest === MOVES && members[first] !== 0
        if (isNet) inNets++
        layer[row] = (isNet ? 0 : OUTSIDE) + (isGiven ? 0 : nearest)
      }
    }
    batch.inNets = inNets
    return acting
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
  private paint(count: number, batch: Batch, rows: Int32Array): void {
    const { mask, maskLayer, layer, colour, motion } = this
    const { arity, ids } = batch
    maskLayer.fill(-1, 0, count)
    for (let k = 0; k < rows.length; k++) {
      const row = rows[k]
      const at = layer[row]
      if (at === TAKEN) continue
      let used = 0
      for (let b = arity * row; b < arity * (row + 1); b++) {
        const i = ids[b]
        if (motion[i] !== STANDS && maskLayer[i] === at) used |= mask[i]
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
    if (batch.segments.length < rows.length + 1)
      batch.segments = new Int32Array(roomFor(rows.length + 1, batch.segments))
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

/** Notes which bodies stand, which move, and which turn as well. */
function noteMotion({ position, flags }: BodyColumns, count: number, motion: Uint8Array): void {
  for (let i = 0; i < count; i++) {
    motion[i] = position[4 * i + 3] === 0 ? STANDS : (flags[i] & ROTATES) === 0 ? MOVES : TURNS
  }
}
