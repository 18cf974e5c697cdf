/**
 * Wakes sleepers that something is about to strike, so that it does not meet them as a wall.
 *
 * A body is struck when a point of a manifold closes its gap in the time to come. It may be thrown on within that time, at up to
 * twice the speed where it is the lighter one; so what is nearer than that counts as struck too, and so on from body to body.
 */

import { viewOf } from '../contact/manifold-plan.js'
import { type LeanWorld } from '@tautline/core'
import { ASLEEP, DYNAMIC } from '@tautline/core/kernel'
import type { IntList } from '../detect/broad/int-list.js'
import { measureNormals } from '../contact/loops/gaps.js'
import { prepareLeverArms } from '../contact/loops/lever-arms.js'
import { measureVelocities } from '../contact/loops/velocities.js'
import { type Manifolds, residual } from '../contact/manifold-columns.js'
import { MAX_POINTS } from '../detect/narrow/manifold.js'

/** Of a body that nothing strikes. */
const NEVER = -1

const gaps = /* @__PURE__ */ new Float64Array(MAX_POINTS)

export class Strikes {
  /** By body: how far an impact may throw it [m]. */
  private reach = new Float64Array(0)
  /** By row: the smallest gap [m]. */
  private nearest = new Float64Array(0)

  /** Wakes who is struck within `dt`, and returns whether there was one. `active` says which colliders move, `visited` which rows may be between one and another. */
  wake(world: LeanWorld, batch: Manifolds, visited: IntList, active: Uint8Array, dt: number): boolean {
    if (!this.meetsSleeper(world, batch, visited, active)) return false
    const { reach } = this.reserve(world.bodies.count, batch.count)
    const { flags } = world.bodies.columns
    this.findStruck(world, batch, active, dt)
    while (this.handOn(world, batch));
    let any = false
    for (let i = 1; i < world.bodies.count; i++) {
      if (reach[i] === NEVER || (flags[i] & ASLEEP) === 0) continue
      world.bodies.wake(i)
      any = true
    }
    return any
  }

  /** Whether a manifold lies between a sleeper and something that moves. */
  private meetsSleeper(world: LeanWorld, batch: Manifolds, visited: IntList, active: Uint8Array): boolean {
    const { enabled, points, pair, body } = batch.columns
    const { flags } = world.bodies.columns
    for (let n = 0; n < visited.count; n++) {
      const row = visited.items[n]
      if (enabled[row] === 0 || points[row] === 0) continue
      if (active[pair[3 * row]] === active[pair[3 * row + 1]]) continue
      if (((flags[body[2 * row]] | flags[body[2 * row + 1]]) & ASLEEP) !== 0) return true
    }
    return false
  }

  /** Gaps of all manifolds, and who is struck by what moves. */
  private findStruck(world: LeanWorld, batch: Manifolds, active: Uint8Array, dt: number): void {
    const { reach, nearest } = this
    const { enabled, points, pair, body, fall, still } = batch.columns
    const c = world.bodies.columns
    const m = viewOf(c, batch)
    for (let row = 0; row < batch.count; row++) {
      nearest[row] = Infinity
      if (enabled[row] === 0 || points[row] === 0) continue
      const i = body[2 * row]
      const j = body[2 * row + 1]
      measureNormals(m, row)
      for (let k = 0; k < points[row]; k++) {
        gaps[k] = residual[k]
        nearest[row] = Math.min(nearest[row], gaps[k])
      }
      if ((active[pair[3 * row]] | active[pair[3 * row + 1]]) === 0) continue
      if (still[row] === 0) prepareLeverArms(m, row)
      measureVelocities(m, row)
      // No product of twice a time near 1e308 s, which is none, and 0.
      const fallSpeed = dt * (2 * Math.min(fall[row], 0))
      for (let k = 0; k < points[row]; k++) {
        if (gaps[k] + dt * (residual[k] + fallSpeed) > 0) continue
        const thrown = dt * (2 * Math.max(-residual[k], 0))
        reach[i] = Math.max(reach[i], thrown)
        reach[j] = Math.max(reach[j], thrown)
      }
    }
  }

  /** One pass from who is struck to who is near; whether it found more. */
  private handOn(world: LeanWorld, batch: Manifolds): boolean {
    const { reach, nearest } = this
    const { body } = batch.columns
    const { kind } = world.bodies.columns
    let more = false
    for (let row = 0; row < batch.count; row++) {
      const i = body[2 * row]
      const j = body[2 * row + 1]
      const most = Math.max(reach[i], reach[j])
      // Not a number reaches nothing, and ends the search.
      if (!(most >= nearest[row]) || kind[i] !== DYNAMIC || kind[j] !== DYNAMIC) continue
      if (most === NEVER || (reach[i] === most && reach[j] === most)) continue
      reach[i] = reach[j] = most
      more = true
    }
    return more
  }

  private reserve(bodies: number, rows: number): this {
    if (this.reach.length < bodies) this.reach = new Float64Array(2 * bodies)
    if (this.nearest.length < rows) this.nearest = new Float64Array(2 * rows)
    this.reach.fill(NEVER, 0, bodies)
    return this
  }
}
