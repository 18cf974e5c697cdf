/**
 * A pass over a tree: all that hangs together is solved to the end, as one unit of work in the sweep.
 *
 * X̂ is where the pass finds the bodies. In the first pass of a substep that is their prediction, λ goes on from the last substep,
 * and X starts as if the joints did to their bodies what they did then; what does not converge is repeated as two halves of the
 * substep. Later passes find bodies that others have pushed since, and b = Jᵀλ makes g = 0 there; one that does not converge is
 * projected onto the joints, and where that fails as well bodies stay where the last pass left them. What is left unsolved is counted, and
 * repaired without speed before the next prediction.
 */

import { type BodyColumns, LENT } from '../state/body-columns.js'
import type { WorldView } from '../define/contract.js'
import { refreshInertia } from '../state/inertia.js'
import { assemble } from './assemble.js'
import { mayArticulate, solveArticulated } from './articulated-pass.js'
import { beginPass, solveFirst } from './first-pass.js'
import { markUnsound, repeatInHalves } from './halving.js'
import { beginHeld, releasePulls } from './held.js'
import { converge } from './newton.js'
import { projectTree } from './projection.js'
import { takeUpPush } from './push.js'
import { goBack, hasMoved, note, notePoses } from './poses.js'
import { disturb } from './repair.js'
import { shareLoads } from './share-loads.js'
import { MET, RESIDUAL, UNBALANCE, refreshMasses, type Trees, yields } from './trees.js'
import { leaveTouches, writeTouches } from './touch-gather.js'

/** Most solves of a later pass: a projection is cheaper than what takes more. */
const MOST_AGAIN = 8
/**
 * The same where a joint gives way: no projection makes up for it. Left without a solution, its springs are stretched by what touches the
 * bodies and push with the force of before: two on a soft hinge, thrown at a wall, took up three times their energy.
 */
const MOST_AGAIN_SOFT = 20
/** How often a later pass is repeated without the contacts that would pull. */
const MOST_RELEASES = 3
/** How far others may push a body in a substep before its tree is solved again [m, rad]: what rests on the ground stays far below. */
const IMPACT = 1e-3
/** How far others may leave a body from where its joints hold it, at the end of a substep [m, rad]: levers reach many metres. */
const PARTED = 1e-8

/** One pass. */
export function solveTrees(world: WorldView, trees: Trees, isFirst: boolean): void {
  const bodies = world.bodies.columns
  trees.passes++
  if (isFirst && trees.articulated !== undefined) trees.articulated.isReady = false
  if (isFirst) {
    trees.inParts = false
    beginHeld(trees)
  }
  const isSolved = isFirst
    ? solveFirst(bodies, trees) || solveWithout(bodies, trees) || repeatInHalves(world, trees)
    : solvePushed(bodies, trees) || solveAgain(world, trees)
  if (trees.touches.acts) writeTouches(trees)
  if (!isSolved) {
    trees.unsolved++
    disturb(bodies, trees)
    markUnsound(bodies, trees)
  }
  if (isSolved && !trees.inParts) shareLoads(trees)
  if (trees.width > 0) clearRedundant(trees)
  notePoses(bodies, trees, trees.left)
  trees.isMet = isSolved
}

/** Whether something has moved a body at all since the last pass. */
export function hasChanged(world: WorldView, trees: Trees): boolean {
  return hasMoved(world.bodies.columns, trees, 0)
}

/** Solves what others have pushed, where the fast system may; else poses and multipliers are as they were. */
function solvePushed(bodies: BodyColumns, trees: Trees): boolean {
  if (!mayArticulate(trees)) return false
  refreshMasses(bodies, trees)
  for (let turn = 0; turn <= MOST_RELEASES; turn++) {
    note(bodies, trees, trees.start, trees.found)
    if (turn === MOST_RELEASES) trees.held.count = 0
    if (!solveArticulated(bodies, trees, false)) break
    if (trees.held.count === 0 || !releasePulls(bodies, trees)) return true
    goBack(bodies, trees, trees.start, trees.found)
  }
  goBack(bodies, trees, trees.start, trees.found)
  return false
}

/** Solves the first pass without contacts, which stay with the sweep; false where there were none, or it does not converge. */
function solveWithout(bodies: BodyColumns, trees: Trees): boolean {
  if (!trees.touches.acts) return false
  trees.touches.acts = false
  leaveTouches(trees, false)
  goBack(bodies, trees, trees.start, trees.found)
  return solveFirst(bodies, trees)
}

