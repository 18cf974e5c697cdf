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

import { DYNAMIC, KINEMATIC, type World } from '@tautline/core'
import { writeBounds } from '../shapes/bounds.js'
import { overlaps } from '../detect/broad/box.js'
import { IntList } from '../detect/broad/int-list.js'
import type { ColliderRecord } from '../state/collider.js'
import type { Colliders } from '../state/colliders.js'
import type { ContactFilter } from '../detect/contact-filter.js'
import { measureNormals, measureVelocities, prepareArms } from '../contact/patch.js'
import { type Patches, residual } from '../contact/patch-columns.js'
import { MAX_POINTS } from '../detect/narrow/manifold.js'
import { ImpactGroup } from './impact-group.js'
import { BOUNCING, EXHAUSTED, resolveImpacts, STILL } from './impact-solver.js'
import { ImpactMotion } from './impact-motion.js'

/** Way into another in a substep, as a share of the least half-extent, that is struck. */
const DEEP = 0.25
/** Share of that which a substep must add: what is deep already and comes to rest, or leaves, is no impact. */
const SLIGHT = 0.1
/** Fall in a substep from rest, as a share of it, that a soft contact would sink under. */
const SINKS = 0.5
/** Turn in a substep [rad] beyond which what touches is stepped. */
const FAR = 0.4
/** Of these, what makes a body of the pair a member: the other may be the fast one. */
const SHARE = 0.5
/** How near counts as touching, and how near a step goes, as shares of the overlap that a step may make. */
const NEAR = 0.5
const STOP = 0.25
/** Steps of a substep, and halvings of one of them, at most. */
const STEPS = 64
const HALVINGS = 6
/** Impacts one after another at the same pose, at most. */
const REPEATS = 4
/** What tells the steps of a substep apart in `stamp`. */
const STAMP = 1 / 65536
/** How much farther than they can get pairs are looked for around members. */
const AROUND = 1.2

const box = /* @__PURE__ */ new Float64Array(6)
const otherBox = /* @__PURE__ */ new Float64Array(6)
const speeds = /* @__PURE__ */ new Float64Array(MAX_POINTS)

/** Finds the manifolds of a pair of colliders within a gap [m] beyond the margin, and marks their rows with a stamp. */
export type FindManifolds = (a: number, b: number, gap: number, stamp: number) => void

export class Impacts {
  private readonly world: World
  private readonly colliders: Colliders
  private readonly filter: ContactFilter
  private readonly find: FindManifolds
  private readonly group: ImpactGroup
  private readonly motion: ImpactMotion
  /** Pairs of colliders with a member, ascending, two numbers a pair. */
  private readonly pairs = new IntList()
  private readonly near = new IntList()
  /** Manifolds of the group, and by place how near counts as touching [m]. */
  private rows = new Int32Array(64)
  private slop = new Float64Array(64)
  private count = 0
  /** By row: the deepest overlap when it was last accepted [m]. */
  private depth = new Float64Array(64)
  private stamp = 0
  /** What happened in the step, as `impact-solver.ts` numbers it. */
  readonly counts: Float64Array = new Float64Array(3)
  /** Substep, and time to come in the step after it [s]. */
  private h = 0
  private later = 0

  constructor(world: World, colliders: Colliders, filter: ContactFilter, find: FindManifolds) {
    this.world = world
    this.colliders = colliders
    this.filter = filter
    this.find = find
    this.group = new ImpactGroup(world)
    this.motion = new ImpactMotion(world, colliders)
  }

  beginStep(): void {
    this.stamp = this.world.clock.steps + 1
    this.counts.fill(0)
    this.motion.measureSizes()
  }

  /**
   * Moves what strikes or is struck through a substep of `h`, `left` of which remain. Pairs that were looked at are added to `fast`.
   */
  advance(batch: Patches, h: number, left: number, fast: IntList): void {
    this.h = h
    this.later = (left - 1) * h
    if (!this.findStruck(batch, left)) return
    this.run(batch, left)
    this.group.end()
    for (let k = 0; k < this.pairs.count; k++) fast.push(this.pairs.items[k])
  }

