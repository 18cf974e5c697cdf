/**
 * Direct solution of joints: Newton's method on (X, λ) of one substep (Waterson 47, 48; docs/method.md).
 *
 *   g = M (X ⊖ X̂) − Jᵀλ + b = 0,  r = c + a λ = 0
 *   (M + K) dX − Jᵀ dλ = −g,  J dX + a dλ = −r       K: geometric stiffness
 *
 * X̂ is where the visit found the bodies. λ goes on from the last substep, and X starts as if the joints did to their bodies
 * what they did then. In the first visit of a substep b = 0; later ones find bodies that others have pushed since, and b = Jᵀλ
 * makes g = 0 there. A step that turns a body far is scaled; it has to make the residuals or an exact penalty smaller. A visit
 * that gets stuck starts once more without λ; one that makes nothing better puts the tree back and sweeps its joints one after
 * another.
 */

import type { BodyColumns } from '../body-columns.js'
import { rotationBetween, turnBy } from '../math/rotation.js'
import { sweepRows } from '../row-solver.js'
import type { World } from '../world.js'
import { assemble, BOUNDED, GAP, LEFT, MET, OBJECTIVE, PUSH, UNBALANCE, VIOLATION } from './assemble.js'
import { carryBorder, closeBorder, startBorder } from './border.js'
import { eliminate, SIX, substitute } from './factor.js'
import { BETWEEN, IN_BALL, type Trees } from './trees.js'

/** Bodies are solved that are this near to where their forces put them [m, rad], or this share of how far rows push them. */
const BALANCED = 1e-9
const BALANCED_SHARE = 1e-6
/**
 * A whole step this small, squared [m², rad²], is the last and not measured: what is left after it is of its second order. Only
 * where no row has bounds, which it might cross.
 */
const TINY = 2e-9
/** Most that a body turns in one solve [rad]: rows are linear that far. */
const TURN = 0.5
/** Most solves a visit, and most halvings of a step. */
const MOST = 40
const HALVINGS = 5
/** A visit that ends unsolved is worth keeping when it leaves at most this share of the errors. */
const WORTH = 0.5
/** Share of a body's diagonal that takes the place of what is not positive even in the safe stiffness. */
const FLOOR = 1e-3
/** How far others may push a body in a substep before its tree is solved again [m, rad]: what rests on the ground stays far below. */
const BLOW = 1e-3
/** Multipliers this large [kg m] are no guess. */
const RUNAWAY = 1e50

/** What a Newton step led to: nothing better; something better, measured; what is sure to be met. */
const WORSE = 0
const BETTER = 1
const SURE = 2

const turned = /* @__PURE__ */ new Float64Array(3)

/** One visit: solves what hangs together to the end. Later ones of a substep only where something has moved since. */
export function solveTrees(world: World, trees: Trees, first: boolean): void {
  const bodies = world.bodies.columns
  if (!first && !hasMoved(bodies, trees, 0)) return
  trees.visits++
  if (!isSettled(bodies, trees, first)) {
    trees.fallbacks++
    sweepTrees(bodies, trees)
  }
  if (trees.width > 0) clearRedundant(trees)
  notePoses(bodies, trees, trees.left)
}

/** Whether something has pushed a body farther than what is let be, since the last visit. */
export function isHit(world: World, trees: Trees): boolean {
  return hasMoved(world.bodies.columns, trees, BLOW)
}

/** Solves, or leaves everything as it was. */
function isSettled(bodies: BodyColumns, trees: Trees, first: boolean): boolean {
  const { base, g } = trees
  trees.redundant.fill(0)
  note(bodies, trees, trees.start, trees.found)
  trees.reference.set(trees.found)
  base.fill(0)
  if (first) startFromPull(bodies, trees)
  assemble(bodies, trees, false)
  if (!first) {
    for (let k = 0; k < base.length; k++) base[k] = -g[k]
    assemble(bodies, trees, false)
  }
  const found = LEFT[VIOLATION]
  if (isReached(bodies, trees) || isReachedFromNothing(bodies, trees)) {
    if (first) {
      if (trees.width > 0) tighten(bodies, trees)
      notePull(bodies, trees)
    }
    return true
  }
  if (LEFT[VIOLATION] <= WORTH * found) {
    trees.unsolved++
    return true
  }
  goBack(bodies, trees, trees.start, trees.found)
  return false
}

