/** One solution of a tree's linearized system: elimination, with the bounded rows placed and placed anew until all are on their side. */

import { carryBorder, closeBorder, startBorder } from './border.js'
import { ACTIVE, beginPivots, CHANGED, heldAt, pivot, SOLVED } from './bounded.js'
import { eliminate, SIX, substitute } from './factor.js'
import type { Trees } from './trees.js'

/** Solves for (dX, dλ); false when the stiffness is not definite. */
export function solveLinear(trees: Trees): boolean {
  const { bounded, balls } = trees
  const isApart = bounded.count + balls.count > 0
  if (isApart) keepSystem(trees)
  beginPivots()
  for (;;) {
    if (isApart) {
      placeBounded(trees)
      pushBalls(trees)
    }
    if (!eliminateAll(trees)) return false
    const { nodeCount, parent, firstRow, firstPair } = trees
    for (let n = nodeCount - 1; n >= 0; n--) substitute(trees, n, parent[n], firstRow[n], firstPair[n])
    bounded.isSettled = true
    if (bounded.count === 0) return true
    const outcome = pivot(bounded, trees.child, parent, trees.dX, trees.dl)
    if (outcome !== CHANGED) {
      bounded.isSettled = outcome === SOLVED
      return true
    }
    restoreSystem(trees)
  }
}

/** Eliminates the nodes, leaves first, and solves the border; false when the stiffness is not definite. */
function eliminateAll(trees: Trees): boolean {
  const { nodeCount, parent, firstRow, firstPair, bordered, width } = trees
  if (width > 0) startBorder(trees)
  for (let n = 0; n < nodeCount; n++) {
    if (!eliminate(trees, n, parent[n], firstRow[n], firstPair[n])) return false
    if (bordered[n] !== 0) carryBorder(trees, n)
  }
  if (width > 0) closeBorder(trees)
  return true
}

function keepSystem(trees: Trees): void {
  const { unplaced } = trees
  unplaced.H.set(trees.H)
  unplaced.C.set(trees.C)
  unplaced.g.set(trees.g)
  unplaced.Ji.set(trees.Ji)
  unplaced.Jp.set(trees.Jp)
  unplaced.r.set(trees.r)
  unplaced.rows.set(trees.rows)
}

function restoreSystem(trees: Trees): void {
  const { unplaced } = trees
  trees.H.set(unplaced.H)
  trees.C.set(unplaced.C)
  trees.g.set(unplaced.g)
  trees.Ji.set(unplaced.Ji)
  trees.Jp.set(unplaced.Jp)
  trees.r.set(unplaced.r)
  trees.rows.set(unplaced.rows)
}

/** Puts active rows into the system, and the forces of those that go to their bounds into its right side. */
function placeBounded(trees: Trees): void {
  const { bounded: b, firstRow, rows, r, a, joint, origin, across, Ji, Jp, error } = trees
  for (let k = 0; k < b.count; k++) {
    const n = b.edge[k]
    if (b.state[k] !== ACTIVE) {
      b.change[k] = heldAt(b, k) - b.lambda[k]
      if (b.change[k] !== 0) pushBy(trees, n, b.change[k], b.Ji, b.Jp, SIX * k)
      continue
    }
    const at = firstRow[n] + rows[n]++
    b.at[k] = at
    r[at] = error[at] = b.r[k]
    a[at] = b.a[k]
    joint[at] = b.joint[k]
    origin[at] = b.origin[k]
    across[at] = 0
    for (let c = 0; c < SIX; c++) {
      Ji[SIX * at + c] = b.Ji[SIX * k + c]
      Jp[SIX * at + c] = b.Jp[SIX * k + c]
    }
  }
}

/** Forces of the groups that slide, as far as they are given. */
function pushBalls(trees: Trees): void {
  const { balls } = trees
  for (let b = 0; b < balls.count; b++) {
    if (balls.slides[b] === 0 || balls.change[b] === 0) continue
    pushBy(trees, balls.edge[b], balls.change[b], balls.Ji, balls.Jp, SIX * b)
  }
}

/** g −= Jᵀ dλ on both bodies of edge n. */
function pushBy(trees: Trees, n: number, change: number, Ji: Float64Array, Jp: Float64Array, u: number): void {
  const { g, child, parent } = trees
  const i = SIX * child[n]
  for (let c = 0; c < SIX; c++) g[i + c] -= change * Ji[u + c]
  if (parent[n] < 0) return
  const p = SIX * parent[n]
  for (let c = 0; c < SIX; c++) g[p + c] -= change * Jp[u + c]
}
