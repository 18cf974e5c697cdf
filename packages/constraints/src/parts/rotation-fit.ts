/**
 * The rotation nearest to a matrix: R with the largest tr RᵀA, which is qᵀ N q of its unit quaternion q (Horn, "Closed-form solution of absolute
 * orientation using unit quaternions", 1987). q is the eigenvector of the largest eigenvalue of N, found by Jacobi rotations: + − * / and roots alone,
 * and no case is special. Also where A is turned inside out, or flat, R is a rotation; where several are as near, the same one for the same A.
 */

import type { Column, f64, i32 } from '@tautline/core/kernel'

/** Sweeps of rotations over the six pairs; they converge quadratically, in four or five. */
const SWEEPS: i32 = 12
/** Share of the matrix below which what is off the diagonal is round-off, squared. */
const ROUND_OFF: f64 = 1e-34

/** Numbers of scratch: N, and the eigenvectors V as columns. */
export const FIT_SCRATCH = 32
/** Where V is in it. */
const V = 16

/** Writes R, row by row, into `out`, from A, row by row; `N` is scratch. */
export function fitRotation(A: Column, out: Column, N: Column): void {
  N[0] = A[0] - A[4] - A[8]
  N[5] = A[4] - A[0] - A[8]
  N[10] = A[8] - A[0] - A[4]
  N[15] = A[0] + A[4] + A[8]
  mirror(N, 1, 4, A[1] + A[3])
  mirror(N, 2, 8, A[2] + A[6])
  mirror(N, 6, 9, A[5] + A[7])
  mirror(N, 3, 12, A[7] - A[5])
  mirror(N, 7, 13, A[2] - A[6])
  mirror(N, 11, 14, A[3] - A[1])
  diagonalize(N)
  let most = 3
  for (let k = 0; k < 3; k++) if (N[5 * k] > N[5 * most]) most = k
  const x = N[V + most]
  const y = N[V + 4 + most]
  const z = N[V + 8 + most]
  const w = N[V + 12 + most]
  out[0] = w * w + x * x - y * y - z * z
  out[1] = 2 * (x * y - w * z)
  out[2] = 2 * (x * z + w * y)
  out[3] = 2 * (x * y + w * z)
  out[4] = w * w - x * x + y * y - z * z
  out[5] = 2 * (y * z - w * x)
  out[6] = 2 * (x * z - w * y)
  out[7] = 2 * (y * z + w * x)
  out[8] = w * w - x * x - y * y + z * z
}

function mirror(N: Column, k: i32, l: i32, value: f64): void {
  N[k] = value
  N[l] = value
}

/** Makes N diagonal, by cyclic Jacobi rotations that V keeps. */
function diagonalize(N: Column): void {
  for (let k = 0; k < 16; k++) N[V + k] = k % 5 === 0 ? 1 : 0
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const off = N[1] * N[1] + N[2] * N[2] + N[3] * N[3] + N[6] * N[6] + N[7] * N[7] + N[11] * N[11]
    const on = N[0] * N[0] + N[5] * N[5] + N[10] * N[10] + N[15] * N[15]
    if (!(off > ROUND_OFF * on)) return
    for (let p = 0; p < 3; p++) for (let q = p + 1; q < 4; q++) rotate(N, p, q)
  }
}

/** Makes N_pq zero. */
function rotate(N: Column, p: i32, q: i32): void {
  const pq = N[4 * p + q]
  if (pq === 0) return
  const theta = (N[5 * q] - N[5 * p]) / (2 * pq)
  const root = Math.sqrt(theta * theta + 1)
  const t = theta < 0 ? 1 / (theta - root) : 1 / (theta + root)
  const c = 1 / Math.sqrt(t * t + 1)
  const s = t * c
  for (let k = 0; k < 4; k++) {
    const kp = N[4 * k + p]
    const kq = N[4 * k + q]
    N[4 * k + p] = c * kp - s * kq
    N[4 * k + q] = s * kp + c * kq
    const vp = N[V + 4 * k + p]
    const vq = N[V + 4 * k + q]
    N[V + 4 * k + p] = c * vp - s * vq
    N[V + 4 * k + q] = s * vp + c * vq
  }
  for (let k = 0; k < 4; k++) {
    const pk = N[4 * p + k]
    const qk = N[4 * q + k]
    N[4 * p + k] = c * pk - s * qk
    N[4 * q + k] = s * pk + c * qk
  }
  mirror(N, 4 * p + q, 4 * q + p, 0)
}
