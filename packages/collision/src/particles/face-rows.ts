/** Rows of contact of faces with colliders: those of a step from what the finder found, and those of sleepers as they were. */

import type { LeanWorld } from '@tautline/core'
import { type Batch, DYNAMIC, RESTS, WORLD_BODY, setRows } from '@tautline/core/kernel'
import type { Colliders } from '../state/colliders.js'
import type { CollisionSettings } from '../state/options.js'
import {
  BODIES,
  CORNERS,
  FACE_COLUMNS,
  type FaceContacts,
  FRICTION,
  GAP,
  PUSH,
  RADIUS,
  RECORD,
  RESTITUTION,
  ROWS,
} from './face-columns.js'
import { faceContact } from './face-contact.js'
import type { FaceFinder } from './face-finder.js'
import { type KeptColumns, KeptRows } from './kept-rows.js'
import { combineInto, SURFACE } from '../state/material.js'
import type { ParticleRecord } from './particle-set.js'
import type { ParticleSets } from './particle-sets.js'
import type { PointRows } from './point-rows.js'

/** What is kept of a row that sleeps. */
const KEPT: KeptColumns = [...Object.entries(FACE_COLUMNS), ['lambda', ROWS], ['body', BODIES]]
/** Numbers of what was found. */
const CANDIDATE = 4

export class FaceRows {
  readonly batch: FaceContacts
  private readonly world: LeanWorld
  private readonly colliders: Colliders
  private readonly sets: ParticleSets
  private readonly options: CollisionSettings
  private readonly kept = new KeptRows(KEPT)
  /** Of the bodies when the rows were made: it counts what was woken since. */
  private version = 0

  /** `points` are the rows of particles, which know the colliders. */
  constructor(
    world: LeanWorld,
    colliders: Colliders,
    sets: ParticleSets,
    options: CollisionSettings,
    points: PointRows,
  ) {
    this.world = world
    this.colliders = colliders
    this.sets = sets
    this.options = options
    this.batch = world.batchFor(faceContact as never, BODIES, 0) as Batch as FaceContacts
    this.batch.plan = points.batch.plan
  }

  /** Sets rows of sleepers aside. */
  keep(): void {
    const { batch, kept } = this
    kept.clear()
    for (let row = 0; row < batch.count; row++) if (this.rests(row)) kept.keep(batch, row)
  }

  private rests(row: number): boolean {
    const { who, body } = this.batch.columns
    const { kind, flags } = this.world.bodies.columns
    if (this.colliders.active[who[4 * row + 2]] === 1) return false
    for (let k = BODIES * row; k < BODIES * row + CORNERS; k++) {
      if (kind[body[k]] === DYNAMIC && (flags[body[k]] & RESTS) === 0) return false
    }
    return true
  }

  /** Makes the rows of a step; sleepers behind. */
  make({ found }: FaceFinder): void {
    const { batch, kept, world } = this
    const count = found.count / CANDIDATE
    this.version = world.bodies.version
    if (count + kept.count === 0 && batch.count === 0) return
    setRows(batch, count + kept.count, count)
    for (let row = 0; row < count; row++) this.write(row, found.items, CANDIDATE * row)
    kept.putBack(batch, count)
  }

  private write(row: number, items: Int32Array, at: number): void {
    const { batch, colliders } = this
    const { who, touching, impulse, lambda, record, body } = batch.columns
    const { ids } = batch
    const set = this.sets.records[items[at]] as ParticleRecord
    const collider = items[at + 2]
    // Rows of the same two follow each other.
    const isSame = row > 0 && who[4 * row - 4] === items[at] && who[4 * row - 2] === collider
    if (!isSame) combineInto(this.options, set.material, colliders.records[collider]!.material)
    for (let k = 0; k < 4; k++) who[4 * row + k] = items[at + k]
    touching[row] = impulse[row] = lambda[ROWS * row] = lambda[ROWS * row + 1] = lambda[ROWS * row + 2] = 0
    const r = RECORD * row
    for (let k = 0; k < RECORD; k++) record[r + k] = 0
    for (let k = 0; k < CORNERS; k++) {
      const corner = set.faces[CORNERS * items[at + 1] + k]
      body[BODIES * row + k] = ids[BODIES * row + k] = set.rows[corner]
      record[r + RADIUS + k] = set.radius[corner]
    }
    body[BODIES * row + CORNERS] = ids[BODIES * row + CORNERS] = colliders.body[collider]
    record[r + FRICTION] = SURFACE[0]
    record[r + FRICTION + 1] = SURFACE[1]
    record[r + RESTITUTION] = SURFACE[2]
    record[r + PUSH] = SURFACE[3]
    record[r + GAP] = -1
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
      let goes = c.who[4 * row] === set || c.who[4 * row + 2] === collider
      for (let k = BODIES * row; k < BODIES * row + BODIES; k++) if (c.body[k] === body) goes = true
      if (goes) {
        if (c.touching[row] === 0) continue
        for (let k = BODIES * row; k < BODIES * row + BODIES; k++) {
          if (c.body[k] !== WORLD_BODY) world.bodies.wake(c.body[k])
        }
        continue
      }
      if (row < batch.active) active++
      if (count !== row) {
        batch.table.copyRow(row, count)
        c.slot[count] = c.sequence[count] = count
        for (let k = 0; k < BODIES; k++) batch.ids[BODIES * count + k] = c.body[BODIES * count + k]
      }
      count++
    }
    if (count < batch.count) setRows(batch, count, active)
  }
}