/** Whether something has moved a body at all since the last pass, beyond what a joint may part by. */
export function wasMoved(world: WorldView, trees: Trees): boolean {
  const t = trees.articulated
  if (t?.isReady !== true) return hasMoved(world.bodies.columns, trees, PARTED)
  // Half of the tolerance is what the pass may have left. Two bodies that move and turn by d part at a lever r by at most 2 d (1 + r).
  const far = trees.tolerance[0] / (4 * (1 + Math.sqrt(t.reach[0])))
  return hasMoved(world.bodies.columns, trees, Math.max(PARTED, far))
}

/** Whether something has pushed a body farther than what is let be, since the last pass. */
export function wasStruck(world: WorldView, trees: Trees): boolean {
  const bodies = world.bodies.columns
  const isFast = trees.articulated?.isReady === true
  return hasMoved(bodies, trees, !isFast && isLent(bodies, trees) ? PARTED : IMPACT)
}

/** Whether a block solver has lent a body of it another mass: it is heavier than it seems, and where it ends up depends on what hangs on it. */
function isLent({ flags }: BodyColumns, { forest: { body } }: Trees): boolean {
  for (let n = 0; n < body.length; n++) if ((flags[body[n]] & LENT) !== 0) return true
  return false
}

/**
 * Solves once more from what others have made of the pose. Where that does not converge and a joint gives way, what they pushed is taken
 * up in shares. Otherwise the pose is projected onto the rigid joints first, which leaves the multipliers as they were found; where that
 * fails as well, the push is taken up in shares, as far as joints let it be: what touches the bodies gives way. (Left where they were pushed,
 * joints stood 0.2 m open.)
 */
function solveAgain(world: WorldView, trees: Trees): boolean {
  const bodies = world.bodies.columns
  refreshMasses(bodies, trees)
  if (solveHeld(bodies, trees)) return true
  if (yields(trees)) return keepJoints(bodies, trees)
  goBack(bodies, trees, trees.start, trees.found)
  if (!(projectTree(world, trees, trees.substep[0]) <= MET)) {
    if (!trees.isMet) return false
    keepJoints(bodies, trees)
    // The projection took inertias at a pose that is given up, which may be none.
    for (let n = 0; n < trees.forest.nodeCount; n++) refreshInertia(bodies, trees.forest.body[n])
    return true
  }
  if (!solveBalanced(bodies, trees)) goBack(bodies, trees, trees.start, trees.found)
  return true
}

/** The same with contacts that hold its bodies, as far as they push. */
function solveHeld(bodies: BodyColumns, trees: Trees): boolean {
  for (let turn = 0; turn < MOST_RELEASES && trees.held.count > 0; turn++) {
    if (!solveBalanced(bodies, trees)) return false
    if (!releasePulls(bodies, trees)) return true
    goBack(bodies, trees, trees.start, trees.found)
  }
  return solveBalanced(bodies, trees)
}

/** Keeps joints met: goes from where the last pass left the bodies to where they were pushed, as far as that is solved. */
function keepJoints(bodies: BodyColumns, trees: Trees): boolean {
  trees.partPose.set(trees.start)
  takeUpPush(bodies, trees, trees.partPose)
  return true
}

/** Solves from a pose in which the multipliers are to be balanced as they are. */
function solveBalanced(bodies: BodyColumns, trees: Trees): boolean {
  const { base, g } = trees
  beginPass(bodies, trees)
  assemble(bodies, trees, false)
  for (let k = 0; k < base.length; k++) base[k] = -g[k]
  // With b only g is another, and 0.
  if (RESIDUAL[UNBALANCE] < Infinity && !trees.touches.acts) {
    g.fill(0)
    RESIDUAL[UNBALANCE] = 0
  } else assemble(bodies, trees, false)
  return converge(bodies, trees, yields(trees) ? MOST_AGAIN_SOFT : MOST_AGAIN)
}

/** Takes the multipliers of rows that their loop holds already: what is left there is stress without a cause, which would grow. */
function clearRedundant({ redundant, lambda, place, firstMultiplier }: Trees): void {
  for (let e = 0; e < place.length; e++) {
    for (let k = firstMultiplier[e]; k < firstMultiplier[e + 1]; k++) {
      if (redundant[k] !== 0) lambda[e][place[e] + k - firstMultiplier[e]] = 0
    }
  }
}
