/**
 * Elimination of one tree's Newton system, leaves first, O(n) (docs/method.md, "Direct solve of trees"). With the body's
 * block Ĥ, what its children leave of it included, the rows J_i on it and J_p on its parent, and geometric stiffness C between
 * the two:
 *
 *   Ĥ dX_i − J_iᵀ dλ + C dX_p = −ĝ        Ĥ = L Lᵀ,  y = L⁻¹ J_iᵀ,  D = L⁻¹ C,  z = L⁻¹ ĝ
 *   J_i dX_i + J_p dX_p + a dλ = −r        S = yᵀy + a = Λ Λᵀ,  Z = Λ⁻¹ (J_p − yᵀD),  v = Λ⁻¹ (yᵀz − r)
 *   parent: Ĥ_p += ZᵀZ − DᵀD,  ĝ_p −= Zᵀv + Dᵀz
 *   downward: dλ = Λ⁻ᵀ (v − Z dX_p),  dX_i = L⁻ᵀ (y dλ − z − D dX_p)
 */

/** Coordinates of a body. */
export const SIX = 6
const BLOCK = 36

/** A pivot of L below this share of its diagonal means that the block is not definite. */
const DEFINITE = 1e-14
/** A pivot of Λ below this share of its diagonal belongs to a row that the rows before it already hold. */
const REDUNDANT = 1e-11

/** Scratch of the system of all trees; rows of a node stand from its `firstRow`, and S from `firstPair`. */
export interface System {
  /** Ĥ, then L with inverted diagonal; C, then D. */
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
  /** Rows in use, whether the node is coupled to its parent by C, and how many of its coordinates move: 3 or 6. */
  rows: Int32Array
  coupled: Uint8Array
  /** 1 where rows of a node's joints hold the same thing twice. */
  singular: Uint8Array
  /** Share of a diagonal that takes the place of a pivot that is not positive; 0 when that is a failure. */
  floor: number
}

/**
 * Factors node n, whose rows stand at `k` and S at `p`, and adds what is left of it to its parent `up`, or to nothing when
 * that is −1. False when Ĥ is not positive definite. `locked` coordinates are those whose diagonal is infinite.
 */
export function eliminate(s: System, n: number, up: number, k: number, p: number): boolean {
  const { H, g } = s
  const h = BLOCK * n
  const o = SIX * n
  if (!factorBlock(H, h, s.floor)) return false
  forward(H, h, g, o)
  const m = s.rows[n]
  const { Ji, r, a, S } = s
  for (let i = 0; i < m; i++) forward(H, h, Ji, SIX * (k + i))
  const coupled = up >= 0 && s.coupled[n] !== 0
  if (coupled) {
    forwardColumns(H, h, s.C, h)
    subtractCoupled(s, n, k, m)
  }
  for (let i = 0; i < m; i++) {
    const u = SIX * (k + i)
    let v = -r[k + i]
    for (let c = 0; c < SIX; c++) v += Ji[u + c] * g[o + c]
    r[k + i] = v
    for (let j = 0; j <= i; j++) {
      const w = SIX * (k + j)
      S[p + m * i + j] =
        Ji[u] * Ji[w] +
        Ji[u + 1] * Ji[w + 1] +
        Ji[u + 2] * Ji[w + 2] +
        Ji[u + 3] * Ji[w + 3] +
        Ji[u + 4] * Ji[w + 4] +
        Ji[u + 5] * Ji[w + 5]
    }
    S[p + m * i + i] += a[k + i]
  }
  if (!factorRows(S, p, m)) s.singular[n] = 1
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
  for (let i = 0; i < m; i++) {
    const u = SIX * (k + i)
    for (let j = 0; j < i; j++) {
      const f = S[p + m * i + j]
      const w = SIX * (k + j)
      for (let c = 0; c < SIX; c++) Jp[u + c] -= f * Jp[w + c]
    }
    const f = S[p + m * i + i]
    for (let c = 0; c < SIX; c++) Jp[u + c] *= f
  }
  const h = BLOCK * up
  const o = SIX * up
  for (let i = 0; i < m; i++) {
    const u = SIX * (k + i)
    const v = r[k + i]
    const z0 = Jp[u]
    const z1 = Jp[u + 1]
    const z2 = Jp[u + 2]
    const z3 = Jp[u + 3]
    const z4 = Jp[u + 4]
    const z5 = Jp[u + 5]
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
      for (let c = 0; c < SIX; c++) sum += C[d + SIX * c + i] * C[d + SIX * c + j]
      H[h + SIX * i + j] -= sum
    }
    let sum = 0
    for (let c = 0; c < SIX; c++) sum += C[d + SIX * c + i] * g[z + c]
    g[o + i] -= sum
  }
}

/** J_p −= yᵀ D. */
function subtractCoupled(s: System, n: number, k: number, m: number): void {
  const { C, Ji, Jp } = s
  const d = BLOCK * n
  for (let i = 0; i < m; i++) {
    const u = SIX * (k + i)
    for (let c = 0; c < SIX; c++) {
      let sum = 0
      for (let e = 0; e < SIX; e++) sum += Ji[u + e] * C[d + SIX * e + c]
      Jp[u + c] -= sum
    }
  }
}

