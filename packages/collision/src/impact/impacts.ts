/**
 * Impacts of what is too fast for a substep: struck first, at velocity level, and moved on from there.
 *
 * A prediction that carries a small body deep into another is no error to be projected away: its lever arms have turned with it, and
 * what projection makes of them is energy out of nothing. So where a substep would close a gap by more than a quarter of the least
 * half-extent, or turns what is about to touch far, the bodies are moved through the substep here, before it is predicted:
 *
 *   find      manifolds at the present poses; where they are deeper than a step may make them: back, and half as far
 *   strike    what touches and approaches (`impact-solver.ts`)
 *   step      until the next gap closes, or as far as the points stand for the surface: r θ²/2 <= what is allowed
 *
 * What turns so far that the steps run out loses time, not speed. (Conservative advancement: Mirtich 1996.)
 */

import { type LeanWorld } from '@tautline/core'
import { KINEMATIC } from '@tautline/core/kernel'
import { writeBounds } from '../shapes/bounds.js'
import { overlaps } from '../detect/broad/box.js'
import { IntList } from '../detect/broad/int-list.js'
import type { ColliderRecord } from '../state/collider.js'
import { checkOwner, type CollisionParts, type ImpactPart } from '../contact/collision-parts.js'
import { resolveChains } from './impact-chains.js'
import type { Colliders } from '../state/colliders.js'
import type { ContactFilter } from '../detect/contact-filter.js'
import { type Manifolds, residual } from '../contact/manifold-columns.js'
import { MAX_POINTS } from '../detect/narrow/manifold.js'
import { ImpactGroup } from './impact-group.js'
import { EXHAUSTED, resolveImpacts, STILL } from './impact-solver.js'
import { ImpactMotion } from './impact-motion.js'
import { AROUND, DEEP, ImpactSeeds, SHARE, writeReach } from './impact-seeds.js'
import { measureApproach, measureGap } from './measure.js'

/** How near counts as touching, and how near a step goes, as shares of the overlap that a step may make. */
const NEAR = 0.5
const STOP = 0.25
/** Steps of a substep at most; half as many for each time that a body of the group ran out of them in the step, so often at most. */
const STEPS = 64
const MOST_HALVED = 4
/** Halvings of a step that went too deep, at most. */
const HALVINGS = 6
/** Impacts one after another at the same pose, at most. */
const REPEATS = 4
/** What tells the steps of all groups in a step apart in `stamp`: as many as a step can have stay below 1. */
const STAMP = 1 / 67108864

const box = /* @__PURE__ */ new Float64Array(6)
const otherBox = /* @__PURE__ */ new Float64Array(6)
const speeds = /* @__PURE__ */ new Float64Array(MAX_POINTS)

/** Finds the manifolds of a pair of colliders within a gap [m] beyond the margin, and marks their rows with a stamp. */
export type FindManifolds = (a: number, b: number, gap: number, stamp: number) => void

class Impacts implements ImpactPart {
  private readonly world: LeanWorld
  private readonly colliders: Colliders
  private readonly filter: ContactFilter
  private readonly find: FindManifolds
  private readonly group: ImpactGroup
  private readonly motion: ImpactMotion
  private readonly seeds: ImpactSeeds
  /** Pairs of colliders with a member, ascending, two numbers a pair. */
  private readonly pairs = new IntList()
  private readonly near = new IntList()
  /** Manifolds of the group, and by place how near counts as touching [m]. */
  private rows = new Int32Array(64)
  private slop = new Float64Array(64)
  private count = 0
  /** By row: the deepest overlap when it was last accepted [m]. */
  private depth = new Float64Array(64)
  /** By body: how often in the step it ran out of steps. */
  private ranOut = new Uint8Array(64)
  private stamp = 0
  /** What happened in the step, as `impact-solver.ts` numbers it. */
  readonly counts: Float64Array = new Float64Array(3)
  /** Substep, and time to come in the step after it [s]. */
  private h = 0
  private later = 0

  constructor(world: LeanWorld, colliders: Colliders, filter: ContactFilter, find: FindManifolds) {
    this.world = world
    this.colliders = colliders
    this.filter = filter
    this.find = find
    this.group = new ImpactGroup(world)
    this.motion = new ImpactMotion(world, colliders)
    this.seeds = new ImpactSeeds(world, colliders, filter, this.motion)
  }

  beginStep(): void {
    this.stamp = this.world.clock.steps + 1
    this.counts.fill(0)
    const { count } = this.world.bodies
    if (this.ranOut.length < count) this.ranOut = new Uint8Array(2 * count)
    this.ranOut.fill(0, 0, count)
    this.motion.measureSizes()
  }

