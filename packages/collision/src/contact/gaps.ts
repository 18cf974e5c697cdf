/**
 * Gaps of a contact manifold at given poses.
 *
 * n̂ is carried by one body; c_i = n̂·(core_A − core_B) − round_A − round_B. Carried by B, with m̂ = R_Aᵀ n̂ in the frame of A:
 *   c_i = n̂·(x_A − x_B) + m̂·a_i + share_i,   share_i = −n̂_B·b_i − round_A − round_B, constant while the manifold lasts;
 * carried by A the same with m̂ = R_Bᵀ n̂, −b_i in place of a_i, and +n̂_A·a_i in the share. Two dot products a point. Between
 * two round sides nobody carries it: n̂ stays for the step, and the share of b is taken anew.
 *
 * Rotations are written out: numbers handed to a function that is not inlined would be boxed.
 */

import { type BodyColumns, rotateVectorInverse } from '@tautline/core/kernel'
import { MAX_POINTS, NORMAL_FIXED, NORMAL_ON_A } from '../detect/narrow/manifold.js'
import { carrierOf, LOCAL_N, RECORD, type Manifolds, POINT, residual, SHARE } from './manifold-columns.js'

const other = /* @__PURE__ */ new Float64Array(3)

/** c_i of all points at the poses in x and q, into `residual`. */
function measureAt(x: Float64Array, q: Float64Array, batch: Manifolds, row: number): void {
  const a = batch.ids[2 * row]
  const b = batch.ids[2 * row + 1]
  const { points, carrier, anchorB, record } = batch.columns
  const p = RECORD * row
  const onA = carrier[row] === NORMAL_ON_A
  const c = 4 * carrierOf(batch, row)
  const o = 4 * (onA ? b : a)
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
  const A = 4 * a
  const B = 4 * b
  const apart = nx * (x[A] - x[B]) + ny * (x[A + 1] - x[B + 1]) + nz * (x[A + 2] - x[B + 2])
  const n = points[row] | 0
  const gaps = residual
  for (let i = 0, k = p + POINT; i < n; i++, k += 3) {
    gaps[i] = apart + record[p + SHARE + i] + mx * record[k] + my * record[k + 1] + mz * record[k + 2]
  }
  if (carrier[row] !== NORMAL_FIXED) return
  // −(R_Bᵀ n̂)·b_i, which is not constant where n̂ stays and b turns.
  rotateVectorInverse(q, B, nx, ny, nz, other, 0)
  for (let i = 0, k = 3 * MAX_POINTS * row; i < n; i++, k += 3) {
    gaps[i] -= other[0] * anchorB[k] + other[1] * anchorB[k + 1] + other[2] * anchorB[k + 2]
  }
}

/** c_i at the present poses, into `residual`. */
export function measureNormals(bodies: BodyColumns, batch: Manifolds, row: number): void {
  measureAt(bodies.position, bodies.orientation, batch, row)
}

/** c_i at the start of the substep, into `residual`. */
export function measureStartGaps(bodies: BodyColumns, batch: Manifolds, row: number): void {
  measureAt(bodies.startPosition, bodies.startOrientation, batch, row)
}
