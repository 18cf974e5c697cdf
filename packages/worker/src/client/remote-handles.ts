/** Handles of what lives in the worker, but for bodies: what is called on them is posted, what is asked is promised. */

import type { Collider, ColliderChanges, Material, ParticleChanges, ParticleSet, Shape } from '@tautline/collision'
import type { Body, Changes, Constraint, Reaction } from '@tautline/core'
import type { RemoteBody } from './remote-body.js'
import { RemoteHandle, type RemoteOwner } from './remote-handle.js'

/** A value with remote handles in place of handles, wherever they are in it. */
export type Remote<Value> = Value extends Body
  ? RemoteBody
  : Value extends Constraint
    ? RemoteConstraint
    : Value extends Collider
      ? RemoteCollider
      : Value extends ParticleSet
        ? RemoteParticles
        : Value extends Shape | ArrayBufferView | string | number | boolean | null | undefined
          ? Value
          : Value extends readonly unknown[]
            ? { [Place in keyof Value]: Remote<Value[Place]> }
            : Value extends ArrayLike<number> | ((...args: never[]) => unknown)
              ? Value
              : Value extends object
                ? { [Field in keyof Value]: Remote<Value[Field]> }
                : Value

/** What a constraint says of itself. */
export interface ConstraintReading<Def extends object = object> {
  typeName: string
  /** The bodies it joins; `null` is the world. */
  bodies: (RemoteBody | null)[]
  /** Its definition with everything that was left out filled in. */
  def: Remote<Def>
  /** How far it is from being satisfied [m, rad; m³ for six volumes]. */
  error: number
  /** Magnitude of the force on its first body in the last substep [N]. */
  force: number
  /** Magnitude of the couple of its angular rows in the last substep [N m]. */
  torque: number
  /** Multipliers λ of the last substep. */
  multipliers: number[]
  enabled: boolean
  broken: boolean
}

/** A constraint of a world in a worker. */
export class RemoteConstraint<Def extends object = object> extends RemoteHandle {
  /** Name of its type. */
  readonly typeName: string

  /** Made by `RemoteWorld.add`. */
  constructor(remote: RemoteOwner, id: number, typeName: string) {
    super(remote, id)
    this.typeName = typeName
  }

  /** Changes fields of its definition: see `Constraint.set`. */
  set(changes: Remote<Changes<Def>>): void {
    this.remote.post('constraint.set', this, changes)
  }

  /** Whether it acts; switching a broken one on mends it. */
  setEnabled(enabled: boolean): void {
    this.remote.post('constraint.set', this, { enabled })
  }

  /** Removes it. */
  remove(): void {
    this.remote.post('constraint.remove', this)
  }

  /** Force [N] and couple [N m] on its `k`-th body in the last substep, world frame. @defaultValue k = 0 */
  reaction(k = 0): Promise<Reaction> {
    return this.remote.ask('constraint.reaction', this, k)
  }

  /** Everything that can be read of it. Rejected with a `RangeError` when it is no more. */
  read(): Promise<ConstraintReading<Def>> {
    return this.remote.ask('constraint.read', this)
  }
}

/** What a collider says of itself. */
export interface ColliderReading {
  /** `null`: the world. */
  body: RemoteBody | null
  material: Material
  sensor: boolean
  name: string | undefined
}

/** A collider of a world in a worker. */
export class RemoteCollider extends RemoteHandle {
  /** Changes what is named and leaves the rest: see `Collider.set`. */
  set(changes: ColliderChanges): void {
    this.remote.post('collider.set', this, changes)
  }

  /** Removes it, and wakes what it touched. */
  remove(): void {
    this.remote.post('collider.remove', this)
  }

  /** Everything that can be read of it but its shape. Rejected with a `RangeError` when it is no more. */
  read(): Promise<ColliderReading> {
    return this.remote.ask('collider.read', this)
  }
}

/** A set of particles that collide, of a world in a worker. */
export class RemoteParticles extends RemoteHandle {
  /** Changes what is named and leaves the rest: see `ParticleSet.set`. */
  set(changes: ParticleChanges): void {
    this.remote.post('particles.set', this, changes)
  }

  /** Has its particles collide no more; they stay. */
  remove(): void {
    this.remote.post('particles.remove', this)
  }
}

/** A snapshot that stays in the worker until the page lets go of this. */
export class RemoteSnapshot extends RemoteHandle {}
