/**
 * A later pass of a tree that others have pushed a little since the last one, from the factors that one has left.
 *
 * From X, where it left the bodies, others have pushed them by d; they go to X + dX, and λ changes by dλ:
 *
 *   M (dX − d) + K dX − Jᵀ dλ = 0,  J dX + a dλ = 0
 *
 * That is the system of its last step with another right side, −M d: once forth and back through the factors, where a pass of its own would evaluate the
 * joints, assemble and factor. What is left is of the second order of d and dX. Where both are as small as a last step (newton.ts) it is solved;
 * else Newton's method goes on from there, mostly for one step.
 *
 * The joints' forces are counted from those that X was solved with, Jᵀλ = M (X ⊖ X̂) + b, which take no gradients to know.
 */

import type { BodyColumns } from '../state/body-columns.js'
import { rotateBy, rotationBetween } from '../math/rotation.js'
import { assemble } from './assemble.js'
import { ACTIVE, isWithinBounds, staysHeld } from './bounded.js'
import { carryRight, SIX, substitute } from './factor.js'
import { advanceRows, converge, isTiny, isWithin } from './newton.js'
import { goBack, note } from './poses.js'
import { ALL_FREE, type Trees } from './trees.js'

/** Farthest push that the factors are used for [m, rad], squared: those of an impact turn the joints' gradients. */
const FARTHEST = 1e-6

const turned = /* @__PURE__ */ new Float64Array(3)

/** Solves once more by the factors of the last pass, in at most so many solves more; false, with poses and multipliers as they were, where they do not do. */
export function solveSmallPush(bodies: BodyColumns, trees: Trees, most: number): boolean {
  if (!trees.isFactored || trees.inParts || trees.held.count > 0) return false
  if (!placePush(bodies, trees)) return false
  const isTinyPush = isTiny(trees)
  countFromLeft(trees)
  note(bodies, trees, trees.start, trees.found)
  trees.reference.set(trees.found)
  const { nodeCount, parent, firstRow, firstPair } = trees
  for (let n = 0; n < nodeCount; n++) carryRight(trees, n, parent[n], firstRow[n], firstPair[n])
  for (let n = nodeCount - 1; n >= 0; n--) substitute(trees, n, parent[n], firstRow[n], firstPair[n])
  if (!isWithin(trees, FARTHEST)) return false
  const isLast = isTinyPush && isTiny(trees) && keepsStates(trees)
  moveFromLeft(bodies, trees)
  advanceRows(trees, 1)
  clipActive(trees)
  if (isLast) return true
  assemble(bodies, trees, false)
  if (converge(bodies, trees, most)) return true
  goBack(bodies, trees, trees.start, trees.found)
  return false
}

/** g = −M d, and d in the place of dX; false where that is too far, or a body's mass is not the one in the factors. */
function placePush({ position, orientation }: BodyColumns, trees: Trees): boolean {
  const { forest, left, dX, g, mass, free, nodeCount } = trees
  for (let n = 0; n < nodeCount; n++) {
    const i = 4 * forest.body[n]
    const o = SIX * n
    // A block solver may have lent or given back some since.
    if (1 / position[i + 3] !== mass[n]) return false
    for (let c = 0; c < 3; c++) dX[o + c] = position[i + c] - left[7 * n + c]
    rotationBetween(orientation, i, left, 7 * n + 3, dX, o + 3)
  }
  if (!isWithin(trees, FARTHEST)) return false
  g.fill(0)
  for (let n = 0; n < nodeCount; n++) {
    addMomentum(trees, n, -1, g)
    if (free[n] === ALL_FREE) continue
    for (let c = 0; c < SIX; c++) if ((free[n] & (1 << c)) === 0) g[SIX * n + c] = 0
  }
  return true
}

/** out += s M dX of node n. */
function addMomentum({ dX, mass, inertia }: Trees, n: number, s: number, out: Float64Array): void {
  const o = SIX * n
  const u = 9 * n
  const m = s * mass[n]
  const x = s * dX[o + 3]
  const y = s * dX[o + 4]
  const z = s * dX[o + 5]
  out[o] += m * dX[o]
  out[o + 1] += m * dX[o + 1]
  out[o + 2] += m * dX[o + 2]
  out[o + 3] += inertia[u] * x + inertia[u + 1] * y + inertia[u + 2] * z
  out[o + 4] += inertia[u + 3] * x + inertia[u + 4] * y + inertia[u + 5] * z
  out[o + 5] += inertia[u + 6] * x + inertia[u + 7] * y + inertia[u + 8] * z
}

/** b += M (X ⊖ X̂): what the joints bear where the last pass left the bodies. */
function countFromLeft(trees: Trees): void {
  const { left, start, dX, base, nodeCount } = trees
  for (let n = 0; n < nodeCount; n++) {
    for (let c = 0; c < 3; c++) dX[SIX * n + c] = left[7 * n + c] - start[7 * n + c]
    rotationBetween(left, 7 * n + 3, start, 7 * n + 3, dX, SIX * n + 3)
    addMomentum(trees, n, 1, base)
  }
}

/** Whether every bounded row goes on as it does in the factors: what acts stays within its bounds, what is held on its side. */
function keepsStates(trees: Trees): boolean {
  const { bounded: b, child, parent, dX, dl, lastStep, g } = trees
  // The residuals of `bounded` are those before the last step; the right side is used up.
  for (let k = 0; k < dX.length; k++) g[k] = lastStep[k] + dX[k]
  for (let k = 0; k < b.count; k++) {
    if (b.state[k] !== ACTIVE) {
      if (!staysHeld(b, k, child, parent, g)) return false
    } else if (!isWithinBounds(b, k, trees.lambda[b.joint[k]][placeOf(trees, k)] + dl[b.at[k]])) return false
  }
  lastStep.set(g)
  return true
}

/** Index of the multiplier of bounded row k in the column of its joint. */
function placeOf({ bounded: b, place, firstMultiplier }: Trees, k: number): number {
  return place[b.joint[k]] + b.origin[k] - firstMultiplier[b.joint[k]]
}

/** X by dX from where the last pass left it. */
function moveFromLeft({ position, orientation }: BodyColumns, { forest, left, dX, nodeCount }: Trees): void {
  for (let n = 0; n < nodeCount; n++) {
    const i = 4 * forest.body[n]
    const o = SIX * n
    for (let c = 0; c < 3; c++) {
      position[i + c] = left[7 * n + c] + dX[o + c]
      turned[c] = dX[o + 3 + c]
    }
    for (let c = 0; c < 4; c++) orientation[i + c] = left[7 * n + 3 + c]
    rotateBy(orientation, i, turned)
  }
}

/** Puts λ of bounded rows that act inside their bounds. */
function clipActive(trees: Trees): void {
  const { bounded: b } = trees
  for (let k = 0; k < b.count; k++) {
    if (b.state[k] !== ACTIVE) continue
    const lambda = trees.lambda[b.joint[k]]
    const l = placeOf(trees, k)
    lambda[l] = Math.min(Math.max(lambda[l], b.lower[k]), b.upper[k])
  }
}
