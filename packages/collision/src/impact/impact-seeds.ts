/**
 * Which bodies have to be moved through a substep by impacts: what would go deep into another, bounce, or turn too far. They are put
 * in sets that may come to each other, because they hang together by contacts or are within reach.
 */

import { viewOf } from '../contact/manifold-plan.js'
import { type LeanWorld } from '@tautline/core'
import { DisjointSets, DYNAMIC } from '@tautline/core/kernel'
import { restingSpeed } from '../contact/loops/goals.js'
import { loadOf, type Manifolds, residual } from '../contact/manifold-columns.js'
import { IntList } from '../detect/broad/int-list.js'
import type { ContactFilter } from '../detect/contact-filter.js'
import { MAX_POINTS } from '../detect/narrow/manifold.js'
import { writeBounds } from '../shapes/bounds.js'
import type { ColliderRecord } from '../state/collider.js'
import type { Colliders } from '../state/colliders.js'
import type { ImpactMotion } from './impact-motion.js'
import { STILL } from './impact-solver.js'
import { measureApproach } from './measure.js'

/** Way into another in a substep, as a share of the least half-extent, that is struck. */
export const DEEP = 0.25
/** Share of that which a substep must add: what is deep already and comes to rest, or leaves, is no impact. */
const SLIGHT = 0.1
/** Fall in a substep from rest, as a share of it, that a soft contact would sink under. */
const SINKS = 0.5
/** Turn in a substep [rad] beyond which what touches is stepped. */
const FAR = 0.4
/** Of these, what makes a body of the pair a seed: the other may be the fast one. */
export const SHARE = 0.5
/** How much farther than they can get others are looked for around members. */
export const AROUND = 1.2
/** Share of a resting speed up to which moving, and turning, cannot reach it with the fall of a substep. */
const RESTS_SHARE = 0.2
const NONE = -1

const box = /* @__PURE__ */ new Float64Array(6)
const speeds = /* @__PURE__ */ new Float64Array(MAX_POINTS)

export class ImpactSeeds {
  /** Rows of the bodies, in the order in which they were found. */
  readonly bodies: IntList = new IntList()
  /** By place in `bodies`: 1 for the first of its set, and the next of the same; −1: none. */
  isFirst: Uint8Array = new Uint8Array(16)
  next: Int32Array = new Int32Array(16)
  private readonly world: LeanWorld
  private readonly colliders: Colliders
  private readonly filter: ContactFilter
  private readonly motion: ImpactMotion
  private readonly sets = new DisjointSets()
  private readonly near = new IntList()
  /** By body: 1 for a seed; by root, the last place of its set. */
  private isSeed = new Uint8Array(0)
  private last = new Int32Array(0)
  /** By body: 1 where a contact bears a load of it. An impact on such a body is shared out in the solve. */
  private isBorne = new Uint8Array(0)
  private h = 0

  constructor(world: LeanWorld, colliders: Colliders, filter: ContactFilter, motion: ImpactMotion) {
    this.world = world
    this.colliders = colliders
    this.filter = filter
    this.motion = motion
  }

  /** Finds the bodies for a substep of `h`, with `later` [s] of the step to come after it; whether there are any. */
  find(batch: Manifolds, visited: IntList, h: number, later: number): boolean {
    this.h = h
    this.bodies.clear()
    if (this.isCalm(batch, visited)) return false
    let begun = this.findStriking(batch, visited)
    const { rows, count } = this.world.bodies.awake
    for (let n = 1; n < count; n++) {
      const i = rows[n]
      if (!this.motion.isSpinning(i, h)) continue
      if (!begun) this.begin(batch)
      begun = true
      this.add(i)
    }
    if (this.bodies.count === 0) return false
    this.connect(batch, h + later)
    return true
  }

  /** Whether even the fastest body could not strike the smallest collider: piles at rest are passed over by this. */
  private isCalm(batch: Manifolds, visited: IntList): boolean {
    const { h, motion } = this
    if (!motion.isSlow(0.25 * DEEP, h)) return false
    const { restitution, fall } = batch.columns
    const mostFall = (SINKS * motion.smallest) / (2 * h * h)
    for (let n = 0; n < visited.count; n++) {
      const row = visited.items[n]
      if (restitution[row] !== 0 || Math.abs(fall[row]) > mostFall) return false
    }
    return true
  }

  /** Adds the bodies of manifolds that strike; whether any does. */
  private findStriking(batch: Manifolds, visited: IntList): boolean {
    const { motion, h } = this
    const { enabled, points, pair, fall } = batch.columns
    const { velocity: v, angularVelocity: w, kind } = this.world.bodies.columns
    const { inner, reach } = this.colliders
    let any = false
    this.markBorne(batch, visited)
    for (let n = 0; n < visited.count; n++) {
      const row = visited.items[n]
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
      const bounces = this.bounceSpeed(batch, row)
      const rests = RESTS_SHARE * bounces
      const isResting = x * x + y * y + z * z <= rests * rests && tipA + tipB <= rests * rests
      if (isSlow && isResting && 2 * h * h * Math.abs(fall[row]) <= SINKS * size) continue
      const way = this.strikes(batch, row, size, bounces)
      if (way === 0) continue
      if (!any) this.begin(batch)
      any = true
      if (motion.way(a, h) + motion.sweep(pair[3 * row], h) >= SHARE * way) this.add(a)
      if (motion.way(b, h) + motion.sweep(pair[3 * row + 1], h) >= SHARE * way) this.add(b)
    }
    return any
  }

