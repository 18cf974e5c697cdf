/** Speeds of a contact patch's rows. */

import { type BodyColumns } from '@tautline/core'
import {
  ARM_N,
  ARM_T,
  FRAME,
  FRICTION,
  ORIGIN,
  PATCH,
  type Patches,
  residual,
  ROLLING,
  TWIST,
} from './patch-columns.js'

/** Speeds of all rows, into `residual`. */
export function measureVelocities(bodies: BodyColumns, batch: Patches, row: number, a: number, b: number): void {
  const { points, patch } = batch.columns
  const { position: x, velocity: v, angularVelocity: w } = bodies
  const p = PATCH * row
  const A = 3 * a
  const B = 3 * b
  const ox = patch[p + ORIGIN]
  const oy = patch[p + ORIGIN + 1]
  const oz = patch[p + ORIGIN + 2]
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
  const along = patch[f] * ux + patch[f + 1] * uy + patch[f + 2] * uz
  const n = points[row]
  for (let i = 0, o = p + ARM_N; i < n; i++, o += 3) {
    residual[i] = along + wx * patch[o] + wy * patch[o + 1] + wz * patch[o + 2]
  }
  const t = p + ARM_T
  residual[FRICTION] =
    patch[f + 3] * ux + patch[f + 4] * uy + patch[f + 5] * uz + (wx * patch[t] + wy * patch[t + 1] + wz * patch[t + 2])
  residual[FRICTION + 1] =
    patch[f + 6] * ux +
    patch[f + 7] * uy +
    patch[f + 8] * uz +
    (wx * patch[t + 3] + wy * patch[t + 4] + wz * patch[t + 5])
  residual[TWIST] = patch[f] * wx + patch[f + 1] * wy + patch[f + 2] * wz
  residual[ROLLING] = patch[f + 3] * wx + patch[f + 4] * wy + patch[f + 5] * wz
  residual[ROLLING + 1] = patch[f + 6] * wx + patch[f + 7] * wy + patch[f + 8] * wz
}
