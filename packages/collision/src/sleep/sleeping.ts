/**
 * Islands and sleep. An island is what touches or is joined, bodies that move nothing left aside. It falls asleep when each
 * of its bodies has been slow for a while, and wakes as a whole when one of them is awake: by a touch, a force, or an edit.
 * Slow: |v| + |ω| r below a speed, r the radius of gyration. All of it follows from the state, so that it repeats.
 */

import { type LeanWorld } from '@tautline/core'
import {
  ASLEEP,
  type Batch,
  type BodyColumns,
  DYNAMIC,
  HAS_TARGET,
  KINEMATIC,
  ROTATES,
  WORLD_BODY,
} from '@tautline/core/kernel'
import { DisjointSets } from '../state/disjoint-sets.js'

/** When bodies fall asleep. */
export interface SleepOptions {
  /** |v| + |ω| r below which a body counts as slow [m/s]. @defaultValue 0.03 */
  speed?: number
  /** How long it has to be slow [s]. @defaultValue 0.5 */
  time?: number
}

/** Finds islands; holds what is kept and used again. */
export class Islands {
  private readonly sets = new DisjointSets()
  /** By root: whether a body of the island is awake, and whether one is not ready to sleep. */
  private awake: Uint8Array = new Uint8Array(0)
  private busy: Uint8Array = new Uint8Array(0)

  /** Wakes islands of which a body is awake. `touching` says which rows of `manifolds` push. */
  wake(world: LeanWorld, manifolds: Batch, touching: Float64Array): void {
    const { kind, flags } = world.bodies.columns
    let any = false
    for (let i = 1; i < world.bodies.count; i++) if (sleeps(kind, flags, i)) any = true
    if (!any) return
    this.gather(world, manifolds, touching)
    this.mark(world, 0)
    for (let i = 1; i < world.bodies.count; i++) {
      if (sleeps(kind, flags, i) && this.awake[this.sets.root(i)] === 1) world.bodies.wake(i)
    }
  }

  /** Counts how long bodies have been slow, and puts islands to sleep. */
  putToSleep(
    world: LeanWorld,
    dt: number,
    options: Required<SleepOptions>,
    manifolds: Batch,
    touching: Float64Array,
  ): void {
    const { kind, flags, stillTime } = world.bodies.columns
    let ready = false
    for (let i = 1; i < world.bodies.count; i++) {
      if (kind[i] !== DYNAMIC || sleeps(kind, flags, i)) continue
      stillTime[i] = pace(world.bodies.columns, i) < options.speed ? stillTime[i] + dt : 0
      if (stillTime[i] >= options.time) ready = true
    }
    if (!ready) return
    this.gather(world, manifolds, touching)
    this.mark(world, options.time)
    for (let i = 1; i < world.bodies.count; i++) {
      if (kind[i] === DYNAMIC && this.busy[this.sets.root(i)] === 0) world.bodies.putToSleep(i)
    }
  }

  /** Joins the dynamic bodies of each row that acts; of manifolds, those that push. Notes what a moving body drives. */
  private gather(world: LeanWorld, manifolds: Batch, touching: Float64Array): void {
    const { count, columns } = world.bodies
    if (this.awake.length < count) {
      this.awake = new Uint8Array(2 * count)
      this.busy = new Uint8Array(2 * count)
    }
    this.sets.reset(count)
    this.awake.fill(0)
    this.busy.fill(0)
    for (const batch of world.batches) {
      const { body, enabled } = batch.common
      const { arity } = batch
      // Contacts join where they push.
      const pushes = batch === manifolds ? touching : (batch.columns as Partial<Record<string, Float64Array>>).touching
      for (let row = 0; row < batch.count; row++) {
        if (enabled[row] === 0 || pushes?.[row] === 0) continue
        let first = -1
        let driven = false
        for (let k = arity * row; k < arity * (row + 1); k++) {
          const i = body[k]
          if (i !== WORLD_BODY && columns.kind[i] !== DYNAMIC && isDriven(columns, i)) driven = true
          if (columns.kind[i] !== DYNAMIC) continue
          if (first < 0) first = i
          else this.sets.join(first, i)
        }
        // Roots change as islands join: `mark` carries this on to the last one.
        if (driven && first >= 0) this.awake[first] = 1
      }
    }
  }

  /** What is awake and what is busy, by root. */
  private mark(world: LeanWorld, time: number): void {
    const { kind, flags, stillTime } = world.bodies.columns
    for (let i = 1; i < world.bodies.count; i++) {
      if (kind[i] !== DYNAMIC) continue
      const island = this.sets.root(i)
      if (this.awake[i] === 1) this.awake[island] = this.busy[island] = 1
      if (sleeps(kind, flags, i)) continue
      this.awake[island] = 1
      if (stillTime[i] < time) this.busy[island] = 1
    }
  }
}

/** Counts how long what is not dynamic has been where it was set down. */
export function countRest({ bodies }: LeanWorld, dt: number): void {
  const { kind, stillTime } = bodies.columns
  for (let i = 1; i < bodies.count; i++) if (kind[i] !== DYNAMIC) stillTime[i] += dt
}

function sleeps(kind: Float64Array, flags: Float64Array, i: number): boolean {
  return kind[i] === DYNAMIC && (flags[i] & ASLEEP) !== 0
}

/** Whether a static or kinematic body moves, is about to, or was set down since the last step. */
function isDriven(c: BodyColumns, i: number): boolean {
  if (c.stillTime[i] === 0) return true
  if (c.kind[i] !== KINEMATIC) return false
  for (let k = 3 * i; k < 3 * i + 3; k++) if (c.velocity[k] !== 0 || c.angularVelocity[k] !== 0) return true
  return (c.flags[i] & HAS_TARGET) !== 0
}

/** |v| + |ω| r of a body [m/s]. */
function pace(c: BodyColumns, i: number): number {
  const { velocity: v, angularVelocity: w, principalInertia: moments } = c
  const k = 3 * i
  const speed = Math.sqrt(v[k] * v[k] + v[k + 1] * v[k + 1] + v[k + 2] * v[k + 2])
  if ((c.flags[i] & ROTATES) === 0) return speed
  const spin = Math.sqrt(w[k] * w[k] + w[k + 1] * w[k + 1] + w[k + 2] * w[k + 2])
  const moment = Math.max(moments[k], moments[k + 1], moments[k + 2])
  return speed + spin * Math.sqrt(moment * c.inverseMass[i])
}
