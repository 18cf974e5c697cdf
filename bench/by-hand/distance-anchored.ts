/** Distance of two anchors, rigid or one-sided, with compliance. */

import type { Data } from '../lib/data.js'
import { isThrough, turn } from './math.js'

/** A direction, and the way along it. */
const N = new Float64Array(4)

export function distanceAnchored(data: Data): void {
  const { rows, ids, x, q, inertia, columns } = data
  const { rest, lower, upper, anchorA, anchorB, lambda, softness, relaxation } = columns
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
    const rx = ox + aw * sx + (ay * sz - az * sy)
    const ry = oy + aw * sy + (az * sx - ax * sz)
    const rz = oz + aw * sz + (ax * sy - ay * sx)
    const tx = 2 * (by * cz - bz * cy)
    const ty = 2 * (bz * cx - bx * cz)
    const tz = 2 * (bx * cy - by * cx)
    const mx = cx + bw * tx + (by * tz - bz * ty)
    const my = cy + bw * ty + (bz * tx - bx * tz)
    const mz = cz + bw * tz + (bx * ty - by * tx)
    const dx = x[p] + rx - x[u] - mx
    const dy = x[p + 1] + ry - x[u + 1] - my
    const dz = x[p + 2] + rz - x[u + 2] - mz
    const length = Math.sqrt(dx * dx + dy * dy + dz * dz)
    if (length < 1e-12) continue
    let nx = dx / length
    let ny = dy / length
    let nz = dz / length
    let c = length - rest[row]
    if (c < 0) {
      N[0] = dx
      N[1] = dy
      N[2] = dz
      if (isThrough(data, p, u, row, N)) {
        nx = N[0]
        ny = N[1]
        nz = N[2]
        c = N[3] - rest[row]
      }
    }
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
    const fx = ry * nz - rz * ny
    const fy = rz * nx - rx * nz
    const fz = rx * ny - ry * nx
    const gx = my * nz - mz * ny
    const gy = mz * nx - mx * nz
    const gz = mx * ny - my * nx
    const soft = softness[row]
    const w =
      (wa + wb) * (nx * nx + ny * ny + nz * nz) +
      fx * (A0 * fx + A1 * fy + A2 * fz) +
      fy * (A3 * fx + A4 * fy + A5 * fz) +
      fz * (A6 * fx + A7 * fy + A8 * fz) +
      gx * (B0 * gx + B1 * gy + B2 * gz) +
      gy * (B3 * gx + B4 * gy + B5 * gz) +
      gz * (B6 * gx + B7 * gy + B8 * gz) +
      soft
    if (w <= 1e-300) continue
    const old = lambda[row]
    let fresh = old - (relaxation[row] * (c + soft * old)) / w
    if (fresh < lower[row] || fresh > upper[row]) fresh = 0
    lambda[row] = fresh
    const s = fresh - old
    const sa = s * wa
    const sb = s * wb
    x[p] += sa * nx
    x[p + 1] += sa * ny
    x[p + 2] += sa * nz
    x[u] -= sb * nx
    x[u + 1] -= sb * ny
    x[u + 2] -= sb * nz
    turn(q, p, s * (A0 * fx + A1 * fy + A2 * fz), s * (A3 * fx + A4 * fy + A5 * fz), s * (A6 * fx + A7 * fy + A8 * fz))
    turn(
      q,
      u,
      -s * (B0 * gx + B1 * gy + B2 * gz),
      -s * (B3 * gx + B4 * gy + B5 * gz),
      -s * (B6 * gx + B7 * gy + B8 * gz),
    )
  }
}
