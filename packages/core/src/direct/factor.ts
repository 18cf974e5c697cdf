/**
 * Elimination of one tree's Newton system, leaves first, O(n) (docs/method.md, "Trees of joints"). With the body's
 * block Ĥ, what its children leave of it included, the rows J_i on it and J_p on its parent, and geometric stiffness C between
 * the two:
 *
 *   Ĥ dX_i − J_iᵀ dλ + C dX_p = −ĝ        Ĥ = L D Lᵀ,  y = L⁻¹ J_iᵀ,  E = L⁻¹ C,  z = L⁻¹ ĝ
 *   J_i dX_i + J_p dX_p + a dλ = −r        S = yᵀD⁻¹y + a = Λ Δ Λᵀ,  Z = Λ⁻¹ (J_p − yᵀD⁻¹E),  v = Λ⁻¹ (yᵀD⁻¹z − r)
 *   parent: Ĥ_p += ZᵀΔ⁻¹Z − EᵀD⁻¹E,  ĝ_p −= ZᵀΔ⁻¹v + EᵀD⁻¹z
 *   downward: dλ = Λ⁻ᵀ Δ⁻¹ (v − Z dX_p),  dX_i = L⁻ᵀ D⁻¹ (y dλ − z − E dX_p)
 *
 * D and Δ are diagonal: no roots, which take longest.
 */

import { backward, BLOCK, factorBlock, forwardColumns, SIX, type System } from './body-block.js'
import { factorRows, factorThree } from './row-block.js'

export { SIX } from './body-block.js'

/**
 * Factors node n, whose rows stand at `k` and S at `p`, and adds what is left of it to its parent `up`, or to nothing when
 * that is −1. False when Ĥ is not positive definite.
 */
export function eliminate(s: System, n: number, up: number, k: number, p: number): boolean {
  const { H, g } = s
  const h = BLOCK * n
  const o = SIX * n
  const m = s.rows[n]
  if (!factorBlock(H, h, g, o, s.Ji, k, m, s.floor)) return false
  const coupled = up >= 0 && s.coupled[n] !== 0
  if (coupled) {
    forwardColumns(H, h, s.C, h)
    subtractCoupled(s, n, k, m)
  }
  s.singular[n] = (m === 3 ? factorThree(s, n, k, p) : factorRows(s, n, k, p, m)) ? 0 : 1
  if (up < 0) return true
  if (m === 3) addThreeToParent(s, up, k, p)
  else addToParent(s, up, k, p, m)
  if (coupled) addCoupledToParent(s, n, up)
  return true
}

/** Z = Λ⁻¹ J_p, and its share of the parent: ZᵀΔ⁻¹Z and ZᵀΔ⁻¹v. */
function addToParent({ H, g, Jp, r, S }: System, up: number, k: number, p: number, m: number): void {
  const h = BLOCK * up
  const o = SIX * up
  for (let i = 0; i < m; i++) {
    const u = SIX * (k + i)
    let z0 = Jp[u]
    let z1 = Jp[u + 1]
    let z2 = Jp[u + 2]
    let z3 = Jp[u + 3]
    let z4 = Jp[u + 4]
    let z5 = Jp[u + 5]
    for (let j = 0; j < i; j++) {
      const f = S[p + m * i + j]
      const w = SIX * (k + j)
      z0 -= f * Jp[w]
      z1 -= f * Jp[w + 1]
      z2 -= f * Jp[w + 2]
      z3 -= f * Jp[w + 3]
      z4 -= f * Jp[w + 4]
      z5 -= f * Jp[w + 5]
    }
    Jp[u] = z0
    Jp[u + 1] = z1
    Jp[u + 2] = z2
    Jp[u + 3] = z3
    Jp[u + 4] = z4
    Jp[u + 5] = z5
    const d = S[p + m * i + i]
    const v = r[k + i]
    const e0 = d * z0
    const e1 = d * z1
    const e2 = d * z2
    const e3 = d * z3
    const e4 = d * z4
    const e5 = d * z5
    H[h] += e0 * z0
    H[h + 6] += e1 * z0
    H[h + 7] += e1 * z1
    H[h + 12] += e2 * z0
    H[h + 13] += e2 * z1
    H[h + 14] += e2 * z2
    H[h + 18] += e3 * z0
    H[h + 19] += e3 * z1
    H[h + 20] += e3 * z2
    H[h + 21] += e3 * z3
    H[h + 24] += e4 * z0
    H[h + 25] += e4 * z1
    H[h + 26] += e4 * z2
    H[h + 27] += e4 * z3
    H[h + 28] += e4 * z4
    H[h + 30] += e5 * z0
    H[h + 31] += e5 * z1
    H[h + 32] += e5 * z2
    H[h + 33] += e5 * z3
    H[h + 34] += e5 * z4
    H[h + 35] += e5 * z5
    g[o] -= e0 * v
    g[o + 1] -= e1 * v
    g[o + 2] -= e2 * v
    g[o + 3] -= e3 * v
    g[o + 4] -= e4 * v
    g[o + 5] -= e5 * v
  }
}

