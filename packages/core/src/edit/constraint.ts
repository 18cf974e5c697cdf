/** The handle of a constraint. */

import { integer } from '../define/assert.js'
import type { Batch } from '../state/batch.js'
import type { Body } from '../state/body.js'
import { constraintError, reaction, type Reaction } from '../measure/residuals.js'
import type { WorldState } from '../state/world-state.js'
import { changeRow, removeRow } from './edit.js'

/** How the handle of a constraint is printed: the name of its type, and which of its constraints. */
export interface ConstraintHandleJson {
  constraint: string
  slot: number
  generation: number
}

/** Some fields of a definition, and some of those of the objects in it; `undefined` takes off what may be left out. */
export type Changes<Def> = { [Field in keyof Def]?: Change<Def[Field]> | undefined }

type Change<Value> = Value extends ArrayLike<unknown> | ((...values: never[]) => unknown)
  ? Value
  : Value extends object
    ? Changes<Value>
    : Value

/**
 * A constraint of a world: a slot and a generation. There is one handle of each: what a world gives back is `===` what `add` gave.
 * Stale handles throw a `RangeError` that names them.
 */
export class Constraint<Def extends object = object> {
  /** The world it acts in. */
  readonly world: WorldState
  /** The rows it is one of. */
  readonly batch: Batch
  /** Its place among the handles of the batch. */
  readonly slot: number
  /** How often the slot had been given out before. */
  readonly generation: number
  /** Anything of yours, an entity or a mesh: it stays with the handle, also through `restore`, and is no part of JSON. */
  userData: unknown = undefined

  constructor(world: WorldState, batch: Batch, slot: number, generation: number) {
    this.world = world
    this.batch = batch
    this.slot = slot
    this.generation = generation
  }

  /** Name of its type. */
  get typeName(): string {
    return this.batch.type.name
  }

  /** Whether it still exists. */
  get alive(): boolean {
    return this.batch.slotGeneration[this.slot] === this.generation && this.batch.slotRow[this.slot] >= 0
  }

  /** Its definition with everything that was left out filled in; changes through {@link set}. */
  get def(): Readonly<Def> {
    this.row()
    return this.batch.definition(this.slot) as Def
  }

  /** The bodies it joins; `null` is the world. */
  get bodies(): (Body | null)[] {
    const { arity, common } = this.batch
    const row = this.row()
    return Array.from({ length: arity }, (_, b) => this.world.bodies.handle(common.body[arity * row + b]) ?? null)
  }

  /** How far it is from being satisfied at the present pose [m, rad; m³ for six volumes]; 0 for a force. */
  get error(): number {
    return constraintError(this.world.bodies.columns, this.batch, this.row())
  }

  /** Magnitude of the force on its first body in the last substep [N], λ/h². */
  get force(): number {
    return length(this.reaction().force)
  }

  /** Magnitude of the couple of its angular rows in the last substep [N m], λ/h². */
  get torque(): number {
    return length(this.reaction().torque)
  }

  /** Force [N] and couple [N m] on its `k`-th body in the last substep, world frame. @defaultValue k = 0 */
  reaction(k = 0): Reaction {
    const row = this.row()
    integer('reaction: body', k, 0, this.batch.arity - 1)
    return reaction(this.world, this.batch, row, k)
  }

  /** The multipliers λ of the last substep (force times h²), in the order of its type's rows. */
  get multipliers(): number[] {
    const n = this.batch.type.multipliers
    const row = this.row()
    return Array.from(this.batch.common.lambda.subarray(n * row, n * (row + 1)))
  }

  /** Whether it acts. Switching a broken one on mends it. */
  get enabled(): boolean {
    return this.batch.common.enabled[this.row()] !== 0
  }

  set enabled(enabled: boolean) {
    this.set({ enabled } as unknown as Changes<Def>)
  }

  /** Whether it broke. */
  get broken(): boolean {
    return this.batch.common.broken[this.row()] !== 0
  }

  /**
   * Changes fields of its definition while the world runs; what is not named stays, also within `drive`, `limits` and the like, and
   * `undefined` takes one of those off. Throws, and changes nothing, when a value is wrong. The bodies cannot change.
   */
  set(changes: Changes<Def>): void {
    this.row()
    changeRow(this.world, this, changes)
  }

  /** Removes it. */
  remove(): void {
    this.row()
    removeRow(this.world, this)
  }

  /** Which it is, in JSON. */
  toJSON(): ConstraintHandleJson {
    return { constraint: this.typeName, slot: this.slot, generation: this.generation }
  }

  /** Its row at present. */
  row(): number {
    if (!this.alive) {
      const now = this.batch.slotGeneration[this.slot]
      throw new RangeError(
        `${this.typeName}: constraint ${this.slot} of generation ${this.generation} must exist, got a removed one (the slot is at generation ${now})`,
      )
    }
    return this.batch.slotRow[this.slot]
  }
}

/** The one handle of what a slot holds; made when it is first asked for. */
export function handleOf(world: WorldState, batch: Batch, slot: number): Constraint {
  const generation = batch.slotGeneration[slot]
  const known = batch.handles[slot] as Constraint | undefined
  if (known?.generation === generation) return known
  // A list that is left by far has its entries searched from then on.
  while (batch.handles.length < slot) batch.handles.push(undefined)
  return (batch.handles[slot] = new Constraint(world, batch, slot, generation))
}

/** The handles of all constraints, oldest first. */
export function constraintsOf(world: WorldState): Constraint[] {
  const found: { handle: Constraint; sequence: number }[] = []
  for (const batch of world.batches) {
    if (batch.type.transient === true) continue
    for (let row = 0; row < batch.count; row++) {
      const handle = handleOf(world, batch, batch.common.slot[row])
      found.push({ handle, sequence: batch.common.sequence[row] })
    }
  }
  return found.sort((r, s) => r.sequence - s.sequence).map(({ handle }) => handle)
}

function length(v: readonly [number, number, number]): number {
  return Math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
}
