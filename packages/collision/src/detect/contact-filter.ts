/** Which colliders may touch: layers, groups, joints, and whether anything can come of it. */

import { type World } from '@tautline/core'
import { DYNAMIC, WORLD_BODY } from '@tautline/core/kernel'
import type { ColliderRecord } from '../state/collider.js'
import type { Colliders } from '../state/colliders.js'

/** Rows that hold bodies together; contacts come last in the sweep. */
const CONTACT_ORDER = 4
/** More bodies than a world can have: makes one number of two. */
const MANY = 0x4000000

export class ContactFilter {
  private readonly world: World
  private readonly colliders: Colliders
  private readonly jointed = new Set<number>()
  private jointedAt = -1

  constructor(world: World, colliders: Colliders) {
    this.world = world
    this.colliders = colliders
  }

  /** Brings the set of joined bodies up to date. What is switched off or broken joins nothing. */
  refresh(): void {
    const { world, jointed } = this
    let rows = 0
    for (const batch of world.batches) if (joins(batch.arity, batch.type.order)) rows += batch.count
    if (this.jointedAt === world.orderings && rows === 0) return
    this.jointedAt = world.orderings
    jointed.clear()
    for (const batch of world.batches) {
      if (!joins(batch.arity, batch.type.order)) continue
      const { body, slot, enabled } = batch.common
      for (let row = 0; row < batch.count; row++) {
        if (enabled[row] === 0) continue
        const def = batch.defs[slot[row]] as { enableCollision?: boolean }
        const i = body[2 * row]
        const j = body[2 * row + 1]
        // What hangs from a point of the world may still touch the floor.
        if (i === WORLD_BODY || j === WORLD_BODY) continue
        if (def.enableCollision !== true) jointed.add(pairKey(i, j))
      }
    }
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
    return this.jointed.size === 0 || !this.jointed.has(pairKey(i, j))
  }
}

function joins(arity: number, order: number): boolean {
  return arity === 2 && order < CONTACT_ORDER
}

function pairKey(i: number, j: number): number {
  return i < j ? i * MANY + j : j * MANY + i
}
