/**
 * Gaps of a contact manifold.
 *
 * n̂ is carried by one body; c_i = n̂·(core_A − core_B) − round_A − round_B. Carried by B, with m̂ = R_Aᵀ n̂ in the frame of A:
 *   c_i = n̂·(x_A − x_B) + m̂·a_i + share_i,   share_i = −n̂_B·b_i − round_A − round_B, constant while the manifold lasts;
 * carried by A the same with m̂ = R_Bᵀ n̂, −b_i in place of a_i, and +n̂_A·a_i in the share. Two dot products a point. Between
 * two round sides nobody carries it: n̂ stays for the step, and the share of b is taken anew.
 */

import { type Column, i32 } from '@tautline/core/kernel'
import { MAX_POINTS, NORMAL_FIXED, NORMAL_ON_A, NORMAL_ON_B } from '../../detect/narrow/carrier.js'
import { LOCAL_N, POINT, RECORD, SHARE } from '../manifold-record.js'
import type { ManifoldView } from './view.js'

/** c_i at the present poses, into `residual`. */
export function measureNormals(m: ManifoldView, row: i32): void {
  measureAt(m, m.position, m.orientation, row)
}

/** c_i at the start of the substep, into `residual`. */
export function measureStartGaps(m: ManifoldView, row: i32): void {
  measureAt(m, m.startPosition, m.startOrientation, row)
}

/** c_i of all points at the poses in x and q. */
function measureAt(m: ManifoldView, x: Column, q: Column, row: i32): void {
  const record = m.record
  const gaps = m.residual
  const a = 4 * i32(m.body[2 * row])
  const b = 4 * i32(m.body[2 * row + 1])
  const n = i32(m.points[row])
  const p = RECORD * row
  const carrier = m.carrier[row]
  const onA = carrier === NORMAL_ON_A
  // Nobody's normal turns with the world, which is body 0.
  const c = onA ? a : carrier === NORMAL_ON_B ? b : 0
  const o = onA ? b : a
  const lx = record[p + LOCAL_N]
  const ly = record[p + LOCAL_N + 1]
  const lz = record[p + LOCAL_N + 2]
  const cx = q[c]
  const cy = q[c + 1]
  const cz = q[c + 2]
  const cw = q[c + 3]
  const ux = 2 * (cy * lz - cz * ly)
  const uy = 2 * (cz * lx - cx * lz)
  const uz = 2 * (cx * ly - cy * lx)
  const nx = lx + cw * ux + (cy * uz - cz * uy)
  const ny = ly + cw * uy + (cz * ux - cx * uz)
  const nz = lz + cw * uz + (cx * uy - cy * ux)
  const ox = q[o]
  const oy = q[o + 1]
  const oz = q[o + 2]
  const ow = q[o + 3]
  const vx = 2 * (oy * nz - oz * ny)
  const vy = 2 * (oz * nx - ox * nz)
  const vz = 2 * (ox * ny - oy * nx)
  const mx = nx - ow * vx + (oy * vz - oz * vy)
  const my = ny - ow * vy + (oz * vx - ox * vz)
  const mz = nz - ow * vz + (ox * vy - oy * vx)
  const apart = nx * (x[a] - x[b]) + ny * (x[a + 1] - x[b + 1]) + nz * (x[a + 2] - x[b + 2])
  for (let i = 0, k = p + POINT; i < n; i++, k += 3) {
    gaps[i] = apart + record[p + SHARE + i] + mx * record[k] + my * record[k + 1] + mz * record[k + 2]
  }
  if (carrier !== NORMAL_FIXED) return
  // −(R_Bᵀ n̂)·b_i, which is not constant where n̂ stays and b turns.
  const anchor = m.anchorB
  const bx = q[b]
  const by = q[b + 1]
  const bz = q[b + 2]
  const bw = q[b + 3]
  const tx = 2 * (by * nz - bz * ny)
  const ty = 2 * (bz * nx - bx * nz)
  const tz = 2 * (bx * ny - by * nx)
  const sx = nx - bw * tx + (by * tz - bz * ty)
  const sy = ny - bw * ty + (bz * tx - bx * tz)
  const sz = nz - bw * tz + (bx * ty - by * tx)
  for (let i = 0, k = 3 * MAX_POINTS * row; i < n; i++, k += 3) {
    gaps[i] -= sx * anchor[k] + sy * anchor[k + 1] + sz * anchor[k + 2]
  }
}
