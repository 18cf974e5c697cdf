/** Principal axes in world space, and a body's inertia tensor through them. */

import { ANY_ROTATION_LOCK, type BodyColumns, SPHERICAL } from './body-columns.js'

const W = /* @__PURE__ */ new Float64Array(3)
const L = /* @__PURE__ */ new Float64Array(3)

/** The body's principal frame q ∘ f in world space, `q` a column of orientations. */
export function principalFrame(q: Float64Array, c: BodyColumns, row: number, out: Float64Array): void {
  composeFrame(q, 4 * row, c.inertiaFrame, 4 * row, out)
}

/** The same for a single orientation. */
export function frameOf(q: Float64Array, c: BodyColumns, row: number, out: Float64Array): void {
  composeFrame(q, 0, c.inertiaFrame, 4 * row, out)
}

function composeFrame(q: Float64Array, o: number, f: Float64Array, u: number, out: Float64Array): void {
  const ax = q[o]
  const ay = q[o + 1]
  const az = q[o + 2]
  const aw = q[o + 3]
  const bx = f[u]
  const by = f[u + 1]
  const bz = f[u + 2]
  const bw = f[u + 3]
  out[0] = aw * bx + ax * bw + ay * bz - az * by
  out[1] = aw * by - ax * bz + ay * bw + az * bx
  out[2] = aw * bz + ax * by - ay * bx + az * bw
  out[3] = aw * bw - ax * bx - ay * by - az * bz
}

/**
 * out = R diag(D) Rᵀ v, D the body's moments or their inverses; `v` may be `out`. Arrays in and out, and the two rotations
 * in locals: a number handed to a function that is not inlined would be boxed.
 */
export function through(
  frame: Float64Array,
  c: BodyColumns,
  row: number,
  inverse: boolean,
  v: Float64Array,
  out: Float64Array,
): void {
  const qx = frame[0]
  const qy = frame[1]
  const qz = frame[2]
  const qw = frame[3]
  const ix = c.principalInertia[3 * row]
  const iy = c.principalInertia[3 * row + 1]
  const iz = c.principalInertia[3 * row + 2]
  let x = v[0]
  let y = v[1]
  let z = v[2]
  let tx = 2 * (qy * z - qz * y)
  let ty = 2 * (qz * x - qx * z)
  let tz = 2 * (qx * y - qy * x)
  x += qy * tz - qz * ty - qw * tx
  y += qz * tx - qx * tz - qw * ty
  z += qx * ty - qy * tx - qw * tz
  x = inverse ? x / ix : ix * x
  y = inverse ? y / iy : iy * y
  z = inverse ? z / iz : iz * z
  tx = 2 * (qy * z - qz * y)
  ty = 2 * (qz * x - qx * z)
  tz = 2 * (qx * y - qy * x)
  out[0] = x + qw * tx + (qy * tz - qz * ty)
  out[1] = y + qw * ty + (qz * tx - qx * tz)
  out[2] = z + qw * tz + (qx * ty - qy * tx)
}

/** Whether the body's angular momentum and velocity can point apart. */
export function precesses(c: BodyColumns, row: number): boolean {
  return (c.flags[row] & (SPHERICAL | ANY_ROTATION_LOCK)) === 0
}

/** Adds ω·I ω of a body in a principal frame [J] to sums[k]. */
export function addTwiceSpinEnergy(
  c: BodyColumns,
  row: number,
  frame: Float64Array,
  sums: Float64Array,
  k: number,
): void {
  for (let i = 0; i < 3; i++) W[i] = c.angularVelocity[3 * row + i]
  through(frame, c, row, false, W, L)
  sums[k] += L[0] * W[0] + L[1] * W[1] + L[2] * W[2]
}
