/** Measures the pose at hand, and keeps the best one so far, by subproblem. */

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

/** World poses, rows of the goals, and the largest error of each subproblem's goals that count, lengths as shares of the reach. */
export function measure({ kinematics, rows, goals, settings, rig, subproblems }: Workspace): void {
  const { error, isDone, ofGoal } = subproblems
  kinematics.update()
  rows.clear()
  rows.step[0] = settings.errorClamp * rig.size
  for (let p = 0; p < subproblems.count; p++) {
    rows.goTo(subproblems.firstRow[p])
    for (let n = subproblems.firstGoal[p]; n < subproblems.firstGoal[p + 1] && isDone[p] === 0; n++) {
      const goal = goals[subproblems.goals[n]]
      if (goal.weight === 0) continue
      rows.begin()
      goal.write(rows)
    }
    subproblems.endRow[p] = rows.count
  }
  for (let p = 0; p < subproblems.count; p++) if (isDone[p] === 0) error[p] = 0
  for (let g = 0; g < goals.length; g++) {
    const goal = goals[g]
    const p = ofGoal[g]
    if (isDone[p] === 1 || goal.weight === 0 || goal.compliance > 0 || goal.priority > 0) continue
    error[p] = Math.max(error[p], goal.isLength ? goal.error / rig.size : goal.error)
  }
}
