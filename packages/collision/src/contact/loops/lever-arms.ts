/**
 * Frame and lever arms of a contact manifold at the predicted poses.
 *
 * The exact gradient of a carried normal has its lever at the other body's point, so that is where both are pushed. Levers are kept as
 * lever arms from `origin` o, a's centre when the manifold was prepared: a force P and a moment T about o are the moment T + (o − x) × P about a
 * body at x, wherever it has been pushed to since. Angular momentum stays to the bit.
 */

import { f64, i32 } from '@tautline/core/kernel'
import { NORMAL_ON_A, NORMAL_ON_B } from '../../detect/narrow/carrier.js'
import { ARM_N, ARM_T, FRAME, LOCAL_N, ORIGIN, POINT, RECORD, ROWS, SPREAD } from '../manifold-record.js'
import type { ManifoldView } from './view.js'

/** Frame, lever arms and centre at the predicted poses. The centre is where the last substep's load was, or amid the points. */
export function prepareLeverArms(m: ManifoldView, row: i32): void {
  const x = m.position
  const q = m.orientation
  const record = m.record
  const lambda = m.lambda
  const arms = m.arms
  const a = 4 * i32(m.body[2 * row])
  const b = 4 * i32(m.body[2 * row + 1])
  const p = RECORD * row
  const carrier = m.carrier[row]
  const onA = carrier === NORMAL_ON_A
  const c = onA ? a : carrier === NORMAL_ON_B ? b : 0
  const kx = q[c]
  const ky = q[c + 1]
  const kz = q[c + 2]
  const kw = q[c + 3]
  const ix = record[p + LOCAL_N]
  const iy = record[p + LOCAL_N + 1]
  const iz = record[p + LOCAL_N + 2]
  const fx = 2 * (ky * iz - kz * iy)
  const fy = 2 * (kz * ix - kx * iz)
  const fz = 2 * (kx * iy - ky * ix)
  const nx = ix + kw * fx + (ky * fz - kz * fy)
  const ny = iy + kw * fy + (kz * fx - kx * fz)
  const nz = iz + kw * fz + (kx * fy - ky * fx)
  const jx = m.tangent[3 * row]
  const jy = m.tangent[3 * row + 1]
  const jz = m.tangent[3 * row + 2]
  const gx = 2 * (ky * jz - kz * jy)
  const gy = 2 * (kz * jx - kx * jz)
  const gz = 2 * (kx * jy - ky * jx)
  const sx = jx + kw * gx + (ky * gz - kz * gy)
  const sy = jy + kw * gy + (kz * gx - kx * gz)
  const sz = jz + kw * gz + (kx * gy - ky * gx)
  const tx = ny * sz - nz * sy
  const ty = nz * sx - nx * sz
  const tz = nx * sy - ny * sx
  record[p + FRAME] = nx
  record[p + FRAME + 1] = ny
  record[p + FRAME + 2] = nz
  record[p + FRAME + 3] = sx
  record[p + FRAME + 4] = sy
  record[p + FRAME + 5] = sz
  record[p + FRAME + 6] = tx
  record[p + FRAME + 7] = ty
  record[p + FRAME + 8] = tz
  const ox = x[a]
  const oy = x[a + 1]
  const oz = x[a + 2]
  record[p + ORIGIN] = ox
  record[p + ORIGIN + 1] = oy
  record[p + ORIGIN + 2] = oz
  // Surface points of the body that does not carry the normal; b's are stored negated where a carries it.
  const o = onA ? b : a
  const sign: f64 = onA ? -1 : 1
  const push = onA ? m.round[2 * row + 1] : -m.round[2 * row]
  const bx = x[o] - ox + push * nx
  const by = x[o + 1] - oy + push * ny
  const bz = x[o + 2] - oz + push * nz
  const qx = q[o]
  const qy = q[o + 1]
  const qz = q[o + 2]
  const qw = q[o + 3]
  const n = i32(m.points[row])
  const l = ROWS * row
  let load: f64 = 0
  for (let i = 0; i < n; i++) load += lambda[l + i]
  let cx: f64 = 0
  let cy: f64 = 0
  let cz: f64 = 0
  for (let i = 0; i < n; i++) {
    const k = p + POINT + 3 * i
    const lx = sign * record[k]
    const ly = sign * record[k + 1]
    const lz = sign * record[k + 2]
    const ux = 2 * (qy * lz - qz * ly)
    const uy = 2 * (qz * lx - qx * lz)
    const uz = 2 * (qx * ly - qy * lx)
    const rx = bx + lx + qw * ux + (qy * uz - qz * uy)
    const ry = by + ly + qw * uy + (qz * ux - qx * uz)
    const rz = bz + lz + qw * uz + (qx * uy - qy * ux)
    arms[3 * i] = rx
    arms[3 * i + 1] = ry
    arms[3 * i + 2] = rz
    const t = p + ARM_N + 3 * i
    record[t] = ry * nz - rz * ny
    record[t + 1] = rz * nx - rx * nz
    record[t + 2] = rx * ny - ry * nx
    const weight = load > 0 ? lambda[l + i] / load : 1 / f64(n)
    cx += weight * rx
    cy += weight * ry
    cz += weight * rz
  }
  const t = p + ARM_T
  record[t] = cy * sz - cz * sy
  record[t + 1] = cz * sx - cx * sz
  record[t + 2] = cx * sy - cy * sx
  record[t + 3] = cy * tz - cz * ty
  record[t + 4] = cz * tx - cx * tz
  record[t + 5] = cx * ty - cy * tx
  for (let i = 0; i < n; i++) {
    const dx = arms[3 * i] - cx
    const dy = arms[3 * i + 1] - cy
    const dz = arms[3 * i + 2] - cz
    record[p + SPREAD + i] = Math.sqrt(dx * dx + dy * dy + dz * dz)
  }
}