/** {@link addToParent} of three rows, written out: the same to the last bit. */
function addThreeToParent({ H, g, Jp, r, S }: System, up: number, k: number, p: number): void {
  const h = BLOCK * up
  const o = SIX * up
  const u = SIX * k
  const l10 = S[p + 3]
  const l20 = S[p + 6]
  const l21 = S[p + 7]
  const x0 = Jp[u]
  const x1 = Jp[u + 1]
  const x2 = Jp[u + 2]
  const x3 = Jp[u + 3]
  const x4 = Jp[u + 4]
  const x5 = Jp[u + 5]
  const y0 = Jp[u + 6] - l10 * x0
  const y1 = Jp[u + 7] - l10 * x1
  const y2 = Jp[u + 8] - l10 * x2
  const y3 = Jp[u + 9] - l10 * x3
  const y4 = Jp[u + 10] - l10 * x4
  const y5 = Jp[u + 11] - l10 * x5
  const z0 = Jp[u + 12] - l20 * x0 - l21 * y0
  const z1 = Jp[u + 13] - l20 * x1 - l21 * y1
  const z2 = Jp[u + 14] - l20 * x2 - l21 * y2
  const z3 = Jp[u + 15] - l20 * x3 - l21 * y3
  const z4 = Jp[u + 16] - l20 * x4 - l21 * y4
  const z5 = Jp[u + 17] - l20 * x5 - l21 * y5
  Jp[u + 6] = y0
  Jp[u + 7] = y1
  Jp[u + 8] = y2
  Jp[u + 9] = y3
  Jp[u + 10] = y4
  Jp[u + 11] = y5
  Jp[u + 12] = z0
  Jp[u + 13] = z1
  Jp[u + 14] = z2
  Jp[u + 15] = z3
  Jp[u + 16] = z4
  Jp[u + 17] = z5
  const dx = S[p]
  const dy = S[p + 4]
  const dz = S[p + 8]
  const vx = r[k]
  const vy = r[k + 1]
  const vz = r[k + 2]
  const xd0 = dx * x0
  const yd0 = dy * y0
  const zd0 = dz * z0
  H[h] = H[h] + xd0 * x0 + yd0 * y0 + zd0 * z0
  g[o] = g[o] - xd0 * vx - yd0 * vy - zd0 * vz
  const xd1 = dx * x1
  const yd1 = dy * y1
  const zd1 = dz * z1
  H[h + 6] = H[h + 6] + xd1 * x0 + yd1 * y0 + zd1 * z0
  H[h + 7] = H[h + 7] + xd1 * x1 + yd1 * y1 + zd1 * z1
  g[o + 1] = g[o + 1] - xd1 * vx - yd1 * vy - zd1 * vz
  const xd2 = dx * x2
  const yd2 = dy * y2
  const zd2 = dz * z2
  H[h + 12] = H[h + 12] + xd2 * x0 + yd2 * y0 + zd2 * z0
  H[h + 13] = H[h + 13] + xd2 * x1 + yd2 * y1 + zd2 * z1
  H[h + 14] = H[h + 14] + xd2 * x2 + yd2 * y2 + zd2 * z2
  g[o + 2] = g[o + 2] - xd2 * vx - yd2 * vy - zd2 * vz
  const xd3 = dx * x3
  const yd3 = dy * y3
  const zd3 = dz * z3
  H[h + 18] = H[h + 18] + xd3 * x0 + yd3 * y0 + zd3 * z0
  H[h + 19] = H[h + 19] + xd3 * x1 + yd3 * y1 + zd3 * z1
  H[h + 20] = H[h + 20] + xd3 * x2 + yd3 * y2 + zd3 * z2
  H[h + 21] = H[h + 21] + xd3 * x3 + yd3 * y3 + zd3 * z3
  g[o + 3] = g[o + 3] - xd3 * vx - yd3 * vy - zd3 * vz
  const xd4 = dx * x4
  const yd4 = dy * y4
  const zd4 = dz * z4
  H[h + 24] = H[h + 24] + xd4 * x0 + yd4 * y0 + zd4 * z0
  H[h + 25] = H[h + 25] + xd4 * x1 + yd4 * y1 + zd4 * z1
  H[h + 26] = H[h + 26] + xd4 * x2 + yd4 * y2 + zd4 * z2
  H[h + 27] = H[h + 27] + xd4 * x3 + yd4 * y3 + zd4 * z3
  H[h + 28] = H[h + 28] + xd4 * x4 + yd4 * y4 + zd4 * z4
  g[o + 4] = g[o + 4] - xd4 * vx - yd4 * vy - zd4 * vz
  const xd5 = dx * x5
  const yd5 = dy * y5
  const zd5 = dz * z5
  H[h + 30] = H[h + 30] + xd5 * x0 + yd5 * y0 + zd5 * z0
  H[h + 31] = H[h + 31] + xd5 * x1 + yd5 * y1 + zd5 * z1
  H[h + 32] = H[h + 32] + xd5 * x2 + yd5 * y2 + zd5 * z2
  H[h + 33] = H[h + 33] + xd5 * x3 + yd5 * y3 + zd5 * z3
  H[h + 34] = H[h + 34] + xd5 * x4 + yd5 * y4 + zd5 * z4
  H[h + 35] = H[h + 35] + xd5 * x5 + yd5 * y5 + zd5 * z5
  g[o + 5] = g[o + 5] - xd5 * vx - yd5 * vy - zd5 * vz
}

