/** The handle of a collider: what a user holds, and what events and queries name. */

import type { Body, LeanWorld } from '@tautline/core'
import type { Shape } from '../shapes/shape.js'
import type { ColliderChanges, ColliderRecord } from './collider.js'
import type { Material } from './material.js'

/** What a handle asks: the collisions that it belongs to. */
export interface ColliderOwner {
  readonly world: LeanWorld
  /** What is known of a handle, unless it is stale. */
  find(collider: Collider): ColliderRecord | undefined
  /** The same, or what was known of it when it was removed. */
  recall(collider: Collider): ColliderRecord | undefined
  /** See {@link Collider.set}. */
  change(collider: Collider, changes: ColliderChanges): void
  /** See {@link Collider.remove}. */
  removeCollider(collider: Collider): void
}

/** How the handle of a collider is printed: its number and its name. */
export interface ColliderHandleJson {
  collider: number
  generation: number
  name?: string
}

/**
 * A collider: a number and a generation. There is one handle of each: what events and queries name is `===` what `addCollider` gave.
 * The handle of a removed collider keeps its last body, shape, material and name; `set` and `remove` throw a `RangeError`.
 */
export class Collider {
  readonly collisions: ColliderOwner
  /** Its number; contacts are in the order of numbers. */
  readonly id: number
  readonly generation: number
  /** Anything of yours, an entity or a mesh: it stays with the handle, also through `restore`, and is no part of JSON. */
  userData: unknown = undefined

  constructor(collisions: ColliderOwner, id: number, generation: number) {
    this.collisions = collisions
    this.id = id
    this.generation = generation
  }

  /** Whether it still exists. */
  get alive(): boolean {
    return this.collisions.find(this) !== undefined
  }

  /** The body that it is fixed to; `null` is the world. Of a removed collider it may be removed too. */
  get body(): Body | null {
    return this.record().body
  }

  get shape(): Shape {
    return this.record().shape
  }

  get material(): Material {
    return this.record().material
  }

  get sensor(): boolean {
    return this.record().sensor
  }

  get continuous(): boolean {
    return this.record().continuous
  }

  get name(): string | undefined {
    return this.record().name
  }

  /** Changes what is named and leaves the rest; wakes the body. Throws, and changes nothing, when a value is wrong. */
  set(changes: ColliderChanges): void {
    this.assertAlive()
    this.collisions.change(this, changes)
  }

  /** Removes it, and wakes what it touched. */
  remove(): void {
    this.assertAlive()
    this.collisions.removeCollider(this)
  }

  /** How messages name it. */
  get label(): string {
    const name = this.collisions.recall(this)?.name
    return name === undefined ? `collider ${this.id}` : `collider ${this.id} "${name}"`
  }

  /** Which it is, in JSON. */
  toJSON(): ColliderHandleJson {
    const { id, generation } = this
    const name = this.collisions.recall(this)?.name
    return name === undefined ? { collider: id, generation } : { collider: id, generation, name }
  }

  private record(): ColliderRecord {
    const record = this.collisions.recall(this)
    if (record === undefined) throw this.stale()
    return record
  }

  private assertAlive(): void {
    if (!this.alive) throw this.stale()
  }

  private stale(): RangeError {
    return new RangeError(`collider: ${this.label} of generation ${this.generation} must exist, got a removed one`)
  }
}
