/** The block of a node's rows, S = yᵀD⁻¹y + a = Λ Δ Λᵀ, and v = Λ⁻¹ (yᵀD⁻¹z − r). */

import { BLOCK, SIX, type System } from './body-block.js'

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

/** {@link factorRows} of three, as a ball joint has, written out: the same to the last bit. */
export function factorThree({ H, g, Ji, r, a, S }: System, n: number, k: number, p: number): boolean {
  const h = BLOCK * n
  const o = SIX * n
  const u = SIX * k
  const x0 = Ji[u]
  const x1 = Ji[u + 1]
  const x2 = Ji[u + 2]
  const x3 = Ji[u + 3]
  const x4 = Ji[u + 4]
  const x5 = Ji[u + 5]
  const y0 = Ji[u + 6]
  const y1 = Ji[u + 7]
  const y2 = Ji[u + 8]
  const y3 = Ji[u + 9]
  const y4 = Ji[u + 10]
  const y5 = Ji[u + 11]
  const z0 = Ji[u + 12]
  const z1 = Ji[u + 13]
  const z2 = Ji[u + 14]
  const z3 = Ji[u + 15]
  const z4 = Ji[u + 16]
  const z5 = Ji[u + 17]
  const d0 = H[h]
  const d1 = H[h + 7]
  const d2 = H[h + 14]
  const d3 = H[h + 21]
  const d4 = H[h + 28]
  const d5 = H[h + 35]
  const g0 = g[o]
  const g1 = g[o + 1]
  const g2 = g[o + 2]
  const g3 = g[o + 3]
  const g4 = g[o + 4]
  const g5 = g[o + 5]
  const xd0 = x0 * d0
  const xd1 = x1 * d1
  const xd2 = x2 * d2
  const xd3 = x3 * d3
  const xd4 = x4 * d4
  const xd5 = x5 * d5
  const yd0 = y0 * d0
  const yd1 = y1 * d1
  const yd2 = y2 * d2
  const yd3 = y3 * d3
  const yd4 = y4 * d4
  const yd5 = y5 * d5
  const zd0 = z0 * d0
  const zd1 = z1 * d1
  const zd2 = z2 * d2
  const zd3 = z3 * d3
  const zd4 = z4 * d4
  const zd5 = z5 * d5
  const s00 = xd0 * x0 + xd1 * x1 + xd2 * x2 + xd3 * x3 + xd4 * x4 + xd5 * x5 + a[k]
  const t10 = yd0 * x0 + yd1 * x1 + yd2 * x2 + yd3 * x3 + yd4 * x4 + yd5 * x5
  const s11 = yd0 * y0 + yd1 * y1 + yd2 * y2 + yd3 * y3 + yd4 * y4 + yd5 * y5 + a[k + 1]
  const t20 = zd0 * x0 + zd1 * x1 + zd2 * x2 + zd3 * x3 + zd4 * x4 + zd5 * x5
  const s21 = zd0 * y0 + zd1 * y1 + zd2 * y2 + zd3 * y3 + zd4 * y4 + zd5 * y5
  const s22 = zd0 * z0 + zd1 * z1 + zd2 * z2 + zd3 * z3 + zd4 * z4 + zd5 * z5 + a[k + 2]
  const p0 = s00 > 0 ? 1 / s00 : 0
  const l10 = t10 * p0
  const w1 = s11 - t10 * l10
  const p1 = w1 > REDUNDANT * s11 ? 1 / w1 : 0
  const l20 = t20 * p0
  const t21 = s21 - t20 * l10
  const l21 = t21 * p1
  const w2 = s22 - t20 * l20 - t21 * l21
  const p2 = w2 > REDUNDANT * s22 ? 1 / w2 : 0
  const r0 = xd0 * g0 + xd1 * g1 + xd2 * g2 + xd3 * g3 + xd4 * g4 + xd5 * g5 - r[k]
  const r1 = yd0 * g0 + yd1 * g1 + yd2 * g2 + yd3 * g3 + yd4 * g4 + yd5 * g5 - r[k + 1] - l10 * r0
  r[k] = r0
  r[k + 1] = r1
  r[k + 2] = zd0 * g0 + zd1 * g1 + zd2 * g2 + zd3 * g3 + zd4 * g4 + zd5 * g5 - r[k + 2] - l20 * r0 - l21 * r1
  S[p] = p0
  S[p + 3] = l10
  S[p + 4] = p1
  S[p + 6] = l20
  S[p + 7] = l21
  S[p + 8] = p2
  return p0 !== 0 && p1 !== 0 && p2 !== 0
}
