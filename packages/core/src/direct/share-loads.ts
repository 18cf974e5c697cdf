/**
 * Shares what several joints hold between the same two bodies. The system gives no unique multipliers where rows are redundant: it leaves those of a row at what they were
 * that the rows before it hold already, and near such a pose they may be of any size. Of all that push their body by the same wrench f = Jᵀλ, the least in
 *
 *   Σ w_k λ_k²,   λ = W⁻¹ J (Jᵀ W⁻¹ J)⁺ f,   w_k the inverse mass or inertia of the lighter body
 *
 * takes their place: as if each row gave way by the same share.
 */

import { SIX } from './factor.js'
import type { Trees } from './trees.js'

/** A pivot below this share of its diagonal belongs to a direction in which nothing pushes. */
const NOTHING = 1e-12
/** Share of a wrench by which the shared one may differ: else multipliers stay. */
const SAME = 1e-9

const wrench = /* @__PURE__ */ new Float64Array(SIX)
const solved = /* @__PURE__ */ new Float64Array(SIX)
const left = /* @__PURE__ */ new Float64Array(SIX)
/** Jᵀ W⁻¹ J, and its factor L D Lᵀ below the diagonal. */
const A = /* @__PURE__ */ new Float64Array(SIX * SIX)
let shared = /* @__PURE__ */ new Float64Array(16)

/** Shares the loads of all edges with more than one joint. */
export function shareLoads(trees: Trees): void {
  const { firstMember } = trees.forest
  for (let n = 0; n < trees.nodeCount; n++) if (firstMember[n + 1] - firstMember[n] > 1) shareEdge(trees, n)
}

function shareEdge(trees: Trees, n: number): void {
  const { firstRow, plain, a, across, Ji, lambda, joint, origin, place, firstMultiplier } = trees
  const first = firstRow[n]
  const end = first + plain[n]
  if (shared.length < plain[n]) shared = new Float64Array(2 * plain[n])
  wrench.fill(0)
  A.fill(0)
  for (let k = first; k < end; k++) {
    if (a[k] !== 0 || across[k] !== 0) continue
    const e = joint[k]
    const f = lambda[e][place[e] + origin[k] - firstMultiplier[e]]
    const weight = weightOf(trees, n, k)
    for (let c = 0; c < SIX; c++) {
      const s = Ji[SIX * k + c]
      wrench[c] += f * s
      for (let d = 0; d <= c; d++) A[SIX * c + d] += weight * s * Ji[SIX * k + d]
    }
  }
  solveSymmetric()
  left.set(wrench)
  let size = 0
  for (let c = 0; c < SIX; c++) size = Math.max(size, Math.abs(wrench[c]))
  for (let k = first; k < end; k++) {
    if (a[k] !== 0 || across[k] !== 0) continue
    let f = 0
    for (let c = 0; c < SIX; c++) f += Ji[SIX * k + c] * solved[c]
    f *= weightOf(trees, n, k)
    shared[k - first] = f
    for (let c = 0; c < SIX; c++) left[c] -= f * Ji[SIX * k + c]
  }
  for (let c = 0; c < SIX; c++) if (!(Math.abs(left[c]) <= SAME * size)) return
  for (let k = first; k < end; k++) {
    if (a[k] !== 0 || across[k] !== 0) continue
    const e = joint[k]
    lambda[e][place[e] + origin[k] - firstMultiplier[e]] = shared[k - first]
  }
}

/** 1/w of a row: one that turns alone has no linear part, also after elimination. */
function weightOf({ Ji, inverseMassBound }: Trees, n: number, k: number): number {
  const u = SIX * k
  return 1 / inverseMassBound[2 * n + (Ji[u] === 0 && Ji[u + 1] === 0 && Ji[u + 2] === 0 ? 1 : 0)]
}

/** A x = wrench for a positive semidefinite A, into `solved`; 0 along what A does not move. */
function solveSymmetric(): void {
  for (let i = 0; i < SIX; i++) {
    const diagonal = A[SIX * i + i]
    for (let j = 0; j <= i; j++) {
      let v = A[SIX * i + j]
      for (let c = 0; c < j; c++) v -= A[SIX * i + c] * A[SIX * j + c] * A[SIX * c + c]
      if (j === i) A[SIX * i + i] = v > NOTHING * diagonal ? v : 0
      else A[SIX * i + j] = A[SIX * j + j] > 0 ? v / A[SIX * j + j] : 0
    }
    let x = wrench[i]
    for (let c = 0; c < i; c++) x -= A[SIX * i + c] * solved[c]
    solved[i] = x
  }
  for (let i = SIX - 1; i >= 0; i--) {
    const pivot = A[SIX * i + i]
    let x = pivot > 0 ? solved[i] / pivot : 0
    for (let c = i + 1; c < SIX; c++) x -= A[SIX * c + i] * solved[c]
    solved[i] = x
  }
}