  /**
   * Moves what strikes or is struck through a substep of `h`, `left` of which remain; `visited` are the rows that may strike. Pairs that were looked at are added to `fast`.
   */
  advance(batch: Manifolds, visited: IntList, h: number, left: number, fast: IntList): void {
    const { seeds, group, pairs } = this
    this.h = h
    this.later = (left - 1) * h
    if (!seeds.find(batch, visited, h, this.later)) return
    const { bodies, isFirst, next } = seeds
    for (let first = 0; first < bodies.count; first++) {
      if (isFirst[first] === 0) continue
      group.begin(h)
      pairs.clear()
      for (let k = first; k >= 0; k = next[k]) this.join(batch, bodies.items[k], left)
      if (group.bodies.count === 0) continue
      this.run(batch, left)
      group.end()
      for (let k = 0; k < pairs.count; k++) fast.push(pairs.items[k])
    }
  }

  /** Makes a body a member, with the pairs that it has manifolds of. */
  private join(batch: Manifolds, i: number, left: number): void {
    const { group } = this
    if (group.isMember(i) || !this.motion.canStep(i)) return
    group.member[group.add(i, left)] = 1
    const { enabled, pair } = batch.columns
    for (let row = 0; row < batch.count; row++) {
      if (enabled[row] === 0 || (batch.ids[2 * row] !== i && batch.ids[2 * row + 1] !== i)) continue
      this.addPair(pair[3 * row], pair[3 * row + 1], left)
    }
  }

  /** Adds a pair, unless it is there, and what moves of it to the group. */
  private addPair(a: number, b: number, left: number): void {
    const { pairs, colliders, group, motion } = this
    let k = pairs.count
    while (k > 0 && (pairs.items[k - 2] > a || (pairs.items[k - 2] === a && pairs.items[k - 1] >= b))) k -= 2
    if (k < pairs.count && pairs.items[k] === a && pairs.items[k + 1] === b) return
    pairs.insertAt(k, b)
    pairs.insertAt(k, a)
    if (motion.moves(colliders.body[a])) group.add(colliders.body[a], left)
    if (motion.moves(colliders.body[b])) group.add(colliders.body[b], left)
  }

  /** Moves the group through the substep. */
  private run(batch: Manifolds, substeps: number): void {
    const { group, h } = this
    const c = this.world.bodies.columns
    let left = h
    let step = 0
    let halvings = 0
    // Where time has no end (a step of 1e100 s) every substep would run out anew.
    const most = STEPS >> this.timesRunOut()
    for (let done = 0; done < most; done++) {
      this.findAll(batch, left, substeps)
      if (step > 0 && halvings < HALVINGS && this.isDeeper(batch)) {
        group.goBack()
        left += 0.5 * step
        step *= 0.5
        halvings++
        this.move(batch, step)
        continue
      }
      halvings = 0
      this.noteDepths(batch)
      for (let repeat = 0; repeat < REPEATS; repeat++) {
        if (resolveImpacts(c, batch, this.rows, this.count, this.slop, h, this.counts) <= STILL) break
      }
      if (left <= 0) return
      step = 0
      if (this.promote(batch, substeps)) continue
      step = this.chooseStep(batch, left)
      group.keep()
      this.move(batch, step)
      left = step >= left ? 0 : left - step
    }
    this.counts[EXHAUSTED]++
    const { bodies, member } = group
    const { ranOut } = this
    for (let k = 0; k < bodies.count; k++) {
      if (member[k] === 1 && ranOut[bodies.items[k]] < MOST_HALVED) ranOut[bodies.items[k]]++
    }
  }

  /** How often in the step a body of the group has run out of steps, up to `MOST_HALVED`. */
  private timesRunOut(): number {
    const { ranOut } = this
    const { bodies, member } = this.group
    let times = 0
    for (let k = 0; k < bodies.count; k++) {
      if (member[k] === 1 && ranOut[bodies.items[k]] > times) times = ranOut[bodies.items[k]]
    }
    return times
  }

  /** Moves the group by t; what rests on something goes on resting. */
  private move(batch: Manifolds, t: number): void {
    const { group } = this
    group.kick(0.5 * t)
    resolveImpacts(this.world.bodies.columns, batch, this.rows, this.count, this.slop, this.h, this.counts)
    group.drift(t)
    group.kick(0.5 * t)
  }

  /** Manifolds of all pairs at the present poses, and which of them are the group's. */
  private findAll(batch: Manifolds, left: number, substeps: number): void {
    const { pairs, group, colliders, motion } = this
    this.stamp += STAMP
    for (let place = 0; place < group.bodies.count; place++) {
      if (group.member[place] === 1) this.lookAround(place, left + this.later, substeps)
    }
    for (let k = 0; k < pairs.count; k += 2) {
      const a = pairs.items[k]
      const b = pairs.items[k + 1]
      colliders.refreshMotion(a, left)
      colliders.refreshMotion(b, left)
      this.find(a, b, left * motion.approach(a, b, left), this.stamp)
    }
    this.reserve(batch.count)
    const { stamp, points, enabled, pair } = batch.columns
    this.count = 0
    for (let row = 0; row < batch.count; row++) {
      if (enabled[row] === 0 || (!group.isMember(batch.ids[2 * row]) && !group.isMember(batch.ids[2 * row + 1])))
        continue
      if (stamp[row] !== this.stamp) points[row] = 0
      if (points[row] === 0) continue
      this.rows[this.count] = row
      this.slop[this.count++] = NEAR * motion.allowed(pair[3 * row], pair[3 * row + 1])
    }
  }

