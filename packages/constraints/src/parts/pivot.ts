/**
 * Turning about a pivot: the angular rows of a joint, pushed together with the reaction that keeps its anchors together.
 *
 * A couple n alone turns both bodies about their centres of mass and parts the anchors by u = (I_a⁻¹ n) × r_a + (I_b⁻¹ n) × r_b.
 * With the force f = −K⁻¹ u at the anchors, K their 3×3 inverse effective mass (64), they stay where they are, and the
 * effective inverse inertia is w = nᵀ (I_a⁻¹ + I_b⁻¹) n − uᵀ K⁻¹ u: that of the joint, not of the free bodies. Without it
 * the pivot undoes what a drive has just turned, and a damped drive sags (docs/method.md).
 */

import { type BodyColumns, turn } from '@tautline/core'
import { pairInertiaMatrix, pairInverseInertia, turnPair } from './angular.js'
import { addMassMatrix } from './linear.js'

/** Numbers of scratch of a pivot: its levers (6), K⁻¹ (9), the effective inverse inertia W (9), its multipliers' offset. */
export const PIVOT = 25

/** In place of a pivot: the bodies turn freely about their centres of mass. */
export const FREE: Float64Array = /* @__PURE__ */ new Float64Array(PIVOT)

/** A determinant of K below this has no inverse: nothing at the pivot can be moved. */
const IMMOVABLE = 1e-300

const K = /* @__PURE__ */ new Float64Array(9)
const V = /* @__PURE__ */ new Float64Array(9)
const T = /* @__PURE__ */ new Float64Array(9)
const S = /* @__PURE__ */ new Float64Array(9)
const U = /* @__PURE__ */ new Float64Array(9)

/**
 * Fills `p` from the levers in `g`, which meet at one point; κ of the pivot is at `l` in `lambda`. Returns `p`, or `FREE`
 * when nothing there can be moved.
 */
export function pivotAt(
  bodies: BodyColumns,
  a: number,
  b: number,
  g: Float64Array,
  l: number,
  p: Float64Array,
): Float64Array {
  for (let k = 0; k < 6; k++) p[k] = g[k]
  K.fill(0)
  addMassMatrix(bodies, a, g[0], g[1], g[2], K)
  addMassMatrix(bodies, b, g[3], g[4], g[5], K)
  const determinant = invert(K, p, 6)
  if (Math.abs(determinant) <= IMMOVABLE) return FREE
  p[24] = l
  partedBy(bodies, a, b, p)
  // W from what each couple e_j moves together with its reaction: sums of squares, where I⁻¹ − Uᵀ K⁻¹ U would cancel.
  const m = bodies.position[4 * a + 3] + bodies.position[4 * b + 3]
  for (let j = 0; j < 3; j++) {
    const fx = -(p[6] * U[j] + p[7] * U[3 + j] + p[8] * U[6 + j])
    const fy = -(p[9] * U[j] + p[10] * U[3 + j] + p[11] * U[6 + j])
    const fz = -(p[12] * U[j] + p[13] * U[3 + j] + p[14] * U[6 + j])
    V[j] = fx
    V[3 + j] = fy
    V[6 + j] = fz
    couple(p, 0, j, fx, fy, fz, T)
    couple(p, 3, j, fx, fy, fz, S)
  }
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) {
      p[15 + 3 * i + j] =
        m * (V[i] * V[j] + V[3 + i] * V[3 + j] + V[6 + i] * V[6 + j]) +
        through(bodies.inverseInertia, 9 * a, T, i, j) +
        through(bodies.inverseInertia, 9 * b, S, i, j)
    }
  }
  return p
}

/** Column j of `out`: e_j + r × f, the couple on a body at the lever at `k` of `p`. */
function couple(p: Float64Array, k: number, j: number, fx: number, fy: number, fz: number, out: Float64Array): void {
  out[j] = p[k + 1] * fz - p[k + 2] * fy
  out[3 + j] = p[k + 2] * fx - p[k] * fz
  out[6 + j] = p[k] * fy - p[k + 1] * fx
  out[4 * j] += 1
}

/** t_iᵀ I⁻¹ t_j of the columns of `T`. */
function through(I: Float64Array, e: number, T: Float64Array, i: number, j: number): number {
  const x = T[j]
  const y = T[3 + j]
  const z = T[6 + j]
  return (
    T[i] * (I[e] * x + I[e + 1] * y + I[e + 2] * z) +
    T[3 + i] * (I[e + 3] * x + I[e + 4] * y + I[e + 5] * z) +
    T[6 + i] * (I[e + 6] * x + I[e + 7] * y + I[e + 8] * z)
  )
}

/** U: column j is u for the couple e_j. */
function partedBy(bodies: BodyColumns, a: number, b: number, p: Float64Array): void {
  const I = bodies.inverseInertia
  for (let j = 0; j < 3; j++) {
    const ax = I[9 * a + j]
    const ay = I[9 * a + 3 + j]
    const az = I[9 * a + 6 + j]
    const bx = I[9 * b + j]
    const by = I[9 * b + 3 + j]
    const bz = I[9 * b + 6 + j]
    U[j] = ay * p[2] - az * p[1] + by * p[5] - bz * p[4]
    U[3 + j] = az * p[0] - ax * p[2] + bz * p[3] - bx * p[5]
    U[6 + j] = ax * p[1] - ay * p[0] + bx * p[4] - by * p[3]
  }
}