/** EᵀD⁻¹E and EᵀD⁻¹z. */
function addCoupledToParent({ H, C, g }: System, n: number, up: number): void {
  const h = BLOCK * up
  const o = SIX * up
  const d = BLOCK * n
  const z = SIX * n
  for (let i = 0; i < SIX; i++) {
    const e0 = H[d] * C[d + i]
    const e1 = H[d + 7] * C[d + 6 + i]
    const e2 = H[d + 14] * C[d + 12 + i]
    const e3 = H[d + 21] * C[d + 18 + i]
    const e4 = H[d + 28] * C[d + 24 + i]
    const e5 = H[d + 35] * C[d + 30 + i]
    for (let j = 0; j <= i; j++) {
      const c = d + j
      H[h + SIX * i + j] -=
        e0 * C[c] + e1 * C[c + 6] + e2 * C[c + 12] + e3 * C[c + 18] + e4 * C[c + 24] + e5 * C[c + 30]
    }
    g[o + i] -= e0 * g[z] + e1 * g[z + 1] + e2 * g[z + 2] + e3 * g[z + 3] + e4 * g[z + 4] + e5 * g[z + 5]
  }
}

/** J_p −= yᵀ D⁻¹ E. */
function subtractCoupled({ H, C, Ji, Jp }: System, n: number, k: number, m: number): void {
  const d = BLOCK * n
  for (let i = 0; i < m; i++) {
    const u = SIX * (k + i)
    const y0 = H[d] * Ji[u]
    const y1 = H[d + 7] * Ji[u + 1]
    const y2 = H[d + 14] * Ji[u + 2]
    const y3 = H[d + 21] * Ji[u + 3]
    const y4 = H[d + 28] * Ji[u + 4]
    const y5 = H[d + 35] * Ji[u + 5]
    for (let c = d; c < d + SIX; c++) {
      Jp[u + c - d] -= y0 * C[c] + y1 * C[c + 6] + y2 * C[c + 12] + y3 * C[c + 18] + y4 * C[c + 24] + y5 * C[c + 30]
    }
  }
}

/** dλ and dX of node n, those of its parent `up` being known. */
export function substitute(s: System, n: number, up: number, k: number, p: number): void {
  const { g, dX, Ji, Jp, r, dl, S } = s
  const m = s.rows[n]
  const o = SIX * n
  const q = SIX * up
  let x0 = -g[o]
  let x1 = -g[o + 1]
  let x2 = -g[o + 2]
  let x3 = -g[o + 3]
  let x4 = -g[o + 4]
  let x5 = -g[o + 5]
  for (let i = m - 1; i >= 0; i--) {
    const u = SIX * (k + i)
    let v = r[k + i]
    if (up >= 0) {
      v -=
        Jp[u] * dX[q] +
        Jp[u + 1] * dX[q + 1] +
        Jp[u + 2] * dX[q + 2] +
        Jp[u + 3] * dX[q + 3] +
        Jp[u + 4] * dX[q + 4] +
        Jp[u + 5] * dX[q + 5]
    }
    let f = v * S[p + m * i + i]
    for (let j = i + 1; j < m; j++) f -= S[p + m * j + i] * dl[k + j]
    dl[k + i] = f
    x0 += f * Ji[u]
    x1 += f * Ji[u + 1]
    x2 += f * Ji[u + 2]
    x3 += f * Ji[u + 3]
    x4 += f * Ji[u + 4]
    x5 += f * Ji[u + 5]
  }
  dX[o] = x0
  dX[o + 1] = x1
  dX[o + 2] = x2
  dX[o + 3] = x3
  dX[o + 4] = x4
  dX[o + 5] = x5
  if (up >= 0 && s.coupled[n] !== 0) subtractParent(s, n, up)
  backward(s.H, BLOCK * n, dX, o)
}

/** dX −= E dX_p, before L⁻ᵀ D⁻¹. */
function subtractParent({ C, dX }: System, n: number, up: number): void {
  const d = BLOCK * n
  for (let i = 0; i < SIX; i++) {
    let sum = 0
    for (let c = 0; c < SIX; c++) sum += C[d + SIX * i + c] * dX[SIX * up + c]
    dX[SIX * n + i] -= sum
  }
}
