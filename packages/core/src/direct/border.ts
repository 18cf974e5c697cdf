/**
 * Joints that close loops, as a border of the trees' system. With B their gradients and μ the steps of their multipliers,
 *
 *   trees: g − Bᵀμ in place of g,      B dX + a μ = −r
 *
 * Elimination is linear in g, so each column of −Bᵀ goes up with it (factor.ts has the names), along the paths from its two
 * bodies to their roots:
 *
 *   w_j = L⁻¹ (−B_jᵀ + what the children left),  u_j = Λ⁻¹ yᵀD⁻¹w_j,  parent: −= ZᵀΔ⁻¹u_j + EᵀD⁻¹w_j
 *   (T + a) μ = −r − q,   T_jk = Σ w_jᵀD⁻¹w_k − u_jᵀΔ⁻¹u_k,   q_j = Σ w_jᵀD⁻¹z − u_jᵀΔ⁻¹v      sums over nodes
 *
 * T is the Schur complement of the border: how far the ends of the cut joints move for their own forces, tree and all. After
 * z += Σ μ_j w_j and v += Σ μ_j u_j the substitution downward is that of trees.
 */

import { BLOCK, SIX, type System } from './body-block.js'

/**
 * A pivot of T, without what its row gives, below this share of what its sum had before it cancelled is round-off: the loop holds that
 * row already. A loop that is pulled straight comes down to some 10⁻¹².
 */
const REDUNDANT = 1e-13

/** Scratch of trees with a border. Edges beyond the nodes are those of the border. */
export interface Border extends System {
  readonly nodeCount: number
  /** Nodes of an edge; the first row of each, closed by their number; the first number of each node's S. */
  readonly child: Int32Array
  readonly parent: Int32Array
  readonly firstRow: Int32Array
  readonly firstPair: Int32Array
  /** 1 where a node has a body of the border below it, or is one. */
  readonly bordered: Uint8Array
  /** Most rows of the border; those that act now, and how many. */
  readonly width: number
  readonly border: Int32Array
  borderCount: number
  /** w, six numbers of each column at each node; u, a number of each column at each row. */
  readonly W: Float64Array
  readonly U: Float64Array
  /** T, then its Cholesky factor with inverted diagonal; q, then μ; the diagonal of T without what cancels. */
  readonly T: Float64Array
  readonly q: Float64Array
  readonly scale: Float64Array
  /** Of a row, its multiplier among all, and its error c, 0 where it is redundant. */
  readonly origin: Int32Array
  readonly error: Float64Array
  /** 1 for the multipliers of rows that the loop held already when it was last factored in this pass. */
  readonly redundant: Uint8Array
}

/** Puts the columns of the border that act where their bodies are. */
export function startBorder(s: Border): void {
  const { nodeCount, child, parent, firstRow, rows, width, border, W, Ji, Jp } = s
  W.fill(0)
  s.T.fill(0)
  s.q.fill(0)
  s.scale.fill(0)
  let count = 0
  for (let c = nodeCount; c < child.length; c++) {
    s.singular[c] = 0
    for (let k = firstRow[c]; k < firstRow[c] + rows[c]; k++) {
      const i = SIX * (width * child[c] + count)
      const p = SIX * (width * parent[c] + count)
      for (let e = 0; e < SIX; e++) {
        W[i + e] = -Ji[SIX * k + e]
        W[p + e] = -Jp[SIX * k + e]
      }
      border[count++] = k
    }
  }
  s.borderCount = count
}

/** Takes the columns through node n, which has just been eliminated, and on to its parent. */
export function carryBorder(s: Border, n: number): void {
  const { firstRow, rows, width, borderCount, W, U, H, S, g, r, T } = s
  const k = firstRow[n]
  const m = rows[n]
  const p = s.firstPair[n]
  const h = BLOCK * n
  for (let j = 0; j < borderCount; j++) {
    const o = SIX * (width * n + j)
    forward(H, h, W, o)
    const d0 = H[h] * W[o]
    const d1 = H[h + 7] * W[o + 1]
    const d2 = H[h + 14] * W[o + 2]
    const d3 = H[h + 21] * W[o + 3]
    const d4 = H[h + 28] * W[o + 4]
    const d5 = H[h + 35] * W[o + 5]
    pushRows(s, n, j, d0, d1, d2, d3, d4, d5)
    const z = SIX * n
    let q = d0 * g[z] + d1 * g[z + 1] + d2 * g[z + 2] + d3 * g[z + 3] + d4 * g[z + 4] + d5 * g[z + 5]
    for (let i = 0; i < m; i++) q -= U[width * (k + i) + j] * S[p + (m + 1) * i] * r[k + i]
    s.q[j] += q
    for (let l = 0; l <= j; l++) {
      const x = SIX * (width * n + l)
      const sum = d0 * W[x] + d1 * W[x + 1] + d2 * W[x + 2] + d3 * W[x + 3] + d4 * W[x + 4] + d5 * W[x + 5]
      let t = sum
      for (let i = 0; i < m; i++) t -= U[width * (k + i) + j] * S[p + (m + 1) * i] * U[width * (k + i) + l]
      T[width * j + l] += t
      if (l === j) s.scale[j] += sum
    }
    if (s.parent[n] >= 0) pushParent(s, n, j, d0, d1, d2, d3, d4, d5)
  }
}

