/** Swing and twist: the point, then limits of twist and of both swing angles about it. */

import type { Data } from '../lib/data.js'
import { arc, turnBy } from './math.js'

/** Turns by V8's account too many to be inlined hand their vector on here: numbers as arguments would be boxed. */
const THETA = new Float64Array(3)

export function swingTwist({ rows, h, ids, x, q, inertia, columns }: Data): void {
  const { anchorA, anchorB, frameA, frameB, limits, lambda, softness, relaxation, regularization } = columns
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
    const l = 12 * row
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
      const sx = Fw * Gx - Fx * Gw - Fy * Gz + Fz * Gy
      const sw = Fw * Gw + Fx * Gx + Fy * Gy + Fz * Gz
      const side = sw < 0 ? -1 : 1
      const half = sx * side < 0 ? -arc(-sx * side, sw * side) : arc(sx * side, sw * side)
      let phi = 2 * half
      const ix = 1 - 2 * (Fy * Fy + Fz * Fz)
      const iy = 2 * (Fx * Fy + Fw * Fz)
      const iz = 2 * (Fx * Fz - Fw * Fy)
      const jx = 1 - 2 * (Gy * Gy + Gz * Gz)
      const jy = 2 * (Gx * Gy + Gw * Gz)
      const jz = 2 * (Gx * Gz - Gw * Gy)
      const scale = 1 / Math.max(1 + ix * jx + iy * jy + iz * jz, 0.005)
      const nx = scale * (ix + jx)
      const ny = scale * (iy + jy)
      const nz = scale * (iz + jz)
      const min = limits[12 * row + 8]
      const max = limits[12 * row + 8 + 1]
      const middle = 0.5 * (min + max)
      if (phi - middle > Math.PI) phi -= 2 * Math.PI
      else if (phi - middle < -Math.PI) phi += 2 * Math.PI
      const low = phi - min < max - phi
      const soft = limits[12 * row + 8 + 2] / (h * h) + regularization[row]
      const inverse =
        nx * (W0 * nx + W1 * ny + W2 * nz) +
        ny * (W3 * nx + W4 * ny + W5 * nz) +
        nz * (W6 * nx + W7 * ny + W8 * nz) +
        soft
      if (inverse > 1e-300) {
        const old = lambda[12 * row + 5]
        const wanted = old - (relaxation[row] * ((low ? phi - min : phi - max) + soft * old)) / inverse
        const fresh = low ? Math.max(wanted, 0) : Math.min(wanted, 0)
        lambda[12 * row + 5] = fresh
        const s = old - fresh
        if (s !== 0) {
          const vx = s * nx
          const vy = s * ny
          const vz = s * nz
          const fx = -(T0 * vx + T1 * vy + T2 * vz)
          const fy = -(T3 * vx + T4 * vy + T5 * vz)
          const fz = -(T6 * vx + T7 * vy + T8 * vz)
          lambda[l] += fx
          lambda[l + 1] += fy
          lambda[l + 2] += fz
          x[p] += wa * fx
          x[p + 1] += wa * fy
          x[p + 2] += wa * fz
          x[u] -= wb * fx
          x[u + 1] -= wb * fy
          x[u + 2] -= wb * fz
          const gx = vx + ry * fz - rz * fy
          const gy = vy + rz * fx - rx * fz
          const gz = vz + rx * fy - ry * fx
          const hx = vx + my * fz - mz * fy
          const hy = vy + mz * fx - mx * fz
          const hz = vz + mx * fy - my * fx
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
    // Swing y, then z.
    for (let axis = 0; axis < 2; axis++) {
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
      const ix = 1 - 2 * (Fy * Fy + Fz * Fz)
      const iy = 2 * (Fx * Fy + Fw * Fz)
      const iz = 2 * (Fx * Fz - Fw * Fy)
      const sx = 2 * (Fx * Fy - Fw * Fz)
      const sy = 1 - 2 * (Fx * Fx + Fz * Fz)
      const sz = 2 * (Fy * Fz + Fw * Fx)
      const tx = 2 * (Fx * Fz + Fw * Fy)
      const ty = 2 * (Fy * Fz - Fw * Fx)
      const tz = 1 - 2 * (Fx * Fx + Fy * Fy)
      const jx = 1 - 2 * (Gy * Gy + Gz * Gz)
      const jy = 2 * (Gx * Gy + Gw * Gz)
      const jz = 2 * (Gx * Gz - Gw * Gy)
      const X = ix * jx + iy * jy + iz * jz
      const Y = sx * jx + sy * jy + sz * jz
      const Z = tx * jx + ty * jy + tz * jz
      const length = Math.sqrt(Y * Y + Z * Z)
      const theta = arc(length, X)
      const stretch = length > 0 ? theta / length : 1
      const ty1 = length > 0 ? -stretch * Z : theta
      const tz1 = stretch * Y
      const squared = theta * theta
      const kappa = squared < 1e-15 ? 1 / 3 : (1 - (theta * X) / (X < 0 ? Math.max(length, 0.01) : length)) / squared
      const mixed = kappa * ty1 * tz1
      const isY = axis === 0
      let phi = isY ? ty1 : tz1
      const other = isY ? -tz1 : ty1
      const own = 1 - kappa * other * other
      const alongY = isY ? own : mixed
      const alongZ = isY ? mixed : own
      const nx = other * ix + alongY * sx + alongZ * tx
      const ny = other * iy + alongY * sy + alongZ * ty
      const nz = other * iz + alongY * sz + alongZ * tz
      const o = 12 * row + 4 * axis
      const min = limits[o]
      const max = limits[o + 1]
      const middle = 0.5 * (min + max)
      if (phi - middle > Math.PI) phi -= 2 * Math.PI
      else if (phi - middle < -Math.PI) phi += 2 * Math.PI
      const low = phi - min < max - phi
      const soft = limits[o + 2] / (h * h) + regularization[row]
      const inverse =
        nx * (W0 * nx + W1 * ny + W2 * nz) +
        ny * (W3 * nx + W4 * ny + W5 * nz) +
        nz * (W6 * nx + W7 * ny + W8 * nz) +
        soft
      if (inverse > 1e-300) {
        const old = lambda[12 * row + 3 + axis]
        const wanted = old - (relaxation[row] * ((low ? phi - min : phi - max) + soft * old)) / inverse
        const fresh = low ? Math.max(wanted, 0) : Math.min(wanted, 0)
        lambda[12 * row + 3 + axis] = fresh
        const s = old - fresh
        if (s !== 0) {
          const vx = s * nx
          const vy = s * ny
          const vz = s * nz
          const fx = -(T0 * vx + T1 * vy + T2 * vz)
          const fy = -(T3 * vx + T4 * vy + T5 * vz)
          const fz = -(T6 * vx + T7 * vy + T8 * vz)
          lambda[l] += fx
          lambda[l + 1] += fy
          lambda[l + 2] += fz
          x[p] += wa * fx
          x[p + 1] += wa * fy
          x[p + 2] += wa * fz
          x[u] -= wb * fx
          x[u + 1] -= wb * fy
          x[u + 2] -= wb * fz
          const gx = vx + ry * fz - rz * fy
          const gy = vy + rz * fx - rx * fz
          const gz = vz + rx * fy - ry * fx
          const hx = vx + my * fz - mz * fy
          const hy = vy + mz * fx - mx * fz
          const hz = vz + mx * fy - my * fx
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
}
