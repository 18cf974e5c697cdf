/** Rows of contact of particles with particles: those of a step, or of a substep, and those of sleepers as they were. */

import type { LeanWorld } from '@tautline/core'
import { type Batch, DYNAMIC, RESTS, setRows } from '@tautline/core/kernel'
import { type Material, combineInto, SURFACE } from '../state/material.js'
import type { CollisionSettings } from '../state/options.js'
import { type KeptColumns, KeptRows } from './kept-rows.js'
import {
  APART,
  FRICTION,
  N,
  NEAR,
  PAIR_COLUMNS,
  type PairContacts,
  PUSH,
  RECORD,
  RESTITUTION,
  ROWS,
  TAKEN,
} from './pair-columns.js'
import { pairContact } from './pair-contact.js'
import type { PairFinder } from './pair-finder.js'
import type { PointRows } from './point-rows.js'
import type { ParticleRecord } from './particle-set.js'
import type { ParticleSets } from './particle-sets.js'

/** What is kept of a row that sleeps. */
const KEPT: KeptColumns = [...Object.entries(PAIR_COLUMNS), ['lambda', ROWS], ['body', 2]]
/** Numbers kept of a row that has pushed in the step, where rows are made anew within it: two particles, how far apart they are to be, impulse. */
const PUSHED = 4

export class PairRows {
  readonly batch: PairContacts
  private readonly world: LeanWorld
  private readonly sets: ParticleSets
  private readonly options: CollisionSettings
  private readonly kept = new KeptRows(KEPT)
  /** Pairs that have pushed in this step, ascending: see `PUSHED`. */
  private pushed: Float64Array = new Float64Array(0)
  private pushedCount = 0
  private version = 0

  /** `points` are the rows of particles with colliders, which come before in the sweep. */
  constructor(world: LeanWorld, sets: ParticleSets, options: CollisionSettings, points: PointRows) {
    this.world = world
    this.sets = sets
    this.options = options
    this.batch = world.batchFor(pairContact as never, 2, 0) as Batch as PairContacts
    this.batch.plan = points
  }

  /** Sets rows of sleepers aside. */
  keep(): void {
    const { batch, kept } = this
    kept.clear()
    for (let row = 0; row < batch.count; row++) if (this.rests(row)) kept.keep(batch, row)
  }

  private rests(row: number): boolean {
    const { body } = this.batch.columns
    const { kind, flags } = this.world.bodies.columns
    for (let k = 2 * row; k < 2 * row + 2; k++) {
      if (kind[body[k]] === DYNAMIC && (flags[body[k]] & RESTS) === 0) return false
    }
    return true
  }

  /**
   * Makes the rows of what was found. Within a step, what has pushed in it stays, also where it is far by now: events tell of it, and what has
   * shared its energy belongs together until the step is over.
   */
  make(finder: PairFinder, isWithin: boolean): void {
    const { batch, kept, world } = this
    this.version = world.bodies.version
    this.pushedCount = 0
    if (isWithin) this.keepPushed(finder)
    const { count } = finder.found
    const total = count + kept.count
    if (total === 0 && batch.count === 0) return
    setRows(batch, total, count)
    this.write(finder)
    kept.putBack(batch, count)
    if (isWithin) this.putBackPushed(finder)
  }

