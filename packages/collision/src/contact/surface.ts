/** What the materials of two colliders, and what accelerates their bodies, make of a manifold's row. */

import { type World } from '@tautline/core'
import { type BodyColumns, DYNAMIC } from '@tautline/core/kernel'
import type { ColliderRecord } from '../state/collider.js'
import type { Colliders } from '../state/colliders.js'
import { combine } from '../state/material.js'
import type { CollisionSettings } from '../state/options.js'
import type { Manifolds } from './manifold-columns.js'

/** Writes friction, restitution and the like of the row of colliders a and b, and the accelerations along its normal n̂. */
export function writeSurface(
  world: World,
  colliders: Colliders,
  options: CollisionSettings,
  batch: Manifolds,
  row: number,
  a: number,
  b: number,
  normal: Float64Array,
): void {
  const { columns } = batch
  const { frictionCombine, restitutionCombine } = options
  const { records, body } = colliders
  const r = (records[a] as ColliderRecord).material
  const s = (records[b] as ColliderRecord).material
  columns.friction[2 * row] = combine(frictionCombine, r.friction, s.friction)
  columns.friction[2 * row + 1] = combine(frictionCombine, r.dynamicFriction, s.dynamicFriction)
  columns.torsional[row] = Math.max(r.torsionalFriction, s.torsionalFriction)
  columns.rolling[row] = Math.max(r.rollingFriction, s.rollingFriction)
  columns.restitution[row] = combine(restitutionCombine, r.restitution, s.restitution)
  columns.maxPushOut[row] = Math.min(r.maxPushOut, s.maxPushOut)
  const { gravity } = world.settings
  const c = world.bodies.columns
  let fall = 0
  let heftA = 0
  let heftB = 0
  for (let k = 0; k < 3; k++) {
    const onA = accelerationAlong(c, gravity, body[a], k)
    const onB = accelerationAlong(c, gravity, body[b], k)
    fall += normal[k] * (onA - onB)
    heftA += onA * onA
    heftB += onB * onB
  }
  columns.fall[row] = 0.5 * fall
  columns.heft[row] = Math.sqrt(Math.max(heftA, heftB))
}

/** Acceleration of a body by gravity and forces along axis k [m/s²]. */
function accelerationAlong(c: BodyColumns, gravity: Float64Array, i: number, k: number): number {
  return c.kind[i] === DYNAMIC ? c.gravityScale[i] * gravity[k] + c.inverseMass[i] * c.force[3 * i + k] : 0
}
