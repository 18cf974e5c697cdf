/**
 * The dense mixed linear complementarity problem: the velocity-level school's equations in one matrix.
 *
 *   w = A λ − b,   lower ≤ λ ≤ upper
 *   w ≥ 0 where λ = lower,   w ≤ 0 where λ = upper,   w = 0 between     (Cottle, Pang & Stone 1992)
 *
 * For constraints: A = J M⁻¹ Jᵀ + regularization, λ impulses [N s or N m s], w the velocity left in a row [m/s or
 * rad/s], b the velocity to be taken out. An equality has the bounds ±∞, a contact 0 and ∞, a friction row ±ν λₙ of a
 * known λₙ; lower = upper prescribes λ. (Beočanin's slides give one sign of w for both bounds: it is mirrored at the
 * upper.)
 *
 * A need not be symmetric: laws of force make it otherwise. What a solver asks of A stands at the solver.
 */

import { finite, finiteVector, shown, instance, integer, knownFields } from '@tautline/core/kernel'

/** A λ − b = w, lower ≤ λ ≤ upper, and w complementary to the bounds. Made by {@link mlcp}. */
export interface Mlcp {
  /** Rows, and unknowns. */
  readonly size: number
  /** Row-major, size². */
  readonly A: Float64Array
  readonly b: Float64Array
  /** −Infinity where there is none. */
  readonly lower: Float64Array
  /** +Infinity where there is none. */
  readonly upper: Float64Array
}

/** What a solver found, and how far it is from a solution. */
export interface MlcpSolution {
  lambda: Float64Array
  /** Sweeps of an iterative method, pivots of Lemke's. */
  iterations: number
  /**
   * - `solved`: the residual is within the tolerance.
   * - `limit`: iterations ran out first (or, of Lemke's method, round-off left more than it should).
   * - `diverged`: the iteration grows without bound.
   * - `ray`: Lemke's method ended on a secondary ray, without a solution; where A is positive semidefinite there is
   *   none.
   */
  status: 'solved' | 'limit' | 'diverged' | 'ray'
  /** {@link complementarityResidual} of `lambda`. */
  residual: number
}

/**
 * A problem of b.length rows, checked and copied.
 *
 * @param A row-major, b.length² numbers
 * @param lower @defaultValue −Infinity in all rows
 * @param upper @defaultValue +Infinity in all rows
 */
export function mlcp(
  A: ArrayLike<number>,
  b: ArrayLike<number>,
  lower?: ArrayLike<number>,
  upper?: ArrayLike<number>,
): Mlcp {
  const size = arrayLength('mlcp: b', b)
  finiteVector('mlcp: b', b, size)
  const entries = arrayLength('mlcp: A', A)
  if (entries !== size * size) {
    throw new RangeError(`mlcp: A must be an array of ${size} x ${size} numbers, got ${entries} entries`)
  }
  for (let k = 0; k < entries; k++) finite(`mlcp: A[row ${Math.floor(k / size)}, column ${k % size}]`, A[k])
  const problem = {
    size,
    A: Float64Array.from(A),
    b: Float64Array.from(b),
    lower: bounds('mlcp: lower', lower, size, -Infinity),
    upper: bounds('mlcp: upper', upper, size, Infinity),
  }
  for (let i = 0; i < size; i++) {
    if (problem.lower[i] > problem.upper[i]) {
      throw new RangeError(`mlcp: lower[${i}] must be <= upper[${i}] = ${problem.upper[i]}, got ${problem.lower[i]}`)
    }
  }
  return problem
}

/** A problem as {@link mlcp} makes it. */
export function checkProblem(where: string, problem: unknown): Mlcp {
  const given = knownFields(`${where}: problem`, problem, ['size', 'A', 'b', 'lower', 'upper'])
  const size = integer(`${where}: size`, given.size, 0)
  for (const field of ['A', 'b', 'lower', 'upper']) {
    const { length } = instance(`${where}: ${field}`, given[field], Float64Array, 'a Float64Array')
    const due = field === 'A' ? size * size : size
    if (length !== due) throw new RangeError(`${where}: ${field} must have ${due} entries, got ${length}`)
  }
  return problem as Mlcp
}

/** w = A λ − b. */
export function mlcpSlack(problem: Mlcp, lambda: ArrayLike<number>): Float64Array {
  const w = new Float64Array(checkProblem('mlcpSlack', problem).size)
  finiteVector('mlcpSlack: lambda', lambda, w.length)
  for (let i = 0; i < problem.size; i++) w[i] = slack(problem, lambda, i)
  return w
}

/**
 * How far λ is from a solution: the largest entry of the natural map,
 *
 *   max_i |λ_i − clamp(λ_i − s_i w_i, lower_i, upper_i)|,   s_i = 1/A_ii.
 *
 * It is zero exactly at the solutions, for any s > 0; it sees a violated bound, a w of the wrong sign and a w ≠ 0
 * between the bounds at once, and near degenerate rows, where λ is on a bound and w is zero, it stays proportional to
 * the error, which the product λ·w does not. With s_i = 1/A_ii it is the step that projected Jacobi would take next, in
 * units of λ [N s or N m s, as the row]. Rows with no positive diagonal take the largest entry of the row for it, and 1
 * if there is none. Infinity where λ or w is not finite.
 */
export function complementarityResidual(problem: Mlcp, lambda: ArrayLike<number>): number {
  const { size } = checkProblem('complementarityResidual', problem)
  const entries = arrayLength('complementarityResidual: lambda', lambda)
  if (entries !== size) {
    throw new RangeError(`complementarityResidual: lambda must have ${size} entries, got ${entries} entries`)
  }
  return residualOf(problem, lambda)
}

/** The same of a problem that has been checked. */
export function residualOf(problem: Mlcp, lambda: ArrayLike<number>): number {
  const { size, lower, upper } = problem
  let largest = 0
  for (let i = 0; i < size; i++) {
    const free = lambda[i] - slack(problem, lambda, i) / rowScale(problem, i)
    const off = Math.abs(lambda[i] - Math.max(lower[i], Math.min(upper[i], free)))
    if (!(off < Infinity)) return Infinity
    largest = Math.max(largest, off)
  }
  return largest
}

/** w_i = A_i λ − b_i. */
export function slack({ A, b, size }: Mlcp, lambda: ArrayLike<number>, i: number): number {
  let sum = -b[i]
  for (let j = 0, o = i * size; j < size; j++) sum += A[o + j] * lambda[j]
  return sum
}

/** 1/s_i of {@link complementarityResidual}, > 0. */
export function rowScale({ A, size }: Mlcp, i: number): number {
  const o = i * size
  if (A[o + i] > 0) return A[o + i]
  let largest = 0
  for (let j = 0; j < size; j++) largest = Math.max(largest, Math.abs(A[o + j]))
  return largest > 0 ? largest : 1
}

function arrayLength(where: string, value: unknown): number {
  const length = typeof value === 'object' && value !== null ? (value as ArrayLike<unknown>).length : undefined
  if (typeof length !== 'number') throw new TypeError(`${where} must be an array of numbers, got ${shown(value)}`)
  return length
}

/** Bounds may be infinite, away from the other bound, but not NaN. */
function bounds(where: string, given: ArrayLike<number> | undefined, size: number, none: number): Float64Array {
  if (given === undefined) return new Float64Array(size).fill(none)
  const entries = arrayLength(where, given)
  if (entries !== size) throw new RangeError(`${where} must have ${size} entries, as b, got ${entries}`)
  for (let i = 0; i < size; i++) if (given[i] !== none) finite(`${where}[${i}]`, given[i])
  return Float64Array.from(given)
}
