/** Contact of two points with dry friction, solved exactly on its disc. */

import type { Data } from '../lib/data.js'
import { turnBy } from './math.js'

/** Turns by V8's account too many to be inlined hand their vector on here: numbers as arguments would be boxed. */
const THETA = new Float64Array(3)

export function contact({ rows, ids, x, q, inertia, columns }: Data): void {
  const {
    anchorA,
    anchorB,
    normal,
    tangent,
    friction,
    goal,
    stick,
    sliding,
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
    const wa = x[p + 3]
    const wb = x[u + 3]
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
    const l = 3 * row
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
      const rx = ox + aw * sx + (ay * sz - az * sy)
      const ry = oy + aw * sy + (az * sx - ax * sz)
      const rz = oz + aw * sz + (ax * sy - ay * sx)
      const tx = 2 * (by * cz - bz * cy)
      const ty = 2 * (bz * cx - bx * cz)
      const tz = 2 * (bx * cy - by * cx)
      let mx = cx + bw * tx + (by * tz - bz * ty)
      let my = cy + bw * ty + (bz * tx - bx * tz)
      let mz = cz + bw * tz + (bx * ty - by * tx)
      const dx = x[p] + rx - x[u] - mx
      const dy = x[p + 1] + ry - x[u + 1] - my
      const dz = x[p + 2] + rz - x[u + 2] - mz
      mx += dx
      my += dy
      mz += dz
      const Nx = normal[3 * row]
      const Ny = normal[3 * row + 1]
      const Nz = normal[3 * row + 2]
      const vx = 2 * (by * Nz - bz * Ny)
      const vy = 2 * (bz * Nx - bx * Nz)
      const vz = 2 * (bx * Ny - by * Nx)
      const nx = Nx + bw * vx + (by * vz - bz * vy)
      const ny = Ny + bw * vy + (bz * vx - bx * vz)
      const nz = Nz + bw * vz + (bx * vy - by * vx)
      const soft = softness[row]
      const old = lambda[l]
      const error = nx * dx + ny * dy + nz * dz - goal[row] + soft * old
      if (error >= 0 && old === 0) continue
      const fx = ry * nz - rz * ny
      const fy = rz * nx - rx * nz
      const fz = rx * ny - ry * nx
      const gx = my * nz - mz * ny
      const gy = mz * nx - mx * nz
      const gz = mx * ny - my * nx
      const w =
        (wa + wb) * (nx * nx + ny * ny + nz * nz) +
        fx * (A0 * fx + A1 * fy + A2 * fz) +
        fy * (A3 * fx + A4 * fy + A5 * fz) +
        fz * (A6 * fx + A7 * fy + A8 * fz) +
        gx * (B0 * gx + B1 * gy + B2 * gz) +
        gy * (B3 * gx + B4 * gy + B5 * gz) +
        gz * (B6 * gx + B7 * gy + B8 * gz) +
        soft
      if (w > 1e-300) {
        const fresh = Math.max(old - (relaxation[row] * error) / w, 0)
        lambda[l] = fresh
        const step = fresh - old
        if (step !== 0) {
          const ex = step * nx
          const ey = step * ny
          const ez = step * nz
          x[p] += wa * ex
          x[p + 1] += wa * ey
          x[p + 2] += wa * ez
          x[u] -= wb * ex
          x[u + 1] -= wb * ey
          x[u + 2] -= wb * ez
          const hx = step * fx
          const hy = step * fy
          const hz = step * fz
          const ix = step * gx
          const iy = step * gy
          const iz = step * gz
          THETA[0] = A0 * hx + A1 * hy + A2 * hz
          THETA[1] = A3 * hx + A4 * hy + A5 * hz
          THETA[2] = A6 * hx + A7 * hy + A8 * hz
          turnBy(q, p, THETA)
          THETA[0] = -(B0 * ix + B1 * iy + B2 * iz)
          THETA[1] = -(B3 * ix + B4 * iy + B5 * iz)
          THETA[2] = -(B6 * ix + B7 * iy + B8 * iz)
          turnBy(q, u, THETA)
        }
      }
    }
    if (friction[2 * row] === 0) continue
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
    const rx = ox + aw * sx + (ay * sz - az * sy)
    const ry = oy + aw * sy + (az * sx - ax * sz)
    const rz = oz + aw * sz + (ax * sy - ay * sx)
    const tx = 2 * (by * cz - bz * cy)
    const ty = 2 * (bz * cx - bx * cz)
    const tz = 2 * (bx * cy - by * cx)
    let mx = cx + bw * tx + (by * tz - bz * ty)
    let my = cy + bw * ty + (bz * tx - bx * tz)
    let mz = cz + bw * tz + (bx * ty - by * tx)
    const dx = x[p] + rx - x[u] - mx
    const dy = x[p + 1] + ry - x[u + 1] - my
    const dz = x[p + 2] + rz - x[u + 2] - mz
    mx += dx
    my += dy
    mz += dz
    const Nx = normal[3 * row]
    const Ny = normal[3 * row + 1]
    const Nz = normal[3 * row + 2]
    const Tx = tangent[3 * row]
    const Ty = tangent[3 * row + 1]
    const Tz = tangent[3 * row + 2]
    const vx = 2 * (by * Nz - bz * Ny)
    const vy = 2 * (bz * Nx - bx * Nz)
    const vz = 2 * (bx * Ny - by * Nx)
    const nx = Nx + bw * vx + (by * vz - bz * vy)
    const ny = Ny + bw * vy + (bz * vx - bx * vz)
    const nz = Nz + bw * vz + (bx * vy - by * vx)
    const wx = 2 * (by * Tz - bz * Ty)
    const wy = 2 * (bz * Tx - bx * Tz)
    const wz = 2 * (bx * Ty - by * Tx)
    const ex = Tx + bw * wx + (by * wz - bz * wy)
    const ey = Ty + bw * wy + (bz * wx - bx * wz)
    const ez = Tz + bw * wz + (bx * wy - by * wx)
    const kx = ny * ez - nz * ey
    const ky = nz * ex - nx * ez
    const kz = nx * ey - ny * ex
    const alpha = regularization[row]
    const fs = lambda[l + 1]
    const ft = lambda[l + 2]
    const fx = ry * ez - rz * ey
    const fy = rz * ex - rx * ez
    const fz = rx * ey - ry * ex
    const gx = my * ez - mz * ey
    const gy = mz * ex - mx * ez
    const gz = mx * ey - my * ex
    const hx = ry * kz - rz * ky
    const hy = rz * kx - rx * kz
    const hz = rx * ky - ry * kx
    const jx = my * kz - mz * ky
    const jy = mz * kx - mx * kz
    const jz = mx * ky - my * kx
    const yx = A0 * hx + A1 * hy + A2 * hz
    const yy = A3 * hx + A4 * hy + A5 * hz
    const yz = A6 * hx + A7 * hy + A8 * hz
    const zx = B0 * jx + B1 * jy + B2 * jz
    const zy = B3 * jx + B4 * jy + B5 * jz
    const zz = B6 * jx + B7 * jy + B8 * jz
    const Fx = A0 * fx + A1 * fy + A2 * fz
    const Fy = A3 * fx + A4 * fy + A5 * fz
    const Fz = A6 * fx + A7 * fy + A8 * fz
    const Gx = B0 * gx + B1 * gy + B2 * gz
    const Gy = B3 * gx + B4 * gy + B5 * gz
    const Gz = B6 * gx + B7 * gy + B8 * gz
    const w = wa + wb
    const kss = w * (ex * ex + ey * ey + ez * ez) + fx * Fx + fy * Fy + fz * Fz + gx * Gx + gy * Gy + gz * Gz + alpha
    const ktt = w * (kx * kx + ky * ky + kz * kz) + hx * yx + hy * yy + hz * yz + jx * zx + jy * zy + jz * zz + alpha
    const kst =
      0.5 *
      (fx * yx +
        fy * yy +
        fz * yz +
        gx * zx +
        gy * zy +
        gz * zz +
        hx * Fx +
        hy * Fy +
        hz * Fz +
        jx * Gx +
        jy * Gy +
        jz * Gz)
    const determinant = kss * ktt - kst * kst
    if (determinant <= 1e-300) continue
    const bs = ex * dx + ey * dy + ez * dz - stick[2 * row] + alpha * fs - kss * fs - kst * ft
    const bt = kx * dx + ky * dy + kz * dz - stick[2 * row + 1] + alpha * ft - kst * fs - ktt * ft
    const slip = friction[2 * row + 1] * lambda[l]
    const most = sliding[row] === 1 ? slip : friction[2 * row] * lambda[l]
    let us = -(ktt * bs - kst * bt) / determinant
    let ut = -(kss * bt - kst * bs) / determinant
    if (us * us + ut * ut > most * most) {
      if (slip === 0) us = ut = 0
      else {
        const mean = 0.5 * (kss + ktt)
        const lean = 0.5 * (kss - ktt)
        const root = Math.sqrt(lean * lean + kst * kst)
        const k1 = mean + root
        const k2 = Math.max(mean - root, 0)
        let c = lean >= 0 ? lean + root : kst
        let s = lean >= 0 ? kst : root - lean
        const length = Math.sqrt(c * c + s * s)
        c = length > 0 ? c / length : 1
        s = length > 0 ? s / length : 0
        const b1 = c * bs + s * bt
        const b2 = c * bt - s * bs
        let sigma = 0
        let l1 = 0
        let l2 = 0
        for (let step = 0; step < 10; step++) {
          l1 = -b1 / (k1 + sigma)
          l2 = -b2 / (k2 + sigma)
          const squared = l1 * l1 + l2 * l2
          const norm = Math.sqrt(squared)
          if (Math.abs(norm - slip) <= 1e-14 * slip) break
          const slope = (l1 * l1) / (k1 + sigma) + (l2 * l2) / (k2 + sigma)
          sigma = Math.max(sigma + (squared * (norm - slip)) / (slip * slope), 0)
        }
        const scale = slip / Math.sqrt(l1 * l1 + l2 * l2)
        us = scale * (c * l1 - s * l2)
        ut = scale * (s * l1 + c * l2)
      }
    }
    const ds = relaxation[row] * (us - fs)
    const dt = relaxation[row] * (ut - ft)
    lambda[l + 1] += ds
    lambda[l + 2] += dt
    const qx = ds * ex + dt * kx
    const qy = ds * ey + dt * ky
    const qz = ds * ez + dt * kz
    x[p] += wa * qx
    x[p + 1] += wa * qy
    x[p + 2] += wa * qz
    x[u] -= wb * qx
    x[u + 1] -= wb * qy
    x[u + 2] -= wb * qz
    THETA[0] = ds * Fx + dt * yx
    THETA[1] = ds * Fy + dt * yy
    THETA[2] = ds * Fz + dt * yz
    turnBy(q, p, THETA)
    THETA[0] = -(ds * Gx + dt * zx)
    THETA[1] = -(ds * Gy + dt * zy)
    THETA[2] = -(ds * Gz + dt * zz)
    turnBy(q, u, THETA)
  }
}
