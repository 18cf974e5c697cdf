/**
 * What theory says of a problem before it is solved: whether the iterations of iterate.ts converge, and how fast.
 *
 * Without bounds a sweep maps the error by a matrix, with A = L + D + U (strictly lower, diagonal, strictly upper):
 *
 *   Jacobi         λ' − λ* = (1 − ξ D⁻¹ A) (λ − λ*)
 *   Gauss–Seidel   λ' − λ* = (D/ξ + L)⁻¹ ((1/ξ − 1) D − U) (λ − λ*)
 *
 * The error shrinks from every start exactly if the spectral radius ρ of that matrix is below 1, in the long run by ρ a
 * sweep (Varga 1962). With bounds, see the head of iterate.ts.
 */

import { finite, oneOf } from '@tautline/core/kernel'
import { type Mlcp, checkProblem } from './problem.js'

/** N = 2⁵² in Gelfand's formula: a factor of any size, to the power 1/N, is 1 to the last bit. */
const SQUARINGS = 52

/**
 * A_ij and A_ji that differ by more than this share of √(A_ii A_jj) are not symmetric; less is the round-off of summing
 * them.
 */
const SYMMETRIC = 1e-12

/** A pivot below this share of its diagonal entry is round-off: A is singular, as far as double precision can tell. */
const SINGULAR = 1e-14

/**
 * Spectral radius of the iteration matrix, bounds left aside.
 *
 * By Gelfand's formula ρ = lim ‖Mᴺ‖^(1/N), N = 2ᵏ, squaring k times and scaling the matrix to norm one each time: it
 * does not mind complex pairs or multiple eigenvalues, and an error made in the k-th squaring counts only 2⁻ᵏ.
 */
export function spectralRadius(problem: Mlcp, method: 'jacobi' | 'gaussSeidel', relaxation: number = 1): number {
  const { size } = checkProblem('spectralRadius', problem)
  oneOf('spectralRadius: method', method, ['jacobi', 'gaussSeidel'])
  finite('spectralRadius: relaxation', relaxation)
  let M = method === 'jacobi' ? jacobiMatrix(problem, relaxation) : gaussSeidelMatrix(problem, relaxation)
  let radius = 1
  for (let k = 0; k <= SQUARINGS; k++) {
    let norm = 0
    for (let i = 0; i < size; i++) {
      let sum = 0
      for (let j = 0; j < size; j++) sum += Math.abs(M[i * size + j])
      norm = Math.max(norm, sum)
    }
    if (norm === 0) return 0 // nilpotent: exact after finitely many sweeps
    let factor = norm
    for (let root = 0; root < k; root++) factor = Math.sqrt(factor)
    radius *= factor
    for (let i = 0; i < M.length; i++) M[i] /= norm
    M = product(M, M, size)
  }
  return radius
}

/** |A_ii| > Σ_{j≠i} |A_ij| in every row: Jacobi and Gauss–Seidel converge, with bounds or without. */
export function isDiagonallyDominant(problem: Mlcp): boolean {
  const { A, size } = checkProblem('isDiagonallyDominant', problem)
  for (let i = 0; i < size; i++) {
    let others = 0
    for (let j = 0; j < size; j++) if (j !== i) others += Math.abs(A[i * size + j])
    if (!(Math.abs(A[i * size + i]) > others)) return false
  }
  return true
}

/**
 * A is symmetric and xᵀA x > 0 for all x ≠ 0, to round-off: Gauss–Seidel converges. By A = L D Lᵀ, all pivots positive.
 */
export function isPositiveDefinite(problem: Mlcp): boolean {
  const { A, size } = checkProblem('isPositiveDefinite', problem)
  const S = Float64Array.from(A)
  for (let i = 0; i < size; i++) {
    if (!(A[i * size + i] > 0)) return false
    for (let j = 0; j < i; j++) {
      const scale = Math.sqrt(A[i * size + i] * A[j * size + j])
      if (Math.abs(A[i * size + j] - A[j * size + i]) > SYMMETRIC * scale) return false
    }
  }
  for (let k = 0; k < size; k++) {
    const pivot = S[k * size + k]
    if (!(pivot > SINGULAR * size * A[k * size + k])) return false
    for (let i = k + 1; i < size; i++) {
      const factor = S[i * size + k] / pivot
      for (let j = k + 1; j <= i; j++) S[i * size + j] -= factor * S[j * size + k]
    }
  }
  return true
}

function jacobiMatrix(problem: Mlcp, relaxation: number): Float64Array {
  const { A, size } = problem
  const M = new Float64Array(size * size)
  for (let i = 0; i < size; i++) {
    const d = diagonal(problem, i)
    for (let j = 0; j < size; j++) M[i * size + j] = i === j ? 1 - relaxation : (-relaxation * A[i * size + j]) / d
  }
  return M
}

/** Row by row, as the sweep goes: what has been updated enters through the rows of M above. */
function gaussSeidelMatrix(problem: Mlcp, relaxation: number): Float64Array {
  const { A, size } = problem
  const M = new Float64Array(size * size)
  for (let i = 0; i < size; i++) {
    const d = diagonal(problem, i)
    for (let k = 0; k < i; k++) {
      const factor = (-relaxation * A[i * size + k]) / d
      for (let j = 0; j < size; j++) M[i * size + j] += factor * M[k * size + j]
    }
    M[i * size + i] += 1 - relaxation
    for (let j = i + 1; j < size; j++) M[i * size + j] -= (relaxation * A[i * size + j]) / d
  }
  return M
}

function diagonal({ A, size }: Mlcp, i: number): number {
  const d = A[i * size + i]
  if (d === 0) {
    throw new RangeError(
      `spectralRadius: row ${i}: A must have a diagonal that is not zero; give the constraint a compliance or regularization`,
    )
  }
  return d
}

function product(P: Float64Array, Q: Float64Array, size: number): Float64Array {
  const R = new Float64Array(size * size)
  for (let i = 0; i < size; i++) {
    for (let k = 0; k < size; k++) {
      const p = P[i * size + k]
      for (let j = 0; j < size; j++) R[i * size + j] += p * Q[k * size + j]
    }
  }
  return R
}
