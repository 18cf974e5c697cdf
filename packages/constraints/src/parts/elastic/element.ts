/**
 * The two errors of a Neo-Hookean tetrahedron and their gradients, as `neo-hookean.ts` states them: what is swept by rows and what is solved as a whole read them
 * here.
 */

import type { Batch, BodyColumns } from '@tautline/core/kernel'
import { FIT_SCRATCH, fitRotation } from '../rotation-fit.js'

const FIT = /* @__PURE__ */ new Float64Array(FIT_SCRATCH)

/** Numbers of an element's shape at the start of a substep: F₀ (9), F₀ᵀF₀ (6), J₀ (residual.ts). */
export const START = 16
/** Corners of an element. */
export const CORNERS = 4

/**
 * Columns of a row: B, row by row; the two compliances, Infinity where it does not act; β [s]; the longest edge at rest, squared [m²]; and, at the corner that
 * owns a node, by what the node was displaced when it was last solved as a whole, as acceleration [m/s²].
 */
export const ELASTIC_COLUMNS = { inverse: 9, shape: 2, beta: 1, size: 1, push: 12 } as const
export type ElasticColumn = keyof typeof ELASTIC_COLUMNS
export type ElasticBatch = Batch<ElasticColumn>

/** Strain below which the deviatoric row is at rest: its gradient is round-off. */
export const UNSTRAINED = 1e-9
/** c² below which it is written by E. */
const NEAR = 1e-2

/** J below which an element is pressed flat. */
export const CRUSHED = 0.2

/** F, its cofactors, the rotation nearest to it, and half the derivative of c² by F, row by row. */
export const F: Float64Array = /* @__PURE__ */ new Float64Array(9)
export const C: Float64Array = /* @__PURE__ */ new Float64Array(9)
const R = /* @__PURE__ */ new Float64Array(9)
export const P: Float64Array = /* @__PURE__ */ new Float64Array(9)
/** Gradients of the two rows, three numbers a body. */
export const gd: Float64Array = /* @__PURE__ */ new Float64Array(12)
export const gh: Float64Array = /* @__PURE__ */ new Float64Array(12)

/**
 * What goes from one function to another, in memory, as numbers handed on would be boxed: a, γ, ξ, the longest edge at rest and now, squared [m²], the error in
 * hand, J, and the square of the deviatoric error.
 */
export const STEP: Float64Array = /* @__PURE__ */ new Float64Array(8)
export const SOFTNESS = 0
export const GAMMA = 1
export const XI = 2
export const SIZE = 3
export const LONGEST = 4
export const ERROR = 5
export const JACOBIAN = 6
export const SQUARED = 7

/** J − 1 into `STEP`, its gradient into `gh`, and the longest edge. `o` and `n` are the places of the row in `ids` and of B in `inverse`. */
export function changeVolume(bodies: BodyColumns, ids: Int32Array, o: number, inverse: Float64Array, n: number): void {
  const x = bodies.position
  const p = 4 * ids[o]
  const q = 4 * ids[o + 1]
  const r = 4 * ids[o + 2]
  const s = 4 * ids[o + 3]
  const ax = x[q] - x[p]
  const ay = x[q + 1] - x[p + 1]
  const az = x[q + 2] - x[p + 2]
  const bx = x[r] - x[p]
  const by = x[r + 1] - x[p + 1]
  const bz = x[r + 2] - x[p + 2]
  const cx = x[s] - x[p]
  const cy = x[s + 1] - x[p + 1]
  const cz = x[s + 2] - x[p + 2]
  const B4 = inverse[n + 4]
  const B5 = inverse[n + 5]
  const B7 = inverse[n + 7]
  const B8 = inverse[n + 8]
  const scale =
    inverse[n] * (B4 * B8 - B5 * B7) +
    inverse[n + 1] * (B5 * inverse[n + 6] - inverse[n + 3] * B8) +
    inverse[n + 2] * (inverse[n + 3] * B7 - B4 * inverse[n + 6])
  const j1x = scale * (by * cz - bz * cy)
  const j1y = scale * (bz * cx - bx * cz)
  const j1z = scale * (bx * cy - by * cx)
  const j2x = scale * (cy * az - cz * ay)
  const j2y = scale * (cz * ax - cx * az)
  const j2z = scale * (cx * ay - cy * ax)
  const j3x = scale * (ay * bz - az * by)
  const j3y = scale * (az * bx - ax * bz)
  const j3z = scale * (ax * by - ay * bx)
  gh[0] = -(j1x + j2x + j3x)
  gh[1] = -(j1y + j2y + j3y)
  gh[2] = -(j1z + j2z + j3z)
  gh[3] = j1x
  gh[4] = j1y
  gh[5] = j1z
  gh[6] = j2x
  gh[7] = j2y
  gh[8] = j2z
  gh[9] = j3x
  gh[10] = j3y
  gh[11] = j3z
  STEP[LONGEST] = Math.max(ax * ax + ay * ay + az * az, bx * bx + by * by + bz * bz, cx * cx + cy * cy + cz * cz)
  STEP[ERROR] = ax * j1x + ay * j1y + az * j1z - 1
}

