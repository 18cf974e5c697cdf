/** Which colliders may touch: layers, groups, joints, and whether anything can come of it. */

import { type LeanWorld } from '@tautline/core'
import { DYNAMIC, WORLD_BODY } from '@tautline/core/kernel'
import type { ColliderRecord } from '../state/collider.js'
import type { Colliders } from '../state/colliders.js'

/** Rows that hold bodies together; contacts come last in the sweep. */
const CONTACT_ORDER = 4
/** What says which others something meets. */
export interface Filtered {
  readonly layer: number
  readonly mask: number
  readonly group: number
}
/** More bodies than a world can have: makes one number of two. */
const MANY = 0x4000000

export class ContactFilter {
  private readonly world: LeanWorld
  private readonly colliders: Colliders
  private readonly jointed = new Set<number>()
  /** By body: 1 where a joint holds it to another. */
  private hasJoint = new Uint8Array(0)
  private jointedAt = -1
  /** Pairs of bodies that a user told not to meet, and by body the others of its pairs. */
  private readonly ignored = new Set<number>()
  private readonly ignoredOf = new Map<number, Set<number>>()

  constructor(world: LeanWorld, colliders: Colliders) {
    this.world = world
    this.colliders = colliders
  }

  /** Brings the set of joined bodies up to date. What is switched off or broken joins nothing. */
  refresh(): void {
    const { world, jointed } = this
    let rows = 0
    for (const batch of world.batches) if (joins(batch.arity, batch.type.order)) rows += batch.count
    if (this.jointedAt === world.orderings && (rows === 0 || !world.isOrderStale)) return
    // What is still to be put in order may change again before it is.
    this.jointedAt = world.isOrderStale ? -1 : world.orderings
    jointed.clear()
    if (this.hasJoint.length < world.bodies.count) this.hasJoint = new Uint8Array(2 * world.bodies.count)
    this.hasJoint.fill(0)
    for (const batch of world.batches) {
      if (!joins(batch.arity, batch.type.order)) continue
      const { body, slot, enabled } = batch.common
      for (let row = 0; row < batch.count; row++) {
        if (enabled[row] === 0) continue
        const i = body[2 * row]
        const j = body[2 * row + 1]
        // What hangs from a point of the world may still touch the floor.
        if (i === WORLD_BODY || j === WORLD_BODY) continue
        if (batch.definitionField(slot[row], 'enableCollision') === true) continue
        jointed.add(pairKey(i, j))
        this.hasJoint[i] = this.hasJoint[j] = 1
      }
    }
  }

  /** Has two bodies meet, or not: besides layers, groups and joints. */
  setPair(i: number, j: number, meet: boolean): void {
    if (meet) this.ignored.delete(pairKey(i, j))
    else this.ignored.add(pairKey(i, j))
    for (const [one, other] of [
      [i, j],
      [j, i],
    ]) {
      if (meet) this.ignoredOf.get(one)?.delete(other)
      else if (!this.ignoredOf.has(one)) this.ignoredOf.set(one, new Set([other]))
      else this.ignoredOf.get(one)?.add(other)
    }
  }

  /** Whether two bodies were told not to meet. */
  isIgnored(i: number, j: number): boolean {
    return this.ignored.has(pairKey(i, j))
  }

  /** Pairs that were told not to meet, two rows each, lower row first, in order. */
  get ignoredPairs(): number[] {
    const keys = Array.from(this.ignored).sort((r, s) => r - s)
    return keys.flatMap((key) => [Math.floor(key / MANY), key % MANY])
  }

  /** Takes pairs over in place of those known. */
  replaceIgnored(pairs: readonly number[]): void {
    this.ignored.clear()
    this.ignoredOf.clear()
    for (let k = 0; k < pairs.length; k += 2) this.setPair(pairs[k], pairs[k + 1], false)
  }

  /** Forgets the pairs of a body that is removed: its row may be another's soon. */
  forget(i: number): void {
    for (const j of this.ignoredOf.get(i) ?? []) this.setPair(i, j, true)
    this.ignoredOf.delete(i)
  }

  /** Whether a joint holds a body to any other. */
  hasJoints(i: number): boolean {
    return i !== WORLD_BODY && this.jointed.size > 0 && this.hasJoint[i] === 1
  }

  /** Whether a joint holds two bodies together. */
  isJoined(i: number, j: number): boolean {
    return this.jointed.has(pairKey(i, j))
  }

  /** Whether particles of a set may touch a collider, or those of another set, as far as layers and groups say. */
  meetsParticles(r: Filtered, s: Filtered): boolean {
    if (r.group !== 0 && r.group === s.group) return r.group > 0
    return (r.layer & s.mask) !== 0 && (s.layer & r.mask) !== 0
  }

  isSensor(id: number): boolean {
    return (this.colliders.records[id] as ColliderRecord).sensor
  }

  /** Whether two colliders may touch. */
  meets(a: number, b: number): boolean {
    const { records, body } = this.colliders
    const i = body[a]
    const j = body[b]
    if (i === j && i !== WORLD_BODY) return false
    const r = records[a] as ColliderRecord
    const s = records[b] as ColliderRecord
    const { kind } = this.world.bodies.columns
    if (kind[i] !== DYNAMIC && kind[j] !== DYNAMIC && !r.sensor && !s.sensor) return false
    // Surfaces without an inside, which only a driven sensor brings together.
    if (!r.shape.movable && !s.shape.movable) return false
    if (r.group !== 0 && r.group === s.group) {
      if (r.group < 0) return false
    } else if ((r.layer & s.mask) === 0 || (s.layer & r.mask) === 0) return false
    if (this.ignored.size > 0 && this.ignored.has(pairKey(i, j))) return false
    return this.jointed.size === 0 || !this.jointed.has(pairKey(i, j))
  }
}

function joins(arity: number, order: number): boolean {
  return arity === 2 && order < CONTACT_ORDER
}

function pairKey(i: number, j: number): number {
  return i < j ? i * MANY + j : j * MANY + i
}
