/** How bodies and colliders move at present: the bounds and limits that impacts are stepped by. */

import { type LeanWorld } from '@tautline/core'
import {
  ADVANCED,
  ANY_TRANSLATION_LOCK,
  DYNAMIC,
  KINEMATIC,
  RESTS,
  SPHERICAL,
  STATIC,
  ROTATES,
} from '@tautline/core/kernel'
import type { ColliderRecord } from '../state/collider.js'
import type { Colliders } from '../state/colliders.js'
import type { Manifolds } from '../contact/manifold-columns.js'
import { SPHERE } from '../shapes/shape.js'

/** Overlap that a step may make, as a share of the least half-extent, and at most [m]. */
const ALLOWED = 0.1
const MOST_ALLOWED = 1e-3
/** Turn [rad] beyond which points of whatever shape no longer stand for its surface. */
const MOST_TURN = 0.2
/** Turn in a substep [rad] beyond which a body is moved by itself, and one whose moments are equal. */
const SPIN = 0.25
const ROUND_SPIN = 2.5
const NONE = -1

export class ImpactMotion {
  private readonly world: LeanWorld
  private readonly colliders: Colliders
  /** By body: 1 where a constraint other than a contact holds it. */
  private held = new Uint8Array(0)
  /** By body, its first collider; by collider, the next of its body. */
  private first = new Int32Array(0)
  private next = new Int32Array(0)
  /** The least inner radius of the colliders of dynamic bodies, and the longest reach of what is not static [m]. */
  smallest = 0
  private longest = 0
  /** Changes of colliders, and the version of the bodies, that these two are of. */
  private sizesOf = -1
  private sizesAt = -1

  constructor(world: LeanWorld, colliders: Colliders) {
    this.world = world
    this.colliders = colliders
  }

  /** Brings `smallest` and the longest reach up to date, where colliders or bodies have changed. */
  measureSizes(): void {
    const { records, body, inner, reach, changes } = this.colliders
    const { version, columns } = this.world.bodies
    if (this.sizesOf === changes && this.sizesAt === version) return
    this.sizesOf = changes
    this.sizesAt = version
    const { kind } = columns
    this.smallest = Infinity
    this.longest = 0
    for (let id = 0; id < records.length; id++) {
      if (records[id] === undefined || kind[body[id]] === STATIC) continue
      if (kind[body[id]] === DYNAMIC) this.smallest = Math.min(this.smallest, inner[id])
      this.longest = Math.max(this.longest, reach[id])
    }
  }

  /** Whether in h no body moves, nor turns its surface, by more than a share of the smallest collider. */
  isSlow(share: number, h: number): boolean {
    const { velocity: v, angularVelocity: w, kind } = this.world.bodies.columns
    const most = (share * this.smallest) / h
    const mostTurn = Math.min(most / this.longest, SPIN / h)
    const { rows, count } = this.world.bodies.awake
    for (let n = 0; n < count; n++) {
      const i = rows[n]
      if (kind[i] === STATIC) continue
      const k = 3 * i
      if (!(v[k] * v[k] + v[k + 1] * v[k + 1] + v[k + 2] * v[k + 2] <= most * most)) return false
      if (!(w[k] * w[k] + w[k + 1] * w[k + 1] + w[k + 2] * w[k + 2] <= mostTurn * mostTurn)) return false
    }
    return true
  }

  /** Brings up to date which bodies are held, and their colliders. */
  begin(contacts: Manifolds): void {
    const { world, colliders } = this
    const { count } = world.bodies
    const { records, body } = colliders
    if (this.held.length < count) {
      this.held = new Uint8Array(2 * count)
      this.first = new Int32Array(2 * count)
    }
    if (this.next.length < records.length) this.next = new Int32Array(2 * records.length)
    const { held, first, next } = this
    held.fill(0, 0, count)
    first.fill(NONE, 0, count)
    for (const batch of world.batches) {
      if (batch.table === contacts.table) continue
      for (let k = 0; k < batch.arity * batch.active; k++) held[batch.ids[k]] = 1
    }
    for (let id = records.length - 1; id >= 0; id--) {
      if (records[id] === undefined) continue
      next[id] = first[body[id]]
      first[body[id]] = id
    }
  }

  firstOf(i: number): number {
    return this.first[i]
  }

  nextOf(id: number): number {
    return this.next[id]
  }

  /** Whether a body can be moved through the substep by itself, and has not been yet. */
  canStep(i: number): boolean {
    const { kind, flags } = this.world.bodies.columns
    return kind[i] === DYNAMIC && (flags[i] & (RESTS | ANY_TRANSLATION_LOCK | ADVANCED)) === 0 && this.held[i] === 0
  }