  private write({ found, apart, rowOf, setOf, numberOf }: PairFinder): void {
    const { batch, world } = this
    const { who, touching, impulse, lambda, record, body } = batch.columns
    const { position: x } = world.bodies.columns
    const { ids } = batch
    const { items } = found
    let a = -1
    let b = -1
    for (let row = 0; row < found.count; row++) {
      const p = items[2 * row]
      const q = items[2 * row + 1]
      if (setOf[p] !== a || setOf[q] !== b) {
        a = setOf[p]
        b = setOf[q]
        combineInto(this.options, this.materialOf(a), this.materialOf(b))
      }
      who[4 * row] = a
      who[4 * row + 1] = numberOf[p]
      who[4 * row + 2] = b
      who[4 * row + 3] = numberOf[q]
      touching[row] = impulse[row] = lambda[3 * row] = lambda[3 * row + 1] = lambda[3 * row + 2] = 0
      const i = (body[2 * row] = ids[2 * row] = rowOf[p])
      const j = (body[2 * row + 1] = ids[2 * row + 1] = rowOf[q])
      const r = RECORD * row
      const d = apart[row]
      record[r + FRICTION] = SURFACE[0]
      record[r + FRICTION + 1] = SURFACE[1]
      record[r + RESTITUTION] = SURFACE[2]
      record[r + PUSH] = SURFACE[3]
      record[r + APART] = d
      const dx = x[4 * i] - x[4 * j]
      const dy = x[4 * i + 1] - x[4 * j + 1]
      const dz = x[4 * i + 2] - x[4 * j + 2]
      const length = Math.sqrt(dx * dx + dy * dy + dz * dz)
      record[r + N] = length > 0 ? dx / length : 1
      record[r + N + 1] = length > 0 ? dy / length : 0
      record[r + N + 2] = length > 0 ? dz / length : 0
      record[r + TAKEN] = 0
      record[r + NEAR] = 1
    }
  }

  private materialOf(set: number): Material {
    return (this.sets.records[set] as ParticleRecord).material
  }

  /** Sets aside which pairs have pushed, by particles: ascending, as the rows are; has them found again. */
  private keepPushed(finder: PairFinder): void {
    const { firstOf } = finder
    const { batch } = this
    const { who, touching, impulse, record } = batch.columns
    for (let row = 0; row < batch.active; row++) {
      if (touching[row] === 0 || this.rests(row)) continue
      const at = PUSHED * this.pushedCount++
      if (at + PUSHED > this.pushed.length) {
        const grown = new Float64Array(2 * (at + PUSHED))
        grown.set(this.pushed)
        this.pushed = grown
      }
      this.pushed[at] = firstOf[who[4 * row]] + who[4 * row + 1]
      this.pushed[at + 1] = firstOf[who[4 * row + 2]] + who[4 * row + 3]
      this.pushed[at + 2] = record[RECORD * row + APART]
      this.pushed[at + 3] = impulse[row]
    }
    finder.include(this.pushed, PUSHED, this.pushedCount)
  }

  /** Gives rows what they had pushed before in the step. */
  private putBackPushed({ found: { items } }: PairFinder): void {
    const { pushed } = this
    const { touching, impulse } = this.batch.columns
    let row = 0
    for (let k = 0; k < this.pushedCount; k++) {
      const p = pushed[PUSHED * k]
      const q = pushed[PUSHED * k + 1]
      while (items[2 * row] !== p || items[2 * row + 1] !== q) row++
      touching[row] = 1
      impulse[row] = pushed[PUSHED * k + 3]
    }
  }

  /** Has the rows of sleepers act too where something was woken within the step. */
  refresh(): void {
    const { batch, world } = this
    if (batch.active < batch.count && world.bodies.version !== this.version) setRows(batch, batch.count, batch.count)
  }

  /** Removes rows, and wakes what they touched: those of a set or a body, −1 for any. */
  drop(set: number, body: number): void {
    const { batch, world } = this
    const { columns: c } = batch
    let count = 0
    let active = 0
    for (let row = 0; row < batch.count; row++) {
      const ofSet = c.who[4 * row] === set || c.who[4 * row + 2] === set
      if (ofSet || c.body[2 * row] === body || c.body[2 * row + 1] === body) {
        if (c.touching[row] === 0) continue
        world.bodies.wake(c.body[2 * row])
        world.bodies.wake(c.body[2 * row + 1])
        continue
      }
      if (row < batch.active) active++
      if (count !== row) {
        batch.table.copyRow(row, count)
        c.slot[count] = c.sequence[count] = count
        for (let k = 0; k < 2; k++) batch.ids[2 * count + k] = c.body[2 * count + k]
      }
      count++
    }
    if (count < batch.count) setRows(batch, count, active)
  }
}
