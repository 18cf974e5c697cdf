/** Cone: an axis within an angle of another. */

import type { Data } from '../lib/data.js'
import { arc, turnBy } from './math.js'

/** Turns by V8's account too many to be inlined hand their vector on here: numbers as arguments would be boxed. */
const THETA = new Float64Array(3)

export function cone({ rows, ids, q, inertia, columns }: Data): void {
  const { axisA, axisB, limit, lambda, softness, relaxation } = columns
  for (let row = 0; row < rows; row++) {
    const a = ids[2 * row]
    const b = ids[2 * row + 1]
    const p = 4 * a
    const u = 4 * b
    const ax = q[p]
    const ay = q[p + 1]
    const az = q[p + 2]
    const aw = q[p + 3]
    const bx = q[u]
    const by = q[u + 1]
    const bz = q[u + 2]
    const bw = q[u + 3]
    const ox = axisA[3 * row]
    const oy = axisA[3 * row + 1]
    const oz = axisA[3 * row + 2]
    const cx = axisB[3 * row]
    const cy = axisB[3 * row + 1]
    const cz = axisB[3 * row + 2]
    const sx = 2 * (ay * oz - az * oy)
    const sy = 2 * (az * ox - ax * oz)
    const sz = 2 * (ax * oy - ay * ox)
    const nx = ox + aw * sx + (ay * sz - az * sy)
    const ny = oy + aw * sy + (az * sx - ax * sz)
    const nz = oz + aw * sz + (ax * sy - ay * sx)
    const tx = 2 * (by * cz - bz * cy)
    const ty = 2 * (bz * cx - bx * cz)
    const tz = 2 * (bx * cy - by * cx)
    const mx = cx + bw * tx + (by * tz - bz * ty)
    const my = cy + bw * ty + (bz * tx - bx * tz)
    const mz = cz + bw * tz + (bx * ty - by * tx)
    let wx = ny * mz - nz * my
    let wy = nz * mx - nx * mz
    let wz = nx * my - ny * mx
    const sine = Math.sqrt(wx * wx + wy * wy + wz * wz)
    // Axes that coincide or oppose each other do not occur here.
    if (sine <= 1e-12) continue
    wx /= sine
    wy /= sine
    wz /= sine
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
    const K0 = A0 + B0
    const K1 = A1 + B1
    const K2 = A2 + B2
    const K3 = A3 + B3
    const K4 = A4 + B4
    const K5 = A5 + B5
    const K6 = A6 + B6
    const K7 = A7 + B7
    const K8 = A8 + B8
    const soft = softness[row]
    const old = lambda[row]
    const error = limit[row] - arc(sine, nx * mx + ny * my + nz * mz) + soft * old
    const w =
      wx * (K0 * wx + K1 * wy + K2 * wz) +
      wy * (K3 * wx + K4 * wy + K5 * wz) +
      wz * (K6 * wx + K7 * wy + K8 * wz) +
      soft
    if (w <= 1e-300) continue
    const fresh = Math.max(old - (relaxation[row] * error) / w, 0)
    lambda[row] = fresh
    const s = fresh - old
    if (s === 0) continue
    const vx = s * wx
    const vy = s * wy
    const vz = s * wz
    THETA[0] = A0 * vx + A1 * vy + A2 * vz
    THETA[1] = A3 * vx + A4 * vy + A5 * vz
    THETA[2] = A6 * vx + A7 * vy + A8 * vz
    turnBy(q, p, THETA)
    THETA[0] = -(B0 * vx + B1 * vy + B2 * vz)
    THETA[1] = -(B3 * vx + B4 * vy + B5 * vz)
    THETA[2] = -(B6 * vx + B7 * vy + B8 * vz)
    turnBy(q, u, THETA)
  }
}
