/**
 * Elimination of one tree's Newton system, leaves first, O(n) (docs/method.md, "Trees of joints"). With the body's
 * block Ĥ, what its children leave of it included, the rows J_i on it and J_p on its parent, and geometric stiffness C between
 * the two:
 *
 *   Ĥ dX_i − J_iᵀ dλ + C dX_p = −ĝ        Ĥ = L D Lᵀ,  y = L⁻¹ J_iᵀ,  E = L⁻¹ C,  z = L⁻¹ ĝ
 *   J_i dX_i + J_p dX_p + a dλ = −r        S = yᵀD⁻¹y + a = Λ Λᵀ,  Z = Λ⁻¹ (J_p − yᵀD⁻¹E),  v = Λ⁻¹ (yᵀD⁻¹z − r)
 *   parent: Ĥ_p += ZᵀZ − EᵀD⁻¹E,  ĝ_p −= Zᵀv + EᵀD⁻¹z
 *   downward: dλ = Λ⁻ᵀ (v − Z dX_p),  dX_i = L⁻ᵀ D⁻¹ (y dλ − z − E dX_p)
 */

/** Coordinates of a body. */
export const SIX = 6
const BLOCK = 36

/** A pivot of D below this share of its diagonal means that the block is not definite. */
const DEFINITE = 1e-14
/** A pivot of Λ below this share of its diagonal belongs to a row that the rows before it already hold. */
const REDUNDANT = 1e-11

/** Scratch of the system of all trees; rows of a node stand from its `firstRow`, and S from `firstPair`. */
export interface System {
  /** Ĥ, then L with 1/D on its diagonal; C, then E. */
  H: Float64Array
  C: Float64Array
  /** ĝ, then z; dX. */
  g: Float64Array
  dX: Float64Array
  /** J_i, then y; J_p, then Z; six numbers a row. */
  Ji: Float64Array
  Jp: Float64Array
  /** r, then v; a; dλ. */
  r: Float64Array
  a: Float64Array
  dl: Float64Array
  /** S, then Λ with inverted diagonal. */
  S: Float64Array
  /** Rows in use, and whether the node is coupled to its parent by C. */
  rows: Int32Array
  coupled: Uint8Array
  /** 1 where, when last factored, rows of a node's joints held the same thing twice. */
  singular: Uint8Array
  /** Share of a diagonal that takes the place of a pivot that is not positive; 0 when that is a failure. */
  floor: number
}

/**
 * Factors node n, whose rows stand at `k` and S at `p`, and adds what is left of it to its parent `up`, or to nothing when
 * that is −1. False when Ĥ is not positive definite.
 */
export function eliminate(s: System, n: number, up: number, k: number, p: number): boolean {
  const { H, g } = s
  const h = BLOCK * n
  const o = SIX * n
  const m = s.rows[n]
  const { Ji, r, a, S } = s
  if (!factorBlock(H, h, g, o, Ji, k, m, s.floor)) return false
  const coupled = up >= 0 && s.coupled[n] !== 0
  if (coupled) {
    forwardColumns(H, h, s.C, h)
    subtractCoupled(s, n, k, m)
  }
  for (let i = 0; i < m; i++) {
    const u = SIX * (k + i)
    const y0 = Ji[u] * H[h]
    const y1 = Ji[u + 1] * H[h + 7]
    const y2 = Ji[u + 2] * H[h + 14]
    const y3 = Ji[u + 3] * H[h + 21]
    const y4 = Ji[u + 4] * H[h + 28]
    const y5 = Ji[u + 5] * H[h + 35]
    r[k + i] = y0 * g[o] + y1 * g[o + 1] + y2 * g[o + 2] + y3 * g[o + 3] + y4 * g[o + 4] + y5 * g[o + 5] - r[k + i]
    for (let j = 0; j < i; j++) {
      const w = SIX * (k + j)
      S[p + m * i + j] = y0 * Ji[w] + y1 * Ji[w + 1] + y2 * Ji[w + 2] + y3 * Ji[w + 3] + y4 * Ji[w + 4] + y5 * Ji[w + 5]
    }
    S[p + m * i + i] =
      y0 * Ji[u] + y1 * Ji[u + 1] + y2 * Ji[u + 2] + y3 * Ji[u + 3] + y4 * Ji[u + 4] + y5 * Ji[u + 5] + a[k + i]
  }
  s.singular[n] = factorRows(S, p, m) ? 0 : 1
  for (let i = 0; i < m; i++) {
    let v = r[k + i]
    for (let j = 0; j < i; j++) v -= S[p + m * i + j] * r[k + j]
    r[k + i] = v * S[p + m * i + i]
  }
  if (up >= 0) addToParent(s, n, up, k, p, m, coupled)
  return true
}

