/** What is tried for parts of a rig that get no better: joints off their bounds, a little aside, or another start. */

import { restore } from './best.js'
import type { Workspace } from './workspace.js'

/** Whether a bound was in force in a subproblem's last step. */
export function isHeldBack({ block, subproblems }: Workspace, p: number): boolean {
  for (let b = subproblems.firstBone[p]; b < subproblems.firstBone[p + 1]; b++)
    if (block.isHeld(subproblems.bones[b])) return true
  return false
}

/** Moves joints of a subproblem's unmet goals that were held by a bound inward, from its best pose; false when none was held. */
export function freeHeld(workspace: Workspace, p: number, times: number): boolean {
  const { block, result, subproblems, starts, unmet } = workspace
  let found = false
  restore(workspace, p)
  findUnmet(workspace, p)
  for (let b = subproblems.firstBone[p]; b < subproblems.firstBone[p + 1]; b++) {
    const i = subproblems.bones[b]
    if (unmet[i] === 0 || (result.atLimit[i] === 0 && !block.isHeld(i))) continue
    found = true
    subproblems.isAtBest[p] = 0
    starts.free(i, times)
  }
  return found
}

/** Frees what of a subproblem stands still although there is an error. */
export function nudgePart({ subproblems, starts }: Workspace, p: number): void {
  for (let b = subproblems.firstBone[p]; b < subproblems.firstBone[p + 1]; b++) starts.nudge(subproblems.bones[b])
}

/**
 * Another start for the chains of the goals that are not met, from the best pose; false when there is none. Chains whose goals are met stay, and all
 * but those that were at a dead point where `onlyDead`.
 */
export function startAnew(workspace: Workspace, onlyDead: boolean): boolean {
  const { unmet, subproblems, starts } = workspace
  let isAny = false
  for (let p = 0; p < subproblems.count; p++) {
    restore(workspace, p)
    if (onlyDead && subproblems.isDead[p] === 0) subproblems.isDone[p] = 1
    if (subproblems.isDone[p] === 1) continue
    isAny = true
    findUnmet(workspace, p)
    subproblems.isAtBest[p] = 0
    for (let b = subproblems.firstBone[p]; b < subproblems.firstBone[p + 1]; b++) {
      if (unmet[subproblems.bones[b]] === 1) starts.anew(subproblems.bones[b])
    }
  }
  return isAny
}

/** Marks the bones of a subproblem that move goals which its best pose does not meet. */
function findUnmet({ goals, rig, unmet, subproblems, isMissed }: Workspace, p: number): void {
  for (let b = subproblems.firstBone[p]; b < subproblems.firstBone[p + 1]; b++) unmet[subproblems.bones[b]] = 0
  for (let n = subproblems.firstGoal[p]; n < subproblems.firstGoal[p + 1]; n++) {
    const goal = goals[subproblems.goals[n]]
    if (isMissed[subproblems.goals[n]] === 0) continue
    for (let i = goal.end; i >= 0; i = i === goal.chain ? -1 : rig.parent[i]) unmet[i] = 1
  }
}
