/**
 * Islands and sleep. An island is what touches or is joined, bodies that move nothing left aside. It falls asleep when each
 * of its bodies has been slow and in no deep contact for a while, and wakes as a whole when one of them is awake: by a touch, a force, or an edit.
 * Slow: |v| + |ω| r below a speed, r the radius of gyration. All of it follows from the state, so that it repeats.
 */

import { type LeanWorld } from '@tautline/core'
import {
  ASLEEP,
  type Batch,
  type BodyColumns,
  DisjointSets,
  DYNAMIC,
  HAS_TARGET,
  KINEMATIC,
  ROTATES,
  WORLD_BODY,
} from '@tautline/core/kernel'
import { isDeep } from '../contact/deep.js'
import type { Manifolds } from '../contact/manifold-columns.js'
import { IntList } from '../detect/broad/int-list.js'

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
  /** By body: 1 where it was reached, and by root: 1 where a body of the island is not ready to sleep. */
  private reached: Uint8Array = new Uint8Array(0)
  private busy: Uint8Array = new Uint8Array(0)
  /** Bodies that were reached, and how many of them have had their rows looked at. */
  private readonly bodies = new IntList()
  private done = 0

  /** Wakes islands of which a body is awake. `touching` says which rows of `manifolds` push. */
  wake(world: LeanWorld, manifolds: Batch, touching: Float64Array): void {
    if (!hasSleepers(world)) return
    const { rows, count } = world.bodies.awake
    const { columns } = world.bodies
    this.begin(world)
    for (let n = 1; n < count; n++) {
      const i = rows[n]
      if (sleeps(columns, i)) continue
      if (columns.kind[i] === DYNAMIC || isDriven(columns, i)) this.reach(i)
    }
    this.wakeReached(world, manifolds, touching)
    while (this.wakeByLoose(world)) this.wakeReached(world, manifolds, touching)
    this.end()
  }

  /** Counts how long bodies have been slow, and puts islands to sleep. */
  putToSleep(world: LeanWorld, dt: number, options: Required<SleepOptions>, manifolds: Manifolds): void {
    const { columns, awake } = world.bodies
    const { kind, stillTime } = columns
    const { rows, count } = awake
    let ready = false
    for (let n = 1; n < count; n++) {
      const i = rows[n]
      if (kind[i] !== DYNAMIC || sleeps(columns, i)) continue
      stillTime[i] = pace(columns, i) < options.speed ? stillTime[i] + dt : 0
      if (stillTime[i] >= options.time) ready = true
    }
    if (!ready) return
    this.begin(world)
    this.gather(world, manifolds)
    this.mark(columns, options.time)
    for (let n = 1; n < count; n++) {
      if (kind[rows[n]] === DYNAMIC && this.busy[this.sets.root(rows[n])] === 0) world.bodies.putToSleep(rows[n])
    }
    this.end()
  }

  private begin(world: LeanWorld): void {
    const { count } = world.bodies
    if (this.reached.length < count) {
      this.reached = new Uint8Array(2 * count)
      this.busy = new Uint8Array(2 * count)
      this.sets.reserve(2 * count)
    }
    this.done = 0
  }

  private end(): void {
    const { reached, busy, bodies } = this
    for (let k = 0; k < bodies.count; k++) reached[bodies.items[k]] = busy[bodies.items[k]] = 0
    bodies.clear()
  }

  private reach(i: number): void {
    if (this.reached[i] === 1) return
    this.reached[i] = 1
    this.sets.add(i)
    this.bodies.push(i)
  }

  /** Wakes what the rows of bodies that were reached join to them, and so on. */
  private wakeReached(world: LeanWorld, manifolds: Batch, touching: Float64Array): void {
    const { bodies } = this
    while (this.done < bodies.count) {
      const i = bodies.items[this.done++]
      for (let t = 0; t < world.batches.length; t++) {
        const batch = world.batches[t]
        if (batch.type.traits?.unordered === true) continue
        const { incidence, slotRow } = batch
        const pushes = batch === manifolds ? touching : pushesOf(batch)
        for (let end = incidence.firstEnd(i); end >= 0; end = incidence.nextEnd(end)) {
          this.wakeRow(world, batch, slotRow[(end / batch.arity) | 0], pushes)
        }
      }
    }
  }

  /** Wakes the bodies of a row that acts. */
  private wakeRow(world: LeanWorld, { arity, common }: Batch, row: number, pushes: Float64Array | undefined): boolean {
    if (common.enabled[row] === 0 || pushes?.[row] === 0) return false
    let any = false
    for (let k = arity * row; k < arity * (row + 1); k++) {
      const i = common.body[k]
      if (!sleeps(world.bodies.columns, i)) continue
      world.bodies.wake(i)
      this.reach(i)
      any = true
    }
    return any
  }

  /** Wakes the bodies of rows without an order one of whose bodies was reached; whether any slept. */
  private wakeByLoose(world: LeanWorld): boolean {
    let any = false
    for (const batch of world.batches) {
      if (batch.type.traits?.unordered !== true) continue
      const { body } = batch.common
      const pushes = pushesOf(batch)
      for (let row = 0; row < batch.count; row++) {
        let isReached = false
        for (let k = batch.arity * row; k < batch.arity * (row + 1); k++)
          if (this.reached[body[k]] === 1) isReached = true
        if (isReached && this.wakeRow(world, batch, row, pushes)) any = true
      }
    }
    return any
  }

  /** Joins the dynamic bodies of each row that acts, as far as they hang together with one that is awake; of manifolds, those that push. */
  private gather(world: LeanWorld, manifolds: Manifolds): void {
    const { columns, awake } = world.bodies
    const { rows, count } = awake
    const { bodies } = this
    const { settings, clock } = world
    const h = clock.substepLength
    const usual = settings.dt / settings.substeps
    for (let n = 1; n < count; n++) if (columns.kind[rows[n]] === DYNAMIC) this.reach(rows[n])
    for (const batch of world.batches) {
      if (batch.type.traits?.unordered !== true) continue
      const pushes = pushesOf(batch)
      for (let row = 0; row < batch.count; row++) this.joinRow(columns, batch, row, pushes)
    }
    while (this.done < bodies.count) {
      const i = bodies.items[this.done++]
      for (let t = 0; t < world.batches.length; t++) {
        const batch = world.batches[t]
        if (batch.type.traits?.unordered === true) continue
        const { incidence, slotRow } = batch
        const isManifolds = batch === (manifolds as Batch)
        const pushes = pushesOf(batch)
        for (let end = incidence.firstEnd(i); end >= 0; end = incidence.nextEnd(end)) {
          const row = slotRow[(end / batch.arity) | 0]
          this.joinRow(columns, batch, row, pushes)
          if (!isManifolds || pushes![row] === 0 || sleeps(columns, i)) continue
          // Pushed out as positions alone, it is slow all the while: rest begins when it is out.
          if (isDeep(columns, manifolds, row, h, usual)) columns.stillTime[i] = 0
        }
      }
    }
  }

  /** Joins the dynamic bodies of a row that acts. What a moving body drives is busy. */
  private joinRow(columns: BodyColumns, { arity, common }: Batch, row: number, pushes: Float64Array | undefined): void {
    if (common.enabled[row] === 0 || pushes?.[row] === 0) return
    let first = -1
    let driven = false
    for (let k = arity * row; k < arity * (row + 1); k++) {
      const i = common.body[k]
      if (columns.kind[i] !== DYNAMIC) {
        if (i !== WORLD_BODY && isDriven(columns, i)) driven = true
        continue
      }
      this.reach(i)
      if (first < 0) first = i
      else this.sets.join(first, i)
    }
    // Roots change as islands join: `mark` carries this on to the last one.
    if (driven && first >= 0) this.busy[first] = 1
  }

  /** What is busy, by root. */
  private mark(columns: BodyColumns, time: number): void {
    const { bodies, busy, sets } = this
    for (let k = 0; k < bodies.count; k++) {
      const i = bodies.items[k]
      if (busy[i] === 1 || (!sleeps(columns, i) && columns.stillTime[i] < time)) busy[sets.root(i)] = 1
    }
  }
}

/** Which rows of a batch of contacts push; nothing for others, all of which do. */
function pushesOf({ columns }: Batch): Float64Array | undefined {
  return (columns as Partial<Record<string, Float64Array>>).touching
}

/** Counts how long what is not dynamic has been where it was set down. */
export function countRest({ bodies: { columns, awake } }: LeanWorld, dt: number): void {
  const { kind, stillTime } = columns
  const { rows, count } = awake
  for (let n = 1; n < count; n++) if (kind[rows[n]] !== DYNAMIC) stillTime[rows[n]] += dt
}

function hasSleepers({ bodies: { columns, awake } }: LeanWorld): boolean {
  if (awake.resting > 0) return true
  const { rows, count } = awake
  for (let n = 1; n < count; n++) if (sleeps(columns, rows[n])) return true
  return false
}

function sleeps({ kind, flags }: BodyColumns, i: number): boolean {
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