/** Λ⁻¹ J_p, and its share of the parent's block. */
function addToParent(s: System, n: number, up: number, k: number, p: number, m: number, coupled: boolean): void {
  const { H, C, g, Jp, r, S } = s
  const h = BLOCK * up
  const o = SIX * up
  for (let i = 0; i < m; i++) {
    const u = SIX * (k + i)
    const v = r[k + i]
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
    const f = S[p + m * i + i]
    Jp[u] = z0 *= f
    Jp[u + 1] = z1 *= f
    Jp[u + 2] = z2 *= f
    Jp[u + 3] = z3 *= f
    Jp[u + 4] = z4 *= f
    Jp[u + 5] = z5 *= f
    H[h] += z0 * z0
    H[h + 6] += z1 * z0
    H[h + 7] += z1 * z1
    H[h + 12] += z2 * z0
    H[h + 13] += z2 * z1
    H[h + 14] += z2 * z2
    H[h + 18] += z3 * z0
    H[h + 19] += z3 * z1
    H[h + 20] += z3 * z2
    H[h + 21] += z3 * z3
    H[h + 24] += z4 * z0
    H[h + 25] += z4 * z1
    H[h + 26] += z4 * z2
    H[h + 27] += z4 * z3
    H[h + 28] += z4 * z4
    H[h + 30] += z5 * z0
    H[h + 31] += z5 * z1
    H[h + 32] += z5 * z2
    H[h + 33] += z5 * z3
    H[h + 34] += z5 * z4
    H[h + 35] += z5 * z5
    g[o] -= z0 * v
    g[o + 1] -= z1 * v
    g[o + 2] -= z2 * v
    g[o + 3] -= z3 * v
    g[o + 4] -= z4 * v
    g[o + 5] -= z5 * v
  }
  if (!coupled) return
  const d = BLOCK * n
  const z = SIX * n
  for (let i = 0; i < SIX; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = 0
      for (let c = 0; c < SIX; c++) sum += H[d + 7 * c] * C[d + SIX * c + i] * C[d + SIX * c + j]
      H[h + SIX * i + j] -= sum
    }
    let sum = 0
    for (let c = 0; c < SIX; c++) sum += H[d + 7 * c] * C[d + SIX * c + i] * g[z + c]
    g[o + i] -= sum
  }
}

