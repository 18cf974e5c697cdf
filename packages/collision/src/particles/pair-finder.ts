/**
 * Which particles may come to touch each other.
 *
 * Pairs come from a grid with a margin, and the list is good until particles have moved against those around them by as much as the margin has
 * to spare. Who is in the list matters to no result: it is looked through for those whose own way is long enough, in the order of their numbers,
 * so that a replay does not depend on when it was made. Where particles go farther in a step than they are wide, that is done in each substep.
 */

import type { LeanWorld } from '@tautline/core'
import { ASLEEP, DYNAMIC, RESTS } from '@tautline/core/kernel'
import { ParticleGrid } from '../detect/broad/grid.js'
import { PairList } from '../detect/broad/pair-list.js'
import type { ContactFilter } from '../detect/contact-filter.js'
import { MotionCells } from './motion-cells.js'
import type { ParticleRecord } from './particle-set.js'
import type { ParticleSets } from './particle-sets.js'

/** Gap, as a share of the sum of two radii, within which a pair has a row whatever its speed. */
const SLACK = 0.25
/** What the margin of the list has to spare: horizons to come, at most and at least a share of the largest radius. */
const HORIZONS = 2
const SPARE = 4
const LEAST_SPARE = 0.75
/** What cells that are not neighbours may move before the list is made anew: half of it, in radii of the largest. */
const CELL = 4
/** Way of the fastest against the mean in a step, in radii of the largest, from which pairs are found in each substep; and the most that is looked for. */
const FAST = 1
const FARTHEST = 8

export class PairFinder {
  /** Particles of all sets, by set and number: body row, set, number, radius. */
  count = 0
  rowOf: Int32Array = new Int32Array(0)
  setOf: Int32Array = new Int32Array(0)
  numberOf: Int32Array = new Int32Array(0)
  private radiusOf: Float64Array = new Float64Array(0)
  /** First particle of a set. */
  readonly firstOf: number[] = []
  /** What was found, ascending: two particles each, and how far apart they are to be [m]. */
  readonly found: PairList = new PairList()
  apart: Float64Array = new Float64Array(64)
  /** Whether pairs are to be found in each substep. */
  isFast = false
  woke = false
  private readonly world: LeanWorld
  private readonly sets: ParticleSets
  private readonly filter: ContactFilter
  private readonly grid = new ParticleGrid()
  private readonly list = new PairList()
  /** Particles and records that the list is of; none: it is to be made. */
  private listCount = 0
  private listOf: readonly (ParticleRecord | undefined)[] = []
  /** How much particles move against those around them. */
  private readonly cells = new MotionCells()
  /** By particle: margin of the list, and radius with it [m]. */
  private margins: Float64Array = new Float64Array(0)
  private wide: Float64Array = new Float64Array(0)
  private meets: Uint8Array = new Uint8Array(0)
  private largest = 0

  constructor(world: LeanWorld, sets: ParticleSets, filter: ContactFilter) {
    this.world = world
    this.sets = sets
    this.filter = filter
  }

  /** Begins a step: who there is, and who meets whom. Whether any pair may. */
  begin(): boolean {
    const { records } = this.sets
    const size = records.length
    if (this.meets.length < size * size) this.meets = new Uint8Array(4 * size * size)
    let any = false
    for (let a = 0; a < size; a++) {
      for (let b = a; b < size; b++) {
        const meets = this.meet(records[a], records[b], a === b)
        this.meets[a * size + b] = meets ? 1 : 0
        if (meets) any = true
      }
    }
    this.isFast = false
    this.count = 0
    this.found.clear()
    if (any) this.enlist()
    return any
  }

  private meet(r: ParticleRecord | undefined, s: ParticleRecord | undefined, isSame: boolean): boolean {
    if (r === undefined || s === undefined) return false
    if (isSame) return r.selfCollision !== false && r.group >= 0
    return this.filter.meetsParticles(r, s)
  }

  private enlist(): void {
    const { records } = this.sets
    let total = 0
    for (const record of records) total += record?.rows.length ?? 0
    if (this.rowOf.length < total) {
      this.rowOf = new Int32Array(2 * total)
      this.setOf = new Int32Array(2 * total)
      this.numberOf = new Int32Array(2 * total)
      this.radiusOf = new Float64Array(2 * total)
      this.wide = new Float64Array(2 * total)
      this.margins = new Float64Array(2 * total)
    }
    let isSame = this.listOf.length === records.length
    for (let id = 0; id < records.length && isSame; id++) isSame = this.listOf[id] === records[id]
    if (!isSame) {
      this.listOf = records.slice()
      this.listCount = 0
    }
    this.largest = 0
    for (let id = 0; id < records.length; id++) {
      this.firstOf[id] = this.count
      const record = records[id]
      if (record === undefined) continue
      const { rows, radius } = record
      for (let k = 0; k < rows.length; k++) {
        const at = this.count++
        this.rowOf[at] = Math.max(rows[k], 0)
        this.setOf[at] = id
        this.numberOf[at] = rows[k] < 0 ? -1 : k
        this.radiusOf[at] = radius[k]
        if (radius[k] > this.largest) this.largest = radius[k]
      }
    }
  }

