/**
 * Lemke's method for the mixed problem: exact, for small dense problems; what the iterative solvers are measured
 * against.
 *
 * The mixed problem is brought to the form that pivoting.ts solves,
 *
 *   1. rows and columns scaled by 1/√A_ii: all in units of √energy, the diagonal 1;
 *   2. prescribed rows (lower = upper) put into b;
 *   3. free rows (no bounds) eliminated: C is left with A_CC − A_CF A_FF⁻¹ A_FC, the Schur complement;
 *   4. the others counted from their bound nearer to zero, z = λ − lower, or mirrored, z = upper − λ;
 *   5. boxes doubled: with μ ≥ 0 the reaction of the farther bound and s = u − z ≥ 0 the room left to it,
 *
 *        (w)   (−b)   ( A  1) (z)   (d)
 *        (s) = ( u) + (−1  0) (μ) + (0) z₀,   (w, s) ≥ 0 complementary to (z, μ) ≥ 0;
 *
 * and what pivoting says of each row (at a bound, or between) is solved directly, with iterative refinement: so the
 * result has the accuracy of one linear solve, not that of some dozens of pivots.
 *
 * d = 1 in w and 0 in s: z₀ does not help where there is room anyhow. The path is then that of the mixed problem itself
 * under b − d z₀, and Lemke's method finds a solution
 * - if A is positive semidefinite, symmetric or not, of any rank, and a solution exists (λ may then not be unique; w
 *   is, if A is symmetric);
 * - if all principal minors of A are positive (so for a diagonal that is positive and dominant): the solution is unique
 *   for every b, so the path cannot turn back;
 * - if every row has two finite bounds, whatever A is: the path has nowhere else to go.
 * Otherwise it may, or end on a ray. The number of pivots is some 1 to 3 a row as a rule; bad cases that take 2ⁿ exist.
 *
 * Sources: Lemke 1965; Cottle, Pang & Stone 1992, chapter 4.
 *
 * Limits: time and memory grow as n³ and n². Bounds far beyond λ on both sides cost the pivots their digits, and
 * the corrections after them have to find the places: for "none" use ∞.
 */

import { solveDense } from './dense.js'
import { pivot } from './pivoting.js'
import { type Mlcp, type MlcpSolution, rowScale, slack, residualOf, checkProblem } from './problem.js'

/** A pivot of A_FF smaller than this, where the diagonal is 1, is round-off: the rows depend on each other. */
const DEPENDENT = 1e-13
/** Accuracy of what is called solved, as a share of the terms that make up λ. */
const ACCURACY = 1e-10
/** Direct solves after pivoting; a second is needed only where round-off put a row on the wrong side. */
const CORRECTIONS = 8

/** Where λ_i is: a bound, or between the two. */
const LOWER = -1
const BETWEEN = 0
const UPPER = 1

/**
 * A solution of the mixed problem by complementary pivoting.
 *
 * @throws RangeError if rows without bounds depend on each other (their block of A is singular)
 */
export function lemke(problem: Mlcp): MlcpSolution {
  const { size, lower, upper } = checkProblem('lemke', problem)
  const scale = Float64Array.from({ length: size }, (_, i) => 1 / Math.sqrt(rowScale(problem, i)))
  const free: number[] = []
  const bounded: number[] = []
  for (let i = 0; i < size; i++) {
    if (lower[i] === upper[i]) continue
    const isFree = lower[i] === -Infinity && upper[i] === Infinity
    ;(isFree ? free : bounded).push(i)
  }
  const origin = Float64Array.from(lower, (_, i) =>
    bounded.includes(i) || lower[i] === upper[i] ? nearer(problem, i) : 0,
  )
  const { S, r } = eliminateFree(problem, scale, origin, free)
  const { places, ended, pivots } = pivotBounded(problem, scale, S, r, bounded)
  return correct(problem, scale, places, ended, pivots)
}

/** The bound that λ_i is counted from. */
function nearer({ lower, upper }: Mlcp, i: number): number {
  return Math.abs(upper[i]) < Math.abs(lower[i]) ? upper[i] : lower[i]
}

/** Scaled A and b − A origin after elimination of the free rows: valid in rows and columns that are not free. */
function eliminateFree(
  problem: Mlcp,
  scale: Float64Array,
  origin: Float64Array,
  free: readonly number[],
): { S: Float64Array; r: Float64Array } {
  const { size, A } = problem
  const S = new Float64Array(size * size)
  const r = new Float64Array(size)
  for (let i = 0; i < size; i++) {
    for (let j = 0; j < size; j++) S[i * size + j] = scale[i] * A[i * size + j] * scale[j]
    r[i] = -scale[i] * slack(problem, origin, i)
  }
  const rows = [...free]
  const columns = [...free]
  while (rows.length > 0) {
    // Complete pivoting: the largest entry left.
    let a = 0
    let b = 0
    for (let i = 0; i < rows.length; i++) {
      for (let j = 0; j < columns.length; j++) {
        if (Math.abs(S[rows[i] * size + columns[j]]) > Math.abs(S[rows[a] * size + columns[b]])) [a, b] = [i, j]
      }
    }
    const [row] = rows.splice(a, 1)
    const [column] = columns.splice(b, 1)
    const entry = S[row * size + column]
    if (!(Math.abs(entry) > DEPENDENT)) {
      throw new RangeError(
        `lemke: row ${row} must not depend on the other rows without bounds, got a pivot of ${entry} of the diagonal; ` +
          `give the constraint a compliance or regularization`,
      )
    }
    for (let i = 0; i < size; i++) {
      if (free.includes(i) && !rows.includes(i)) continue
      const factor = S[i * size + column] / entry
      if (factor === 0) continue
      for (let j = 0; j < size; j++) S[i * size + j] -= factor * S[row * size + j]
      r[i] -= factor * r[row]
    }
  }
  return { S, r }
}

