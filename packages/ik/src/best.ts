/** The best pose so far, part by subproblem. */

import type { Workspace } from './workspace.js'

/** A subproblem's pose at hand is its best. */
export function keep(workspace: Workspace, p: number): void {
  const { kinematics, goals, rig, best, bestCoordinates, block, isMissed, limited, subproblems, result, settings } =
    workspace
  const { pose, coordinates } = kinematics
  const { bones, firstBone, firstGoal } = subproblems
  subproblems.isAtBest[p] = 1
  if (subproblems.count === 1) {
    best.copy(pose)
    bestCoordinates.set(coordinates)
  }
  for (let b = firstBone[p]; b < firstBone[p + 1]; b++) {
    const i = bones[b]
    result.atLimit[i] = limited[i] === 1 && block.isHeld(i) ? 1 : 0
    if (subproblems.count === 1) continue
    best.copyBone(i, pose)
    bestCoordinates[2 * i] = coordinates[2 * i]
    bestCoordinates[2 * i + 1] = coordinates[2 * i + 1]
  }
  for (let n = firstGoal[p]; n < firstGoal[p + 1]; n++) {
    const goal = goals[subproblems.goals[n]]
    const most = goal.isLength ? settings.tolerance * rig.size : settings.tolerance
    isMissed[subproblems.goals[n]] = goal.weight > 0 && goal.error > most ? 1 : 0
  }
}

/** A subproblem goes back to its best pose. */
export function restore({ kinematics, best, bestCoordinates, subproblems }: Workspace, p: number): void {
  const { pose, coordinates } = kinematics
  if (subproblems.isAtBest[p] === 1) return
  subproblems.isAtBest[p] = 1
  for (let b = subproblems.firstBone[p]; b < subproblems.firstBone[p + 1]; b++) {
    const i = subproblems.bones[b]
    pose.copyBone(i, best)
    coordinates[2 * i] = bestCoordinates[2 * i]
    coordinates[2 * i + 1] = bestCoordinates[2 * i + 1]
  }
}
