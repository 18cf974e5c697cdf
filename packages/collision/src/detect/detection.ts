/**
 * Collision detection of a step: pairs of boxes that touch (broad phase), the filter, manifolds of up to four points each (narrow
 * phase), written over the rows that had the same name in the last step. Pairs that move fast are looked at again in each substep.
 */

import type { LeanWorld } from '@tautline/core'
import { Contact, type ContactCallback } from '../contact/contact.js'
import type { ContactRows } from '../contact/contact-rows.js'
import { ROWS } from '../contact/manifold-columns.js'
import { writeSurface } from '../contact/surface.js'
import {
  hasKeptPose,
  isNormalFlipped,
  isUnmoved,
  notePoses,
  noteRelativePose,
  readNormal,
  recallPoints,
  storeManifold,
} from '../contact/store-manifold.js'
import type { ColliderRecord } from '../state/collider.js'
import type { Colliders } from '../state/colliders.js'
import type { CollisionSettings } from '../state/options.js'
import { IntList } from './broad/int-list.js'
import { PairFinder } from './broad/pairs.js'
import type { ContactFilter } from './contact-filter.js'
import { collide } from './narrow/collide.js'
import { LAST } from './narrow/found-points.js'
import { ManifoldList } from './narrow/manifold.js'

/**
 * How far a point of one collider may move against the other before their manifold is found anew. As a share of the inner radius of the smaller one:
 * normals and lever arms are off by as much. As a share of the margin: a better contact point that was not kept is missed by as much, 0.5 mm by default.
 */
const KEPT_OF_SIZE = 0.01
const KEPT_OF_MARGIN = 0.025
/** Where the margin allows less, that of round-off and creep in what rests [m]. */
const LEAST_KEPT = 1e-5

const normal = /* @__PURE__ */ new Float64Array(3)

export class Detection {
  /** Pairs looked at in each substep, two numbers a pair. */
  readonly fast: IntList = new IntList()
  /** Substep in hand, from 1; 0 before the first. */
  substep = 0
  private readonly world: LeanWorld
  private readonly colliders: Colliders
  private readonly rows: ContactRows
  private readonly filter: ContactFilter
  private readonly options: CollisionSettings
  private readonly finder: PairFinder
  private readonly list = new ManifoldList()
  private readonly contact: Contact
  private callback: ContactCallback | undefined
  /** Whether what is found says what touches in a step: a projection between two steps leaves that as the last one left it. */
  private tells = true

  constructor(
    world: LeanWorld,
    colliders: Colliders,
    rows: ContactRows,
    filter: ContactFilter,
    options: CollisionSettings,
  ) {
    this.world = world
    this.colliders = colliders
    this.rows = rows
    this.filter = filter
    this.options = options
    this.finder = new PairFinder(colliders.tree)
    this.contact = new Contact(world, colliders, rows.batch)
  }

  /** Sets what is called for each manifold when it is found; nothing: no call. */
  setCallback(callback: ContactCallback | undefined): void {
    this.callback = callback
    // What the last one said of manifolds that need not be found again is out of date: no pose is all zeros.
    this.rows.batch.columns.found.fill(0)
  }

  /** Finds the manifolds of all pairs at the present poses, for a projection. */
  findForProjection(): void {
    this.tells = false
    this.findAll(0)
    this.tells = true
  }

  /** Finds the manifolds of all pairs for a step of `dt` to come; those of pairs that have parted go. */
  findAll(dt: number): void {
    const { colliders, finder } = this
    colliders.refreshAll(dt, 0.5 * this.options.margin)
    finder.find(colliders.active, colliders.activeChanges)
    this.filter.refresh()
    this.substep = 0
    this.fast.clear()
    const { pairs } = finder
    for (let k = 0; k < pairs.count; k++) this.meet(pairs.items[2 * k], pairs.items[2 * k + 1], dt)
    this.rows.dropStale(this.tells)
  }

  /** Begins a substep of `h`, in a step of `dt`: from the second on, the manifolds of fast pairs are found anew. */
  beginSubstep(h: number, dt: number): void {
    this.substep++
    if (this.substep === 1) return
    this.findFast(dt)
    if (this.fast.count > 0) this.findAnew(h)
  }

  /**
   * Finds the manifolds of a pair, whose gap is at most the options' margin and `reach`, and writes them over their rows, marked with
   * `stamp`; says whether there are any. Within a substep, `stamp` has a fraction. `fastSubstep` is 0 for a pair that is not fast.
   */
  touch(a: number, b: number, reach: number, fastSubstep: number, stamp: number): boolean {
    const { list, rows, world, options } = this
    const { batch } = rows
    const { transform, records } = this.colliders
    const margin = options.margin + reach
    const shapeA = (records[a] as ColliderRecord).shape
    const shapeB = (records[b] as ColliderRecord).shape
    const c = world.bodies.columns
    const known = shapeA.convex && shapeB.convex ? rows.find(a, b, 0) : -1
    if (known >= 0 && fastSubstep === 0 && this.callback === undefined && this.keep(known, a, b, reach)) {
      batch.columns.stamp[known] = stamp
      // It may have been fast in the last step: found anew for others that are, it would count as parted.
      batch.columns.fastSubstep[known] = 0
      if (this.tells) batch.columns.touching[known] = 0
      return true
    }
    if (this.colliders.isFar(a, b, margin)) return false
    list.clear()
    if (known >= 0) recallPoints(batch, known)
    collide(shapeA, transform, 12 * a, shapeB, transform, 12 * b, margin, list)
    LAST.count = 0
    for (let k = 0; k < list.count; k++) {
      const manifold = list.items[k]
      if (manifold.count === 0) continue
      let row = rows.find(a, b, manifold.key)
      const isNew = row < 0
      if (isNew) row = rows.add(a, b, manifold.key)
      batch.columns.stamp[row] = stamp
      if (this.tells && stamp === world.clock.steps + 1 && fastSubstep < 2) batch.columns.touching[row] = 0
      batch.columns.fastSubstep[row] = fastSubstep
      // Found from the other side within a substep: it is about to pass through, so the old side stays.
      if (fastSubstep !== 0 && !isNew && isNormalFlipped(c, batch, row, manifold)) continue
      batch.columns.still[row] = 0
      storeManifold(c, batch, row, manifold, isNew)
      notePoses(c, batch, row)
      noteRelativePose(c, batch, row)
      writeSurface(world, this.colliders, options, batch, row, a, b, manifold.normal)
      if (this.callback !== undefined && !this.asks(this.callback, row, a, b)) this.contact.drop()
    }
    return list.count > 0
  }

