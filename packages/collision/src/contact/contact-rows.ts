/** The rows of manifolds of a world: made, found by name and removed; and which pairs ceased to touch when theirs went. */

import type { LeanWorld } from '@tautline/core'
import { type Batch, Incidence } from '@tautline/core/kernel'
import type { Colliders } from '../state/colliders.js'
import type { IntList } from '../detect/broad/int-list.js'
import { AwakeRows } from './awake-rows.js'
import { manifoldRows } from './manifold-rows.js'
import { isFiniteRow, type Manifolds } from './manifold-columns.js'
import { RowIndex } from './row-index.js'

/** Rows of manifolds have no definition of a user's. */
const NO_DEF = {}
/** Key of the row that says what a sensor overlaps. */
export const SENSED = -1

const pairRows = /* @__PURE__ */ new Float64Array(2)

export class ContactRows {
  /** In sweep order. */
  readonly batch: Manifolds
  /**
   * Pairs that touched and whose rows are gone, as `gatherEvents` reads them: in the last step, and since. Replaced, and never changed
   * once a snapshot may hold them.
   */
  ended: number[] = []
  lost: number[] = []
  private readonly world: LeanWorld
  private readonly colliders: Colliders
  private readonly index = new RowIndex()
  /** Rows by collider: made when a collider is removed, and kept from then on until a restore. */
  private byCollider: Incidence | undefined
  private readonly awake: AwakeRows

  constructor(world: LeanWorld, colliders: Colliders) {
    this.world = world
    this.colliders = colliders
    this.batch = world.batchFor(manifoldRows as never, 2, 0) as Batch as Manifolds
    this.awake = new AwakeRows(world, this.batch)
  }

  /** Begins a step: impulses from none, and what touched in the last one is what touched before. */
  beginStep(): void {
    const { batch } = this
    this.ended = this.lost
    this.lost = []
    this.refreshIndex()
    const { impulse, touching, touched } = batch.columns
    const { rows } = this.awake
    for (let k = 0; k < rows.count; k++) {
      const row = rows.items[k]
      impulse[row] = 0
      touched[row] = touching[row]
    }
  }

  /** Brings the index up to date with the rows. */
  refreshIndex(): void {
    this.index.refresh(this.batch)
  }

  /** Rows that a step visits: all but those between colliders at rest. */
  get visited(): IntList {
    return this.awake.rows
  }

  /** Row of a manifold by its colliders and key; −1 if there is none. */
  find(a: number, b: number, key: number): number {
    return this.index.find(this.batch, a, b, key)
  }

  /** Adds a row, which must not be there. */
  add(a: number, b: number, key: number): number {
    const { batch, world, colliders } = this
    pairRows[0] = colliders.body[a]
    pairRows[1] = colliders.body[b]
    const row = batch.push(pairRows, world.clock.sequence++, NO_DEF)
    const { columns } = batch
    columns.pair[3 * row] = a
    columns.pair[3 * row + 1] = b
    columns.pair[3 * row + 2] = key
    columns.enabled[row] = 1
    columns.relaxation[row] = 1
    columns.breakForce[row] = columns.breakTorque[row] = Infinity
    world.markOrderStale()
    this.index.add(batch, row)
    this.awake.added()
    this.byCollider?.add(columns.slot[row], columns.pair, 3 * row)
    return row
  }

  /** Notes in the step of `stamp` that a sensor and another collider, lower number first, touch. */
  noteSensed(a: number, b: number, stamp: number, tells = true): void {
    const { batch } = this
    let row = this.find(a, b, SENSED)
    if (row < 0) {
      row = this.add(a, b, SENSED)
      batch.columns.enabled[row] = 0
    }
    batch.columns.stamp[row] = stamp
    if (tells) batch.columns.touching[row] = 1
  }

  /** Marks all rows as not found yet in this step, so that the next search drops those of pairs that have parted since the last, in the same step. */
  forgetStamps(): void {
    const { batch, world } = this
    batch.columns.stamp.fill(world.clock.steps, 0, batch.count)
  }

  /** Removes rows that this step, or a projection before the next, did not find, but for those of what rests. */
  dropStale(isStep: boolean): void {
    const { batch, world, colliders } = this
    const { stamp, pair } = batch.columns
    const now = world.clock.steps + 1
    const { rows } = this.awake
    for (let k = rows.count - 1; k >= 0; k--) {
      const row = rows.items[k]
      if (stamp[row] === now) continue
      // Two that do not move are not looked at.
      if ((colliders.active[pair[3 * row]] | colliders.active[pair[3 * row + 1]]) === 0) continue
      this.drop(row, isStep ? this.ended : this.lost)
    }
  }

  /** Removes rows that a pose beyond measure has left its mark on: they hold nothing, and are found anew. */
  dropNonFinite(): void {
    const { batch } = this
    for (let row = batch.count - 1; row >= 0; row--) {
      if (isFiniteRow(batch, row)) continue
      // What has not touched before has not begun to.
      if (batch.columns.touched[row] === 0) batch.columns.touching[row] = 0
      this.drop(row, this.lost)
    }
  }

  /** Removes all rows of a collider, and wakes what it touched. */
  dropOf(id: number): void {
    const { batch, world } = this
    const { body } = batch.columns
    // Later rows first: the last row takes the place of one that is dropped.
    const rows = this.linked()
      .slotsOf(id)
      .map((slot) => batch.slotRow[slot])
    for (const row of rows.sort((r, s) => s - r)) {
      world.bodies.wake(body[2 * row])
      world.bodies.wake(body[2 * row + 1])
      this.drop(row, this.lost)
    }
  }

  /** Forgets which rows each collider has: the table was overwritten. */
  restored(): void {
    this.byCollider = undefined
    this.index.markStale()
  }

  private linked(): Incidence {
    if (this.byCollider !== undefined) return this.byCollider
    const { batch } = this
    const { slot, pair } = batch.columns
    this.byCollider = new Incidence(2)
    for (let row = 0; row < batch.count; row++) this.byCollider.add(slot[row], pair, 3 * row)
    return this.byCollider
  }

  private drop(row: number, ended: number[]): void {
    const { batch, world, colliders } = this
    const { pair, slot, touching } = batch.columns
    const a = pair[3 * row]
    const b = pair[3 * row + 1]
    const isSensor = pair[3 * row + 2] === SENSED ? 1 : 0
    if (touching[row] === 1) ended.push(a, b, colliders.generations[a], colliders.generations[b], isSensor)
    this.byCollider?.remove(slot[row])
    this.index.markStale()
    this.awake.removing(row)
    batch.remove(slot[row])
    world.markOrderStale()
  }
}
