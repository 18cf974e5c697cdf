/** Slider: two rows across the axis, the orientation, and a limit of the offset. */

import type { Data } from '../lib/data.js'
import { arc, turnBy } from './math.js'

/** Turns by V8's account too many to be inlined hand their vector on here: numbers as arguments would be boxed. */
const THETA = new Float64Array(3)

export function slider({ rows, h, ids, x, q, inertia, columns }: Data): void {
  const {
    anchorA,
    anchorB,
    frameA,
    reference,
    limit,
    angularCompliance,
    lambda,
    softness,
    relaxation,
    regularization,
  } = columns
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
    {
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
      const mx = cx + bw * tx + (by * tz - bz * ty)
      const my = cy + bw * ty + (bz * tx - bx * tz)
      const mz = cz + bw * tz + (bx * ty - by * tx)
      const dx = x[p] + rx - x[u] - mx
      const dy = x[p + 1] + ry - x[u + 1] - my
      const dz = x[p + 2] + rz - x[u + 2] - mz
      rx -= dx
      ry -= dy
      rz -= dz
      const fx = frameA[4 * row]
      const fy = frameA[4 * row + 1]
      const fz = frameA[4 * row + 2]
      const fw = frameA[4 * row + 3]
      const Fx = aw * fx + ax * fw + ay * fz - az * fy
      const Fy = aw * fy - ax * fz + ay * fw + az * fx
      const Fz = aw * fz + ax * fy - ay * fx + az * fw
      const Fw = aw * fw - ax * fx - ay * fy - az * fz
      const ix = 2 * (Fx * Fy - Fw * Fz)
      const iy = 1 - 2 * (Fx * Fx + Fz * Fz)
      const iz = 2 * (Fy * Fz + Fw * Fx)
      const jx = 2 * (Fx * Fz + Fw * Fy)
      const jy = 2 * (Fy * Fz - Fw * Fx)
      const jz = 1 - 2 * (Fx * Fx + Fy * Fy)
      const l = 8 * row
      const soft = softness[row]
      const c1 = ix * dx + iy * dy + iz * dz + soft * lambda[l]
      const c2 = jx * dx + jy * dy + jz * dz + soft * lambda[l + 1]
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
      const K0 = w + k2 * ry - k1 * rz + l2 * my - l1 * mz
      const K1 = k0 * rz - k2 * rx + l0 * mz - l2 * mx
      const K2 = k1 * rx - k0 * ry + l1 * mx - l0 * my
      const K3 = k5 * ry - k4 * rz + l5 * my - l4 * mz
      const K4 = w + k3 * rz - k5 * rx + l3 * mz - l5 * mx
      const K5 = k4 * rx - k3 * ry + l4 * mx - l3 * my
      const K6 = k8 * ry - k7 * rz + l8 * my - l7 * mz
      const K7 = k6 * rz - k8 * rx + l6 * mz - l8 * mx
      const K8 = w + k7 * rx - k6 * ry + l7 * mx - l6 * my
      const vx = K0 * ix + K1 * iy + K2 * iz
      const vy = K3 * ix + K4 * iy + K5 * iz
      const vz = K6 * ix + K7 * iy + K8 * iz
      const wx = K0 * jx + K1 * jy + K2 * jz
      const wy = K3 * jx + K4 * jy + K5 * jz
      const wz = K6 * jx + K7 * jy + K8 * jz
      const k11 = ix * vx + iy * vy + iz * vz + soft
      const k12 = ix * wx + iy * wy + iz * wz
      const k21 = jx * vx + jy * vy + jz * vz
      const k22 = jx * wx + jy * wy + jz * wz + soft
      const determinant = k11 * k22 - k12 * k21
      if (Math.abs(determinant) > 1e-300) {
        const scale = -relaxation[row] / determinant
        const d1 = scale * (k22 * c1 - k12 * c2)
        const d2 = scale * (k11 * c2 - k21 * c1)
        lambda[l] += d1
        lambda[l + 1] += d2
        const nx = d1 * ix + d2 * jx
        const ny = d1 * iy + d2 * jy
        const nz = d1 * iz + d2 * jz
        x[p] += wa * nx
        x[p + 1] += wa * ny
        x[p + 2] += wa * nz
        x[u] -= wb * nx
        x[u + 1] -= wb * ny
        x[u + 2] -= wb * nz
        const yx = ry * nz - rz * ny
        const yy = rz * nx - rx * nz
        const yz = rx * ny - ry * nx
        const zx = my * nz - mz * ny
        const zy = mz * nx - mx * nz
        const zz = mx * ny - my * nx
        THETA[0] = A0 * yx + A1 * yy + A2 * yz
        THETA[1] = A3 * yx + A4 * yy + A5 * yz
        THETA[2] = A6 * yx + A7 * yy + A8 * yz
        turnBy(q, p, THETA)
        THETA[0] = -(B0 * zx + B1 * zy + B2 * zz)
        THETA[1] = -(B3 * zx + B4 * zy + B5 * zz)
        THETA[2] = -(B6 * zx + B7 * zy + B8 * zz)
        turnBy(q, u, THETA)
      }
    }
    {
      const ax = q[p]
      const ay = q[p + 1]
      const az = q[p + 2]
      const aw = q[p + 3]
      const bx = q[u]
      const by = q[u + 1]
      const bz = q[u + 2]
      const bw = q[u + 3]
      const fx = reference[4 * row]
      const fy = reference[4 * row + 1]
      const fz = reference[4 * row + 2]
      const fw = reference[4 * row + 3]
      const Fx = aw * fx + ax * fw + ay * fz - az * fy
      const Fy = aw * fy - ax * fz + ay * fw + az * fx
      const Fz = aw * fz + ax * fy - ay * fx + az * fw
      const Fw = aw * fw - ax * fx - ay * fy - az * fz
      const sign = Fx * bx + Fy * by + Fz * bz + Fw * bw < 0 ? -1 : 1
      const cosine = sign * (Fx * bx + Fy * by + Fz * bz + Fw * bw)
      const vx = sign * (Fx * bw - Fw * bx - Fy * bz + Fz * by)
      const vy = sign * (Fy * bw - Fw * by - Fz * bx + Fx * bz)
      const vz = sign * (Fz * bw - Fw * bz - Fx * by + Fy * bx)
      const sine = Math.sqrt(vx * vx + vy * vy + vz * vz)
      const stretch = sine > 0 ? (2 * arc(sine, cosine)) / sine : 2
      const soft = angularCompliance[row] / (h * h) + regularization[row]
      const o = 8 * row + 2
      const ex = stretch * vx + soft * lambda[o]
      const ey = stretch * vy + soft * lambda[o + 1]
      const ez = stretch * vz + soft * lambda[o + 2]
      const K0 = A0 + B0 + soft
      const K1 = A1 + B1
      const K2 = A2 + B2
      const K3 = A3 + B3
      const K4 = A4 + B4 + soft
      const K5 = A5 + B5
      const K6 = A6 + B6
      const K7 = A7 + B7
      const K8 = A8 + B8 + soft
      const C0 = K4 * K8 - K5 * K7
      const C1 = K5 * K6 - K3 * K8
      const C2 = K3 * K7 - K4 * K6
      const determinant = K0 * C0 + K1 * C1 + K2 * C2
      if (Math.abs(determinant) > 1e-300) {
        const scale = -relaxation[row] / determinant
        const nx = scale * (C0 * ex + (K2 * K7 - K1 * K8) * ey + (K1 * K5 - K2 * K4) * ez)
        const ny = scale * (C1 * ex + (K0 * K8 - K2 * K6) * ey + (K2 * K3 - K0 * K5) * ez)
        const nz = scale * (C2 * ex + (K1 * K6 - K0 * K7) * ey + (K0 * K4 - K1 * K3) * ez)
        lambda[o] += nx
        lambda[o + 1] += ny
        lambda[o + 2] += nz
        THETA[0] = A0 * nx + A1 * ny + A2 * nz
        THETA[1] = A3 * nx + A4 * ny + A5 * nz
        THETA[2] = A6 * nx + A7 * ny + A8 * nz
        turnBy(q, p, THETA)
        THETA[0] = -(B0 * nx + B1 * ny + B2 * nz)
        THETA[1] = -(B3 * nx + B4 * ny + B5 * nz)
        THETA[2] = -(B6 * nx + B7 * ny + B8 * nz)
        turnBy(q, u, THETA)
      }
    }
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
    const mx = cx + bw * tx + (by * tz - bz * ty)
    const my = cy + bw * ty + (bz * tx - bx * tz)
    const mz = cz + bw * tz + (bx * ty - by * tx)
    const dx = x[p] + rx - x[u] - mx
    const dy = x[p + 1] + ry - x[u + 1] - my
    const dz = x[p + 2] + rz - x[u + 2] - mz
    rx -= dx
    ry -= dy
    rz -= dz
    const fx = frameA[4 * row]
    const fy = frameA[4 * row + 1]
    const fz = frameA[4 * row + 2]
    const fw = frameA[4 * row + 3]
    const Fx = aw * fx + ax * fw + ay * fz - az * fy
    const Fy = aw * fy - ax * fz + ay * fw + az * fx
    const Fz = aw * fz + ax * fy - ay * fx + az * fw
    const Fw = aw * fw - ax * fx - ay * fy - az * fz
    const jx = 1 - 2 * (Fy * Fy + Fz * Fz)
    const jy = 2 * (Fx * Fy + Fw * Fz)
    const jz = 2 * (Fx * Fz - Fw * Fy)
    const nx = -jx
    const ny = -jy
    const nz = -jz
    const offset = nx * dx + ny * dy + nz * dz
    const vx = ry * nz - rz * ny
    const vy = rz * nx - rx * nz
    const vz = rx * ny - ry * nx
    const wx = my * nz - mz * ny
    const wy = mz * nx - mx * nz
    const wz = mx * ny - my * nx
    const min = limit[4 * row]
    const max = limit[4 * row + 1]
    const low = offset - min < max - offset
    const soft = limit[4 * row + 2] / (h * h) + regularization[row]
    const k =
      (wa + wb) * (nx * nx + ny * ny + nz * nz) +
      vx * (A0 * vx + A1 * vy + A2 * vz) +
      vy * (A3 * vx + A4 * vy + A5 * vz) +
      vz * (A6 * vx + A7 * vy + A8 * vz) +
      wx * (B0 * wx + B1 * wy + B2 * wz) +
      wy * (B3 * wx + B4 * wy + B5 * wz) +
      wz * (B6 * wx + B7 * wy + B8 * wz) +
      soft
    const old = lambda[8 * row + 5]
    const wanted = old - (relaxation[row] * ((low ? offset - min : offset - max) + soft * old)) / k
    const fresh = low ? Math.max(wanted, 0) : Math.min(wanted, 0)
    lambda[8 * row + 5] = fresh
    const step = fresh - old
    if (step === 0) continue
    const ex = step * nx
    const ey = step * ny
    const ez = step * nz
    x[p] += wa * ex
    x[p + 1] += wa * ey
    x[p + 2] += wa * ez
    x[u] -= wb * ex
    x[u + 1] -= wb * ey
    x[u + 2] -= wb * ez
    const hx = step * vx
    const hy = step * vy
    const hz = step * vz
    const gx = step * wx
    const gy = step * wy
    const gz = step * wz
    THETA[0] = A0 * hx + A1 * hy + A2 * hz
    THETA[1] = A3 * hx + A4 * hy + A5 * hz
    THETA[2] = A6 * hx + A7 * hy + A8 * hz
    turnBy(q, p, THETA)
    THETA[0] = -(B0 * gx + B1 * gy + B2 * gz)
    THETA[1] = -(B3 * gx + B4 * gy + B5 * gz)
    THETA[2] = -(B6 * gx + B7 * gy + B8 * gz)
    turnBy(q, u, THETA)
  }
}
