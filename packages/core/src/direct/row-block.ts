/** The block of a node's rows, S = yᵀD⁻¹y + a = Λ Δ Λᵀ, and v = Λ⁻¹ (yᵀD⁻¹z − r). */

import { BLOCK, SIX } from './body-block.js'
import type { System } from './factor.js'

/** A pivot of Δ below this share of its diagonal belongs to a row that the rows before it already hold. */
const REDUNDANT = 1e-11

/**
 * Λ, into S at `p`, and v of the m rows at `k` of node n, a row after the other. A row that adds nothing gets the inverse
 * pivot 0, and so no multiplier. False when there is one.
 */
export function factorRows(s: System, n: number, k: number, p: number, m: number): boolean {
  const { H, g, Ji, r, a, S } = s
  const h = BLOCK * n
  const o = SIX * n
  let isRegular = true
  for (let i = 0; i < m; i++) {
    const u = SIX * (k + i)
    const q = p + m * i
    const y0 = Ji[u]
    const y1 = Ji[u + 1]
    const y2 = Ji[u + 2]
    const y3 = Ji[u + 3]
    const y4 = Ji[u + 4]
    const y5 = Ji[u + 5]
    const e0 = H[h] * y0
    const e1 = H[h + 7] * y1
    const e2 = H[h + 14] * y2
    const e3 = H[h + 21] * y3
    const e4 = H[h + 28] * y4
    const e5 = H[h + 35] * y5
    const diagonal = e0 * y0 + e1 * y1 + e2 * y2 + e3 * y3 + e4 * y4 + e5 * y5 + a[k + i]
    let pivot = diagonal
    let v = e0 * g[o] + e1 * g[o + 1] + e2 * g[o + 2] + e3 * g[o + 3] + e4 * g[o + 4] + e5 * g[o + 5] - r[k + i]
    for (let j = 0; j < i; j++) {
      const w = SIX * (k + j)
      let t = e0 * Ji[w] + e1 * Ji[w + 1] + e2 * Ji[w + 2] + e3 * Ji[w + 3] + e4 * Ji[w + 4] + e5 * Ji[w + 5]
      // ΛΔ stands above the diagonal.
      for (let c = 0; c < j; c++) t -= S[p + m * c + i] * S[p + m * j + c]
      const l = t * S[p + m * j + j]
      S[p + m * j + i] = t
      S[q + j] = l
      pivot -= t * l
      v -= l * r[k + j]
    }
    r[k + i] = v
    S[q + i] = pivot > REDUNDANT * diagonal ? 1 / pivot : 0
    if (S[q + i] === 0) isRegular = false
  }
  return isRegular
}
