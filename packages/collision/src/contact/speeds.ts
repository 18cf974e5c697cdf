/** Speeds of a contact manifold's rows. */

import { type BodyColumns } from '@tautline/core/kernel'
import {
  ARM_N,
  ARM_T,
  FRAME,
  FRICTION,
  ORIGIN,
  RECORD,
  type Manifolds,
  residual,
  ROLLING,
  TWIST,
} from './manifold-columns.js'

/** Speeds of all rows, into `residual`. */
export function measureVelocities(bodies: BodyColumns, batch: Manifolds, row: number): void {
  const a = batch.ids[2 * row]
  const b = batch.ids[2 * row + 1]
  const { points, record } = batch.columns
  const { position: x, velocity: v, angularVelocity: w } = bodies
  const p = RECORD * row
  const A = 3 * a
  const B = 3 * b
  const ox = record[p + ORIGIN]
  const oy = record[p + ORIGIN + 1]
  const oz = record[p + ORIGIN + 2]
  const px = ox - x[4 * a]
  const py = oy - x[4 * a + 1]
  const pz = oz - x[4 * a + 2]
  const qx = ox - x[4 * b]
  const qy = oy - x[4 * b + 1]
  const qz = oz - x[4 * b + 2]
  const ax = w[A]
  const ay = w[A + 1]
  const az = w[A + 2]
  const bx = w[B]
  const by = w[B + 1]
  const bz = w[B + 2]
  const ux = v[A] + ay * pz - az * py - (v[B] + by * qz - bz * qy)
  const uy = v[A + 1] + az * px - ax * pz - (v[B + 1] + bz * qx - bx * qz)
  const uz = v[A + 2] + ax * py - ay * px - (v[B + 2] + bx * qy - by * qx)
  const wx = ax - bx
  const wy = ay - by
  const wz = az - bz
  const f = p + FRAME
  const along = record[f] * ux + record[f + 1] * uy + record[f + 2] * uz
  const n = points[row] | 0
  const out = residual
  for (let i = 0, o = p + ARM_N; i < n; i++, o += 3) {
    out[i] = along + wx * record[o] + wy * record[o + 1] + wz * record[o + 2]
  }
  const t = p + ARM_T
  out[FRICTION] =
    record[f + 3] * ux +
    record[f + 4] * uy +
    record[f + 5] * uz +
    (wx * record[t] + wy * record[t + 1] + wz * record[t + 2])
  out[FRICTION + 1] =
    record[f + 6] * ux +
    record[f + 7] * uy +
    record[f + 8] * uz +
    (wx * record[t + 3] + wy * record[t + 4] + wz * record[t + 5])
  out[TWIST] = record[f] * wx + record[f + 1] * wy + record[f + 2] * wz
  out[ROLLING] = record[f + 3] * wx + record[f + 4] * wy + record[f + 5] * wz
  out[ROLLING + 1] = record[f + 6] * wx + record[f + 7] * wy + record[f + 8] * wz
}
