/** Drive to an orientation: spring and damper with a largest couple. */

import type { Data } from '../lib/data.js'
import { arc, turnBy } from './math.js'

/** Turns by V8's account too many to be inlined hand their vector on here: numbers as arguments would be boxed. */
const THETA = new Float64Array(3)

export function angularDrive({ rows, h, ids, q, inertia, q0, columns }: Data): void {
  const { frameA, frameB, drive, lambda, relaxation } = columns
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
    const sign = Fx * Gx + Fy * Gy + Fz * Gz + Fw * Gw < 0 ? -1 : 1
    const cosine = sign * (Fx * Gx + Fy * Gy + Fz * Gz + Fw * Gw)
    const vx = sign * (Fx * Gw - Fw * Gx - Fy * Gz + Fz * Gy)
    const vy = sign * (Fy * Gw - Fw * Gy - Fz * Gx + Fx * Gz)
    const vz = sign * (Fz * Gw - Fw * Gz - Fx * Gy + Fy * Gx)
    const sine = Math.sqrt(vx * vx + vy * vy + vz * vz)
    const stretch = sine > 0 ? (2 * arc(sine, cosine)) / sine : 2
    const ix = q0[p]
    const iy = q0[p + 1]
    const iz = q0[p + 2]
    const iw = q0[p + 3]
    const jx = q0[u]
    const jy = q0[u + 1]
    const jz = q0[u + 2]
    const jw = q0[u + 3]
    const ra = ax * ix + ay * iy + az * iz + aw * iw < 0 ? -2 : 2
    const rb = bx * jx + by * jy + bz * jz + bw * jw < 0 ? -2 : 2
    const yx = ra * (ax * iw - aw * ix - ay * iz + az * iy)
    const yy = ra * (ay * iw - aw * iy - az * ix + ax * iz)
    const yz = ra * (az * iw - aw * iz - ax * iy + ay * ix)
    const zx = rb * (bx * jw - bw * jx - by * jz + bz * jy)
    const zy = rb * (by * jw - bw * jy - bz * jx + bx * jz)
    const zz = rb * (bz * jw - bw * jz - bx * jy + by * jx)
    const o = 7 * row
    const s = drive[o] * h * h
    const d = drive[o + 1] * h
    const radius = drive[o + 2] * h * h
    const gain = s + d
    const l = 3 * row
    const ex = s * stretch * vx + d * (yx - zx + h * drive[o + 3]) + lambda[l]
    const ey = s * stretch * vy + d * (yy - zy + h * drive[o + 4]) + lambda[l + 1]
    const ez = s * stretch * vz + d * (yz - zz + h * drive[o + 5]) + lambda[l + 2]
    const K0 = gain * (A0 + B0) + 1
    const K1 = gain * (A1 + B1)
    const K2 = gain * (A2 + B2)
    const K3 = gain * (A3 + B3)
    const K4 = gain * (A4 + B4) + 1
    const K5 = gain * (A5 + B5)
    const K6 = gain * (A6 + B6)
    const K7 = gain * (A7 + B7)
    const K8 = gain * (A8 + B8) + 1
    const C0 = K4 * K8 - K5 * K7
    const C1 = K5 * K6 - K3 * K8
    const C2 = K3 * K7 - K4 * K6
    const determinant = K0 * C0 + K1 * C1 + K2 * C2
    if (Math.abs(determinant) > 1e-300) {
      const scale = -relaxation[row] / determinant
      const nx = scale * (C0 * ex + (K2 * K7 - K1 * K8) * ey + (K1 * K5 - K2 * K4) * ez)
      const ny = scale * (C1 * ex + (K0 * K8 - K2 * K6) * ey + (K2 * K3 - K0 * K5) * ez)
      const nz = scale * (C2 * ex + (K1 * K6 - K0 * K7) * ey + (K0 * K4 - K1 * K3) * ez)
      let tx = lambda[l] + nx
      let ty = lambda[l + 1] + ny
      let tz = lambda[l + 2] + nz
      const squared = tx * tx + ty * ty + tz * tz
      if (squared > radius * radius) {
        const shrink = radius / Math.sqrt(squared)
        tx *= shrink
        ty *= shrink
        tz *= shrink
      }
      const wx = tx - lambda[l]
      const wy = ty - lambda[l + 1]
      const wz = tz - lambda[l + 2]
      lambda[l] = tx
      lambda[l + 1] = ty
      lambda[l + 2] = tz
      THETA[0] = A0 * wx + A1 * wy + A2 * wz
      THETA[1] = A3 * wx + A4 * wy + A5 * wz
      THETA[2] = A6 * wx + A7 * wy + A8 * wz
      turnBy(q, p, THETA)
      THETA[0] = -(B0 * wx + B1 * wy + B2 * wz)
      THETA[1] = -(B3 * wx + B4 * wy + B5 * wz)
      THETA[2] = -(B6 * wx + B7 * wy + B8 * wz)
      turnBy(q, u, THETA)
    }
  }
}