  /** Makes members of what strikes; whether anything does. */
  private findStruck(batch: Patches, left: number): boolean {
    const { group, motion, h } = this
    if (this.isCalm(batch)) return false
    const { enabled, points, pair, restitution, fall } = batch.columns
    const { velocity: v, angularVelocity: w, kind } = this.world.bodies.columns
    const { inner, reach } = this.colliders
    let any = false
    for (let row = 0; row < batch.count; row++) {
      if (points[row] === 0 || enabled[row] === 0) continue
      const a = batch.ids[2 * row]
      const b = batch.ids[2 * row + 1]
      const i = 3 * a
      const j = 3 * b
      const sizeA = kind[a] === DYNAMIC ? inner[pair[3 * row]] : Infinity
      const sizeB = kind[b] === DYNAMIC ? inner[pair[3 * row + 1]] : Infinity
      const size = sizeA < sizeB ? sizeA : sizeB
      const x = v[i] - v[j]
      const y = v[i + 1] - v[j + 1]
      const z = v[i + 2] - v[j + 2]
      const turnA = w[i] * w[i] + w[i + 1] * w[i + 1] + w[i + 2] * w[i + 2]
      const turnB = w[j] * w[j] + w[j + 1] * w[j + 1] + w[j + 2] * w[j + 2]
      // Squares of ways in h: half of what is deep by moving, and half by turning.
      const square = (0.5 * DEEP * size) / h
      const tipA = turnA > 0 ? turnA * reach[pair[3 * row]] * reach[pair[3 * row]] : 0
      const tipB = turnB > 0 ? turnB * reach[pair[3 * row + 1]] * reach[pair[3 * row + 1]] : 0
      const isSlow = x * x + y * y + z * z <= square * square && tipA + tipB <= square * square
      if (isSlow && restitution[row] === 0 && 2 * h * h * Math.abs(fall[row]) <= SINKS * size) continue
      const way = this.strikes(batch, row, size)
      if (way === 0) continue
      if (!any) this.begin(batch)
      any = true
      if (motion.way(a, h) + motion.sweep(pair[3 * row], h) >= SHARE * way) this.join(batch, a, left)
      if (motion.way(b, h) + motion.sweep(pair[3 * row + 1], h) >= SHARE * way) this.join(batch, b, left)
    }
    for (let i = 1; i < this.world.bodies.count; i++) {
      if (!motion.isSpinning(i, h)) continue
      if (!any) this.begin(batch)
      any = true
      this.join(batch, i, left)
    }
    return any && group.bodies.count > 0
  }

  /** Whether even the fastest body could not strike the smallest collider: piles at rest are passed over by this. */
  private isCalm(batch: Patches): boolean {
    const { h, motion } = this
    if (!motion.isSlow(0.25 * DEEP, h)) return false
    const { restitution, fall } = batch.columns
    const mostFall = (SINKS * motion.smallest) / (2 * h * h)
    for (let row = 0; row < batch.count; row++) {
      if (restitution[row] !== 0 || Math.abs(fall[row]) > mostFall) return false
    }
    return true
  }

  private begin(batch: Patches): void {
    // Boxes where things are: those of the step may have been made anew by a query, and what is found must not depend on it.
    this.colliders.refreshPoses()
    this.group.begin(this.h)
    this.motion.begin(batch)
    this.pairs.clear()
  }