/** nᵀ W n [1/(kg m²)]: effective inverse inertia of a couple about the pivot. */
export function inverseInertiaAbout(
  bodies: BodyColumns,
  a: number,
  b: number,
  p: Float64Array,
  nx: number,
  ny: number,
  nz: number,
): number {
  if (p === FREE) return pairInverseInertia(bodies, a, b, nx, ny, nz)
  return (
    nx * (p[15] * nx + p[16] * ny + p[17] * nz) +
    ny * (p[18] * nx + p[19] * ny + p[20] * nz) +
    nz * (p[21] * nx + p[22] * ny + p[23] * nz)
  )
}

/** W, 3×3 row-major, into `K`. */
export function inertiaMatrixAbout(bodies: BodyColumns, a: number, b: number, p: Float64Array, K: Float64Array): void {
  if (p === FREE) pairInertiaMatrix(bodies, a, b, K)
  else for (let k = 0; k < 9; k++) K[k] = p[15 + k]
}

/** Turns a by the couple n and b by −n about the pivot, and adds the reaction to the pivot's κ in `lambda`. */
export function turnAbout(
  bodies: BodyColumns,
  a: number,
  b: number,
  p: Float64Array,
  lambda: Float64Array,
  nx: number,
  ny: number,
  nz: number,
): void {
  if (p === FREE) {
    turnPair(bodies, a, b, nx, ny, nz)
    return
  }
  const I = bodies.inverseInertia
  const e = 9 * a
  const d = 9 * b
  // u = (I_a⁻¹ n) × r_a + (I_b⁻¹ n) × r_b
  const ax = I[e] * nx + I[e + 1] * ny + I[e + 2] * nz
  const ay = I[e + 3] * nx + I[e + 4] * ny + I[e + 5] * nz
  const az = I[e + 6] * nx + I[e + 7] * ny + I[e + 8] * nz
  const bx = I[d] * nx + I[d + 1] * ny + I[d + 2] * nz
  const by = I[d + 3] * nx + I[d + 4] * ny + I[d + 5] * nz
  const bz = I[d + 6] * nx + I[d + 7] * ny + I[d + 8] * nz
  const ux = ay * p[2] - az * p[1] + by * p[5] - bz * p[4]
  const uy = az * p[0] - ax * p[2] + bz * p[3] - bx * p[5]
  const uz = ax * p[1] - ay * p[0] + bx * p[4] - by * p[3]
  const fx = -(p[6] * ux + p[7] * uy + p[8] * uz)
  const fy = -(p[9] * ux + p[10] * uy + p[11] * uz)
  const fz = -(p[12] * ux + p[13] * uy + p[14] * uz)
  const l = p[24]
  lambda[l] += fx
  lambda[l + 1] += fy
  lambda[l + 2] += fz
  push(bodies, a, p[0], p[1], p[2], fx, fy, fz, nx, ny, nz)
  push(bodies, b, p[3], p[4], p[5], -fx, -fy, -fz, -nx, -ny, -nz)
}

/** Displaces one body by a force f at lever r and a couple n. */
function push(
  bodies: BodyColumns,
  i: number,
  rx: number,
  ry: number,
  rz: number,
  fx: number,
  fy: number,
  fz: number,
  nx: number,
  ny: number,
  nz: number,
): void {
  const x = bodies.position
  const I = bodies.inverseInertia
  const o = 4 * i
  const e = 9 * i
  const w = x[o + 3]
  x[o] += w * fx
  x[o + 1] += w * fy
  x[o + 2] += w * fz
  const tx = nx + ry * fz - rz * fy
  const ty = ny + rz * fx - rx * fz
  const tz = nz + rx * fy - ry * fx
  const ox = I[e] * tx + I[e + 1] * ty + I[e + 2] * tz
  const oy = I[e + 3] * tx + I[e + 4] * ty + I[e + 5] * tz
  const oz = I[e + 6] * tx + I[e + 7] * ty + I[e + 8] * tz
  if (ox !== 0 || oy !== 0 || oz !== 0) turn(bodies.orientation, o, ox, oy, oz)
}

/** Inverse of `m` by cofactors into `out` at `o`; returns the determinant. */
function invert(m: Float64Array, out: Float64Array, o: number): number {
  const A = m[4] * m[8] - m[5] * m[7]
  const B = m[5] * m[6] - m[3] * m[8]
  const C = m[3] * m[7] - m[4] * m[6]
  const determinant = m[0] * A + m[1] * B + m[2] * C
  const s = 1 / determinant
  out[o] = s * A
  out[o + 1] = s * (m[2] * m[7] - m[1] * m[8])
  out[o + 2] = s * (m[1] * m[5] - m[2] * m[4])
  out[o + 3] = s * B
  out[o + 4] = s * (m[0] * m[8] - m[2] * m[6])
  out[o + 5] = s * (m[2] * m[3] - m[0] * m[5])
  out[o + 6] = s * C
  out[o + 7] = s * (m[1] * m[6] - m[0] * m[7])
  out[o + 8] = s * (m[0] * m[4] - m[1] * m[3])
  return determinant
}
