/**
 * Newton's method on (X, λ) of one substep of a tree (Waterson 47, 48; docs/method.md).
 *
 *   g = M (X ⊖ X̂) − Jᵀλ + b = 0,  r = c + a λ = 0
 *   (M + K) dX − Jᵀ dλ = −g,  J dX + a dλ = −r       K: geometric stiffness
 *
 * Plain steps, scaled so that no body turns far in one: merit functions and restarts were tried, and where plain steps do not end
 * a shorter substep does (halving.ts).
 */

import type { BodyColumns } from '../state/body-columns.js'
import { rotateBy } from '../math/rotation.js'
import { assemble } from './assemble.js'
import { ACTIVE, heldAt } from './bounded.js'
import { SIX } from './factor.js'
import { solveLinear } from './linear.js'
import { keepCentre } from './poses.js'
import { GAP, MET, PUSH, RESIDUAL, UNBALANCE, type Trees } from './trees.js'

/** Bodies are solved that are this near to where their forces put them [m, rad], or this share of how far rows push them. */
const BALANCED = 1e-9
const BALANCED_SHARE = 1e-6
/** The same with contacts, which bear less exactly. */
const BALANCED_TOUCHES = 1e-4
/**
 * A whole step this small, squared [m², rad²], is the last and not measured: what is left after it is of its second order. Only
 * where all rows with bounds are on their side at its end, and no multiplier is kept in a ball.
 */
const TINY = 2e-9
/** The same with bounds. What is left of c pushes as a force, by c/h²: 20 µm leave 3e-4 m/s² at a thousand substeps a second. */
const TINY_BOUNDED = 4e-10
/** Most that a body turns in one solve [rad]: rows are linear that far. */
const TURN = 0.5
/** Two steps are of one series whose cosine has more than this square, and whose ratio is less. */
const ALIGNED = 0.9
const MOST_RATIO = 0.8
/** Least distance [m] of two bodies whose direction is looked at. */
const SHORT = 1e-3
/** Share of a body's diagonal that takes the place of what is not positive even in the safe stiffness. */
const FLOOR = 1e-3
/** Most solves about multipliers that are nearly right. */
const MOST_TIGHTER = 20
/** A residual this large [m, rad] has run away. */
export const FAR = 1e6

const turned = /* @__PURE__ */ new Float64Array(3)

/** Runs Newton's method from where things are, the system being assembled; false where `most` solves do not end it. */
export function converge(bodies: BodyColumns, trees: Trees, most: number): boolean {
  const isMet = iterate(bodies, trees, most)
  keepCentre(bodies, trees)
  return isMet
}

function iterate(bodies: BodyColumns, trees: Trees, most: number): boolean {
  for (let solve = 0; solve < most; solve++) {
    if (isSolved(trees)) return true
    if (!(RESIDUAL[GAP] < FAR)) return false
    trees.solves++
    if (!solveLinear(trees) && !solveSafely(bodies, trees)) return false
    const isPlain = trees.bounded.isSettled && trees.balls.count === 0 && !trees.touches.acts
    const isSeries = advanceOn(bodies, trees, solve)
    if (isPlain && !isSeries && isTiny(trees)) return true
    assemble(bodies, trees, false)
  }
  return isSolved(trees)
}

/** Solves once more about the multipliers that were found: of what rows of loops gave, a share of ε is left. False where a loop is not met. */
export function tighten(bodies: BodyColumns, trees: Trees): boolean {
  const { reference, lambda, place, firstMultiplier } = trees
  for (let e = 0; e < place.length; e++) {
    const m = firstMultiplier[e]
    for (let k = m; k < firstMultiplier[e + 1]; k++) reference[k] = lambda[e][place[e] + k - m]
  }
  assemble(bodies, trees, false)
  return converge(bodies, trees, MOST_TIGHTER)
}

function isSolved({ touches }: Trees): boolean {
  const share = touches.acts ? BALANCED_TOUCHES : BALANCED_SHARE
  return RESIDUAL[GAP] <= MET && RESIDUAL[UNBALANCE] <= BALANCED + share * RESIDUAL[PUSH]
}

/** The same with what is definite of the stiffness alone. */
function solveSafely(bodies: BodyColumns, trees: Trees): boolean {
  assemble(bodies, trees, true)
  trees.floor = FLOOR
  const isDefinite = solveLinear(trees)
  trees.floor = 0
  return isDefinite
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
    // Not a number stays: it is no small step.
    if (s > shift || s !== s) shift = s
    if (t > turn || t !== t) turn = t
  }
  LARGEST[0] = shift
  LARGEST[1] = turn
}

/** Whether dX is so small that what a step leaves of its second order is nothing. */
export function isTiny(trees: Trees): boolean {
  return isWithin(trees, trees.bounded.count === 0 ? TINY : TINY_BOUNDED)
}

/** Whether no body moves or turns farther in dX, squared [m², rad²]. */
export function isWithin(trees: Trees, most: number): boolean {
  measureStep(trees)
  return LARGEST[0] <= most && LARGEST[1] <= most
}

/**
 * Takes in by how much of its length, squared, the way between two bodies that a joint joins changes in the step in hand: planes of contacts
 * hold what is near, and slack rope between them goes anywhere. What is shorter than `SHORT` has no direction.
 */
