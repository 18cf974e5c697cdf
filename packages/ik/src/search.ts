/**
 * Poses a rig for its goals: steps of the block until they are met, no better pose is found, or the iterations are spent.
 *
 *   world poses, axes, carried matter   →   rows of the goals   →   block   →   joints turned, put back inside their limits
 *
 * The best pose seen is the one returned, or where goals are not met the one that fallback.ts finds.
 */

import { keep, restore, measure } from './best.js'
import { pullRoot, startAt } from './first-pose.js'
import { markDeadPoints } from './dead-points.js'
import { holdBalls } from './limits.js'
import type { Pose } from './pose.js'
import { freeHeld, isHeldBack, startAnew } from './retries.js'
import type { Workspace } from './workspace.js'
import { LEAST_FALLBACK, runFallback } from './fallback.js'
import { takeStep } from './step.js'

/** Iterations without a better pose after which it has stalled. */
const PATIENCE = 6
/**
 * How often joints that a bound holds are moved off it when all has stalled: a straight elbow against its stop cannot tell
 * that bending it would help.
 */
const MOST_FREED = 3
/** The same while bounds hold some joint: they are the likely reason. */
const PATIENCE_HELD = 2
/**
 * Most random starts of chains that began at a dead point and have not met their goals, at any setting of `restarts`: there every way to go is as good as
 * another, so that none of them makes a motion jump.
 */
const MOST_ESCAPES = 5
/** An error has to fall to this share to count as better. */
const BETTER = 0.999

/** Poses the rig for its goals from the `first` pose on; what came of it is `kinematics.pose` and `result`. */
export function search(workspace: Workspace, first: Pose): void {
  const { goals, settings, result, rows, subproblems, starts } = workspace
  startAt(workspace, first)
  for (let g = 0; g < goals.length; g++) goals[g].begin(rows)
  pullRoot(workspace)
  starts.seed(settings.seed)
  result.iterations = 0
  subproblems.begin(goals)
  for (let attempt = 0; ; attempt++) {
    descend(workspace, attempt === 0)
    const isMet = subproblems.reopen(settings)
    if (!isMet && attempt < Math.max(settings.restarts, MOST_ESCAPES)) {
      if (startAnew(workspace, attempt >= settings.restarts)) continue
      subproblems.reopen(settings)
    }
    if (!isMet && settings.iterations >= LEAST_FALLBACK) runFallback(workspace, first)
    break
  }
  conclude(workspace)
}

/** Iterations from the present pose, the first of a solve or another; the best of all is kept. */
function descend(workspace: Workspace, isFirst: boolean): void {
  const { settings, result, block, subproblems } = workspace
  subproblems.start()
  block.lambda.fill(0)
  result.status = 'limit'
  for (let done = 0; ;) {
    measure(workspace)
    if (isFirst && done === 0) markDeadPoints(workspace)
    const left = judge(workspace, done)
    if (left === 0) {
      result.status = 'stalled'
      break
    }
    // Joints were moved: their rows are no longer those of the pose.
    if (left < 0) continue
    if (done++ === settings.iterations) break
    result.iterations++
    takeStep(workspace)
  }
}

/** Keeps what is better, and finds out which subproblems are done: how many are left, or −1 where joints were freed. */
function judge(workspace: Workspace, done: number): number {
  const { settings, subproblems } = workspace
  const { best, error, least, better, freed, isDone, isSoft, moved } = subproblems
  let left = 0
  let isFreed = false
  for (let p = 0; p < subproblems.count; p++) {
    if (isDone[p] === 1) continue
    // Soft goals have no error that says when they are done: they are when nothing moves, and the later pose is the better.
    if (error[p] < best[p] || (isSoft[p] === 1 && error[p] <= Math.max(best[p], settings.tolerance))) {
      best[p] = error[p]
      keep(workspace, p)
    }
    if (error[p] < BETTER * least[p]) {
      least[p] = error[p]
      better[p] = done
    }
    const isMet = error[p] <= settings.tolerance
    if (isMet && (isSoft[p] === 0 || moved[p] <= settings.tolerance * settings.tolerance)) {
      isDone[p] = 1
      continue
    }
    left++
    const waited = done - better[p]
    if (isMet || waited <= PATIENCE_HELD) continue
    if (waited <= PATIENCE && (freed[p] === MOST_FREED || !isHeldBack(workspace, p))) continue
    if (freed[p] < MOST_FREED && freeHeld(workspace, p, ++freed[p])) {
      better[p] = done
      least[p] = Infinity
      isFreed = true
    } else {
      isDone[p] = 1
      left--
    }
  }
  return isFreed ? -1 : left
}

/** Goes to the best pose, and says how it ended. */
function conclude(workspace: Workspace): void {
  const { result, settings, kinematics, goals, subproblems, rows, best, limited } = workspace
  let error = 0
  let isBest = true
  for (let p = 0; p < subproblems.count; p++) {
    error = Math.max(error, subproblems.best[p])
    if (subproblems.isAtBest[p] === 0) isBest = false
    restore(workspace, p)
  }
  // Where goals are not met the rows at hand may be those of another pose that was tried.
  if (!isBest || error > settings.tolerance) {
    subproblems.isDone.fill(0)
    measure(workspace)
  }
  // For those whose swing is so wide that `AT_MOST` of step.ts does not hold; all other joints are inside.
  holdBalls(kinematics, limited)
  best.copy(kinematics.pose)
  result.error = error
  if (error <= settings.tolerance) result.status = 'converged'
  else {
    for (let g = 0; g < goals.length; g++) {
      if (goals[g].weight > 0 && goals[g].isBeyondReach(rows)) result.status = 'unreachable'
    }
  }
}