/** Steps 4 and 5, and what pivoting says of every row. */
function pivotBounded(
  problem: Mlcp,
  scale: Float64Array,
  S: Float64Array,
  r: Float64Array,
  bounded: readonly number[],
): { places: Int8Array; ended: MlcpSolution['status']; pivots: number } {
  const { size, lower, upper } = problem
  const n = bounded.length
  const boxes = bounded.filter((i) => Number.isFinite(lower[i]) && Number.isFinite(upper[i]))
  const m = n + boxes.length
  const M = new Float64Array(m * m)
  const q = new Float64Array(m)
  const d = new Float64Array(m).fill(1, 0, n)
  const sign = bounded.map((i) => (nearer(problem, i) === lower[i] ? 1 : -1))
  for (let k = 0; k < n; k++) {
    const i = bounded[k]
    for (let l = 0; l < n; l++) M[k * m + l] = sign[k] * S[i * size + bounded[l]] * sign[l]
    q[k] = -sign[k] * r[i]
  }
  for (let k = 0; k < boxes.length; k++) {
    const i = boxes[k]
    const l = bounded.indexOf(i)
    M[l * m + n + k] = 1
    M[(n + k) * m + l] = -1
    q[n + k] = (upper[i] - lower[i]) / scale[i]
  }
  const { ended, pivots, basic } = pivot(M, q, d)

  const places = new Int8Array(size).fill(BETWEEN)
  for (let i = 0; i < size; i++) if (lower[i] === upper[i]) places[i] = LOWER
  for (let k = 0; k < n; k++) {
    const near = sign[k] > 0 ? LOWER : UPPER
    const box = boxes.indexOf(bounded[k])
    // s and z both zero would leave the box no width; so μ is basic, with s = 0, only where z is.
    if (basic[k] === 0) places[bounded[k]] = near
    else if (box >= 0 && basic[n + box] === 1) places[bounded[k]] = -near
  }
  return { places, ended, pivots }
}

/**
 * λ by a direct solve for the rows between their bounds.
 *
 * Where round-off chose a wrong place, the natural map of the result gives a better one (a Newton step of it, Qi & Sun
 * 1993); the best of all is returned.
 */
function correct(
  problem: Mlcp,
  scale: Float64Array,
  places: Int8Array,
  ended: MlcpSolution['status'],
  pivots: number,
): MlcpSolution {
  const { size, lower, upper } = problem
  const clamp = (l: number, i: number): number => Math.max(lower[i], Math.min(upper[i], l))
  let best = Float64Array.from({ length: size }, (_, i) => clamp(0, i))
  let residual = residualOf(problem, best)
  const data = roundOffUnit(problem, best)
  // After a ray λ may be as large as it likes, and any residual small beside it: there only that of the data counts.
  const accuracy = (lambda: Float64Array): number =>
    ACCURACY * (ended === 'solved' ? roundOffUnit(problem, lambda) : data)
  for (let k = 0; k < CORRECTIONS; k++) {
    const exact = solvePlaced(problem, scale, places)
    if (exact === undefined) break
    const lambda = exact.map(clamp)
    const off = residualOf(problem, lambda)
    if (off < residual) [best, residual] = [lambda, off]
    if (off <= accuracy(lambda)) break
    for (let i = 0; i < size; i++) {
      const target = exact[i] - slack(problem, exact, i) / rowScale(problem, i)
      if (lower[i] !== upper[i]) places[i] = target <= lower[i] ? LOWER : target >= upper[i] ? UPPER : BETWEEN
    }
  }
  // A ray or a limit may still have led to a solution.
  const good = residual <= accuracy(best)
  return { lambda: best, iterations: pivots, status: good ? 'solved' : ended === 'solved' ? 'limit' : ended, residual }
}

/** λ with every row at its place; undefined if that has no unique answer. */
function solvePlaced(problem: Mlcp, scale: Float64Array, places: Int8Array): Float64Array | undefined {
  const { size, A, lower, upper } = problem
  const between: number[] = []
  const lambda = new Float64Array(size)
  for (let i = 0; i < size; i++) {
    if (places[i] === BETWEEN) between.push(i)
    else lambda[i] = places[i] === LOWER ? lower[i] : upper[i]
  }
  const n = between.length
  const K = new Float64Array(n * n)
  const k = new Float64Array(n)
  for (let a = 0; a < n; a++) {
    const i = between[a]
    for (let b = 0; b < n; b++) K[a * n + b] = scale[i] * A[i * size + between[b]] * scale[between[b]]
    k[a] = -scale[i] * slack(problem, lambda, i)
  }
  const x = solveDense(K, k)
  if (x === undefined) return undefined
  for (let a = 0; a < n; a++) lambda[between[a]] = scale[between[a]] * x[a]
  return lambda
}

/** The largest sum of terms that a λ_i is the difference of: round-off is this times 1e-16. */
function roundOffUnit(problem: Mlcp, lambda: Float64Array): number {
  const { size, A, b } = problem
  let largest = 0
  for (let i = 0; i < size; i++) {
    let sum = Math.abs(b[i])
    for (let j = 0; j < size; j++) sum += Math.abs(A[i * size + j] * lambda[j])
    largest = Math.max(largest, sum / rowScale(problem, i))
  }
  return largest
}