function measureSegments({ position: x }: BodyColumns, { forest, dX, parent, nodeCount }: Trees): void {
  for (let n = 0; n < nodeCount; n++) {
    if (parent[n] < 0) continue
    const i = 4 * forest.body[n]
    const j = 4 * forest.body[parent[n]]
    let moved = 0
    let length = 0
    for (let c = 0; c < 3; c++) {
      const d = dX[SIX * n + c] - dX[SIX * parent[n] + c]
      moved += d * d
      length += (x[i + c] - x[j + c]) * (x[i + c] - x[j + c])
    }
    if (length > SHORT * SHORT && moved > length * LARGEST[1]) LARGEST[1] = moved / length
  }
}

/** X and λ along the Newton step, as far as no body turns too far. */
export function advanceLimited(bodies: BodyColumns, trees: Trees): void {
  measureStep(trees)
  advance(bodies, trees, LARGEST[1] > TURN * TURN ? TURN / Math.sqrt(LARGEST[1]) : 1)
}

/**
 * The same, and farther, which it returns, where a step is the last one again but for a factor ρ < 1: the rest is a geometric series, of
 * sum 1/(1 − ρ) (Aitken 1926). So it is under large loads, where stiffness is left out of rows that stay violated. Not with groups in
 * balls, which it carries to and fro across their rims.
 */
function advanceOn(bodies: BodyColumns, trees: Trees, solve: number): boolean {
  const { dX, lastStep } = trees
  measureStep(trees)
  if (trees.touches.acts) measureSegments(bodies, trees)
  const share = LARGEST[1] > TURN * TURN ? TURN / Math.sqrt(LARGEST[1]) : 1
  SERIES[0] = 1
  if (share === 1 && solve > 0 && trees.balls.count === 0 && !trees.touches.acts) sumSeries(dX, lastStep)
  let series = SERIES[0]
  if (series * series * LARGEST[1] > TURN * TURN) series = TURN / Math.sqrt(LARGEST[1])
  if (series > 1 || share < 1) lastStep.fill(0)
  else lastStep.set(dX)
  advance(bodies, trees, share * series)
  return series > 1
}

/** Sum of the series that two steps begin; left as it is where they do not. */
const SERIES = /* @__PURE__ */ new Float64Array(1)

function sumSeries(dX: Float64Array, last: Float64Array): void {
  let along = 0
  let square = 0
  let before = 0
  for (let k = 0; k < dX.length; k++) {
    along += last[k] * dX[k]
    square += dX[k] * dX[k]
    before += last[k] * last[k]
  }
  const isSeries = along > 0 && along * along > ALIGNED * square * before && along < MOST_RATIO * before
  if (isSeries) SERIES[0] = 1 / (1 - along / before)
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
    rotateBy(orientation, i, turned)
  }
  advanceRows(trees, s)
  advanceBounded(trees, s)
  advanceBalls(trees, s)
}

/** λ of the rows of the system, by a share s of the Newton step. */
export function advanceRows(trees: Trees, s: number): void {
  const { firstRow, dl, rows, origin, joint, across, direction, firstMultiplier, place } = trees
  const hasBalls = trees.balls.count > 0
  for (let n = 0; n < rows.length; n++) {
    for (let k = firstRow[n]; k < firstRow[n] + rows[n]; k++) {
      const lambda = trees.lambda[joint[k]]
      const l = place[joint[k]] + origin[k] - firstMultiplier[joint[k]]
      if (!hasBalls || across[k] === 0) {
        lambda[l] += s * dl[k]
        continue
      }
      lambda[l] += s * dl[k] * direction[3 * k]
      lambda[l + 1] += s * dl[k] * direction[3 * k + 1]
      // A group of two has no third multiplier, and what stands there is another's.
      if (across[k] === 3) lambda[l + 2] += s * dl[k] * direction[3 * k + 2]
    }
  }
}

/** λ of bounded rows, inside their bounds. */
function advanceBounded(trees: Trees, s: number): void {
  const { bounded: b, firstMultiplier, place } = trees
  for (let k = 0; k < b.count; k++) {
    const e = b.joint[k]
    const l = place[e] + b.origin[k] - firstMultiplier[e]
    const isActive = b.state[k] === ACTIVE
    const wanted = b.lambda[k] + s * (isActive ? trees.dl[b.at[k]] : b.change[k])
    if (!isActive && s === 1) trees.lambda[e][l] = heldAt(b, k)
    else if (s === 1) trees.lambda[e][l] = Math.min(Math.max(wanted, b.lower[k]), b.upper[k])
    else trees.lambda[e][l] = wanted
  }
}

/**
 * λ of groups in balls, along ẑ. It may leave its ball, which the next step sees: put back into it, steps were found to repeat
 * themselves.
 */
function advanceBalls(trees: Trees, s: number): void {
  const { balls, firstMultiplier, place } = trees
  for (let b = 0; b < balls.count; b++) {
    if (balls.slides[b] === 0) continue
    const e = balls.joint[b]
    const l = place[e] + balls.origin[b] - firstMultiplier[e]
    for (let k = 0; k < balls.size[b]; k++) trees.lambda[e][l + k] += s * balls.change[b] * balls.toward[3 * b + k]
  }
}
