/**
 * A x = b, dense: L U with row exchanges, then iterative refinement (Wilkinson 1963): x += A⁻¹ (b − A x).
 *
 * Each refinement takes out the error that the factors left, down to the round-off of computing b − A x.
 */

/** A pivot below this share of the largest entry is round-off. */
const SINGULAR = 1e-15
/** Refinements; the first does nearly all. */
const REFINEMENTS = 3

/** x of A x = b, A row-major and square; undefined if A is singular to round-off. */
export function solveDense(A: Float64Array, b: Float64Array): Float64Array | undefined {
  const n = b.length
  const factors = factorize(A, n)
  if (factors === undefined) return undefined
  const x = new Float64Array(n)
  const rest = Float64Array.from(b)
  for (let k = 0; k <= REFINEMENTS; k++) {
    const correction = substitute(factors, rest)
    for (let i = 0; i < n; i++) x[i] += correction[i]
    for (let i = 0; i < n; i++) {
      let sum = b[i]
      for (let j = 0; j < n; j++) sum -= A[i * n + j] * x[j]
      rest[i] = sum
    }
  }
  return x
}

interface Factors {
  /** L below the diagonal, U on and above it. */
  LU: Float64Array
  /** Row of A that stands in row i of LU. */
  order: number[]
}

function factorize(A: Float64Array, n: number): Factors | undefined {
  const LU = Float64Array.from(A)
  const order = Array.from({ length: n }, (_, i) => i)
  let largest = 0
  for (const entry of A) largest = Math.max(largest, Math.abs(entry))
  for (let k = 0; k < n; k++) {
    let pivot = k
    for (let i = k + 1; i < n; i++) if (Math.abs(LU[i * n + k]) > Math.abs(LU[pivot * n + k])) pivot = i
    if (!(Math.abs(LU[pivot * n + k]) > SINGULAR * largest)) return undefined
    if (pivot !== k) {
      const row = LU.slice(k * n, k * n + n)
      LU.copyWithin(k * n, pivot * n, pivot * n + n)
      LU.set(row, pivot * n)
      const kept = order[k]
      order[k] = order[pivot]
      order[pivot] = kept
    }
    for (let i = k + 1; i < n; i++) {
      const factor = LU[i * n + k] / LU[k * n + k]
      LU[i * n + k] = factor
      for (let j = k + 1; j < n; j++) LU[i * n + j] -= factor * LU[k * n + j]
    }
  }
  return { LU, order }
}

function substitute({ LU, order }: Factors, b: Float64Array): Float64Array {
  const n = b.length
  const x = Float64Array.from(order, (row) => b[row])
  for (let i = 0; i < n; i++) for (let j = 0; j < i; j++) x[i] -= LU[i * n + j] * x[j]
  for (let i = n - 1; i >= 0; i--) {
    for (let j = i + 1; j < n; j++) x[i] -= LU[i * n + j] * x[j]
    x[i] /= LU[i * n + i]
  }
  return x
}