/** Newton's method from where things are; false where it gets stuck. */
function isReached(bodies: BodyColumns, trees: Trees): boolean {
  let isDone = isSolved()
  for (let solve = 0; solve < MOST && !isDone; solve++) {
    trees.solves++
    const outcome = newton(bodies, trees)
    if (outcome === WORSE) break
    isDone = outcome === SURE || isSolved()
  }
  return isDone
}

/** The same from where the visit found the bodies, without multipliers: after a blow those of before hold the wrong bounds. */
function isReachedFromNothing(bodies: BodyColumns, trees: Trees): boolean {
  const { lambda, place, firstMultiplier } = trees
  goBack(bodies, trees, trees.start, trees.found)
  trees.reference.fill(0)
  for (let e = 0; e < place.length; e++) {
    lambda[e].fill(0, place[e], place[e] + firstMultiplier[e + 1] - firstMultiplier[e])
  }
  assemble(bodies, trees, false)
  return isReached(bodies, trees)
}

/** Takes the multipliers of rows that their loop holds already: what is left there is stress without a cause, which would grow. */
function clearRedundant({ redundant, lambda, place, firstMultiplier }: Trees): void {
  for (let e = 0; e < place.length; e++) {
    for (let k = firstMultiplier[e]; k < firstMultiplier[e + 1]; k++) {
      if (redundant[k] !== 0) lambda[e][place[e] + k - firstMultiplier[e]] = 0
    }
  }
}

/** Once more about the multipliers that were found: of what rows of loops gave, a share of ε is left. */
function tighten(bodies: BodyColumns, trees: Trees): void {
  note(bodies, trees, trees.iterate, trees.reference)
  assemble(bodies, trees, false)
  isReached(bodies, trees)
}

function isSolved(): boolean {
  return LEFT[GAP] <= MET && LEFT[UNBALANCE] <= balanced()
}

/** What a body may be off where its forces put it [m, rad]. */
function balanced(): number {
  return BALANCED + BALANCED_SHARE * LEFT[PUSH]
}

/**
 * One Newton step, and the residuals after it. Where the whole stiffness is not definite, with what is safe of it. The step is
 * halved until either the residuals or the exact penalty ½‖X ⊖ X̂‖²_M + ½ aλ² + ν Σ|r| have fallen.
 */
function newton(bodies: BodyColumns, trees: Trees): number {
  const { nodeCount, parent, firstRow, firstPair } = trees
  const isWhole = factor(trees)
  if (!isWhole && !factorSafely(bodies, trees)) return WORSE
  for (let n = nodeCount - 1; n >= 0; n--) substitute(trees, n, parent[n], firstRow[n], firstPair[n])
  measureStep(trees)
  if (isWhole && LARGEST[0] <= TINY && LARGEST[1] <= TINY && LEFT[BOUNDED] === 0) {
    advance(bodies, trees, 1)
    return SURE
  }
  let share = LARGEST[1] > TURN * TURN ? TURN / Math.sqrt(LARGEST[1]) : 1
  note(bodies, trees, trees.iterate, trees.multipliers)
  const penalty = worstForce(trees)
  const before = LEFT[OBJECTIVE] + penalty * LEFT[VIOLATION]
  const gap = LEFT[GAP]
  const unbalance = LEFT[UNBALANCE]
  for (let halvings = 0; ; halvings++) {
    advance(bodies, trees, share)
    assemble(bodies, trees, false)
    if (LEFT[GAP] <= gap && LEFT[UNBALANCE] <= unbalance) return BETTER
    if (LEFT[OBJECTIVE] + penalty * LEFT[VIOLATION] < before) return BETTER
    if (halvings === HALVINGS) return WORSE
    goBack(bodies, trees, trees.iterate, trees.multipliers)
    assemble(bodies, trees, false)
    share *= 0.5
  }
}

/** Eliminates the nodes, leaves first, and solves the border; false when the stiffness is not definite. */
function factor(trees: Trees): boolean {
  const { nodeCount, parent, firstRow, firstPair, bordered, width } = trees
  if (width > 0) startBorder(trees)
  for (let n = 0; n < nodeCount; n++) {
    if (!eliminate(trees, n, parent[n], firstRow[n], firstPair[n])) return false
    if (bordered[n] !== 0) carryBorder(trees, n)
  }
  if (width > 0) closeBorder(trees)
  return true
}

