/**
 * Gaps and slip of a contact manifold at given poses.
 *
 * n̂ is carried by one body; c_i = n̂·(core_A − core_B) − round_A − round_B. Carried by B, with m̂ = R_Aᵀ n̂ in the frame of A:
 *   c_i = n̂·(x_A − x_B) + m̂·a_i + share_i,   share_i = −n̂_B·b_i − round_A − round_B, constant while the manifold lasts;
 * carried by A the same with m̂ = R_Bᵀ n̂, −b_i in place of a_i, and +n̂_A·a_i in the share. Two dot products a point. Between
 * two round sides nobody carries it: n̂ stays for the step, and the share of b is taken anew.
 *
 * Rotations are written out: numbers handed to a function that is not inlined would be boxed.
 */

import { type BodyColumns, rotateVectorInverse, rotateVector, TURNED, rotationSinceStart } from '@tautline/core/kernel'
import { MAX_POINTS, NORMAL_FIXED, NORMAL_ON_A } from '../detect/narrow/manifold.js'
import {
  carrierOf,
  LOCAL_N,
  RECORD,
  type Manifolds,
  POINT,
  residual,
  SHARE,
  ROWS,
  ARM_T,
  FRAME,
  FRICTION,
  ORIGIN,
  ROLLING,
  TWIST,
} from './manifold-columns.js'

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

const n = /* @__PURE__ */ new Float64Array(3)
const p = /* @__PURE__ */ new Float64Array(3)

/** Writes a manifold as plain numbers, see `Collisions.readManifold`. `h` is the length of the last substep [s]. */
export function readManifold(bodies: BodyColumns, batch: Manifolds, row: number, h: number, out: Float64Array): number {
  const { points, record, anchorB, round, lambda } = batch.columns
  const count = points[row]
  if (count === 0) return 0
  const b = batch.ids[2 * row + 1]
  const k = RECORD * row + LOCAL_N
  const { position: x, orientation: q } = bodies
  rotateVector(q, 4 * carrierOf(batch, row), record[k], record[k + 1], record[k + 2], n, 0)
  measureNormals(bodies, batch, row)
  for (let axis = 0; axis < 3; axis++) out[axis] = n[axis]
  for (let i = 0; i < count; i++) {
    const o = 3 * (MAX_POINTS * row + i)
    const at = 3 + 5 * i
    rotateVector(q, 4 * b, anchorB[o], anchorB[o + 1], anchorB[o + 2], p, 0)
    for (let axis = 0; axis < 3; axis++) out[at + axis] = x[4 * b + axis] + p[axis] + round[2 * row + 1] * n[axis]
    out[at + 3] = residual[i]
    out[at + 4] = h > 0 ? lambda[ROWS * row + i] / (h * h) : 0
  }
  return count
}

const v = /* @__PURE__ */ new Float64Array(3)
const slip = /* @__PURE__ */ new Float64Array(3)
const turned = /* @__PURE__ */ new Float64Array(3)

/** Displacement of the manifold centre in the plane [m], and rotations [rad], of a relative to b, into `residual`. */
export function measureSlip(bodies: BodyColumns, batch: Manifolds, row: number): void {
  const a = batch.ids[2 * row]
  const b = batch.ids[2 * row + 1]
  const { record } = batch.columns
  const f = RECORD * row + FRAME
  const t = RECORD * row + ARM_T
  const dot = (i: number, u: ArrayLike<number>, j: number): number =>
    record[i] * u[j] + record[i + 1] * u[j + 1] + record[i + 2] * u[j + 2]
  // The lever arm c to the centre from c × t̂₁ and c × t̂₂.
  const onS = dot(f, record, t + 3)
  const onT = -dot(f, record, t)
  const onN = dot(f + 6, record, t)
  slip.fill(0)
  turned.fill(0)
  for (let side = 0; side < 2; side++) {
    const i = side === 0 ? a : b
    const sign = side === 0 ? 1 : -1
    const { position: x, orientation: q, startPosition, startOrientation } = bodies
    const p = 4 * i
    const at = (k: number): number =>
      record[RECORD * row + ORIGIN + k] + onN * record[f + k] + onS * record[f + 3 + k] + onT * record[f + 6 + k]
    rotateVectorInverse(q, p, at(0) - x[p], at(1) - x[p + 1], at(2) - x[p + 2], v, 0)
    rotateVector(startOrientation, p, v[0], v[1], v[2], v, 0)
    rotationSinceStart(bodies, i)
    for (let k = 0; k < 3; k++) {
      slip[k] += sign * (at(k) - startPosition[p + k] - v[k])
      turned[k] += sign * TURNED[k]
    }
  }
  residual[FRICTION] = dot(f + 3, slip, 0)
  residual[FRICTION + 1] = dot(f + 6, slip, 0)
  residual[TWIST] = dot(f, turned, 0)
  residual[ROLLING] = dot(f + 3, turned, 0)
  residual[ROLLING + 1] = dot(f + 6, turned, 0)
}
