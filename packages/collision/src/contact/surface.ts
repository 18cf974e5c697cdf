/** What the materials of two colliders, and what accelerates their bodies, make of a manifold's row. */

import { type LeanWorld } from '@tautline/core'
import { DYNAMIC } from '@tautline/core/kernel'
import type { ColliderRecord } from '../state/collider.js'
import type { Colliders } from '../state/colliders.js'
import { combineInto, SURFACE } from '../state/material.js'
import type { CollisionSettings } from '../state/options.js'
import type { Manifolds } from './manifold-columns.js'

/** Writes friction, restitution and the like of the row of colliders a and b, and the accelerations along its normal n̂. */
export function writeSurface(
  world: LeanWorld,
  colliders: Colliders,
  options: CollisionSettings,
  batch: Manifolds,
  row: number,
  a: number,
  b: number,
  normal: Float64Array,
): void {
  const { columns } = batch
  const { records, body } = colliders
  const r = (records[a] as ColliderRecord).material
  const s = (records[b] as ColliderRecord).material
  combineInto(options, r, s)
  columns.friction[2 * row] = SURFACE[0]
  columns.friction[2 * row + 1] = SURFACE[1]
  columns.torsional[row] = Math.max(r.torsionalFriction, s.torsionalFriction)
  columns.rolling[row] = Math.max(r.rollingFriction, s.rollingFriction)
  columns.restitution[row] = SURFACE[2]
  columns.maxPushOut[row] = SURFACE[3]
  const { gravity } = world.settings
  const c = world.bodies.columns
  const i = body[a]
  const j = body[b]
  const fallsA = c.kind[i] === DYNAMIC ? c.gravityScale[i] : 0
  const fallsB = c.kind[j] === DYNAMIC ? c.gravityScale[j] : 0
  const movesA = c.kind[i] === DYNAMIC ? c.inverseMass[i] : 0
  const movesB = c.kind[j] === DYNAMIC ? c.inverseMass[j] : 0
  let fall = 0
  let heftA = 0
  let heftB = 0
  for (let k = 0; k < 3; k++) {
    const onA = fallsA * gravity[k] + movesA * c.force[3 * i + k]
    const onB = fallsB * gravity[k] + movesB * c.force[3 * j + k]
    fall += normal[k] * (onA - onB)
    heftA += onA * onA
    heftB += onB * onB
  }
  columns.fall[row] = 0.5 * fall
  // Squares of what forces near 1e308 N do overflow.
  columns.heft[row] = Math.min(Math.sqrt(Math.max(heftA, heftB)), Number.MAX_VALUE)
}