function factorSafely(bodies: BodyColumns, trees: Trees): boolean {
  assemble(bodies, trees, true)
  trees.floor = FLOOR
  const isDefinite = factor(trees)
  trees.floor = 0
  return isDefinite
}

/** Largest multiplier after a whole step. */
function worstForce(trees: Trees): number {
  const { dl, multipliers, origin, rows, firstRow } = trees
  let worst = 0
  for (let n = 0; n < rows.length; n++) {
    const first = firstRow[n]
    for (let k = first; k < first + rows[n]; k++) {
      const l = Math.abs(multipliers[origin[k]] + dl[k])
      if (l > worst) worst = l
    }
  }
  return worst
}

/** Squares of the farthest that a body moves [m²] and turns [rad²] in the step in hand. */
const LARGEST = /* @__PURE__ */ new Float64Array(2)

function measureStep(trees: Trees): void {
  const { dX } = trees
  let shift = 0
  let turn = 0
  for (let o = 0; o < dX.length; o += SIX) {
    const s = dX[o] * dX[o] + dX[o + 1] * dX[o + 1] + dX[o + 2] * dX[o + 2]
    const t = dX[o + 3] * dX[o + 3] + dX[o + 4] * dX[o + 4] + dX[o + 5] * dX[o + 5]
    if (s > shift) shift = s
    if (t > turn) turn = t
  }
  LARGEST[0] = shift
  LARGEST[1] = turn
}

/** X and λ along a share s of the Newton step, multipliers inside their bounds. */
function advance(bodies: BodyColumns, trees: Trees, s: number): void {
  const { forest, dX, nodeCount } = trees
  const { position, orientation } = bodies
  for (let n = 0; n < nodeCount; n++) {
    const i = 4 * forest.body[n]
    const o = SIX * n
    for (let c = 0; c < 3; c++) {
      position[i + c] += s * dX[o + c]
      turned[c] = s * dX[o + 3 + c]
    }
    turnBy(orientation, i, turned)
  }
  trees.released.fill(0)
  for (let n = 0; n < forest.edgeCount; n++) advanceRows(trees, n, s)
}

/** λ of the rows of edge n. */
function advanceRows(trees: Trees, n: number, s: number): void {
  const { firstRow, dl, rows, kind, firstMultiplier, released, place } = trees
  const first = firstRow[n]
  const end = first + rows[n]
  for (let k = first; k < end; k++) {
    const e = trees.joint[k]
    const lambda = trees.lambda[e]
    const l = place[e] + trees.origin[k] - firstMultiplier[e]
    lambda[l] += s * dl[k]
    if (kind[k] !== BETWEEN) continue
    const held = Math.min(Math.max(lambda[l], trees.lower[k]), trees.upper[k])
    if (held !== lambda[l]) released[trees.origin[k]] = 1
    lambda[l] = held
  }
  for (let k = first; k < end; k++) if (kind[k] === IN_BALL && trees.size[k] > 0) shrink(trees, k)
}

/** Puts the multipliers of a group that starts at row k back into their ball. */
function shrink(trees: Trees, k: number): void {
  const { joint, origin, firstMultiplier } = trees
  const e = joint[k]
  const lambda = trees.lambda[e]
  const first = trees.place[e] + origin[k] - firstMultiplier[e]
  let squared = 0
  for (let l = first; l < first + trees.size[k]; l++) squared += lambda[l] * lambda[l]
  const radius = trees.upper[k]
  if (squared <= radius * radius) return
  const s = radius / Math.sqrt(squared)
  for (let l = first; l < first + trees.size[k]; l++) lambda[l] *= s
}

/** Notes poses and multipliers; a multiplier beyond all measure counts as none. */
function note(bodies: BodyColumns, trees: Trees, poses: Float64Array, multipliers: Float64Array): void {
  const { firstMultiplier, place } = trees
  notePoses(bodies, trees, poses)
  for (let e = 0; e < place.length; e++) {
    const lambda = trees.lambda[e]
    const m = firstMultiplier[e]
    const width = firstMultiplier[e + 1] - m
    const o = place[e]
    for (let k = 0; k < width; k++) {
      if (!(Math.abs(lambda[o + k]) < RUNAWAY)) lambda[o + k] = 0
      multipliers[m + k] = lambda[o + k]
    }
  }
}

