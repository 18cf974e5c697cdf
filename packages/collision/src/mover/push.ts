/**
 * What a character does to dynamic bodies: an inelastic impact along the normal, of no more than its strength allows,
 *
 *   j = min(s / (1/m + w), F dt)        s approach speed, m mass of the character, w inverse mass of the body at the point
 *
 * and its weight on what it stands on. What the body gains the character gives.
 */

import { DYNAMIC, RESTS, refreshInertia, WORLD_BODY } from '@tautline/core/kernel'
import { dot, type Move, velocityAt } from './move.js'

/** Whether a collider is of a body that can be pushed. */
export function isDynamic(move: Move, id: number): boolean {
  const row = move.source.rowOf(id)
  return row !== WORLD_BODY && move.columns.kind[row] === DYNAMIC
}

/**
 * Pushes what was met last, against a unit `normal`, by what moves at `velocity` [m/s, world]. Returns the speed of its surface along the normal
 * thereafter.
 */
export function pushHit(move: Move, velocity: Float64Array, normal: Float64Array): number {
  const { near, columns, settings, source } = move
  const { point } = near.hit
  const row = source.rowOf(near.id)
  velocityAt(columns, row, point, surface)
  const speed = dot(surface, normal)
  if (!isDynamic(move, near.id) || !(move.pushLeft > 0)) return speed
  const approach = speed - dot(velocity, normal)
  if (!(approach > 0)) return speed
  move.collisions.world.bodies.wake(row)
  const give = inverseMassAt(move, row, point, normal)
  if (!(give > 0)) return speed
  const impulse = Math.min(approach / (1 / settings.mass + give), move.pushLeft)
  move.pushLeft -= impulse
  for (let k = 0; k < 3; k++) push[k] = -impulse * normal[k]
  move.collisions.handle(near.id).body!.applyImpulse(push, point)
  velocityAt(columns, row, point, surface)
  return dot(surface, normal)
}

/** Presses the weight of a character on the dynamic body that it stands on. */
export function pressGround(move: Move, gravity: ArrayLike<number>): void {
  const { ground, groundPoint, settings, dt, collisions } = move
  if (ground < 0 || !isDynamic(move, ground)) return
  for (let k = 0; k < 3; k++) push[k] = settings.mass * dt * gravity[k]
  collisions.handle(ground).body!.applyImpulse(push, groundPoint)
}

/** Inverse mass of a body at a point along a unit normal [1/kg]. */
function inverseMassAt(move: Move, row: number, at: Float64Array, n: Float64Array): number {
  const c = move.columns
  if ((c.flags[row] & RESTS) === 0) refreshInertia(c, row)
  const x = at[0] - c.position[4 * row]
  const y = at[1] - c.position[4 * row + 1]
  const z = at[2] - c.position[4 * row + 2]
  const ax = y * n[2] - z * n[1]
  const ay = z * n[0] - x * n[2]
  const az = x * n[1] - y * n[0]
  const I = c.inverseInertia
  const k = 9 * row
  return (
    c.position[4 * row + 3] +
    ax * (I[k] * ax + I[k + 1] * ay + I[k + 2] * az) +
    ay * (I[k + 3] * ax + I[k + 4] * ay + I[k + 5] * az) +
    az * (I[k + 6] * ax + I[k + 7] * ay + I[k + 8] * az)
  )
}

const surface = /* @__PURE__ */ new Float64Array(3)
const push = /* @__PURE__ */ new Float64Array(3)
