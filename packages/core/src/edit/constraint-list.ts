/** Constraints that were added at once. */

import { integer } from '../define/assert.js'
import type { Batch } from '../state/batch.js'
import type { WorldState } from '../state/world-state.js'
import { Constraint, handleOf } from './constraint.js'
import type { Slot } from './edit.js'

/** The constraints that `world.addConstraints` has made, in their order. Their handles are made when they are asked for. */
export class ConstraintList<Def extends object = object> implements Iterable<Constraint<Def>> {
  private readonly world: WorldState
  /** The batch of all, or one each. */
  private readonly batches: readonly Batch[]
  private readonly slots: Int32Array
  private readonly generations: Int32Array

  constructor(world: WorldState, batches: readonly Batch[], slots: Int32Array) {
    this.world = world
    this.batches = batches
    this.slots = slots
    this.generations = new Int32Array(slots.length)
    for (let k = 0; k < slots.length; k++) this.generations[k] = this.batchOf(k).slotGeneration[slots[k]]
  }

  /** How many were made, removed ones included. */
  get length(): number {
    return this.slots.length
  }

  /** The handle of the `k`-th. Throws `TypeError`/`RangeError` for what is no place in the list. */
  at(k: number): Constraint<Def> {
    const batch = this.batchOf(integer('at: k', k, 0, this.length - 1))
    const slot = this.slots[k]
    const generation = this.generations[k]
    const isAlive = batch.slotGeneration[slot] === generation && batch.slotRow[slot] >= 0
    const handle = isAlive ? handleOf(this.world, batch, slot) : new Constraint(this.world, batch, slot, generation)
    return handle as unknown as Constraint<Def>
  }

  /** The handles of all. */
  *[Symbol.iterator](): IterableIterator<Constraint<Def>> {
    for (let k = 0; k < this.length; k++) yield this.at(k)
  }

  private batchOf(k: number): Batch {
    return this.batches.length === 1 ? this.batches[0] : this.batches[k]
  }
}

/** The list of what slots hold. */
export function listOf(world: WorldState, slots: readonly Slot[]): ConstraintList {
  return new ConstraintList(
    world,
    slots.map(({ batch }) => batch),
    Int32Array.from(slots, ({ slot }) => slot),
  )
}