function notePoses({ position, orientation }: BodyColumns, { forest }: Trees, poses: Float64Array): void {
  const { body } = forest
  for (let n = 0; n < body.length; n++) {
    const i = 4 * body[n]
    for (let k = 0; k < 3; k++) poses[7 * n + k] = position[i + k]
    for (let k = 0; k < 4; k++) poses[7 * n + 3 + k] = orientation[i + k]
  }
}

/** Whether a body has moved farther since the last visit. */
function hasMoved({ position, orientation }: BodyColumns, { forest, left }: Trees, far: number): boolean {
  const { body } = forest
  for (let n = 0; n < body.length; n++) {
    const i = 4 * body[n]
    for (let k = 0; k < 3; k++) if (Math.abs(position[i + k] - left[7 * n + k]) > far) return true
    // A quaternion changes by half the angle.
    for (let k = 0; k < 4; k++) if (2 * Math.abs(orientation[i + k] - left[7 * n + 3 + k]) > far) return true
  }
  return false
}

/** Goes back to what was noted. */
function goBack(bodies: BodyColumns, trees: Trees, poses: Float64Array, multipliers: Float64Array): void {
  const { forest, nodeCount, firstMultiplier, place } = trees
  const { position, orientation } = bodies
  for (let n = 0; n < nodeCount; n++) {
    const i = 4 * forest.body[n]
    for (let k = 0; k < 3; k++) position[i + k] = poses[7 * n + k]
    for (let k = 0; k < 4; k++) orientation[i + k] = poses[7 * n + 3 + k]
  }
  for (let e = 0; e < place.length; e++) {
    const lambda = trees.lambda[e]
    const m = firstMultiplier[e]
    const o = place[e]
    for (let k = 0; k < firstMultiplier[e + 1] - m; k++) lambda[o + k] = multipliers[m + k]
  }
}

/** A first guess: bodies as they would be if their joints did to them what they did last, seen from the body. */
function startFromPull(bodies: BodyColumns, trees: Trees): void {
  const { forest, substep } = trees
  const { position, orientation, angularVelocity, pull } = bodies
  const s = substep[0] * substep[0]
  for (let n = 0; n < forest.nodeCount; n++) {
    const i = forest.body[n]
    const p = 6 * i
    const x = substep[0] * angularVelocity[3 * i]
    const y = substep[0] * angularVelocity[3 * i + 1]
    const z = substep[0] * angularVelocity[3 * i + 2]
    position[4 * i] += s * (pull[p] + y * pull[p + 2] - z * pull[p + 1])
    position[4 * i + 1] += s * (pull[p + 1] + z * pull[p] - x * pull[p + 2])
    position[4 * i + 2] += s * (pull[p + 2] + x * pull[p + 1] - y * pull[p])
    turned[0] = s * (pull[p + 3] + y * pull[p + 5] - z * pull[p + 4])
    turned[1] = s * (pull[p + 4] + z * pull[p + 3] - x * pull[p + 5])
    turned[2] = s * (pull[p + 5] + x * pull[p + 4] - y * pull[p + 3])
    turnBy(orientation, 4 * i, turned)
  }
}

function notePull(bodies: BodyColumns, trees: Trees): void {
  const { forest, start, substep } = trees
  const { position, orientation, pull } = bodies
  const s = 1 / (substep[0] * substep[0])
  for (let n = 0; n < forest.nodeCount; n++) {
    const i = forest.body[n]
    rotationBetween(orientation, 4 * i, start, 7 * n + 3, turned, 0)
    for (let c = 0; c < 3; c++) {
      pull[6 * i + c] = s * (position[4 * i + c] - start[7 * n + c])
      pull[6 * i + 3 + c] = s * turned[c]
    }
  }
}

/** The joints one after another, from the roots, and those that close loops after them. */
function sweepTrees(bodies: BodyColumns, trees: Trees): void {
  const { nodeCount, forest } = trees
  for (let n = nodeCount - 1; n >= 0; n--) sweepEdge(bodies, trees, n)
  for (let n = nodeCount; n < forest.edgeCount; n++) sweepEdge(bodies, trees, n)
}

function sweepEdge(bodies: BodyColumns, { forest, kept, substep }: Trees, n: number): void {
  for (let e = forest.firstMember[n]; e < forest.firstMember[n + 1]; e++) {
    const batch = forest.batch[e]
    const row = forest.row[e]
    if (kept || batch.type.sweep === undefined) sweepRows(bodies, batch, row, row + 1, substep[0], kept)
    else batch.type.sweep(bodies, batch, row, row + 1, substep[0])
  }
}