  /** Decides by the speeds whether a step of `dt` [s] in substeps of `h` is looked at as a whole; the time to look ahead. */
  horizon(dt: number, h: number): number {
    this.isFast = this.fastest() * dt > FAST * this.largest
    return this.isFast ? h : dt
  }

  /** The greatest speed against the mean [m/s]. */
  private fastest(): number {
    const { count, rowOf } = this
    const { velocity: v } = this.world.bodies.columns
    let [mx, my, mz] = [0, 0, 0]
    for (let k = 0; k < count; k++) {
      const i = 3 * rowOf[k]
      mx += v[i]
      my += v[i + 1]
      mz += v[i + 2]
    }
    mx /= count
    my /= count
    mz /= count
    let most = 0
    for (let k = 0; k < count; k++) {
      const i = 3 * rowOf[k]
      const square = (v[i] - mx) * (v[i] - mx) + (v[i + 1] - my) * (v[i + 1] - my) + (v[i + 2] - mz) * (v[i + 2] - mz)
      if (square > most) most = square
    }
    return Math.sqrt(most)
  }

  /** Finds the pairs that may touch within `time` [s]. */
  find(time: number): void {
    const { count, found } = this
    found.clear()
    this.woke = false
    if (count === 0) return
    const { columns } = this.world.bodies
    const isOld = this.listCount !== count
    if (!isOld) this.cells.measure(count, columns, this.rowOf, time)
    if (isOld || !this.isGood()) this.findList(time)
    this.choose(time)
    this.finish(time)
  }

  /** Whether the margins of the list are as wide as what may touch by now needs. */
  private isGood(): boolean {
    const { cells, margins, largest } = this
    const most = FARTHEST * largest
    if (!(cells.movedAtAll + this.reachAtAll(cells.wayAtAll) <= 0.5 * cells.width)) return false
    for (let k = 0; k < this.count; k++) {
      const way = cells.way[k] < most ? cells.way[k] : most
      if (!(SLACK * largest + cells.moved[k] + way <= margins[k])) return false
    }
    return true
  }

  /** Half of how far two may be from each other that are to be found if each goes as far as `way` [m]. */
  private reachAtAll(way: number): number {
    const { largest } = this
    return (1 + SLACK) * largest + (way < FARTHEST * largest ? way : FARTHEST * largest)
  }

  /** Makes the list anew, with margins for `time` [s] and some more. */
  private findList(time: number): void {
    const { count, cells, rowOf, radiusOf, largest, grid } = this
    const { columns } = this.world.bodies
    const most = FARTHEST * largest
    cells.place(count, columns, rowOf, 2 * (this.reachAtAll(this.fastest() * time) + CELL * largest))
    cells.measure(count, columns, rowOf, time)
    const { margins, wide } = this
    for (let k = 0; k < count; k++) {
      const way = cells.way[k] < most ? cells.way[k] : most
      const spare = HORIZONS * way < SPARE * largest ? HORIZONS * way : SPARE * largest
      margins[k] = (SLACK + LEAST_SPARE) * largest + way + spare
      wide[k] = radiusOf[k] + margins[k]
    }
    grid.build(count, columns.position, 4, rowOf, wide, 0)
    grid.collectPairs(this.list)
    this.listCount = count
  }

  /** Has the ascending `pairs` found too, `stride` numbers each: two particles, how far apart they are to be [m], and what else there is. */
  include(pairs: Float64Array, stride: number, count: number): void {
    const { found } = this
    let missing = 0
    let at = 0
    for (let k = 0; k < stride * count; k += stride) {
      while (at < found.count && order(found.items, at, pairs, k) < 0) at++
      if (at === found.count || order(found.items, at, pairs, k) > 0) missing++
    }
    this.reserve(found.count + missing)
    const { apart } = this
    const { items } = found
    let from = found.count - 1
    let to = (found.count += missing) - 1
    // From the end, so that what moves comes to a place that is free.
    for (let k = stride * (count - 1); from < to; to--) {
      const which = from < 0 ? -1 : order(items, from, pairs, k)
      if (which >= 0) {
        items[2 * to] = items[2 * from]
        items[2 * to + 1] = items[2 * from + 1]
        apart[to] = apart[from--]
      } else {
        items[2 * to] = pairs[k]
        items[2 * to + 1] = pairs[k + 1]
        apart[to] = pairs[k + 2]
      }
      if (which <= 0) k -= stride
    }
  }

