/**
 * The frame of a pair. All of the narrow phase works in the frame of its first shape, so that 10⁵ m from the origin
 * nothing is lost: only the last step, `turnOut`, adds the position of a.
 *
 *   p_a = R p_b + t,  R = R_Aᵀ R_B,  t = R_Aᵀ (t_B − t_A)
 */

import type { Manifold, ManifoldList } from './manifold.js'
import { NORMAL_ON_A, NORMAL_ON_B } from './manifold.js'

/** Writes the transform of B as seen from A: 12 numbers at out[0]. */
export function relativeTransform(
  A: Float64Array,
  ao: number,
  B: Float64Array,
  bo: number,
  out: Float64Array,
): Float64Array {
  const x = B[bo] - A[ao]
  const y = B[bo + 1] - A[ao + 1]
  const z = B[bo + 2] - A[ao + 2]
  for (let i = 0; i < 3; i++) {
    const p = A[ao + 3 + i]
    const q = A[ao + 6 + i]
    const r = A[ao + 9 + i]
    out[i] = p * x + q * y + r * z
    out[3 + 3 * i] = p * B[bo + 3] + q * B[bo + 6] + r * B[bo + 9]
    out[4 + 3 * i] = p * B[bo + 4] + q * B[bo + 7] + r * B[bo + 10]
    out[5 + 3 * i] = p * B[bo + 5] + q * B[bo + 8] + r * B[bo + 11]
  }
  return out
}

/** Writes T ∘ U, the transform that does U first, to out[o…]. `out` is neither. */
export function composeTransforms(
  T: Float64Array,
  to: number,
  U: Float64Array,
  uo: number,
  out: Float64Array,
  o = 0,
): Float64Array {
  for (let i = 0; i < 3; i++) {
    const p = T[to + 3 + 3 * i]
    const q = T[to + 4 + 3 * i]
    const r = T[to + 5 + 3 * i]
    const row = o + 3 + 3 * i
    out[o + i] = p * U[uo] + q * U[uo + 1] + r * U[uo + 2] + T[to + i]
    out[row] = p * U[uo + 3] + q * U[uo + 6] + r * U[uo + 9]
    out[row + 1] = p * U[uo + 4] + q * U[uo + 7] + r * U[uo + 10]
    out[row + 2] = p * U[uo + 5] + q * U[uo + 8] + r * U[uo + 11]
  }
  return out
}

/** Writes the inverse of the transform T[to…]. `out` is another array. */
export function invertTransform(T: Float64Array, to: number, out: Float64Array): Float64Array {
  const x = T[to]
  const y = T[to + 1]
  const z = T[to + 2]
  for (let i = 0; i < 3; i++) {
    const p = T[to + 3 + i]
    const q = T[to + 6 + i]
    const r = T[to + 9 + i]
    out[i] = -(p * x + q * y + r * z)
    out[3 + 3 * i] = p
    out[4 + 3 * i] = q
    out[5 + 3 * i] = r
  }
  return out
}

/** Turns the manifolds from number `first` on from the frame that stands at A[ao…] to the one it stands in. */
export function rotateOut(list: ManifoldList, first: number, A: Float64Array, ao: number): void {
  for (let m = first; m < list.count; m++) {
    const manifold = list.items[m]
    turn(manifold.normal, 0, A, ao)
    for (let k = 0; k < manifold.count; k++) {
      place(manifold.pointA, 3 * k, A, ao)
      place(manifold.pointB, 3 * k, A, ao)
    }
  }
}

/** Makes (b, a) of (a, b) in the manifolds from number `first` on. */
export function flip(list: ManifoldList, first: number): void {
  for (let m = first; m < list.count; m++) {
    flipOne(list.items[m])
  }
}

function flipOne(manifold: Manifold): void {
  const { normal, pointA, pointB } = manifold
  for (let k = 0; k < 3; k++) normal[k] = -normal[k]
  for (let k = 0; k < 3 * manifold.count; k++) {
    const p = pointA[k]
    pointA[k] = pointB[k]
    pointB[k] = p
  }
  const round = manifold.roundA
  manifold.roundA = manifold.roundB
  manifold.roundB = round
  manifold.carrier = manifold.carrier === NORMAL_ON_A ? NORMAL_ON_B : NORMAL_ON_A
}

/** v ← R v. */
function turn(v: Float64Array, o: number, T: Float64Array, to: number): void {
  const x = v[o]
  const y = v[o + 1]
  const z = v[o + 2]
  v[o] = T[to + 3] * x + T[to + 4] * y + T[to + 5] * z
  v[o + 1] = T[to + 6] * x + T[to + 7] * y + T[to + 8] * z
  v[o + 2] = T[to + 9] * x + T[to + 10] * y + T[to + 11] * z
}

/** p ← R p + t. */
function place(p: Float64Array, o: number, T: Float64Array, to: number): void {
  turn(p, o, T, to)
  p[o] += T[to]
  p[o + 1] += T[to + 1]
  p[o + 2] += T[to + 2]
}
