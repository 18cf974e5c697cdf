/** Contacts of particles and edges with what does not give way, as the direct solution takes them along with joints (core, define/touch.ts). */

import { type BodyColumns, OFFSET, SLIDING_FRICTION, STATIC_FRICTION, type Touch } from '@tautline/core/kernel'
import * as face from './face-columns.js'
import { CARRY, D, FRICTION, GIVES, N, NEAR, type PointContacts, RECORD } from './point-columns.js'

/** Writes the contact of a particle; false where it has none, or with a body that gives way. */
export function touchPoint(bodies: BodyColumns, { columns, ids }: PointContacts, row: number, out: Touch): boolean {
  const { record } = columns
  const r = RECORD * row
  if (record[r + NEAR] !== 1 || record[r + GIVES] !== 0) return false
  const i = ids[2 * row]
  out.bodies[0] = i
  out.bodies[1] = -1
  out.shares[0] = 1
  for (let k = 0; k < 3; k++) {
    out.axes[k] = record[r + N + k]
    out.origin[k] = bodies.startPosition[4 * i + k] + record[r + CARRY + k]
  }
  writeSurface(out, record, r + D, r + FRICTION)
  return true
}

/** Writes the contact of an edge, whose second corner stands twice; false for faces, fast ones, and where the body gives way. */
export function touchEdge(bodies: BodyColumns, { columns, ids }: face.FaceContacts, row: number, out: Touch): boolean {
  const { record } = columns
  const r = face.RECORD * row
  const o = face.BODIES * row
  if (record[r + face.NEAR] !== 1 || record[r + face.GIVES] !== 0 || ids[o + 1] !== ids[o + 2]) return false
  const s = record[r + face.SHARES]
  const u = record[r + face.SHARES + 1] + record[r + face.SHARES + 2]
  const { startPosition: x0 } = bodies
  out.bodies[0] = ids[o]
  out.bodies[1] = ids[o + 1]
  out.shares[0] = s
  out.shares[1] = u
  for (let k = 0; k < 3; k++) {
    out.axes[k] = record[r + face.N + k]
    out.origin[k] = s * x0[4 * ids[o] + k] + u * x0[4 * ids[o + 1] + k] + record[r + face.CARRY + k]
  }
  writeSurface(out, record, r + face.D, r + face.FRICTION)
  return true
}

/** d, friction and tangents, n̂ and o being known. */
function writeSurface({ axes, origin, numbers }: Touch, record: Float64Array, d: number, friction: number): void {
  const x = axes[0]
  const y = axes[1]
  const z = axes[2]
  const start = x * origin[0] + y * origin[1] + z * origin[2] - record[d]
  // What overlaps at the start may stay as it is.
  numbers[OFFSET] = record[d] + Math.min(0, start)
  numbers[STATIC_FRICTION] = record[friction]
  numbers[SLIDING_FRICTION] = record[friction + 1]
  const isX = x * x < 0.5
  const s = isX ? 1 / Math.sqrt(1 - x * x) : 1 / Math.sqrt(1 - y * y)
  axes[3] = isX ? 0 : -s * z
  axes[4] = isX ? s * z : 0
  axes[5] = isX ? -s * y : s * x
  axes[6] = y * axes[5] - z * axes[4]
  axes[7] = z * axes[3] - x * axes[5]
  axes[8] = x * axes[4] - y * axes[3]
}