/** F of an element at the positions `x` into `F`, its cofactors into `C`, J and the longest edge into `STEP`. `o` and `n` are its places in `ids`, and of B in `inverse`. */
export function deform(x: Float64Array, ids: Int32Array, o: number, inverse: Float64Array, n: number): void {
  const p = 4 * ids[o]
  const q = 4 * ids[o + 1]
  const r = 4 * ids[o + 2]
  const s = 4 * ids[o + 3]
  const ax = x[q] - x[p]
  const ay = x[q + 1] - x[p + 1]
  const az = x[q + 2] - x[p + 2]
  const bx = x[r] - x[p]
  const by = x[r + 1] - x[p + 1]
  const bz = x[r + 2] - x[p + 2]
  const cx = x[s] - x[p]
  const cy = x[s + 1] - x[p + 1]
  const cz = x[s + 2] - x[p + 2]
  const B0 = inverse[n]
  const B1 = inverse[n + 1]
  const B2 = inverse[n + 2]
  const B3 = inverse[n + 3]
  const B4 = inverse[n + 4]
  const B5 = inverse[n + 5]
  const B6 = inverse[n + 6]
  const B7 = inverse[n + 7]
  const B8 = inverse[n + 8]
  const F0 = ax * B0 + bx * B3 + cx * B6
  const F1 = ax * B1 + bx * B4 + cx * B7
  const F2 = ax * B2 + bx * B5 + cx * B8
  const F3 = ay * B0 + by * B3 + cy * B6
  const F4 = ay * B1 + by * B4 + cy * B7
  const F5 = ay * B2 + by * B5 + cy * B8
  const F6 = az * B0 + bz * B3 + cz * B6
  const F7 = az * B1 + bz * B4 + cz * B7
  const F8 = az * B2 + bz * B5 + cz * B8
  const C0 = F4 * F8 - F5 * F7
  const C1 = F5 * F6 - F3 * F8
  const C2 = F3 * F7 - F4 * F6
  F[0] = F0
  F[1] = F1
  F[2] = F2
  F[3] = F3
  F[4] = F4
  F[5] = F5
  F[6] = F6
  F[7] = F7
  F[8] = F8
  C[0] = C0
  C[1] = C1
  C[2] = C2
  C[3] = F2 * F7 - F1 * F8
  C[4] = F0 * F8 - F2 * F6
  C[5] = F1 * F6 - F0 * F7
  C[6] = F1 * F5 - F2 * F4
  C[7] = F2 * F3 - F0 * F5
  C[8] = F0 * F4 - F1 * F3
  STEP[JACOBIAN] = F0 * C0 + F1 * C1 + F2 * C2
  STEP[LONGEST] = Math.max(ax * ax + ay * ay + az * az, bx * bx + by * by + bz * bz, cx * cx + cy * cy + cz * cz)
}

