/** Axle: two axes held parallel, as a block of two rows. */

import type { Data } from '../lib/data.js'
import { arc, turnBy } from './math.js'

/** Turns by V8's account too many to be inlined hand their vector on here: numbers as arguments would be boxed. */
const THETA = new Float64Array(3)

export function axle({ rows, ids, q, inertia, columns }: Data): void {
  const { frameA, frameB, lambda, softness, relaxation } = columns
  for (let row = 0; row < rows; row++) {
    const a = ids[2 * row]
    const b = ids[2 * row + 1]
    const p = 4 * a
    const u = 4 * b
    const A0 = inertia[9 * a]
    const A1 = inertia[9 * a + 1]
    const A2 = inertia[9 * a + 2]
    const A3 = inertia[9 * a + 3]
    const A4 = inertia[9 * a + 4]
    const A5 = inertia[9 * a + 5]
    const A6 = inertia[9 * a + 6]
    const A7 = inertia[9 * a + 7]
    const A8 = inertia[9 * a + 8]
    const B0 = inertia[9 * b]
    const B1 = inertia[9 * b + 1]
    const B2 = inertia[9 * b + 2]
    const B3 = inertia[9 * b + 3]
    const B4 = inertia[9 * b + 4]
    const B5 = inertia[9 * b + 5]
    const B6 = inertia[9 * b + 6]
    const B7 = inertia[9 * b + 7]
    const B8 = inertia[9 * b + 8]
    const ax = q[p]
    const ay = q[p + 1]
    const az = q[p + 2]
    const aw = q[p + 3]
    const bx = q[u]
    const by = q[u + 1]
    const bz = q[u + 2]
    const bw = q[u + 3]
    const fx = frameA[4 * row]
    const fy = frameA[4 * row + 1]
    const fz = frameA[4 * row + 2]
    const fw = frameA[4 * row + 3]
    const gx = frameB[4 * row]
    const gy = frameB[4 * row + 1]
    const gz = frameB[4 * row + 2]
    const gw = frameB[4 * row + 3]
    const Fx = aw * fx + ax * fw + ay * fz - az * fy
    const Fy = aw * fy - ax * fz + ay * fw + az * fx
    const Fz = aw * fz + ax * fy - ay * fx + az * fw
    const Fw = aw * fw - ax * fx - ay * fy - az * fz
    const Gx = bw * gx + bx * gw + by * gz - bz * gy
    const Gy = bw * gy - bx * gz + by * gw + bz * gx
    const Gz = bw * gz + bx * gy - by * gx + bz * gw
    const Gw = bw * gw - bx * gx - by * gy - bz * gz
    const nx = 1 - 2 * (Fy * Fy + Fz * Fz)
    const ny = 2 * (Fx * Fy + Fw * Fz)
    const nz = 2 * (Fx * Fz - Fw * Fy)
    const sx = 2 * (Fx * Fy - Fw * Fz)
    const sy = 1 - 2 * (Fx * Fx + Fz * Fz)
    const sz = 2 * (Fy * Fz + Fw * Fx)
    const tx = 2 * (Fx * Fz + Fw * Fy)
    const ty = 2 * (Fy * Fz - Fw * Fx)
    const tz = 1 - 2 * (Fx * Fx + Fy * Fy)
    const mx = 1 - 2 * (Gy * Gy + Gz * Gz)
    const my = 2 * (Gx * Gy + Gw * Gz)
    const mz = 2 * (Gx * Gz - Gw * Gy)
    const X = nx * mx + ny * my + nz * mz
    const Y = sx * mx + sy * my + sz * mz
    const Z = tx * mx + ty * my + tz * mz
    const length = Math.sqrt(Y * Y + Z * Z)
    const phi = arc(length, X)
    const k = length > 0 ? phi / length : 1
    const soft = softness[row]
    const l = 2 * row
    const c1 = (length > 0 ? k * Z : -phi) + soft * lambda[l]
    const c2 = -k * Y + soft * lambda[l + 1]
    const K0 = A0 + B0
    const K1 = A1 + B1
    const K2 = A2 + B2
    const K3 = A3 + B3
    const K4 = A4 + B4
    const K5 = A5 + B5
    const K6 = A6 + B6
    const K7 = A7 + B7
    const K8 = A8 + B8
    const vx = K0 * sx + K1 * sy + K2 * sz
    const vy = K3 * sx + K4 * sy + K5 * sz
    const vz = K6 * sx + K7 * sy + K8 * sz
    const wx = K0 * tx + K1 * ty + K2 * tz
    const wy = K3 * tx + K4 * ty + K5 * tz
    const wz = K6 * tx + K7 * ty + K8 * tz
    const k11 = sx * vx + sy * vy + sz * vz + soft
    const k12 = sx * wx + sy * wy + sz * wz
    const k21 = tx * vx + ty * vy + tz * vz
    const k22 = tx * wx + ty * wy + tz * wz + soft
    const determinant = k11 * k22 - k12 * k21
    if (Math.abs(determinant) > 1e-300) {
      const scale = -relaxation[row] / determinant
      const d1 = scale * (k22 * c1 - k12 * c2)
      const d2 = scale * (k11 * c2 - k21 * c1)
      lambda[l] += d1
      lambda[l + 1] += d2
      const dx = d1 * sx + d2 * tx
      const dy = d1 * sy + d2 * ty
      const dz = d1 * sz + d2 * tz
      THETA[0] = A0 * dx + A1 * dy + A2 * dz
      THETA[1] = A3 * dx + A4 * dy + A5 * dz
      THETA[2] = A6 * dx + A7 * dy + A8 * dz
      turnBy(q, p, THETA)
      THETA[0] = -(B0 * dx + B1 * dy + B2 * dz)
      THETA[1] = -(B3 * dx + B4 * dy + B5 * dz)
      THETA[2] = -(B6 * dx + B7 * dy + B8 * dz)
      turnBy(q, u, THETA)
    }
  }
}