/** u of column j at node n, from D⁻¹w. */
function pushRows(
  s: Border,
  n: number,
  j: number,
  d0: number,
  d1: number,
  d2: number,
  d3: number,
  d4: number,
  d5: number,
): void {
  const { width, U, Ji, S } = s
  const k = s.firstRow[n]
  const p = s.firstPair[n]
  const m = s.rows[n]
  for (let i = 0; i < m; i++) {
    const y = SIX * (k + i)
    let u = Ji[y] * d0 + Ji[y + 1] * d1 + Ji[y + 2] * d2 + Ji[y + 3] * d3 + Ji[y + 4] * d4 + Ji[y + 5] * d5
    for (let c = 0; c < i; c++) u -= S[p + m * i + c] * U[width * (k + c) + j]
    U[width * (k + i) + j] = u
  }
}

/** What column j leaves of itself to the parent of node n. */
function pushParent(
  s: Border,
  n: number,
  j: number,
  d0: number,
  d1: number,
  d2: number,
  d3: number,
  d4: number,
  d5: number,
): void {
  const { width, W, U, Jp, C, S, parent, firstRow, rows } = s
  const up = SIX * (width * parent[n] + j)
  const m = rows[n]
  for (let i = 0; i < m; i++) {
    const k = firstRow[n] + i
    const u = S[s.firstPair[n] + (m + 1) * i] * U[width * k + j]
    for (let e = 0; e < SIX; e++) W[up + e] -= Jp[SIX * k + e] * u
  }
  if (s.coupled[n] === 0) return
  const c = BLOCK * n
  for (let e = 0; e < SIX; e++) {
    W[up + e] -=
      C[c + e] * d0 +
      C[c + 6 + e] * d1 +
      C[c + 12 + e] * d2 +
      C[c + 18 + e] * d3 +
      C[c + 24 + e] * d4 +
      C[c + 30 + e] * d5
  }
}

/** Solves the border, into dλ of its rows, and adds what it does to z and v of the nodes. */
export function closeBorder(s: Border): void {
  const { nodeCount, bordered, border, borderCount, width, q, W, U, g, r, dl } = s
  factorBorder(s)
  for (let j = 0; j < borderCount; j++) {
    const k = border[j]
    q[j] = -r[k] - q[j]
    // It cannot mend its error, and would pull ever harder at it.
    if (s.redundant[s.origin[k]] !== 0) q[j] += s.error[k]
  }
  solveBorder(s)
  for (let j = 0; j < borderCount; j++) dl[border[j]] = q[j]
  for (let n = 0; n < nodeCount; n++) {
    if (bordered[n] === 0) continue
    const o = SIX * n
    const first = s.firstRow[n]
    for (let j = 0; j < borderCount; j++) {
      const mu = q[j]
      const w = SIX * (width * n + j)
      for (let e = 0; e < SIX; e++) g[o + e] += mu * W[w + e]
      for (let k = first; k < first + s.rows[n]; k++) r[k] += mu * U[width * k + j]
    }
  }
}

/** Cholesky factor of T + a, in which each row gives a little; which rows the loop holds already is noted, and their joints. */
function factorBorder(s: Border): void {
  const { T, a, border, borderCount, scale, width, origin, redundant } = s
  for (let i = 0; i < borderCount; i++) {
    const u = width * i
    for (let j = 0; j < i; j++) {
      let v = T[u + j]
      for (let c = 0; c < j; c++) v -= T[u + c] * T[width * j + c]
      T[u + j] = v * T[width * j + j]
    }
    const soft = a[border[i]]
    let v = T[u + i]
    for (let c = 0; c < i; c++) v -= T[u + c] * T[u + c]
    const isRedundant = v <= REDUNDANT * scale[i]
    redundant[origin[border[i]]] = isRedundant ? 1 : 0
    if (isRedundant) noteSingular(s, border[i])
    if (!isRedundant) T[u + i] = 1 / Math.sqrt(v + soft)
    else T[u + i] = soft > 0 ? 1 / Math.sqrt(soft) : 0
  }
}

function solveBorder({ T, q, borderCount, width }: Border): void {
  for (let i = 0; i < borderCount; i++) {
    let v = q[i]
    for (let j = 0; j < i; j++) v -= T[width * i + j] * q[j]
    q[i] = v * T[width * i + i]
  }
  for (let i = borderCount - 1; i >= 0; i--) {
    let v = q[i]
    for (let j = i + 1; j < borderCount; j++) v -= T[width * j + i] * q[j]
    q[i] = v * T[width * i + i]
  }
}

/** Marks the edge of the border that row k belongs to. */
function noteSingular({ nodeCount, child, firstRow, singular }: Border, k: number): void {
  for (let c = nodeCount; c < child.length; c++) if (k >= firstRow[c] && k < firstRow[c + 1]) singular[c] = 1
}

/** x ← L⁻¹ x. */
function forward(H: Float64Array, h: number, x: Float64Array, o: number): void {
  const x0 = x[o]
  const x1 = x[o + 1] - H[h + 6] * x0
  const x2 = x[o + 2] - H[h + 12] * x0 - H[h + 13] * x1
  const x3 = x[o + 3] - H[h + 18] * x0 - H[h + 19] * x1 - H[h + 20] * x2
  const x4 = x[o + 4] - H[h + 24] * x0 - H[h + 25] * x1 - H[h + 26] * x2 - H[h + 27] * x3
  x[o + 5] -= H[h + 30] * x0 + H[h + 31] * x1 + H[h + 32] * x2 + H[h + 33] * x3 + H[h + 34] * x4
  x[o + 1] = x1
  x[o + 2] = x2
  x[o + 3] = x3
  x[o + 4] = x4
}
