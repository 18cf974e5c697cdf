/** Rows of contact of particles with colliders: those of a step from what the finder found, and those of sleepers as they were. */

import { type LeanWorld } from '@tautline/core'
import { type Batch, DYNAMIC, RESTS, WORLD_BODY, setRows } from '@tautline/core/kernel'
import type { Colliders } from '../state/colliders.js'
import type { CollisionSettings } from '../state/options.js'
import { type KeptColumns, KeptRows } from './kept-rows.js'
import { combineInto, SURFACE } from '../state/material.js'
import { pointContact } from './point-contact.js'
import {
  FRICTION,
  GAP,
  NEAR,
  POINT_COLUMNS,
  type PointContacts,
  PUSH,
  RADIUS,
  RECORD,
  RESTITUTION,
  ROWS,
  UNSEEN,
} from './point-columns.js'
import { CANDIDATE, type PointFinder } from './point-finder.js'
import { Pressed } from './pressed.js'
import type { ParticleRecord } from './particle-set.js'
import type { ParticleSets } from './particle-sets.js'

/** What is kept of a row that sleeps. */
const KEPT: KeptColumns = [...Object.entries(POINT_COLUMNS), ['lambda', ROWS], ['body', 2]]

export class PointRows {
  readonly batch: PointContacts
  readonly pressed: Pressed = new Pressed()
  private readonly world: LeanWorld
  private readonly colliders: Colliders
  private readonly sets: ParticleSets
  private readonly options: CollisionSettings
  private readonly kept = new KeptRows(KEPT)
  /** Of the bodies when the rows were made: it counts what was woken since. */
  private version = 0

  constructor(world: LeanWorld, colliders: Colliders, sets: ParticleSets, options: CollisionSettings) {
    this.world = world
    this.colliders = colliders
    this.sets = sets
    this.options = options
    this.batch = world.batchFor(pointContact as never, 2, 0) as Batch as PointContacts
    this.batch.plan = {
      shapeOf: (id: number) => colliders.records[id]!.shape,
      localOf: (id: number) => colliders.records[id]!.local,
      pressed: this.pressed,
    }
  }

  /** Sets rows of sleepers aside. */
  keep(): void {
    const { batch, kept } = this
    kept.clear()
    for (let row = 0; row < batch.count; row++) if (this.rests(row)) kept.keep(batch, row)
  }

  /** Whether neither side of a row moves: it is not looked at. */
  private rests(row: number): boolean {
    const { who, body } = this.batch.columns
    const { kind, flags } = this.world.bodies.columns
    const i = body[2 * row]
    if (this.colliders.active[who[4 * row + 2]] === 1) return false
    return kind[i] !== DYNAMIC || (flags[i] & RESTS) !== 0
  }

  /** Makes the rows of a step: what does not give way first, so that it is known what presses on it; sleepers behind. */
  make(finder: PointFinder): void {
    const { batch, world } = this
    const count = (finder.giving.count + finder.firm.count) / CANDIDATE
    const total = count + this.kept.count
    this.version = world.bodies.version
    if (total === 0 && batch.count === 0) return
    setRows(batch, total, count)
    this.write(finder.firm.items, 0, finder.firm.count / CANDIDATE)
    this.write(finder.giving.items, finder.firm.count / CANDIDATE, count)
    this.kept.putBack(batch, count)
  }

  private write(items: Int32Array, from: number, to: number): void {
    const { batch, sets, colliders } = this
    const { who, touching, impulse, lambda, record, body } = batch.columns
    const { ids } = batch
    let at = 0
    let set = -1
    let collider = -1
    let r: ParticleRecord | undefined
    for (let row = from; row < to; row++, at += CANDIDATE) {
      const k = items[at + 1]
      if (items[at] !== set || items[at + 2] !== collider) {
        set = items[at]
        collider = items[at + 2]
        r = sets.records[set] as ParticleRecord
        combineInto(this.options, r.material, colliders.records[collider]!.material)
      }
      for (let j = 0; j < 4; j++) who[4 * row + j] = items[at + j]
      touching[row] = impulse[row] = lambda[3 * row] = lambda[3 * row + 1] = lambda[3 * row + 2] = 0
      body[2 * row] = ids[2 * row] = r!.rows[k]
      body[2 * row + 1] = ids[2 * row + 1] = colliders.body[collider]
      const o = RECORD * row
      record[o + FRICTION] = SURFACE[0]
      record[o + FRICTION + 1] = SURFACE[1]
      record[o + RESTITUTION] = SURFACE[2]
      record[o + PUSH] = SURFACE[3]
      record[o + RADIUS] = r!.radius[k]
      record[o + NEAR] = UNSEEN
      // It has not been measured.
      record[o + GAP] = -1
    }
  }

  /** Has the rows of sleepers act too where something was woken within the step. */
  refresh(): void {
    const { batch, world } = this
    if (batch.active === batch.count || world.bodies.version === this.version) return
    setRows(batch, batch.count, batch.count)
    const { record } = batch.columns
    for (let row = 0; row < batch.count; row++) record[RECORD * row + GAP] = -1
  }

  /** Removes rows, and wakes what they touched: those of a collider, a set or a body, −1 for any. */
  drop(set: number, collider: number, body: number): void {
    const { batch, world } = this
    const { columns: c } = batch
    let count = 0
    let active = 0
    for (let row = 0; row < batch.count; row++) {
      const goes =
        c.who[4 * row] === set ||
        c.who[4 * row + 2] === collider ||
        c.body[2 * row] === body ||
        c.body[2 * row + 1] === body
      if (goes) {
        if (c.touching[row] === 0) continue
        world.bodies.wake(c.body[2 * row])
        if (c.body[2 * row + 1] !== WORLD_BODY) world.bodies.wake(c.body[2 * row + 1])
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
