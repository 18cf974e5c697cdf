/**
 * Which particles may come to touch each other.
 *
 * Pairs come from a grid with a margin, and the list is good until particles have moved against their mean by as much as the margin has to
 * spare. Who is in the list matters to no result: it is looked through for those whose own way is long enough, in the order of their numbers,
 * so that a replay does not depend on when it was made. Where particles go farther in a step than they are wide, that is done in each substep.
 */

import type { World } from '@tautline/core'
import { ASLEEP, DYNAMIC, RESTS } from '@tautline/core/kernel'
import { ParticleGrid } from '../detect/broad/grid.js'
import { PairList } from '../detect/broad/pair-list.js'
import type { ContactFilter } from '../detect/contact-filter.js'
import type { ParticleRecord } from './particle-set.js'
import type { ParticleSets } from './particle-sets.js'

/** Gap, as a share of the sum of two radii, within which a pair has a row whatever its speed. */
const SLACK = 0.25
/** What the margin of the list has to spare: horizons of the fastest, and a share of the largest radius. */
const HORIZONS = 4
const SPARE = 0.5
/** Way of the fastest in a step, in radii of the largest, from which pairs are found in each substep; and the most that is looked for. */
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
  private readonly world: World
  private readonly sets: ParticleSets
  private readonly filter: ContactFilter
  private readonly grid = new ParticleGrid()
  private readonly list = new PairList()
  /** Where particles were when the list was made, its margin [m], and the records that it is of. */
  private listAt: Float64Array = new Float64Array(0)
  private listMargin = -1
  private listOf: readonly (ParticleRecord | undefined)[] = []
  private meets: Uint8Array = new Uint8Array(0)
  private largest = 0
  /** Deviation from the mean since the list was made, and way against the mean of the fastest in the horizon [m]. */
  private readonly moved = new Float64Array(2)

  constructor(world: World, sets: ParticleSets, filter: ContactFilter) {
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
      this.listAt = new Float64Array(6 * total)
      this.listMargin = -1
    }
    let isSame = this.listOf.length === records.length
    for (let id = 0; id < records.length && isSame; id++) isSame = this.listOf[id] === records[id]
    if (!isSame) {
      this.listOf = records.slice()
      this.listMargin = -1
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
    this.measure(dt)
    this.isFast = this.moved[1] > FAST * this.largest
    return this.isFast ? h : dt
  }

  /** Deviations from the mean: of the way since the list was made, and of the velocity over `time` [s], into `moved`. */
  private measure(time: number): void {
    const { count, rowOf, listAt, moved } = this
    const { position, velocity } = this.world.bodies.columns
    let mx = 0
    let my = 0
    let mz = 0
    let vx = 0
    let vy = 0
    let vz = 0
    for (let k = 0; k < count; k++) {
      const i = rowOf[k]
      mx += position[4 * i] - listAt[3 * k]
      my += position[4 * i + 1] - listAt[3 * k + 1]
      mz += position[4 * i + 2] - listAt[3 * k + 2]
      vx += velocity[3 * i]
      vy += velocity[3 * i + 1]
      vz += velocity[3 * i + 2]
    }
    mx /= count
    my /= count
    mz /= count
    vx /= count
    vy /= count
    vz /= count
    let farthest = 0
    let fastest = 0
    for (let k = 0; k < count; k++) {
      const i = rowOf[k]
      const x = position[4 * i] - listAt[3 * k] - mx
      const y = position[4 * i + 1] - listAt[3 * k + 1] - my
      const z = position[4 * i + 2] - listAt[3 * k + 2] - mz
      const far = x * x + y * y + z * z
      if (far > farthest) farthest = far
      const u = velocity[3 * i] - vx
      const v = velocity[3 * i + 1] - vy
      const w = velocity[3 * i + 2] - vz
      const fast = u * u + v * v + w * w
      if (fast > fastest) fastest = fast
    }
    moved[0] = Math.sqrt(farthest)
    moved[1] = Math.sqrt(fastest) * time
  }

  /** Finds the pairs that may touch within `time` [s]. */
  find(time: number): void {
    const { count, found, list, moved } = this
    found.clear()
    this.woke = false
    if (count === 0) return
    this.measure(time)
    const most = FARTHEST * this.largest
    const way = moved[1] < most ? moved[1] : most
    const needed = 2 * SLACK * this.largest + 2 * way
    // A NaN finds anew as well.
    if (!(2 * moved[0] + needed <= this.listMargin)) {
      this.listMargin = needed + 2 * HORIZONS * way + SPARE * this.largest
      const { position } = this.world.bodies.columns
      for (let k = 0; k < count; k++)
        for (let c = 0; c < 3; c++) this.listAt[3 * k + c] = position[4 * this.rowOf[k] + c]
      this.grid.build(count, position, 4, this.rowOf, this.radiusOf, this.listMargin)
      this.grid.findPairs(list)
    }
    this.choose(time)
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
    let n = 0
    for (let k = 0; k < list.count; k++) {
      const p = items[2 * k]
      const q = items[2 * k + 1]
      const a = setOf[p]
      const b = setOf[q]
      if (meets[a * size + b] === 0) continue
      const i = rowOf[p]
      const j = rowOf[q]
      const dx = x[4 * i] - x[4 * j]
      const dy = x[4 * i + 1] - x[4 * j + 1]
      const dz = x[4 * i + 2] - x[4 * j + 2]
      const square = dx * dx + dy * dy + dz * dz
      const sum = radiusOf[p] + radiusOf[q]
      const u = v[3 * i] - v[3 * j]
      const w = v[3 * i + 1] - v[3 * j + 1]
      const z = v[3 * i + 2] - v[3 * j + 2]
      const reach = (1 + SLACK) * sum
      if (square > reach * reach) {
        const wide = reach + time * Math.sqrt(u * u + w * w + z * z)
        if (!(square <= wide * wide)) continue
      }
      if (numberOf[p] < 0 || numberOf[q] < 0 || i === j) continue
      const moves = kind[i] === DYNAMIC && (flags[i] & RESTS) === 0
      const other = kind[j] === DYNAMIC && (flags[j] & RESTS) === 0
      if (!moves && !other) continue
      let d = sum
      if (a === b) {
        const { rest } = records[a] as ParticleRecord
        const s = 3 * numberOf[p]
        const t = 3 * numberOf[q]
        const rx = rest[s] - rest[t]
        const ry = rest[s + 1] - rest[t + 1]
        const rz = rest[s + 2] - rest[t + 2]
        const was = rx * rx + ry * ry + rz * rz
        if (was < d * d) d = Math.sqrt(was)
      } else if (filter.hasJoints(i) && filter.isJoined(i, j)) continue
      if (2 * n === found.items.length || n === this.apart.length) {
        found.count = n
        this.reserve(n + 1)
      }
      found.items[2 * n] = p
      found.items[2 * n + 1] = q
      this.apart[n++] = d
      if (moves === other) continue
      // A sleeper that is about to be struck wakes before that.
      const sleeper = moves ? j : i
      if ((flags[sleeper] & ASLEEP) === 0) continue
      const closing = -(dx * u + dy * w + dz * z) * time
      if (closing > 0 && square - d * Math.sqrt(square) < closing) {
        this.world.bodies.wake(sleeper)
        this.woke = true
      }
    }
    found.count = n
  }
}

/** Which comes first: the pair `at` of a list (< 0) or the one at `pairs[k]` (> 0); 0 if they are the same. */
function order(items: Int32Array, at: number, pairs: Float64Array, k: number): number {
  return items[2 * at] - pairs[k] || items[2 * at + 1] - pairs[k + 1]
}
