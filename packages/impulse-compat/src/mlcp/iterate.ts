/**
 * The iterative solvers of the mixed complementarity problem, dense and written to be read:
 *
 *   λ_i ← clamp(λ_i − ξ w_i / A_ii, lower_i, upper_i),   w = A λ − b
 *
 * Gauss–Seidel takes w_i from the λ of this sweep as far as it has come, Jacobi from the λ before the sweep. Without
 * bounds and with ξ = 1 these are the textbook methods; with bounds they are the projected ones (Cryer 1971 for
 * Gauss–Seidel; Mangasarian 1977 for both). ξ ≠ 1 is over- or under-relaxation.
 *
 * When they converge (theory.ts computes it):
 * - no bounds: from every start exactly if the spectral radius of the iteration matrix is below 1;
 * - Gauss–Seidel, 0 < ξ < 2, bounds or not: always if A is symmetric and positive definite (Ostrowski 1954, Reich 1949;
 *   Cryer 1971), because every update lowers the energy ½ λᵀA λ − bᵀλ;
 * - both, ξ ≤ 1: always if A is strictly diagonally dominant.
 */

import { finiteVector, nonNegative, integer, knownFields, shown } from '@tautline/core/kernel'
import { residualOf, type Mlcp, type MlcpSolution, slack, checkProblem } from './problem.js'

/** How an iterative solver starts and stops. */
export interface IterateOptions {
  /** First guess, moved inside the bounds. @defaultValue zeros */
  start?: ArrayLike<number>
  /** Most sweeps. @defaultValue 100 */
  iterations?: number
  /** Stop as `solved` when {@link complementarityResidual} is at most this, in units of λ. @defaultValue 0, by count */
  tolerance?: number
  /** ξ, in (0, 2). @defaultValue 1 */
  relaxation?: number
}

/**
 * An iteration has diverged when the change of a sweep is not finite, or this many times larger than the first iterate.
 *
 * Both are measured by max_i √A_ii |Δλ_i| [√J], in which rows of all units are alike. An update of Gauss–Seidel on a
 * symmetric positive definite A takes (2/ξ − 1) A_ii Δλ_i²/2 from the energy, so by this measure changes exceed the
 * first iterate by the order of √κ at most, κ the condition of A with its diagonal scaled to one: below 1e8 whenever A
 * can be told from singular in double precision. What grows more slowly than geometrically (A singular, no solution) is
 * not found by this; it reaches its limit with a residual that says so.
 */
const GROWTH = 1e8

/** Gauss–Seidel for A λ = b: equations only. A finite bound is a RangeError. */
export function gaussSeidel(problem: Mlcp, options: IterateOptions = {}): MlcpSolution {
  const { size } = checkProblem('gaussSeidel', problem)
  for (let i = 0; i < size; i++) {
    for (const bound of [problem.lower[i], problem.upper[i]]) {
      if (Number.isFinite(bound)) {
        throw new RangeError(
          `gaussSeidel: row ${i} must have no bounds, got ${bound}; bounds need projectedGaussSeidel or lemke`,
        )
      }
    }
  }
  return iterate('gaussSeidel', problem, options, sweepInPlace)
}

/** Projected Gauss–Seidel: each row in turn, clamped to its bounds. */
export function projectedGaussSeidel(problem: Mlcp, options: IterateOptions = {}): MlcpSolution {
  return iterate('projectedGaussSeidel', problem, options, sweepInPlace)
}

/** Projected Jacobi: all rows from the same λ. */
export function jacobi(problem: Mlcp, options: IterateOptions = {}): MlcpSolution {
  return iterate('jacobi', problem, options, sweepAtOnce)
}

/** One sweep over all rows of `lambda`; what changed into `change`. */
type Sweep = (problem: Mlcp, lambda: Float64Array, relaxation: number, change: Float64Array) => void

function iterate(name: string, problem: Mlcp, options: IterateOptions, sweep: Sweep): MlcpSolution {
  const { size, A, lower, upper } = checkProblem(name, problem)
  knownFields(`${name}: options`, options, ['start', 'iterations', 'tolerance', 'relaxation'])
  const { iterations = 100, relaxation = 1 } = options
  const tolerance = nonNegative(`${name}: tolerance`, options.tolerance ?? 0)
  integer(`${name}: iterations`, iterations, 1)
  if (typeof relaxation !== 'number' || !(relaxation > 0 && relaxation < 2)) {
    throw new RangeError(`${name}: relaxation must be between 0 and 2, both excluded, got ${shown(relaxation)}`)
  }
  requireDiagonal(name, problem)
  const start = finiteVector(`${name}: start`, options.start ?? new Float64Array(size), size)
  const lambda = Float64Array.from(start, (l, i) => Math.max(lower[i], Math.min(upper[i], l)))

  const change = new Float64Array(size)
  let first = 0
  for (let k = 1; k <= iterations; k++) {
    sweep(problem, lambda, relaxation, change)
    let step = 0
    let largest = 0
    for (let i = 0; i < size; i++) {
      const unit = Math.sqrt(Math.max(A[i * size + i], 0)) // a prescribed row may have no diagonal
      step = Math.max(step, Math.abs(change[i]))
      largest = Math.max(largest, unit * Math.abs(change[i]))
      if (k === 1) first = Math.max(first, largest, unit * Math.abs(lambda[i]))
    }
    if (!(largest <= GROWTH * first)) return result(problem, lambda, k, 'diverged')
    // A large step is no solution, and the residual costs as much as a sweep.
    if (step <= relaxation * tolerance && residualOf(problem, lambda) <= tolerance) {
      return result(problem, lambda, k, 'solved')
    }
  }
  const residual = residualOf(problem, lambda)
  return { lambda, iterations, status: residual <= tolerance ? 'solved' : 'limit', residual }
}

function result(problem: Mlcp, lambda: Float64Array, iterations: number, status: MlcpSolution['status']): MlcpSolution {
  return { lambda, iterations, status, residual: residualOf(problem, lambda) }
}

function sweepInPlace(problem: Mlcp, lambda: Float64Array, relaxation: number, change: Float64Array): void {
  for (let i = 0; i < problem.size; i++) {
    const l = updated(problem, lambda, relaxation, i)
    change[i] = l - lambda[i]
    lambda[i] = l
  }
}

function sweepAtOnce(problem: Mlcp, lambda: Float64Array, relaxation: number, change: Float64Array): void {
  for (let i = 0; i < problem.size; i++) change[i] = updated(problem, lambda, relaxation, i) - lambda[i]
  for (let i = 0; i < problem.size; i++) lambda[i] += change[i]
}

function updated(problem: Mlcp, lambda: Float64Array, relaxation: number, i: number): number {
  const { A, size, lower, upper } = problem
  if (lower[i] === upper[i]) return lower[i]
  const l = lambda[i] - (relaxation * slack(problem, lambda, i)) / A[i * size + i]
  return Math.max(lower[i], Math.min(upper[i], l))
}

/** Every row is divided by its diagonal, except those whose λ is prescribed. */
function requireDiagonal(name: string, { size, A, lower, upper }: Mlcp): void {
  for (let i = 0; i < size; i++) {
    const diagonal = A[i * size + i]
    if (!(diagonal > 0) && lower[i] !== upper[i]) {
      throw new RangeError(
        `${name}: row ${i}: A must have a positive diagonal, got ${diagonal}; give the constraint a compliance or regularization`,
      )
    }
  }
}
