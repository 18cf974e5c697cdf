/** What the goals lack at the pose at hand. */

import type { Workspace } from './workspace.js'

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