/** The deviatoric error into `STEP`, its gradient into `gd`, and the longest edge. `o` and `n` are the places of the row in `ids` and of B in `inverse`. */
export function changeShape(bodies: BodyColumns, ids: Int32Array, o: number, inverse: Float64Array, n: number): void {
  deform(bodies.position, ids, o, inverse, n)
  shapeStress()
  const c = STEP[SQUARED] > 0 ? Math.sqrt(STEP[SQUARED]) : 0
  STEP[ERROR] = c
  const t = c > UNSTRAINED ? 1 / c : 0
  for (let k = 0; k < 9; k += 3) {
    const u = t * inverse[n + k]
    const v = t * inverse[n + k + 1]
    const w = t * inverse[n + k + 2]
    gd[k + 3] = u * P[0] + v * P[1] + w * P[2]
    gd[k + 4] = u * P[3] + v * P[4] + w * P[5]
    gd[k + 5] = u * P[6] + v * P[7] + w * P[8]
  }
  gd[0] = -(gd[3] + gd[6] + gd[9])
  gd[1] = -(gd[4] + gd[7] + gd[10])
  gd[2] = -(gd[5] + gd[8] + gd[11])
}

/** c² of F and J into `STEP`, and c ∂c/∂F into `P`. */
export function shapeStress(): void {
  squareShape()
  const J = STEP[JACOBIAN]
  for (let k = 0; k < 9; k++) P[k] = F[k] + (J - 2) * C[k]
  if (J < CRUSHED) crush()
}

/**
 * The deviatoric row of an element that is pressed flat or turned inside out, with its P: from J = 0.2 to 0 it goes over to 2 ‖F − R‖² where that is more,
 * R the rotation nearest to F. It has no rest but the one at F = R, so that what was crushed to a line or a point comes back too.
 */
function crush(): void {
  const J = STEP[JACOBIAN]
  const squared = STEP[SQUARED]
  fitRotation(F, R, FIT)
  let away = 0
  for (let k = 0; k < 9; k++) away += 2 * (F[k] - R[k]) * (F[k] - R[k])
  const more = away - squared
  if (!(more > 0)) return
  // φ = 3 s² − 2 s³ of s = 1 − J/0.2.
  const s = J > 0 ? 1 - J / CRUSHED : 1
  const share = s * s * (3 - 2 * s)
  const slope = J > 0 ? (-6 * s * (1 - s)) / CRUSHED : 0
  const along = 0.5 * slope * more
  for (let k = 0; k < 9; k++) P[k] += share * (2 * (F[k] - R[k]) - P[k])
  for (let k = 0; k < 9; k++) P[k] += along * C[k]
  STEP[SQUARED] = squared + share * more
}

/** c² of F and J into `STEP`, before it is crushed. */
export function squareShape(): void {
  const J = STEP[JACOBIAN]
  const I =
    F[0] * F[0] +
    F[1] * F[1] +
    F[2] * F[2] +
    F[3] * F[3] +
    F[4] * F[4] +
    F[5] * F[5] +
    F[6] * F[6] +
    F[7] * F[7] +
    F[8] * F[8]
  STEP[SQUARED] = I + J * J - 4 * J
  if (STEP[SQUARED] < NEAR && J > 0.5) nearRest()
}

/** I + J² − 4J by E = FᵀF − 1. */
function nearRest(): void {
  const J = STEP[JACOBIAN]
  const xx = F[0] * F[0] + F[3] * F[3] + F[6] * F[6] - 1
  const yy = F[1] * F[1] + F[4] * F[4] + F[7] * F[7] - 1
  const zz = F[2] * F[2] + F[5] * F[5] + F[8] * F[8] - 1
  const xy = F[0] * F[1] + F[3] * F[4] + F[6] * F[7]
  const xz = F[0] * F[2] + F[3] * F[5] + F[6] * F[8]
  const yz = F[1] * F[2] + F[4] * F[5] + F[7] * F[8]
  const second = xx * yy - xy * xy + xx * zz - xz * xz + yy * zz - yz * yz
  const third = xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz)
  STEP[SQUARED] = 2 * (J - 1) * (J - 1) - second - third
}
