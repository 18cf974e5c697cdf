/** The Newton system of trees as arrays, and its 6×6 blocks: of a body, Ĥ = L D Lᵀ, and what is done with L. */

export { BLOCK } from '../define/curvature.js'

/** Coordinates of a body. */
export const SIX = 6

/** A pivot of D below this share of its diagonal means that the block is not definite. */
const DEFINITE = 1e-14

/**
 * L D Lᵀ of the block at `h`: L's lower triangle in place, 1/D on the diagonal, and L⁻¹ of the six numbers at `o` of g and of m rows
 * at `k` of J: written out, so that L stays in locals, and without roots, which take longest. False when it is not definite.
 */
export function factorBlock(
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

/** x ← L⁻¹ x. */
export function forward(H: Float64Array, h: number, x: Float64Array, o: number): void {
  const x0 = x[o]
  const x1 = x[o + 1] - H[h + 6] * x0
  const x2 = x[o + 2] - H[h + 12] * x0 - H[h + 13] * x1
  const x3 = x[o + 3] - H[h + 18] * x0 - H[h + 19] * x1 - H[h + 20] * x2
  const x4 = x[o + 4] - H[h + 24] * x0 - H[h + 25] * x1 - H[h + 26] * x2 - H[h + 27] * x3
  const x5 = x[o + 5] - H[h + 30] * x0 - H[h + 31] * x1 - H[h + 32] * x2 - H[h + 33] * x3 - H[h + 34] * x4
  x[o + 1] = x1
  x[o + 2] = x2
  x[o + 3] = x3
  x[o + 4] = x4
  x[o + 5] = x5
}

/** L⁻¹ of the six columns of a block at `o`. */
export function forwardColumns(H: Float64Array, h: number, C: Float64Array, o: number): void {
  for (let c = 0; c < SIX; c++) {
    for (let i = 0; i < SIX; i++) {
      let v = C[o + SIX * i + c]
      for (let j = 0; j < i; j++) v -= H[h + SIX * i + j] * C[o + SIX * j + c]
      C[o + SIX * i + c] = v
    }
  }
}

/** x ← L⁻ᵀ D⁻¹ x. */
export function backward(H: Float64Array, h: number, x: Float64Array, o: number): void {
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
  /** Λ with 1/Δ on its diagonal; what stands above is scratch. */
  S: Float64Array
  /** Rows in use, and whether the node is coupled to its parent by C. */
  rows: Int32Array
  coupled: Uint8Array
  /** 1 where, when last factored, rows of a node's joints held the same thing twice. */
  singular: Uint8Array
  /** Share of a diagonal that takes the place of a pivot that is not positive; 0 when that is a failure. */
  floor: number
}
