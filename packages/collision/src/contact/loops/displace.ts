/** Displaces the two bodies of a contact manifold by changes of λ: ΔX = M⁻¹ Jᵀ Δλ. */

import { addLoad, type f64, i32, rotateBy, RUNAWAY } from '@tautline/core/kernel'
import { ARM_N, ARM_T, DEEP, FIRST, FRAME, FRICTION, ORIGIN, RECORD, ROLLING, ROWS, TWIST } from '../manifold-record.js'
import { type ManifoldView, TAKES_LOADS } from './view.js'

/** Squared angle [rad²] up to which a turn needs no root. */
const SMALL_TURN: f64 = 1e-3

/** Displaces by the λ of the last substep. */
export function warmStart(m: ManifoldView, row: i32): void {
  const lambda = m.lambda
  const change = m.change
  const l = ROWS * row
  const pushed = sumOfNormals(m, row)
  m.record[RECORD * row + FIRST] = pushed
  if (pushed === 0) {
    for (let k = FRICTION; k < ROWS; k++) lambda[l + k] = 0
    return
  }
  for (let k = 0; k < ROWS; k++) change[k] = lambda[l + k]
  displace(m, row, true)
}

/** Load Σ λ_i of the normals [kg m]. */
export function sumOfNormals(m: ManifoldView, row: i32): f64 {
  const lambda = m.lambda
  const n = i32(m.points[row])
  let load: f64 = 0
  for (let i = 0; i < n; i++) load += lambda[ROWS * row + i]
  return load
}

/** Displaces both bodies by `change`, of all rows or of the normals alone. Values that are not finite, or far too large, move nothing. */
export function displace(m: ManifoldView, row: i32, all: boolean): void {
  gatherWrench(m, row, all)
  const w = m.wrench
  const size = Math.abs(w[0]) + Math.abs(w[1]) + Math.abs(w[2]) + Math.abs(w[3]) + Math.abs(w[4]) + Math.abs(w[5])
  if (!(size < RUNAWAY)) return
  displaceBody(m, RECORD * row, i32(m.body[2 * row]), 1)
  displaceBody(m, RECORD * row, i32(m.body[2 * row + 1]), -1)
}

/** Force on a, and its moment about `ORIGIN`, of `change` into `wrench`. */
export function gatherWrench(m: ManifoldView, row: i32, all: boolean): void {
  const record = m.record
  const change = m.change
  const wrench = m.wrench
  const n = i32(m.points[row])
  const p = RECORD * row
  const nx = record[p + FRAME]
  const ny = record[p + FRAME + 1]
  const nz = record[p + FRAME + 2]
  let push: f64 = 0
  let mx: f64 = 0
  let my: f64 = 0
  let mz: f64 = 0
  for (let i = 0, o = p + ARM_N; i < n; i++, o += 3) {
    const d = change[i]
    push += d
    mx += d * record[o]
    my += d * record[o + 1]
    mz += d * record[o + 2]
  }
  let fx = push * nx
  let fy = push * ny
  let fz = push * nz
  if (all) {
    const f = p + FRAME + 3
    const t = p + ARM_T
    const s = change[FRICTION]
    const u = change[FRICTION + 1]
    const twist = change[TWIST]
    fx += s * record[f] + u * record[f + 3]
    fy += s * record[f + 1] + u * record[f + 4]
    fz += s * record[f + 2] + u * record[f + 5]
    mx += s * record[t] + u * record[t + 3] + twist * nx
    my += s * record[t + 1] + u * record[t + 4] + twist * ny
    mz += s * record[t + 2] + u * record[t + 5] + twist * nz
    if (m.rolling[row] !== 0) {
      const y = change[ROLLING]
      const z = change[ROLLING + 1]
      mx += y * record[f] + z * record[f + 3]
      my += y * record[f + 1] + z * record[f + 4]
      mz += y * record[f + 2] + z * record[f + 5]
    }
  }
  wrench[0] = fx
  wrench[1] = fy
  wrench[2] = fz
  wrench[3] = mx
  wrench[4] = my
  wrench[5] = mz
}

/** Moves and turns body i by `wrench`, with the sign of its side. */
function displaceBody(m: ManifoldView, p: i32, i: i32, sign: f64): void {
  const x = m.position
  const record = m.record
  const wrench = m.wrench
  const c = 4 * i
  const w = sign * x[c + 3]
  if (w === 0) return
  const fx = wrench[0]
  const fy = wrench[1]
  const fz = wrench[2]
  const sx = record[p + ORIGIN] - x[c]
  const sy = record[p + ORIGIN + 1] - x[c + 1]
  const sz = record[p + ORIGIN + 2] - x[c + 2]
  const gx = sign * (wrench[3] + sy * fz - sz * fy)
  const gy = sign * (wrench[4] + sz * fx - sx * fz)
  const gz = sign * (wrench[5] + sx * fy - sy * fx)
  if (m.flags[TAKES_LOADS] !== 0 && addLoad(i, sign * fx, sign * fy, sign * fz, gx, gy, gz)) return
  const I = m.inverseInertia
  const e = 9 * i
  const tx = I[e] * gx + I[e + 1] * gy + I[e + 2] * gz
  const ty = I[e + 3] * gx + I[e + 4] * gy + I[e + 5] * gz
  const tz = I[e + 6] * gx + I[e + 7] * gy + I[e + 8] * gz
  x[c] += w * fx
  x[c + 1] += w * fy
  x[c + 2] += w * fz
  if (record[p + DEEP] !== 0) {
    const pushed = m.pushed
    const k = 6 * i
    pushed[k] += w * fx
    pushed[k + 1] += w * fy
    pushed[k + 2] += w * fz
    pushed[k + 3] += tx
    pushed[k + 4] += ty
    pushed[k + 5] += tz
  }
  turn(m, c, tx, ty, tz)
}

/** q ← exp(δθ/2) q. */
function turn(m: ManifoldView, c: i32, tx: f64, ty: f64, tz: f64): void {
  const q = m.orientation
  const u = tx * tx + ty * ty + tz * tz
  if (u > SMALL_TURN) {
    const v = m.vector
    v[0] = tx
    v[1] = ty
    v[2] = tz
    rotateBy(q, c, v)
    return
  }
  // exp(δθ/2) to the sixth order of the angle: off by 1e-12 at most, and no root.
  const half = 0.5 - u * (1 / 48 - u * (1 / 3840))
  const cos = 1 - u * (0.125 - u * (1 / 384))
  const ax = half * tx
  const ay = half * ty
  const az = half * tz
  const qx = q[c]
  const qy = q[c + 1]
  const qz = q[c + 2]
  const qw = q[c + 3]
  q[c] = cos * qx + ax * qw + ay * qz - az * qy
  q[c + 1] = cos * qy - ax * qz + ay * qw + az * qx
  q[c + 2] = cos * qz + ax * qy - ay * qx + az * qw
  q[c + 3] = cos * qw - ax * qx - ay * qy - az * qz
}