  /**
   * How far a manifold's points come nearer in the substep [m], if that takes them deep or makes them bounce, or if the bodies turn far
   * where they are about to touch; else 0.
   */
  private strikes(batch: Patches, row: number, size: number): number {
    const { fall, pair, restitution, friction, points } = batch.columns
    const { motion, h } = this
    const a = pair[3 * row]
    const b = pair[3 * row + 1]
    // Balls without friction cannot turn each other: they are struck from pair to pair, evenly, after the solve (impact-chains.ts).
    const isEven = friction[2 * row] === 0 && this.isBall(a) && this.isBall(b)
    const bounces = restitution[row] > 0 && !isEven ? BOUNCING * Math.abs(fall[row]) * h : Infinity
    const gap = this.measure(batch, row)
    for (let i = 0; i < points[row]; i++) {
      const speed = speeds[i] + 2 * h * fall[row]
      const deep = residual[i] + h * speed
      const nearer = -h * speed
      if (deep < -DEEP * size && nearer > SLIGHT * DEEP * size) return Math.min(nearer, DEEP * size)
      if (deep < 0 && -speed > Math.max(bounces, STILL)) return Math.min(nearer, DEEP * size)
    }
    return h * motion.turn(a, b) > FAR && gap < h * motion.approach(a, b, h) ? DEEP * size : 0
  }

  private isBall(id: number): boolean {
    return this.colliders.records[id]?.shape.name === 'sphere'
  }

  /** Gaps of a manifold into `residual` and its speeds into `speeds`; returns the least gap. */
  private measure(batch: Patches, row: number): number {
    const c = this.world.bodies.columns
    const a = batch.ids[2 * row]
    const b = batch.ids[2 * row + 1]
    const n = batch.columns.points[row]
    prepareArms(c, batch, row, a, b)
    measureVelocities(c, batch, row, a, b)
    for (let i = 0; i < n; i++) speeds[i] = residual[i]
    return this.measureGap(batch, row)
  }

  private measureGap(batch: Patches, row: number): number {
    measureNormals(this.world.bodies.columns, batch, row, batch.ids[2 * row], batch.ids[2 * row + 1])
    let gap = Infinity
    for (let i = 0; i < batch.columns.points[row]; i++) if (residual[i] < gap) gap = residual[i]
    return gap
  }

  /** Makes a body a member, with the pairs that it has manifolds of. */
  private join(batch: Patches, i: number, left: number): void {
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
  private run(batch: Patches, substeps: number): void {
    const { group, h } = this
    const c = this.world.bodies.columns
    let left = h
    let step = 0
    let halvings = 0
    for (let done = 0; done < STEPS; done++) {
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
  }

  /** Moves the group by t; what rests on something goes on resting. */
  private move(batch: Patches, t: number): void {
    const { group } = this
    group.kick(0.5 * t)
    resolveImpacts(this.world.bodies.columns, batch, this.rows, this.count, this.slop, this.h, this.counts)
    group.drift(t)
    group.kick(0.5 * t)
  }

  /** Manifolds of all pairs at the present poses, and which of them are the group's. */
  private findAll(batch: Patches, left: number, substeps: number): void {
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
      const record = colliders.records[id] as ColliderRecord
      colliders.refreshTransform(id)
      writeBounds(record.shape, colliders.transform, 12 * id, box, 0)
      const around = range + motion.sweep(id, time)
      for (let k = 0; k < 3; k++) {
        box[k] -= around
        box[3 + k] += around
      }
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
  private isDeeper(batch: Patches): boolean {
    for (let k = 0; k < this.count; k++) {
      const allowed = this.slop[k] / NEAR
      if (this.measureGap(batch, this.rows[k]) < Math.min(-allowed, this.depth[this.rows[k]] - NEAR * allowed))
        return true
    }
    return false
  }

  private noteDepths(batch: Patches): void {
    this.depth.fill(0, 0, batch.count)
    for (let k = 0; k < this.count; k++) {
      this.depth[this.rows[k]] = Math.min(0, this.measureGap(batch, this.rows[k]))
    }
  }

  /** How far the group may move before manifolds are to be found anew [s]. */
  private chooseStep(batch: Patches, left: number): number {
    const { motion } = this
    const { pair, points } = batch.columns
    let step = left
    for (let k = 0; k < this.count; k++) {
      const row = this.rows[k]
      const a = pair[3 * row]
      const b = pair[3 * row + 1]
      const allowed = this.slop[k] / NEAR
      const gap = this.measure(batch, row)
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

  /** Makes members of what has been struck hard; whether there was any. */
  private promote(batch: Patches, left: number): boolean {
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