  /** Makes room for `count` pairs. */
  private reserve(count: number): void {
    this.found.reserve(count)
    if (count <= this.apart.length) return
    const grown = new Float64Array(2 * count)
    grown.set(this.apart)
    this.apart = grown
  }

  /** Of the list, those near enough for their own speeds. */
  private choose(time: number): void {
    const { found, list, rowOf, setOf, numberOf, radiusOf, meets, filter } = this
    const { records } = this.sets
    const size = records.length
    const { position: x, velocity: v, kind, flags } = this.world.bodies.columns
    const { items } = list
    const { way: ways } = this.cells
    const most = 2 * FARTHEST * this.largest
    let n = 0
    for (let k = 0; k < list.count; k++) {
      const p = items[2 * k]
      const q = items[2 * k + 1]
      const i = rowOf[p]
      const j = rowOf[q]
      const dx = x[4 * i] - x[4 * j]
      const dy = x[4 * i + 1] - x[4 * j + 1]
      const dz = x[4 * i + 2] - x[4 * j + 2]
      const square = dx * dx + dy * dy + dz * dz
      const reach = (1 + SLACK) * (radiusOf[p] + radiusOf[q])
      // By what is known of each already, before the two speeds are compared.
      const bound = reach + ways[p] + ways[q]
      if (square > bound * bound) continue
      const u = v[3 * i] - v[3 * j]
      const w = v[3 * i + 1] - v[3 * j + 1]
      const z = v[3 * i + 2] - v[3 * j + 2]
      if (square > reach * reach) {
        const way = time * Math.sqrt(u * u + w * w + z * z)
        const wide = reach + (way < most ? way : most)
        if (!(square <= wide * wide)) continue
      }
      const a = setOf[p]
      const b = setOf[q]
      if (meets[a * size + b] === 0 || numberOf[p] < 0 || numberOf[q] < 0 || i === j) continue
      const moves = kind[i] === DYNAMIC && (flags[i] & RESTS) === 0
      const other = kind[j] === DYNAMIC && (flags[j] & RESTS) === 0
      if (!moves && !other) continue
      if (a !== b && filter.hasJoints(i) && filter.isJoined(i, j)) continue
      if (2 * n === found.items.length) {
        found.count = n
        found.reserve(n + 1)
      }
      found.items[2 * n] = p
      found.items[2 * n++ + 1] = q
    }
    found.count = n
    found.sort(this.count)
  }

  /** How far apart those that were found are to be; a sleeper that is about to be struck in `time` [s] wakes before that. */
  private finish(time: number): void {
    const { found, setOf, numberOf, radiusOf } = this
    const { records } = this.sets
    this.reserve(found.count)
    const { apart } = this
    const { items } = found
    for (let k = 0; k < found.count; k++) {
      const p = items[2 * k]
      const q = items[2 * k + 1]
      let d = radiusOf[p] + radiusOf[q]
      if (setOf[p] === setOf[q]) {
        const { rest } = records[setOf[p]] as ParticleRecord
        const s = 3 * numberOf[p]
        const t = 3 * numberOf[q]
        const rx = rest[s] - rest[t]
        const ry = rest[s + 1] - rest[t + 1]
        const rz = rest[s + 2] - rest[t + 2]
        const was = rx * rx + ry * ry + rz * rz
        if (was < d * d) d = Math.sqrt(was)
      }
      apart[k] = d
    }
    for (let k = 0; k < found.count; k++) this.wakeStruck(k, time)
  }

  private wakeStruck(k: number, time: number): void {
    const { items } = this.found
    const { position: x, velocity: v, flags } = this.world.bodies.columns
    const i = this.rowOf[items[2 * k]]
    const j = this.rowOf[items[2 * k + 1]]
    const asleep = flags[i] & ASLEEP
    if (asleep === (flags[j] & ASLEEP)) return
    let square = 0
    let closing = 0
    for (let axis = 0; axis < 3; axis++) {
      const d = x[4 * i + axis] - x[4 * j + axis]
      square += d * d
      closing -= d * (v[3 * i + axis] - v[3 * j + axis]) * time
    }
    if (!(closing > 0 && square - this.apart[k] * Math.sqrt(square) < closing)) return
    this.world.bodies.wake(asleep === 0 ? j : i)
    this.woke = true
  }
}

/** Which comes first: the pair `at` of a list (< 0) or the one at `pairs[k]` (> 0); 0 if they are the same. */
function order(items: Int32Array, at: number, pairs: Float64Array, k: number): number {
  return items[2 * at] - pairs[k] || items[2 * at + 1] - pairs[k + 1]
}
