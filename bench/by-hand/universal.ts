/** Universal joint: the point, then the row that keeps its axes perpendicular, about it. */

import type { Data } from '../lib/data.js'
import { arc, turnBy } from './math.js'

/** Turns by V8's account too many to be inlined hand their vector on here: numbers as arguments would be boxed. */
const THETA = new Float64Array(3)

export function universal({ rows, h, ids, x, q, inertia, columns }: Data): void {
  const { anchorA, anchorB, frameA, frameB, angularCompliance, lambda, softness, relaxation, regularization } = columns
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
    const wa = x[p + 3]
    const wb = x[u + 3]
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
    const w = wa + wb
    const K0 = w + k2 * ry - k1 * rz + l2 * my - l1 * mz
    const K1 = k0 * rz - k2 * rx + l0 * mz - l2 * mx
    const K2 = k1 * rx - k0 * ry + l1 * mx - l0 * my
    const K3 = k5 * ry - k4 * rz + l5 * my - l4 * mz
    const K4 = w + k3 * rz - k5 * rx + l3 * mz - l5 * mx
    const K5 = k4 * rx - k3 * ry + l4 * mx - l3 * my
    const K6 = k8 * ry - k7 * rz + l8 * my - l7 * mz
    const K7 = k6 * rz - k8 * rx + l6 * mz - l8 * mx
    const K8 = w + k7 * rx - k6 * ry + l7 * mx - l6 * my
    const l = 10 * row
    {
      const soft = softness[row]
      const ex = dx + soft * lambda[l]
      const ey = dy + soft * lambda[l + 1]
      const ez = dz + soft * lambda[l + 2]
      const S0 = K0 + soft
      const S4 = K4 + soft
      const S8 = K8 + soft
      const C0 = S4 * S8 - K5 * K7
      const C1 = K5 * K6 - K3 * S8
      const C2 = K3 * K7 - S4 * K6
      const determinant = S0 * C0 + K1 * C1 + K2 * C2
      if (Math.abs(determinant) > 1e-300) {
        const scale = -relaxation[row] / determinant
        const nx = scale * (C0 * ex + (K2 * K7 - K1 * S8) * ey + (K1 * K5 - K2 * S4) * ez)
        const ny = scale * (C1 * ex + (S0 * S8 - K2 * K6) * ey + (K2 * K3 - S0 * K5) * ez)
        const nz = scale * (C2 * ex + (K1 * K6 - S0 * K7) * ey + (S0 * S4 - K1 * K3) * ez)
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
        THETA[0] = A0 * fx + A1 * fy + A2 * fz
        THETA[1] = A3 * fx + A4 * fy + A5 * fz
        THETA[2] = A6 * fx + A7 * fy + A8 * fz
        turnBy(q, p, THETA)
        THETA[0] = -(B0 * gx + B1 * gy + B2 * gz)
        THETA[1] = -(B3 * gx + B4 * gy + B5 * gz)
        THETA[2] = -(B6 * gx + B7 * gy + B8 * gz)
        turnBy(q, u, THETA)
      }
    }
    // The pivot: V = K⁻¹, U from couples to the points' parting, W the inverse inertia about it.
    const M0 = K4 * K8 - K5 * K7
    const M3 = K5 * K6 - K3 * K8
    const M6 = K3 * K7 - K4 * K6
    const s = 1 / (K0 * M0 + K1 * M3 + K2 * M6)
    const V0 = s * M0
    const V1 = s * (K2 * K7 - K1 * K8)
    const V2 = s * (K1 * K5 - K2 * K4)
    const V3 = s * M3
    const V4 = s * (K0 * K8 - K2 * K6)
    const V5 = s * (K2 * K3 - K0 * K5)
    const V6 = s * M6
    const V7 = s * (K1 * K6 - K0 * K7)
    const V8 = s * (K0 * K4 - K1 * K3)
    const U0 = -(k0 + l0)
    const U1 = -(k1 + l1)
    const U2 = -(k2 + l2)
    const U3 = -(k3 + l3)
    const U4 = -(k4 + l4)
    const U5 = -(k5 + l5)
    const U6 = -(k6 + l6)
    const U7 = -(k7 + l7)
    const U8 = -(k8 + l8)
    const T0 = V0 * U0 + V1 * U3 + V2 * U6
    const T1 = V0 * U1 + V1 * U4 + V2 * U7
    const T2 = V0 * U2 + V1 * U5 + V2 * U8
    const T3 = V3 * U0 + V4 * U3 + V5 * U6
    const T4 = V3 * U1 + V4 * U4 + V5 * U7
    const T5 = V3 * U2 + V4 * U5 + V5 * U8
    const T6 = V6 * U0 + V7 * U3 + V8 * U6
    const T7 = V6 * U1 + V7 * U4 + V8 * U7
    const T8 = V6 * U2 + V7 * U5 + V8 * U8
    const W0 = A0 + B0 - (U0 * T0 + U3 * T3 + U6 * T6)
    const W1 = A1 + B1 - (U0 * T1 + U3 * T4 + U6 * T7)
    const W2 = A2 + B2 - (U0 * T2 + U3 * T5 + U6 * T8)
    const W3 = A3 + B3 - (U1 * T0 + U4 * T3 + U7 * T6)
    const W4 = A4 + B4 - (U1 * T1 + U4 * T4 + U7 * T7)
    const W5 = A5 + B5 - (U1 * T2 + U4 * T5 + U7 * T8)
    const W6 = A6 + B6 - (U2 * T0 + U5 * T3 + U8 * T6)
    const W7 = A7 + B7 - (U2 * T1 + U5 * T4 + U8 * T7)
    const W8 = A8 + B8 - (U2 * T2 + U5 * T5 + U8 * T8)
    {
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
      const jx = 2 * (Gx * Gz + Gw * Gy)
      const jy = 2 * (Gy * Gz - Gw * Gx)
      const jz = 1 - 2 * (Gx * Gx + Gy * Gy)
      const vx = ny * jz - nz * jy
      const vy = nz * jx - nx * jz
      const vz = nx * jy - ny * jx
      const cosine = nx * jx + ny * jy + nz * jz
      const sine = Math.sqrt(vx * vx + vy * vy + vz * vz)
      const unit = sine > 1e-9 ? 1 / sine : 0
      const ix = unit * vx
      const iy = unit * vy
      const iz = unit * vz
      const angle = cosine < 0 ? -arc(-cosine, sine) : arc(cosine, sine)
      const soft = angularCompliance[row] / (h * h) + regularization[row]
      const inverse =
        ix * (W0 * ix + W1 * iy + W2 * iz) +
        iy * (W3 * ix + W4 * iy + W5 * iz) +
        iz * (W6 * ix + W7 * iy + W8 * iz) +
        soft
      if (inverse > 1e-300) {
        const step = (-relaxation[row] * (angle + soft * lambda[l + 3])) / inverse
        lambda[l + 3] += step
        const ex = step * ix
        const ey = step * iy
        const ez = step * iz
        const fx = -(T0 * ex + T1 * ey + T2 * ez)
        const fy = -(T3 * ex + T4 * ey + T5 * ez)
        const fz = -(T6 * ex + T7 * ey + T8 * ez)
        lambda[l] += fx
        lambda[l + 1] += fy
        lambda[l + 2] += fz
        x[p] += wa * fx
        x[p + 1] += wa * fy
        x[p + 2] += wa * fz
        x[u] -= wb * fx
        x[u + 1] -= wb * fy
        x[u + 2] -= wb * fz
        const gx = ex + ry * fz - rz * fy
        const gy = ey + rz * fx - rx * fz
        const gz = ez + rx * fy - ry * fx
        const hx = ex + my * fz - mz * fy
        const hy = ey + mz * fx - mx * fz
        const hz = ez + mx * fy - my * fx
        THETA[0] = A0 * gx + A1 * gy + A2 * gz
        THETA[1] = A3 * gx + A4 * gy + A5 * gz
        THETA[2] = A6 * gx + A7 * gy + A8 * gz
        turnBy(q, p, THETA)
        THETA[0] = -(B0 * hx + B1 * hy + B2 * hz)
        THETA[1] = -(B3 * hx + B4 * hy + B5 * hz)
        THETA[2] = -(B6 * hx + B7 * hy + B8 * hz)
        turnBy(q, u, THETA)
      }
    }
  }
}