/** dλ and dX of node n, those of its parent `up` being known. */
export function substitute(s: System, n: number, up: number, k: number, p: number): void {
  const { H, C, g, dX, Ji, Jp, r, dl, S } = s
  const m = s.rows[n]
  const o = SIX * n
  const q = SIX * up
  for (let c = 0; c < SIX; c++) dX[o + c] = -g[o + c]
  for (let i = m - 1; i >= 0; i--) {
    const u = SIX * (k + i)
    let v = r[k + i]
    if (up >= 0) for (let c = 0; c < SIX; c++) v -= Jp[u + c] * dX[q + c]
    for (let j = i + 1; j < m; j++) v -= S[p + m * j + i] * dl[k + j]
    dl[k + i] = v * S[p + m * i + i]
    const f = dl[k + i]
    for (let c = 0; c < SIX; c++) dX[o + c] += f * Ji[u + c]
  }
  if (up >= 0 && s.coupled[n] !== 0) {
    const d = BLOCK * n
    for (let i = 0; i < SIX; i++) {
      let sum = 0
      for (let c = 0; c < SIX; c++) sum += C[d + SIX * i + c] * dX[q + c]
      dX[o + i] -= sum
    }
  }
  backward(H, BLOCK * n, dX, o)
}

/** L of the block at `h`, lower triangle in place, its diagonal inverted; false when it is not definite. */
function factorBlock(H: Float64Array, h: number, floor: number): boolean {
  for (let i = 0; i < SIX; i++) {
    const u = h + SIX * i
    for (let j = 0; j < i; j++) {
      const w = h + SIX * j
      let v = H[u + j]
      for (let c = 0; c < j; c++) v -= H[u + c] * H[w + c]
      H[u + j] = v * H[w + j]
    }
    const diagonal = H[u + i]
    let v = diagonal
    for (let c = 0; c < i; c++) v -= H[u + c] * H[u + c]
    if (!(v > DEFINITE * diagonal)) {
      if (floor === 0) return false
      v = Math.max(-v, floor * diagonal)
      if (!(v > 0)) return false
    }
    H[u + i] = 1 / Math.sqrt(v)
  }
  return true
}

/** The same of S; a row that adds nothing gets the inverse pivot 0, and so no multiplier. False when there is one. */
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

/** x ← L⁻¹ x, six numbers at `o`. */
function forward(H: Float64Array, h: number, x: Float64Array, o: number): void {
  const x0 = x[o] * H[h]
  const x1 = (x[o + 1] - H[h + 6] * x0) * H[h + 7]
  const x2 = (x[o + 2] - H[h + 12] * x0 - H[h + 13] * x1) * H[h + 14]
  const x3 = (x[o + 3] - H[h + 18] * x0 - H[h + 19] * x1 - H[h + 20] * x2) * H[h + 21]
  const x4 = (x[o + 4] - H[h + 24] * x0 - H[h + 25] * x1 - H[h + 26] * x2 - H[h + 27] * x3) * H[h + 28]
  const x5 = (x[o + 5] - H[h + 30] * x0 - H[h + 31] * x1 - H[h + 32] * x2 - H[h + 33] * x3 - H[h + 34] * x4) * H[h + 35]
  x[o] = x0
  x[o + 1] = x1
  x[o + 2] = x2
  x[o + 3] = x3
  x[o + 4] = x4
  x[o + 5] = x5
}

/** The same for six columns of a block at `o`. */
function forwardColumns(H: Float64Array, h: number, C: Float64Array, o: number): void {
  for (let c = 0; c < SIX; c++) {
    for (let i = 0; i < SIX; i++) {
      let v = C[o + SIX * i + c]
      for (let j = 0; j < i; j++) v -= H[h + SIX * i + j] * C[o + SIX * j + c]
      C[o + SIX * i + c] = v * H[h + SIX * i + i]
    }
  }
}

/** x ← L⁻ᵀ x. */
function backward(H: Float64Array, h: number, x: Float64Array, o: number): void {
  const x5 = x[o + 5] * H[h + 35]
  const x4 = (x[o + 4] - H[h + 34] * x5) * H[h + 28]
  const x3 = (x[o + 3] - H[h + 33] * x5 - H[h + 27] * x4) * H[h + 21]
  const x2 = (x[o + 2] - H[h + 32] * x5 - H[h + 26] * x4 - H[h + 20] * x3) * H[h + 14]
  const x1 = (x[o + 1] - H[h + 31] * x5 - H[h + 25] * x4 - H[h + 19] * x3 - H[h + 13] * x2) * H[h + 7]
  x[o] = (x[o] - H[h + 30] * x5 - H[h + 24] * x4 - H[h + 18] * x3 - H[h + 12] * x2 - H[h + 6] * x1) * H[h]
  x[o + 1] = x1
  x[o + 2] = x2
  x[o + 3] = x3
  x[o + 4] = x4
  x[o + 5] = x5
}