/** J_p −= yᵀ D⁻¹ E. */
function subtractCoupled(s: System, n: number, k: number, m: number): void {
  const { H, C, Ji, Jp } = s
  const d = BLOCK * n
  for (let i = 0; i < m; i++) {
    const u = SIX * (k + i)
    for (let c = 0; c < SIX; c++) {
      let sum = 0
      for (let e = 0; e < SIX; e++) sum += H[d + 7 * e] * Ji[u + e] * C[d + SIX * e + c]
      Jp[u + c] -= sum
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
    for (let j = i + 1; j < m; j++) v -= S[p + m * j + i] * dl[k + j]
    const f = v * S[p + m * i + i]
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

/**
 * L D Lᵀ of the block at `h`: L's lower triangle in place, 1/D on the diagonal, and L⁻¹ of the six numbers at `o` of g and of m rows
 * at `k` of J: written out, so that L stays in locals, and without roots, which take longest. False when it is not definite.
 */
function factorBlock(
  H: Float64Array,
  h: number,
  g: Float64Array,
  o: number,
  J: Float64Array,
  k: number,
  m: number,
  floor: number,
): boolean {
  let v0 = H[h]
  if (!(v0 > DEFINITE * H[h])) {
    v0 = Math.max(-v0, floor * H[h])
    if (floor === 0 || !(v0 > 0)) return false
  }
  const d0 = 1 / v0
  const t10 = H[h + 6]
  const l10 = t10 * d0
  let v1 = H[h + 7] - t10 * l10
  if (!(v1 > DEFINITE * H[h + 7])) {
    v1 = Math.max(-v1, floor * H[h + 7])
    if (floor === 0 || !(v1 > 0)) return false
  }
  const d1 = 1 / v1
  const t20 = H[h + 12]
  const l20 = t20 * d0
  const t21 = H[h + 13] - t20 * l10
  const l21 = t21 * d1
  let v2 = H[h + 14] - t20 * l20 - t21 * l21
  if (!(v2 > DEFINITE * H[h + 14])) {
    v2 = Math.max(-v2, floor * H[h + 14])
    if (floor === 0 || !(v2 > 0)) return false
  }
  const d2 = 1 / v2
  const t30 = H[h + 18]
  const l30 = t30 * d0
  const t31 = H[h + 19] - t30 * l10
  const l31 = t31 * d1
  const t32 = H[h + 20] - t30 * l20 - t31 * l21
  const l32 = t32 * d2
  let v3 = H[h + 21] - t30 * l30 - t31 * l31 - t32 * l32
  if (!(v3 > DEFINITE * H[h + 21])) {
    v3 = Math.max(-v3, floor * H[h + 21])
    if (floor === 0 || !(v3 > 0)) return false
  }
  const d3 = 1 / v3
  const t40 = H[h + 24]
  const l40 = t40 * d0
  const t41 = H[h + 25] - t40 * l10
  const l41 = t41 * d1
  const t42 = H[h + 26] - t40 * l20 - t41 * l21
  const l42 = t42 * d2
  const t43 = H[h + 27] - t40 * l30 - t41 * l31 - t42 * l32
  const l43 = t43 * d3
  let v4 = H[h + 28] - t40 * l40 - t41 * l41 - t42 * l42 - t43 * l43
  if (!(v4 > DEFINITE * H[h + 28])) {
    v4 = Math.max(-v4, floor * H[h + 28])
    if (floor === 0 || !(v4 > 0)) return false
  }
  const d4 = 1 / v4
  const t50 = H[h + 30]
  const l50 = t50 * d0
  const t51 = H[h + 31] - t50 * l10
  const l51 = t51 * d1
  const t52 = H[h + 32] - t50 * l20 - t51 * l21
  const l52 = t52 * d2
  const t53 = H[h + 33] - t50 * l30 - t51 * l31 - t52 * l32
  const l53 = t53 * d3
  const t54 = H[h + 34] - t50 * l40 - t51 * l41 - t52 * l42 - t53 * l43
  const l54 = t54 * d4
  let v5 = H[h + 35] - t50 * l50 - t51 * l51 - t52 * l52 - t53 * l53 - t54 * l54
  if (!(v5 > DEFINITE * H[h + 35])) {
    v5 = Math.max(-v5, floor * H[h + 35])
    if (floor === 0 || !(v5 > 0)) return false
  }
  const d5 = 1 / v5
  H[h] = d0
  H[h + 6] = l10
  H[h + 7] = d1
  H[h + 12] = l20
  H[h + 13] = l21
  H[h + 14] = d2
  H[h + 18] = l30
  H[h + 19] = l31
  H[h + 20] = l32
  H[h + 21] = d3
  H[h + 24] = l40
  H[h + 25] = l41
  H[h + 26] = l42
  H[h + 27] = l43
  H[h + 28] = d4
  H[h + 30] = l50
  H[h + 31] = l51
  H[h + 32] = l52
  H[h + 33] = l53
  H[h + 34] = l54
  H[h + 35] = d5
  for (let i = -1; i < m; i++) {
    const x = i < 0 ? g : J
    const u = i < 0 ? o : SIX * (k + i)
    const x0 = x[u]
    const x1 = x[u + 1] - l10 * x0
    const x2 = x[u + 2] - l20 * x0 - l21 * x1
    const x3 = x[u + 3] - l30 * x0 - l31 * x1 - l32 * x2
    const x4 = x[u + 4] - l40 * x0 - l41 * x1 - l42 * x2 - l43 * x3
    const x5 = x[u + 5] - l50 * x0 - l51 * x1 - l52 * x2 - l53 * x3 - l54 * x4
    x[u + 1] = x1
    x[u + 2] = x2
    x[u + 3] = x3
    x[u + 4] = x4
    x[u + 5] = x5
  }
  return true
}

/** Λ of S, likewise; a row that adds nothing gets the inverse pivot 0, and so no multiplier. False when there is one. */
function factorRows(S: Float64Array, p: number, m: number): boolean {
  let isRegular = true
  for (let i = 0; i < m; i++) {
    const u = p + m * i
    for (let j = 0; j < i; j++) {
      const w = p + m * j
      let v = S[u + j]
      for (let c = 0; c < j; c++) v -= S[u + c] * S[w + c]
      S[u + j] = v * S[w + j]
    }
    const diagonal = S[u + i]
    let v = diagonal
    for (let c = 0; c < i; c++) v -= S[u + c] * S[u + c]
    S[u + i] = v > REDUNDANT * diagonal ? 1 / Math.sqrt(v) : 0
    if (S[u + i] === 0) isRegular = false
  }
  return isRegular
}

/** L⁻¹ of the six columns of a block at `o`. */
function forwardColumns(H: Float64Array, h: number, C: Float64Array, o: number): void {
  for (let c = 0; c < SIX; c++) {
    for (let i = 0; i < SIX; i++) {
      let v = C[o + SIX * i + c]
      for (let j = 0; j < i; j++) v -= H[h + SIX * i + j] * C[o + SIX * j + c]
      C[o + SIX * i + c] = v
    }
  }
}

/** x ← L⁻ᵀ D⁻¹ x. */
function backward(H: Float64Array, h: number, x: Float64Array, o: number): void {
  const x5 = x[o + 5] * H[h + 35]
  const x4 = x[o + 4] * H[h + 28] - H[h + 34] * x5
  const x3 = x[o + 3] * H[h + 21] - H[h + 33] * x5 - H[h + 27] * x4
  const x2 = x[o + 2] * H[h + 14] - H[h + 32] * x5 - H[h + 26] * x4 - H[h + 20] * x3
  const x1 = x[o + 1] * H[h + 7] - H[h + 31] * x5 - H[h + 25] * x4 - H[h + 19] * x3 - H[h + 13] * x2
  x[o] = x[o] * H[h] - H[h + 30] * x5 - H[h + 24] * x4 - H[h + 18] * x3 - H[h + 12] * x2 - H[h + 6] * x1
  x[o + 1] = x1
  x[o + 2] = x2
  x[o + 3] = x3
  x[o + 4] = x4
  x[o + 5] = x5
}