  /** Whether it turns so far in h that it cannot be told from two poses, or by the midpoint rule. */
  isSpinning(i: number, h: number): boolean {
    const { angularVelocity: w, kind, flags } = this.world.bodies.columns
    if (kind[i] !== DYNAMIC || (flags[i] & (RESTS | ROTATES)) !== ROTATES) return false
    const square = w[3 * i] * w[3 * i] + w[3 * i + 1] * w[3 * i + 1] + w[3 * i + 2] * w[3 * i + 2]
    const most = (flags[i] & SPHERICAL) === 0 ? SPIN : ROUND_SPIN
    return h * h * square > most * most
  }

  /** Whether it may move in the substep. */
  moves(i: number): boolean {
    const { kind, flags } = this.world.bodies.columns
    return kind[i] === KINEMATIC || (kind[i] === DYNAMIC && (flags[i] & RESTS) === 0)
  }

  /** The least half-extent of the colliders of a body [m]. */
  innerOf(i: number): number {
    let least = Infinity
    for (let id = this.first[i]; id >= 0; id = this.next[id]) least = Math.min(least, this.colliders.inner[id])
    return least
  }

  /** Overlap that a step may make [m]. */
  allowed(a: number, b: number): number {
    const { inner } = this.colliders
    return Math.min(ALLOWED * Math.min(inner[a], inner[b]), MOST_ALLOWED)
  }

  /** The faster spin of two colliders [rad/s], as far as it moves their surfaces. */
  turn(a: number, b: number): number {
    return Math.max(this.reachOf(a) > 0 ? this.spinOf(a) : 0, this.reachOf(b) > 0 ? this.spinOf(b) : 0)
  }

  /** Bound on how fast two colliders come nearer within `time` [s]. */
  approach(a: number, b: number, time: number): number {
    const { body } = this.colliders
    const { velocity: v, gravityScale } = this.world.bodies.columns
    const { gravity } = this.world.settings
    const i = body[a]
    const j = body[b]
    let square = 0
    let fall = 0
    for (let k = 0; k < 3; k++) {
      const d = v[3 * i + k] - v[3 * j + k]
      square += d * d
      fall += gravity[k] * gravity[k]
    }
    const gained = time * Math.sqrt(fall) * (Math.abs(gravityScale[i]) + Math.abs(gravityScale[j]))
    return Math.sqrt(square) + gained + (this.sweep(a, time) + this.sweep(b, time)) / time
  }

  /** How far a body may get in `time` [m]. */
  way(i: number, time: number): number {
    const { velocity: v, gravityScale } = this.world.bodies.columns
    const { gravity } = this.world.settings
    let square = 0
    let fall = 0
    for (let k = 0; k < 3; k++) {
      square += v[3 * i + k] * v[3 * i + k]
      fall += gravity[k] * gravity[k]
    }
    return time * (Math.sqrt(square) + 0.5 * time * Math.abs(gravityScale[i]) * Math.sqrt(fall))
  }

  /** How far its turning may move a point of a collider in `time` [m]: no farther than the chord of half a turn. */
  sweep(id: number, time: number): number {
    const reach = this.reachOf(id)
    return reach === 0 ? 0 : reach * Math.min(time * this.spinOf(id), 2)
  }

  /** How long two colliders may turn until their points no longer stand for their surfaces [s]: r θ²/2 = `allowed` [m]. */
  turnTime(a: number, b: number, allowed: number): number {
    return Math.min(this.turnTimeOf(a, allowed), this.turnTimeOf(b, allowed))
  }

  private turnTimeOf(id: number, allowed: number): number {
    const reach = this.reachOf(id)
    const spin = this.spinOf(id)
    if (reach === 0 || spin === 0) return Infinity
    return Math.min(Math.sqrt((2 * allowed) / reach), MOST_TURN) / spin
  }

  private spinOf(id: number): number {
    const { angularVelocity: w } = this.world.bodies.columns
    const o = 3 * this.colliders.body[id]
    return Math.sqrt(w[o] * w[o] + w[o + 1] * w[o + 1] + w[o + 2] * w[o + 2])
  }

  /** Distance of the farthest point of a collider that turning moves from its body's centre [m]; 0 for planes, which have none. */
  private reachOf(id: number): number {
    const { colliders } = this
    const { transform: T, body, reach } = colliders
    if (reach[id] === Infinity) return 0
    const { position: x } = this.world.bodies.columns
    const p = 4 * body[id]
    const dx = T[12 * id] - x[p]
    const dy = T[12 * id + 1] - x[p + 1]
    const dz = T[12 * id + 2] - x[p + 2]
    const offset = Math.sqrt(dx * dx + dy * dy + dz * dz)
    // The centre of a lone ball is that of its body but for round-off.
    if ((colliders.records[id] as ColliderRecord).shape.kind === SPHERE) return offset > 1e-9 * reach[id] ? offset : 0
    return offset + reach[id]
  }
}