  /**
   * Keeps the manifold of a pair whose relative pose has hardly changed since it was found; returns whether it does. Lever arms and G are prepared anew
   * where a body has moved in the world.
   */
  private keep(row: number, a: number, b: number, reach: number): boolean {
    const { world, colliders, options } = this
    const { batch } = this.rows
    const c = world.bodies.columns
    const { margin } = options
    const size = Math.min(colliders.reach[a], colliders.reach[b])
    const ofSize = KEPT_OF_SIZE * Math.min(colliders.inner[a], colliders.inner[b])
    // Points that were not found are farther apart than the margin: it covers the change since and the approach in this step.
    const limit = Math.max(Math.min(ofSize, KEPT_OF_MARGIN * margin, margin - reach), LEAST_KEPT)
    if (!hasKeptPose(c, batch, row, limit, size)) return false
    const isStill = isUnmoved(c, batch, row, limit, size)
    batch.columns.still[row] = isStill ? 1 : 0
    if (isStill) return true
    batch.columns.fresh[row] = 1
    notePoses(c, batch, row)
    readNormal(c, batch, row, normal)
    writeSurface(world, colliders, options, batch, row, a, b, normal)
    return true
  }

  /** Calls the user's callback for a manifold: whether it stays. What the user throws comes out of the step at its end. */
  private asks(callback: ContactCallback, row: number, a: number, b: number): boolean {
    const { callbacks } = this.world.bodies
    callbacks.begin()
    try {
      const answer = callback(this.contact.of(row, a, b))
      callbacks.end()
      return answer !== false
    } catch (error) {
      callbacks.fail(error)
      return true
    }
  }

  /** What comes of a pair whose boxes touch. */
  private meet(a: number, b: number, dt: number): void {
    const { colliders, fast, filter } = this
    if (!filter.meets(a, b)) return
    if (filter.isSensor(a) || filter.isSensor(b)) {
      this.sense(a, b)
      return
    }
    const fastSubstep = colliders.isFast(a, b, dt)
    const stamp = this.world.clock.steps + 1
    const near = this.touch(a, b, colliders.approach(a, b, dt), fastSubstep ? 1 : 0, stamp)
    if (!fastSubstep || !near) return
    fast.push(a)
    fast.push(b)
  }

  /** Notes whether a sensor and something else overlap. */
  private sense(a: number, b: number): void {
    const { list, rows, world } = this
    const { transform, records } = this.colliders
    list.clear()
    const shapeA = (records[a] as ColliderRecord).shape
    collide(shapeA, transform, 12 * a, (records[b] as ColliderRecord).shape, transform, 12 * b, 0, list)
    let overlaps = false
    for (let k = 0; k < list.count; k++) if (list.items[k].count > 0) overlaps = true
    if (overlaps) rows.noteSensed(a, b, world.clock.steps + 1, this.tells)
  }

  /** Adds pairs that an impact within the step of `dt` has made fast. */
  private findFast(dt: number): void {
    const { colliders, fast } = this
    const { batch } = this.rows
    const { fastSubstep, pair, points } = batch.columns
    const { visited } = this.rows
    for (let n = 0; n < visited.count; n++) {
      const row = visited.items[n]
      if (fastSubstep[row] !== 0 || points[row] === 0) continue
      const a = pair[3 * row]
      const b = pair[3 * row + 1]
      if (!colliders.isFastNow(a, b, dt)) continue
      fastSubstep[row] = this.substep - 1
      fast.push(a)
      fast.push(b)
    }
  }

  /** Finds the manifolds of fast pairs for a substep of `h`. */
  private findAnew(h: number): void {
    const { colliders, fast } = this
    const { batch } = this.rows
    for (let k = 0; k < fast.count; k += 2) {
      const a = fast.items[k]
      const b = fast.items[k + 1]
      colliders.refreshMotion(a, h)
      colliders.refreshMotion(b, h)
      this.touch(a, b, colliders.approach(a, b, h), this.substep, this.world.clock.steps + 1)
    }
    // What was not found again is far away.
    const { fastSubstep, points, lambda } = batch.columns
    const { visited } = this.rows
    for (let n = 0; n < visited.count; n++) {
      const row = visited.items[n]
      if (fastSubstep[row] === 0 || fastSubstep[row] === this.substep) continue
      points[row] = 0
      lambda.fill(0, ROWS * row, ROWS * row + ROWS)
    }
  }
}