  /** Adds pairs of a member with what it may come to in `time` [s], unless they have been looked for as far. */
  private lookAround(place: number, time: number, substeps: number): void {
    const { group, motion, colliders, near } = this
    const i = group.bodies.items[place]
    const way = motion.way(i, time)
    if (group.isWithin(place, way)) return
    const range = AROUND * way
    group.setRange(place, range)
    for (let id = motion.firstOf(i); id >= 0; id = motion.nextOf(id)) {
      writeReach(colliders, id, range + motion.sweep(id, time), box)
      near.clear()
      colliders.tree.query(box, 0, near)
      for (let k = 0; k < near.count; k++) {
        if (group.placeOf(colliders.body[near.items[k]]) < 0) this.addNear(id, near.items[k], substeps)
      }
      // What has moved since is not where the tree has it.
      for (let k = 0; k < group.bodies.count; k++) {
        for (let other = motion.firstOf(group.bodies.items[k]); other >= 0; other = motion.nextOf(other)) {
          colliders.refreshTransform(other)
          writeBounds((colliders.records[other] as ColliderRecord).shape, colliders.transform, 12 * other, otherBox, 0)
          if (overlaps(box, 0, otherBox, 0)) this.addNear(id, other, substeps)
        }
      }
    }
  }

  /** Adds the pair of a member's collider and another, if they may touch. */
  private addNear(id: number, other: number, left: number): void {
    const { colliders, filter } = this
    const a = id < other ? id : other
    const b = id < other ? other : id
    if (colliders.body[a] === colliders.body[b] || !filter.meets(a, b) || filter.isSensor(a) || filter.isSensor(b))
      return
    this.addPair(a, b, left)
  }

  /** Whether a manifold is deeper than a step may make it, and than it was. */
  private isDeeper(batch: Manifolds): boolean {
    const c = this.world.bodies.columns
    for (let k = 0; k < this.count; k++) {
      const allowed = this.slop[k] / NEAR
      if (measureGap(c, batch, this.rows[k]) < Math.min(-allowed, this.depth[this.rows[k]] - NEAR * allowed))
        return true
    }
    return false
  }

  private noteDepths(batch: Manifolds): void {
    const c = this.world.bodies.columns
    this.depth.fill(0, 0, batch.count)
    for (let k = 0; k < this.count; k++) {
      this.depth[this.rows[k]] = Math.min(0, measureGap(c, batch, this.rows[k]))
    }
  }

  /** How far the group may move before manifolds are to be found anew [s]. */
  private chooseStep(batch: Manifolds, left: number): number {
    const { motion } = this
    const { pair, points } = batch.columns
    let step = left
    for (let k = 0; k < this.count; k++) {
      const row = this.rows[k]
      const a = pair[3 * row]
      const b = pair[3 * row + 1]
      const allowed = this.slop[k] / NEAR
      const gap = measureApproach(this.world.bodies.columns, batch, row, speeds)
      const safe = (gap - STOP * allowed) / motion.approach(a, b, left)
      if (safe >= step) continue
      let most = motion.turnTime(a, b, allowed)
      for (let i = 0; i < points[row]; i++) {
        if (speeds[i] >= 0) continue
        most = Math.min(most, Math.max(residual[i] - STOP * allowed, STOP * allowed) / -speeds[i])
      }
      step = Math.min(step, Math.max(safe, most))
    }
    return step
  }

  /** Adds hard-hit bodies to the members. Returns whether there was one. */
  private promote(batch: Manifolds, left: number): boolean {
    const { group, motion, h } = this
    const { kind } = this.world.bodies.columns
    let any = false
    for (let place = 0; place < group.bodies.count; place++) {
      const i = group.bodies.items[place]
      if (group.member[place] === 1 || kind[i] === KINEMATIC || !motion.canStep(i)) continue
      const size = motion.innerOf(i)
      if (h * group.changeOf(place, size) <= SHARE * DEEP * size) continue
      this.join(batch, i, left)
      any = true
    }
    return any
  }

  private reserve(count: number): void {
    if (this.rows.length >= count) return
    this.rows = new Int32Array(2 * count)
    this.slop = new Float64Array(2 * count)
    const depth = new Float64Array(2 * count)
    depth.set(this.depth)
    this.depth = depth
  }
}

/** Part of collisions: moves bodies that are too fast for a substep from impact to impact, and passes impacts on through bodies that touch. */
export function impacts(collisions: CollisionParts): void {
  checkOwner('impacts', collisions)
  const { world, colliders, filter, solverParts } = collisions
  collisions.impacts = new Impacts(world, colliders, filter, (a, b, gap, stamp) =>
    collisions.findManifolds(a, b, gap, stamp),
  )
  solverParts.resolveChains = resolveChains
}