  /** Marks the bodies of manifolds that bear a load. */
  private markBorne(batch: Manifolds, visited: IntList): void {
    const { bodies } = this.world
    if (this.isBorne.length < bodies.count) this.isBorne = new Uint8Array(2 * bodies.count)
    this.isBorne.fill(0, 0, bodies.count)
    for (let n = 0; n < visited.count; n++) {
      const row = visited.items[n]
      if (loadOf(batch, row) === 0) continue
      for (let k = 2 * row; k < 2 * row + 2; k++) {
        if (bodies.columns.kind[batch.ids[k]] === DYNAMIC) this.isBorne[batch.ids[k]] = 1
      }
    }
  }

  private begin(batch: Manifolds): void {
    const { count } = this.world.bodies
    // Boxes where things are: those of the step may have been made anew by a query, and what is found must not depend on it.
    this.colliders.refreshPoses()
    this.motion.begin(batch)
    if (this.isSeed.length < count) {
      this.isSeed = new Uint8Array(2 * count)
      this.last = new Int32Array(2 * count)
    }
    this.isSeed.fill(0, 0, count)
  }

  private add(i: number): void {
    if (this.isSeed[i] === 1 || !this.motion.canStep(i)) return
    this.isSeed[i] = 1
    this.bodies.push(i)
  }

  /**
   * How far a manifold's points come nearer in the substep [m], if that takes them deep or makes them bounce, or if the bodies turn far
   * where they are about to touch; else 0.
   */
  private strikes(batch: Manifolds, row: number, size: number, bounces: number): number {
    const { fall, pair, points } = batch.columns
    const { motion, h } = this
    const a = pair[3 * row]
    const b = pair[3 * row + 1]
    const gap = measureApproach(this.world.bodies.columns, batch, row, speeds)
    for (let i = 0; i < points[row]; i++) {
      const speed = speeds[i] + 2 * h * fall[row]
      const deep = residual[i] + h * speed
      const nearer = -h * speed
      if (deep < -DEEP * size && nearer > SLIGHT * DEEP * size) return Math.min(nearer, DEEP * size)
      if (deep < 0 && -speed > Math.max(bounces, STILL)) return Math.min(nearer, DEEP * size)
    }
    return h * motion.turn(a, b) > FAR && gap < h * motion.approach(a, b, h) ? DEEP * size : 0
  }

  /** Speed of approach from which a manifold is struck for its bounce [m/s]; `Infinity` where the solve bounces it. */
  private bounceSpeed(batch: Manifolds, row: number): number {
    const { pair, restitution, friction } = batch.columns
    const { ids } = batch
    if (restitution[row] === 0 || this.isBorne[ids[2 * row]] === 1 || this.isBorne[ids[2 * row + 1]] === 1)
      return Infinity
    // Balls without friction cannot turn each other: they are struck from pair to pair, evenly, after the solve (impact-chains.ts).
    const isEven = friction[2 * row] === 0 && this.isBall(pair[3 * row]) && this.isBall(pair[3 * row + 1])
    return isEven ? Infinity : restingSpeed(viewOf(this.world.bodies.columns, batch), row, this.h)
  }

  private isBall(id: number): boolean {
    return this.colliders.records[id]?.shape.name === 'sphere'
  }

  /** Puts the bodies in sets of what hangs together by contacts, or may come to each other within `time` [s]. */
  private connect(batch: Manifolds, time: number): void {
    const { bodies, sets, last, world } = this
    const { kind } = world.bodies.columns
    const { enabled } = batch.columns
    const { ids } = batch
    sets.reset(world.bodies.count)
    for (let row = 0; row < batch.count; row++) {
      if (enabled[row] === 0 || kind[ids[2 * row]] !== DYNAMIC || kind[ids[2 * row + 1]] !== DYNAMIC) continue
      sets.join(ids[2 * row], ids[2 * row + 1])
    }
    for (let k = 0; k < bodies.count; k++) this.joinAround(k, time)
    if (this.next.length < bodies.count) {
      this.next = new Int32Array(2 * bodies.count)
      this.isFirst = new Uint8Array(2 * bodies.count)
    }
    for (let k = 0; k < bodies.count; k++) last[sets.root(bodies.items[k])] = NONE
    for (let k = 0; k < bodies.count; k++) {
      const set = sets.root(bodies.items[k])
      this.isFirst[k] = last[set] === NONE ? 1 : 0
      if (last[set] !== NONE) this.next[last[set]] = k
      this.next[k] = NONE
      last[set] = k
    }
  }

  /** Joins a body with those that it may come to in `time` [s]. */
  private joinAround(place: number, time: number): void {
    const { motion, colliders, near, sets, filter } = this
    const { kind } = this.world.bodies.columns
    const i = this.bodies.items[place]
    const range = AROUND * motion.way(i, time)
    for (let id = motion.firstOf(i); id >= 0; id = motion.nextOf(id)) {
      writeReach(colliders, id, range + motion.sweep(id, time), box)
      near.clear()
      colliders.tree.query(box, 0, near)
      for (let k = 0; k < near.count; k++) {
        const other = near.items[k]
        const j = colliders.body[other]
        if (kind[j] !== DYNAMIC || sets.root(i) === sets.root(j)) continue
        if (filter.meets(id < other ? id : other, id < other ? other : id)) sets.join(i, j)
      }
    }
  }
}

/** Box of a collider where its body is, wider by `around` [m]. */
export function writeReach(colliders: Colliders, id: number, around: number, out: Float64Array): void {
  colliders.refreshTransform(id)
  writeBounds((colliders.records[id] as ColliderRecord).shape, colliders.transform, 12 * id, out, 0)
  for (let k = 0; k < 3; k++) {
    out[k] -= around
    out[3 + k] += around
  }
}
