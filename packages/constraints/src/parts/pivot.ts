/**
 * Turning about a pivot: the angular rows of a joint, pushed together with the reaction that keeps its anchors together.
 *
 * A couple n alone turns both bodies about their centres of mass and parts the anchors by u = (I_a⁻¹ n) × r_a + (I_b⁻¹ n) × r_b.
 * With the force f = −K⁻¹ u at the anchors, K their 3×3 inverse effective mass (64), they stay where they are, and the
 * effective inverse inertia is w = nᵀ (I_a⁻¹ + I_b⁻¹) n − uᵀ K⁻¹ u: that of the joint, not of the free bodies. Without it
 * the pivot undoes what a drive has just turned, and a damped drive sags (docs/method.md).
 */

import { type BodyColumns, turn } from '@tautline/core'
import { pairInertiaMatrix } from './angular.js'
import { addMassMatrix } from './linear.js'
import { IMMOVABLE } from './vector.js'

/** Numbers of scratch of a pivot: its levers (6), K⁻¹ (9), and the effective inverse inertia (9). */
export const PIVOT = 24

const K = /* @__PURE__ */ new Float64Array(9)
const U = /* @__PURE__ */ new Float64Array(9)

/** Fills `p` from the levers in `g`, which meet at one point; false when nothing there can be moved. */
export function pivotAt(bodies: BodyColumns, a: number, b: number, g: Float64Array, p: Float64Array): boolean {
  for (let k = 0; k < 6; k++) p[k] = g[k]
  K.fill(0)
  addMassMatrix(bodies, a, g[0], g[1], g[2], K)
  addMassMatrix(bodies, b, g[3], g[4], g[5], K)
  const determinant = invert(K, p, 6)
  if (Math.abs(determinant) <= IMMOVABLE) return false
  partedBy(bodies, a, b, p)
  pairInertiaMatrix(bodies, a, b, K)
  // W = I_a⁻¹ + I_b⁻¹ − Uᵀ K⁻¹ U.
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) {
      let sum = 0
      for (let k = 0; k < 3; k++) {
        for (let l = 0; l < 3; l++) sum += U[3 * k + i] * p[6 + 3 * k + l] * U[3 * l + j]
      }
      p[15 + 3 * i + j] = K[3 * i + j] - sum
    }
  }
  return true
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

/** nᵀ W n [1/(kg m²)]. */
export function inverseInertiaAbout(p: Float64Array, nx: number, ny: number, nz: number): number {
  return (
    nx * (p[15] * nx + p[16] * ny + p[17] * nz) +
    ny * (p[18] * nx + p[19] * ny + p[20] * nz) +
    nz * (p[21] * nx + p[22] * ny + p[23] * nz)
  )
}

/**
 * Turns a by the couple n and b by −n about the pivot, and adds the reaction to the pivot's multipliers at `l`.
 */
export function turnAbout(
  bodies: BodyColumns,
  a: number,
  b: number,
  p: Float64Array,
  lambda: Float64Array,
  l: number,
  nx: number,
  ny: number,
  nz: number,
): void {
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
