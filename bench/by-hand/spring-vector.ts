/** Spring and damper of rest length 0: all directions together. */

import type { Data } from '../lib/data.js'
import { turn, turnedSinceStart } from './math.js'

/** The turn of a body since the start. */
const TURNED = new Float64Array(3)

export function springVector(data: Data): void {
  const { rows, h, ids, x, q, inertia, x0, columns } = data
  const { stiffness, damping, anchorA, anchorB, lambda, relaxation } = columns
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
    const ox = anchorA[3 * row]
    const oy = anchorA[3 * row + 1]
    const oz = anchorA[3 * row + 2]
    const cx = anchorB[3 * row]
    const cy = anchorB[3 * row + 1]
    const cz = anchorB[3 * row + 2]
    const sx = 2 * (ay * oz - az * oy)
    const sy = 2 * (az * ox - ax * oz)
    const sz = 2 * (ax * oy - ay * ox)
    let rx = ox + aw * sx + (ay * sz - az * sy)
    let ry = oy + aw * sy + (az * sx - ax * sz)
    let rz = oz + aw * sz + (ax * sy - ay * sx)
    const tx = 2 * (by * cz - bz * cy)
    const ty = 2 * (bz * cx - bx * cz)
    const tz = 2 * (bx * cy - by * cx)
    let mx = cx + bw * tx + (by * tz - bz * ty)
    let my = cy + bw * ty + (bz * tx - bx * tz)
    let mz = cz + bw * tz + (bx * ty - by * tx)
    const dx = x[p] + rx - x[u] - mx
    const dy = x[p + 1] + ry - x[u + 1] - my
    const dz = x[p + 2] + rz - x[u + 2] - mz
    rx -= 0.5 * dx
    mx += 0.5 * dx
    ry -= 0.5 * dy
    my += 0.5 * dy
    rz -= 0.5 * dz
    mz += 0.5 * dz
    turnedSinceStart(data, a, TURNED)
    const yx = TURNED[0]
    const yy = TURNED[1]
    const yz = TURNED[2]
    turnedSinceStart(data, b, TURNED)
    const zx = TURNED[0]
    const zy = TURNED[1]
    const zz = TURNED[2]
    const vx = x[p] - x0[p] + yy * rz - yz * ry - (x[u] - x0[u] + zy * mz - zz * my)
    const vy = x[p + 1] - x0[p + 1] + yz * rx - yx * rz - (x[u + 1] - x0[u + 1] + zz * mx - zx * mz)
    const vz = x[p + 2] - x0[p + 2] + yx * ry - yy * rx - (x[u + 2] - x0[u + 2] + zx * my - zy * mx)
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
    const wa = x[p + 3]
    const wb = x[u + 3]
    const l = 3 * row
    const s = stiffness[row] * h * h
    const d = damping[row] * h
    const gain = s + d
    const ex = s * dx + d * vx + lambda[l]
    const ey = s * dy + d * vy + lambda[l + 1]
    const ez = s * dz + d * vz + lambda[l + 2]
    const w = wa + wb
    const k0 = ry * A6 - rz * A3
    const k1 = ry * A7 - rz * A4
    const k2 = ry * A8 - rz * A5
    const k3 = rz * A0 - rx * A6
    const k4 = rz * A1 - rx * A7
    const k5 = rz * A2 - rx * A8
    const k6 = rx * A3 - ry * A0
    const k7 = rx * A4 - ry * A1
    const k8 = rx * A5 - ry * A2
    const l0 = my * B6 - mz * B3
    const l1 = my * B7 - mz * B4
    const l2 = my * B8 - mz * B5
    const l3 = mz * B0 - mx * B6
    const l4 = mz * B1 - mx * B7
    const l5 = mz * B2 - mx * B8
    const l6 = mx * B3 - my * B0
    const l7 = mx * B4 - my * B1
    const l8 = mx * B5 - my * B2
    const K0 = gain * (w + k2 * ry - k1 * rz + l2 * my - l1 * mz) + 1
    const K1 = gain * (k0 * rz - k2 * rx + l0 * mz - l2 * mx)
    const K2 = gain * (k1 * rx - k0 * ry + l1 * mx - l0 * my)
    const K3 = gain * (k5 * ry - k4 * rz + l5 * my - l4 * mz)
    const K4 = gain * (w + k3 * rz - k5 * rx + l3 * mz - l5 * mx) + 1
    const K5 = gain * (k4 * rx - k3 * ry + l4 * mx - l3 * my)
    const K6 = gain * (k8 * ry - k7 * rz + l8 * my - l7 * mz)
    const K7 = gain * (k6 * rz - k8 * rx + l6 * mz - l8 * mx)
    const K8 = gain * (w + k7 * rx - k6 * ry + l7 * mx - l6 * my) + 1
    const C0 = K4 * K8 - K5 * K7
    const C1 = K5 * K6 - K3 * K8
    const C2 = K3 * K7 - K4 * K6
    const determinant = K0 * C0 + K1 * C1 + K2 * C2
    if (Math.abs(determinant) > 1e-300) {
      const scale = -relaxation[row] / determinant
      const nx = scale * (C0 * ex + (K2 * K7 - K1 * K8) * ey + (K1 * K5 - K2 * K4) * ez)
      const ny = scale * (C1 * ex + (K0 * K8 - K2 * K6) * ey + (K2 * K3 - K0 * K5) * ez)
      const nz = scale * (C2 * ex + (K1 * K6 - K0 * K7) * ey + (K0 * K4 - K1 * K3) * ez)
      lambda[l] += nx
      lambda[l + 1] += ny
      lambda[l + 2] += nz
      x[p] += wa * nx
      x[p + 1] += wa * ny
      x[p + 2] += wa * nz
      x[u] -= wb * nx
      x[u + 1] -= wb * ny
      x[u + 2] -= wb * nz
      const fx = ry * nz - rz * ny
      const fy = rz * nx - rx * nz
      const fz = rx * ny - ry * nx
      const gx = my * nz - mz * ny
      const gy = mz * nx - mx * nz
      const gz = mx * ny - my * nx
      turn(q, p, A0 * fx + A1 * fy + A2 * fz, A3 * fx + A4 * fy + A5 * fz, A6 * fx + A7 * fy + A8 * fz)
      turn(q, u, -(B0 * gx + B1 * gy + B2 * gz), -(B3 * gx + B4 * gy + B5 * gz), -(B6 * gx + B7 * gy + B8 * gz))
    }
  }
}
