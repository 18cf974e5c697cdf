/**
 * Lemke's complementary pivoting (Lemke 1965; Cottle, Pang & Stone 1992, chapter 4) for z of
 *
 *   w = q + M z + d z₀,   w ≥ 0, z ≥ 0, w_i z_i = 0,   d ≥ 0, z₀ ≥ 0
 *
 * With z₀ large, w > 0 and z = 0 will do; the method follows the path of solutions from there until z₀ = 0. Of each
 * pair (w_i, z_i) one is basic and the other zero, except in one row, where both are zero and z₀ is basic: what has
 * left the basis says what enters next, its complement. A variable that can grow without bound, so that none leaves, is
 * a secondary ray.
 *
 * Ties in the ratio test, which degenerate problems (zeros in q) are full of, could make it cycle. The lexicographic
 * test breaks them: rows are compared not by q alone but by (q, B⁻¹) / pivot entry, as if q had been perturbed by (ε,
 * ε², …). B⁻¹ stands in the tableau, in the columns of w.
 */

/**
 * Entries below this share of the largest of their column, 1 at least, are round-off, and no pivots: M has entries
 * about 1.
 */
const PIVOT = 1e-11
/** Ratios that differ by less are tied: 1 is the largest |q| of a row with d > 0. */
const TIE = 1e-12
/** Pivots by row of the tableau before giving up; the usual number is 1 to 3. */
const PIVOTS_PER_ROW = 100

/** How pivoting ended, and where. */
export interface Pivoted {
  ended: 'solved' | 'ray' | 'limit'
  pivots: number
  /** 1 where z_i is basic, and so may be above zero. */
  basic: Uint8Array
}

/** Which z of the linear complementarity problem (q, M) are basic. Row i with d_i = 0 must have q_i ≥ 0. */
export function pivot(M: Float64Array, q: Float64Array, d: Float64Array): Pivoted {
  const m = q.length
  // Columns: w (m), z (m), z₀, q. A variable is known by its column.
  const z0 = 2 * m
  const width = 2 * m + 2
  const T = new Float64Array(m * width)
  let unit = 0
  for (let i = 0; i < m; i++) if (d[i] > 0) unit = Math.max(unit, Math.abs(q[i]))
  for (let i = 0; i < m; i++) {
    T[i * width + i] = 1
    for (let j = 0; j < m; j++) T[i * width + m + j] = -M[i * m + j]
    T[i * width + z0] = -d[i]
    T[i * width + z0 + 1] = unit > 0 ? q[i] / unit : q[i]
  }
  const basis = Array.from({ length: m }, (_, i) => i)
  const end = (ended: Pivoted['ended'], pivots: number): Pivoted => {
    const basic = new Uint8Array(m)
    for (const variable of basis) if (variable >= m && variable < z0) basic[variable - m] = 1
    return { ended, pivots, basic }
  }

  let row = mostNegative(T, width, d)
  if (row < 0) return end('solved', 0)
  let entering = z0
  for (let pivots = 1; pivots <= PIVOTS_PER_ROW * m; pivots++) {
    const leaving = basis[row]
    eliminate(T, width, row, entering)
    basis[row] = entering
    if (leaving === z0) return end('solved', pivots)
    entering = leaving < m ? leaving + m : leaving - m
    row = leavingRow(T, width, entering, basis)
    if (row < 0) return end('ray', pivots)
  }
  return end('limit', PIVOTS_PER_ROW * m)
}

/** The row for the first pivot, which makes all of q + d z₀ lexicographically positive: of the least q_i/d_i < 0. */
function mostNegative(T: Float64Array, width: number, d: Float64Array): number {
  let row = -1
  let least = 0
  for (let i = 0; i < d.length; i++) {
    if (!(d[i] > 0)) continue
    const ratio = T[i * width + width - 1] / d[i]
    // Of equal ones the last: its unit vector is the lexicographic least.
    if (ratio < 0 && ratio <= least) {
      least = ratio
      row = i
    }
  }
  return row
}

/** Lexicographic ratio test for the entering column: the row whose variable reaches zero first, or −1. */
function leavingRow(T: Float64Array, width: number, entering: number, basis: number[]): number {
  const m = basis.length
  const z0 = 2 * m
  let largest = 1
  for (let i = 0; i < m; i++) largest = Math.max(largest, Math.abs(T[i * width + entering]))
  let tied: number[] = []
  for (let i = 0; i < m; i++) if (T[i * width + entering] > PIVOT * largest) tied.push(i)
  for (let k = -1; k < m && tied.length > 1; k++) {
    const column = k < 0 ? width - 1 : k
    const ratio = (i: number): number => T[i * width + column] / T[i * width + entering]
    const least = Math.min(...tied.map(ratio))
    const slack = TIE * Math.max(1, Math.abs(least))
    tied = tied.filter((i) => ratio(i) <= least + slack)
    // If z₀ can leave it does, tied or not: that is a solution.
    if (k < 0) {
      const artificial = tied.find((i) => basis[i] === z0)
      if (artificial !== undefined) return artificial
    }
  }
  return tied.length > 0 ? tied[0] : -1
}

/** Gauss–Jordan: column `column` becomes the unit vector of `row`. */
function eliminate(T: Float64Array, width: number, row: number, column: number): void {
  const m = T.length / width
  const p = row * width
  const scale = 1 / T[p + column]
  for (let j = 0; j < width; j++) T[p + j] *= scale
  T[p + column] = 1
  for (let i = 0; i < m; i++) {
    const o = i * width
    const factor = T[o + column]
    if (i === row || factor === 0) continue
    for (let j = 0; j < width; j++) T[o + j] -= factor * T[p + j]
    T[o + column] = 0
    // A basic variable is never negative: what is below zero is the round-off of a tie.
    T[o + width - 1] = Math.max(T[o + width - 1], 0)
  }
}
