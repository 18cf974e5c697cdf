/** Columns of a point contact; where its points are, seen from both bodies, and the axes of its normal and friction. */

import { type Batch, type BodyColumns, rotateVector } from '@tautline/core'
import type { Pose } from './levers.js'

/** Their strides. */
export const POINT_CONTACT_COLUMNS = {
  anchorA: 3,
  anchorB: 3,
  normal: 3,
  tangent: 3,
  friction: 2,
  restitution: 1,
  maxPushOut: 1,
  goal: 1,
  overlap: 1,
  approach: 1,
  stick: 2,
  sliding: 1,
} as const

export type PointContactColumn = keyof typeof POINT_CONTACT_COLUMNS

/** Levers into `g`, both at a's anchor, and the frame of `loadFrame` into `frame`, written out: twice a row of a sweep. */
export function measureContact(
  bodies: BodyColumns,
  batch: Batch<PointContactColumn>,
  row: number,
  a: number,
  b: number,
  g: Float64Array,
  frame: Float64Array,
): void {
  const { anchorA, anchorB, normal, tangent } = batch.columns
  const { position: x, orientation: q } = bodies
  const o = 4 * a
  const u = 4 * b
  const k = 3 * row
  const ax = q[o]
  const ay = q[o + 1]
  const az = q[o + 2]
  const aw = q[o + 3]
  const bx = q[u]
  const by = q[u + 1]
  const bz = q[u + 2]
  const bw = q[u + 3]
  const rx = anchorA[k]
  const ry = anchorA[k + 1]
  const rz = anchorA[k + 2]
  const RX = 2 * (ay * rz - az * ry)
  const RY = 2 * (az * rx - ax * rz)
  const RZ = 2 * (ax * ry - ay * rx)
  const lx = rx + aw * RX + (ay * RZ - az * RY)
  const ly = ry + aw * RY + (az * RX - ax * RZ)
  const lz = rz + aw * RZ + (ax * RY - ay * RX)
  const sx = anchorB[k]
  const sy = anchorB[k + 1]
  const sz = anchorB[k + 2]
  const SX = 2 * (by * sz - bz * sy)
  const SY = 2 * (bz * sx - bx * sz)
  const SZ = 2 * (bx * sy - by * sx)
  const mx = sx + bw * SX + (by * SZ - bz * SY)
  const my = sy + bw * SY + (bz * SX - bx * SZ)
  const mz = sz + bw * SZ + (bx * SY - by * SX)
  const dx = x[o] + lx - x[u] - mx
  const dy = x[o + 1] + ly - x[u + 1] - my
  const dz = x[o + 2] + lz - x[u + 2] - mz
  g[0] = lx
  g[1] = ly
  g[2] = lz
  g[3] = mx + dx
  g[4] = my + dy
  g[5] = mz + dz
  g[6] = dx
  g[7] = dy
  g[8] = dz
  const nx = normal[k]
  const ny = normal[k + 1]
  const nz = normal[k + 2]
  const NX = 2 * (by * nz - bz * ny)
  const NY = 2 * (bz * nx - bx * nz)
  const NZ = 2 * (bx * ny - by * nx)
  const ex = nx + bw * NX + (by * NZ - bz * NY)
  const ey = ny + bw * NY + (bz * NX - bx * NZ)
  const ez = nz + bw * NZ + (bx * NY - by * NX)
  const tx = tangent[k]
  const ty = tangent[k + 1]
  const tz = tangent[k + 2]
  const TX = 2 * (by * tz - bz * ty)
  const TY = 2 * (bz * tx - bx * tz)
  const TZ = 2 * (bx * ty - by * tx)
  const fx = tx + bw * TX + (by * TZ - bz * TY)
  const fy = ty + bw * TY + (bz * TX - bx * TZ)
  const fz = tz + bw * TZ + (bx * TY - by * TX)
  frame[0] = ex
  frame[1] = ey
  frame[2] = ez
  frame[3] = fx
  frame[4] = fy
  frame[5] = fz
  frame[6] = ey * fz - ez * fy
  frame[7] = ez * fx - ex * fz
  frame[8] = ex * fy - ey * fx
}

/** n̂, t̂₁ and t̂₂ = n̂ × t̂₁ in world space, into `frame`. */
export function loadFrame(
  bodies: Pose,
  batch: Batch<PointContactColumn>,
  row: number,
  b: number,
  frame: Float64Array,
): void {
  const { normal, tangent } = batch.columns
  const k = 3 * row
  rotateVector(bodies.orientation, 4 * b, normal[k], normal[k + 1], normal[k + 2], frame, 0)
  rotateVector(bodies.orientation, 4 * b, tangent[k], tangent[k + 1], tangent[k + 2], frame, 3)
  frame[6] = frame[1] * frame[5] - frame[2] * frame[4]
  frame[7] = frame[2] * frame[3] - frame[0] * frame[5]
  frame[8] = frame[0] * frame[4] - frame[1] * frame[3]
}
