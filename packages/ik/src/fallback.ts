/**
 * Levenberg–Marquardt fallback, where goals cannot be met: finds the nearest pose to that in which the solve began from which no step makes
 * their squares less.
 *
 *   merit = Σ weight ρ(e),   ρ = e² up to the clamp s of an error,   s (2 e − s) beyond it
 *
 * by damping that grows where a step has made it worse (Levenberg 1944, Marquardt 1963). Steps minimise these squares, and not the
 * largest error by which a solve keeps a pose: among poses that miss alike that one is found by chance, and along a motion it shakes.
 */

import { keep, restore, measure } from './best.js'
import { pullRoot, startAt } from './first-pose.js'
import type { Pose } from './pose.js'
import type { Workspace } from './workspace.js'
import { takeStep } from './step.js'

/** Iterations that a user must allow for it: fewer would leave it half way, and rough. */
export const LEAST_FALLBACK = 20
/** A step that takes less than this share of the merit away is as good as none, and after as many it has converged. */
const LEAST_GAIN = 1e-4
const PATIENCE = 3
/** Factors of the damping after a step that was for the worse, and for the better. */
const STIFFER = 8
const SOFTER = 4
/**
 * What was found before is worth a jump: this share of the merit, and its root smaller by so much of the reach; or a root that is as
 * good as none, as of goals that were all but met.
 */
const FAR_BETTER = 0.5
const FAR_NEARER = 0.05
const ALMOST_MET = 1e-3

/** Minimises the merit of subproblems whose goals are not met, from where the solve began. */
export function runFallback(workspace: Workspace, first: Pose): void {
  const { subproblems, settings, result } = workspace
  if (!openUnmet(workspace)) return
  measure(workspace)
  noteFound(workspace)
  startAt(workspace, first)
  pullRoot(workspace)
  for (let p = 0; p < subproblems.count; p++) {
    if (subproblems.isDone[p] === 0) continue
    subproblems.isAtBest[p] = 0
    restore(workspace, p)
  }
  result.status = 'stalled'
  for (let done = 0; ; done++) {
    measure(workspace)
    const left = judge(workspace)
    if (left === 0) break
    if (done === settings.iterations) {
      result.status = 'limit'
      break
    }
    if (left < 0) measure(workspace)
    result.iterations++
    takeStep(workspace)
  }
  choose(workspace)
}

/** Puts subproblems whose goals are not met to their best pose; false where there is none. Soft goals are not met to a tolerance. */
function openUnmet(workspace: Workspace): boolean {
  const { subproblems, fallback } = workspace
  const { isOpen } = fallback
  let isAny = false
  for (let p = 0; p < subproblems.count; p++) {
    if (subproblems.isSoft[p] === 1) subproblems.isDone[p] = 1
    isOpen[p] = 1 - subproblems.isDone[p]
    restore(workspace, p)
    if (isOpen[p] === 1) isAny = true
  }
  return isAny
}

/** Notes the pose at hand, which has been measured, as what was found before. */
function noteFound(workspace: Workspace): void {
  const { kinematics, subproblems, result, fallback } = workspace
  measureMerit(workspace)
  subproblems.start()
  fallback.foundMerit.set(fallback.merit)
  fallback.foundError.set(subproblems.best)
  fallback.foundCoordinates.set(kinematics.coordinates)
  fallback.foundAtLimit.set(result.atLimit)
  fallback.found.copy(kinematics.pose)
  fallback.least.fill(Infinity)
  fallback.slow.fill(0)
  // The pose at hand is to be another.
  for (let p = 0; p < subproblems.count; p++) if (fallback.isOpen[p] === 1) subproblems.isAtBest[p] = 0
}

/** Keeps what is better and goes back from what is worse; returns how many have not converged, negative where some went back. */
function judge(workspace: Workspace): number {
  const { subproblems, settings, fallback } = workspace
  const { merit, least, slow } = fallback
  const { best, boost, error, isDone } = subproblems
  let left = 0
  let isBack = false
  measureMerit(workspace)
  for (let p = 0; p < subproblems.count; p++) {
    if (isDone[p] === 1) continue
    if (merit[p] < least[p]) {
      slow[p] = merit[p] > (1 - LEAST_GAIN) * least[p] ? slow[p] + 1 : 0
      least[p] = merit[p]
      best[p] = error[p]
      boost[p] = Math.max(boost[p] / SOFTER, 1)
      keep(workspace, p)
    } else {
      slow[p]++
      boost[p] *= STIFFER
      restore(workspace, p)
      isBack = true
    }
    if (slow[p] > PATIENCE || best[p] <= settings.tolerance) isDone[p] = 1
    else left++
  }
  // −0 is no small integer, and would be boxed.
  return isBack && left > 0 ? -left : left
}

/** Subproblems go back to what was found before where that is far better; with restarts, where it is better at all. */
function choose(workspace: Workspace): void {
  const { kinematics, subproblems, settings, result, fallback } = workspace
  const { isOpen, foundMerit, least, found } = fallback
  const { pose, coordinates } = kinematics
  const { atLimit } = result
  const isAny = settings.restarts > 0
  for (let p = 0; p < subproblems.count; p++) {
    if (isOpen[p] === 0) continue
    const nearer = Math.sqrt(least[p]) - Math.sqrt(foundMerit[p])
    const isFarBetter = foundMerit[p] < FAR_BETTER * least[p] && nearer > FAR_NEARER
    const isAlmostMet = foundMerit[p] < ALMOST_MET * ALMOST_MET && nearer > 0
    if (!(isAny ? nearer > 0 : isFarBetter || isAlmostMet)) continue
    for (let b = subproblems.firstBone[p]; b < subproblems.firstBone[p + 1]; b++) {
      const i = subproblems.bones[b]
      pose.copyBone(i, found)
      coordinates[2 * i] = fallback.foundCoordinates[2 * i]
      coordinates[2 * i + 1] = fallback.foundCoordinates[2 * i + 1]
    }
    subproblems.best[p] = fallback.foundError[p]
    keep(workspace, p)
    for (let b = subproblems.firstBone[p]; b < subproblems.firstBone[p + 1]; b++) {
      atLimit[subproblems.bones[b]] = fallback.foundAtLimit[subproblems.bones[b]]
    }
  }
}

/** Measures the merit of the subproblems that are not done, by the rows at hand. */
function measureMerit({ subproblems, rows, rig, fallback }: Workspace): void {
  const { merit } = fallback
  const { error, beyond, weight, step } = rows
  const { size } = rig
  for (let p = 0; p < subproblems.count; p++) {
    if (subproblems.isDone[p] === 1) continue
    let sum = 0
    for (let k = subproblems.firstRow[p]; k < subproblems.endRow[p]; k++) {
      sum += weight[k] * (error[k] * error[k] + 2 * step[0] * beyond[k])
    }
    merit[p] = sum / (size * size)
  }
}
