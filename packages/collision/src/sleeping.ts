/**
 * Islands and sleep. An island is what touches or is joined, bodies that move nothing aside. It falls asleep when each of
 * its bodies has been slow for a while, and wakes as a whole when one of them is awake: by a touch, a force, or an edit.
 * Slow: |v| + |ω| r below a speed, r the radius of gyration. All of it follows from the state, so it repeats.
 */

import { DYNAMIC, KINEMATIC, RESTS, TURNS, type World } from '@tautline/core'

/** When bodies fall asleep. */
export interface SleepOptions {
  /** |v| + |ω| r below which a body counts as slow [m/s]. @defaultValue 0.03 */
  speed?: number
  /** How long it has to be slow [s]. @defaultValue 0.5 */
  time?: number
}

export class Islands {
  private parent = new Int32Array(0)
  /** By island: whether a body of it is awake, asleep, or not yet ready to sleep. */
  private awake = new Uint8Array(0)
  private asleep = new Uint8Array(0)
  private busy = new Uint8Array(0)

  /** Wakes islands of which a body is awake. */
  wake(world: World): void {
    if (!this.anyAsleep(world)) return
    this.gather(world)
    this.mark(world, 0)
    const { kind, flags } = world.bodies.columns
    for (let i = 1; i < world.bodies.count; i++) {
      if (kind[i] !== DYNAMIC || (flags[i] & RESTS) === 0) continue
      if (this.awake[this.root(i)] === 1) world.bodies.wake(i)
    }
  }

  /** Counts how long bodies have been slow, and puts islands to sleep. */
  settle(world: World, dt: number, options: Required<SleepOptions>): void {
    const { kind, flags, stillTime } = world.bodies.columns
    let ready = false
    for (let i = 1; i < world.bodies.count; i++) {
      if (kind[i] !== DYNAMIC || (flags[i] & RESTS) !== 0) continue
      stillTime[i] = pace(world, i) < options.speed ? stillTime[i] + dt : 0
      if (stillTime[i] >= options.time) ready = true
    }
    if (!ready) return
    this.gather(world)
    this.mark(world, options.time)
    for (let i = 1; i < world.bodies.count; i++) {
      if (kind[i] !== DYNAMIC || (flags[i] & RESTS) !== 0) continue
      if (this.busy[this.root(i)] === 0) world.bodies.putToSleep(i)
    }
  }

  private anyAsleep(world: World): boolean {
    const { kind, flags } = world.bodies.columns
    for (let i = 1; i < world.bodies.count; i++) if (kind[i] === DYNAMIC && (flags[i] & RESTS) !== 0) return true
    return false
  }

  /** Union of the bodies of each row that acts; patches only where they touch. */
  private gather(world: World): void {
    const count = world.bodies.count
    if (this.parent.length < count) {
      this.parent = new Int32Array(2 * count)
      this.awake = new Uint8Array(2 * count)
      this.asleep = new Uint8Array(2 * count)
      this.busy = new Uint8Array(2 * count)
    }
    for (let i = 0; i < count; i++) this.parent[i] = i
    this.awake.fill(0)
    this.asleep.fill(0)
    this.busy.fill(0)
    const { kind } = world.bodies.columns
    for (const batch of world.batches) {
      const { body, enabled } = batch.common
      const { touching } = batch.columns as Record<string, Float64Array | undefined>
      for (let row = 0; row < batch.count; row++) {
        if (enabled[row] === 0 || (batch.type.transient === true && touching?.[row] === 0)) continue
        let first = -1
        for (let k = batch.arity * row; k < batch.arity * (row + 1); k++) {
          if (kind[body[k]] !== DYNAMIC) {
            continue
          }
          if (first < 0) first = body[k]
          else this.join(first, body[k])
        }
      }
    }
    this.markDriven(world)
  }

  /** What touches or is joined to a kinematic body that moves is awake. */
  private markDriven(world: World): void {
    const { kind, velocity, angularVelocity, flags } = world.bodies.columns
    for (const batch of world.batches) {
      const { body, enabled } = batch.common
      const { touching } = batch.columns as Record<string, Float64Array | undefined>
      for (let row = 0; row < batch.count; row++) {
        if (enabled[row] === 0 || (batch.type.transient === true && touching?.[row] === 0)) continue
        let driven = false
        for (let k = batch.arity * row; k < batch.arity * (row + 1); k++) {
          const i = body[k]
          if (kind[i] !== KINEMATIC) continue
          for (let s = 3 * i; s < 3 * i + 3; s++) if (velocity[s] !== 0 || angularVelocity[s] !== 0) driven = true
          if ((flags[i] & 8) !== 0) driven = true
        }
        if (!driven) continue
        for (let k = batch.arity * row; k < batch.arity * (row + 1); k++) {
          if (kind[body[k]] === DYNAMIC) this.awake[this.root(body[k])] = this.busy[this.root(body[k])] = 1
        }
      }
    }
  }

  private mark(world: World, time: number): void {
    const { kind, flags, stillTime } = world.bodies.columns
    for (let i = 1; i < world.bodies.count; i++) {
      if (kind[i] !== DYNAMIC) continue
      const island = this.root(i)
      if ((flags[i] & RESTS) !== 0) this.asleep[island] = 1
      else {
        this.awake[island] = 1
        if (stillTime[i] < time) this.busy[island] = 1
      }
    }
  }

  private root(i: number): number {
    const { parent } = this
    while (parent[i] !== i) i = parent[i] = parent[parent[i]]
    return i
  }

  private join(i: number, j: number): void {
    const r = this.root(i)
    const s = this.root(j)
    if (r < s) this.parent[s] = r
    else this.parent[r] = s
  }
}

/** |v| + |ω| r of a body [m/s]. */
function pace(world: World, i: number): number {
  const { velocity, angularVelocity, moments, inverseMass, flags } = world.bodies.columns
  const v = 3 * i
  const speed = Math.sqrt(
    velocity[v] * velocity[v] + velocity[v + 1] * velocity[v + 1] + velocity[v + 2] * velocity[v + 2],
  )
  if ((flags[i] & TURNS) === 0) return speed
  const largest = Math.max(moments[v], moments[v + 1], moments[v + 2])
  const spin = Math.sqrt(
    angularVelocity[v] * angularVelocity[v] +
      angularVelocity[v + 1] * angularVelocity[v + 1] +
      angularVelocity[v + 2] * angularVelocity[v + 2],
  )
  return speed + spin * Math.sqrt(largest * inverseMass[i])
}
