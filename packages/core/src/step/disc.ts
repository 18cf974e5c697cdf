/**
 * Friction of one point: minimise ½ λᵀKλ + bᵀλ over ‖λ‖ ≤ r, K = (k_ss, k_st; k_st, k_tt) symmetric and positive.
 *
 * Inside the disc λ = −K⁻¹b: it sticks. On its rim (K + σ1) λ = −b with σ ≥ 0, so the displacement Kλ + b = −σλ is
 * opposed to λ: it slides, and friction acts against the motion. Scaling −K⁻¹b back instead, as (101) does, points along
 * K⁻¹ times the motion: a box on a slope with ν = 0.2 then slides a quarter too far.
 * σ by Newton on 1/r − 1/‖λ(σ)‖ (Moré and Sorensen 1983), in the eigenbasis of K.
 */

import type { Column, f64, i32 } from '../math/numbers.js'

/** Newton gains digits quadratically from the first step on; ten are never all needed. */
const NEWTON_STEPS: i32 = 10
/** ‖λ‖ this close to r, as a share, is on the rim. */
const ON_RIM: f64 = 1e-14

/** Register of a disc, which has λ at 0 and 1: k_ss [1/kg]. */
export const K_SS = 2
/** Register of a disc: k_st [1/kg]. */
export const K_ST = 3
/** Register of a disc: k_tt [1/kg]. */
export const K_TT = 4
/** Register of a disc: b_s [m]. */
export const B_S = 5
/** Register of a disc: b_t [m]. */
export const B_T = 6
/** Register of a disc: the radius within which λ sticks [kg m]. */
export const STICK_RADIUS = 7
/** Register of a disc: the radius at which λ slides, no larger [kg m]. */
export const SLIP_RADIUS = 8

/** λ on or inside the disc in which it sticks; outside it, on the rim of the disc in which it slides, which is no larger. `disc` has nine registers. */
export function solveDisc(disc: Column): void {
  const kss = disc[K_SS]
  const kst = disc[K_ST]
  const ktt = disc[K_TT]
  const bs = disc[B_S]
  const bt = disc[B_T]
  const stick = disc[STICK_RADIUS]
  const slip = disc[SLIP_RADIUS]
  const determinant = kss * ktt - kst * kst
  disc[0] = -(ktt * bs - kst * bt) / determinant
  disc[1] = -(kss * bt - kst * bs) / determinant
  if (disc[0] * disc[0] + disc[1] * disc[1] <= stick * stick) return
  if (slip === 0) {
    disc[0] = 0
    disc[1] = 0
    return
  }
  // Eigenvalues k₁ ≥ k₂ and the unit eigenvector (x, y) of k₁.
  const half = 0.5 * (kss - ktt)
  const root = Math.sqrt(half * half + kst * kst)
  const mean = 0.5 * (kss + ktt)
  const k1 = mean + root
  const k2 = Math.max(mean - root, 0)
  let x = half >= 0 ? half + root : kst
  let y = half >= 0 ? kst : root - half
  const length = Math.sqrt(x * x + y * y)
  x = length > 0 ? x / length : 1
  y = length > 0 ? y / length : 0
  const b1 = x * bs + y * bt
  const b2 = x * bt - y * bs
  let sigma: f64 = 0
  let l1 = -b1 / k1
  let l2 = -b2 / k2
  for (let step = 0; step < NEWTON_STEPS; step++) {
    l1 = -b1 / (k1 + sigma)
    l2 = -b2 / (k2 + sigma)
    const squared = l1 * l1 + l2 * l2
    const norm = Math.sqrt(squared)
    if (Math.abs(norm - slip) <= ON_RIM * slip) break
    const slope = (l1 * l1) / (k1 + sigma) + (l2 * l2) / (k2 + sigma)
    sigma = Math.max(sigma + (squared * (norm - slip)) / (slip * slope), 0)
  }
  const scale = slip / Math.sqrt(l1 * l1 + l2 * l2)
  disc[0] = scale * (x * l1 - y * l2)
  disc[1] = scale * (y * l1 + x * l2)
}
