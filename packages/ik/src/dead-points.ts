/**
 * Dead points: poses from which no joint can be turned, or only outside its limits, so that goals come nearer at first order. A straight limb whose target
 * is in line with it is at one: |Jᵀ e| is next to nothing beside |J| |e|, and the first direction that is tried may lead nowhere.
 */

import { FREEDOMS, HINGE, SLIDER, UNIVERSAL } from './joints.js'
import type { Workspace } from './workspace.js'

/** Share of |J| |e| below which |Jᵀ e| is no pull: a target within 3° of the line of a straight limb. */
const LEAST_PULL = 0.05
/** A coordinate is at a bound when it is nearer than this [rad or m]. */
const AT_BOUND = 1e-6

/** Marks the subproblems that are at a dead point, by the rows at hand. Those with a goal out of reach are not: they are as near as they get. */
export function markDeadPoints(workspace: Workspace): void {
  const { subproblems } = workspace
  for (let p = 0; p < subproblems.count; p++) {
    subproblems.isDead[p] =
      subproblems.isSoft[p] === 0 && !isBeyondReach(workspace, p) && !isPulled(workspace, p) ? 1 : 0
  }
}

function isBeyondReach({ goals, rows, subproblems }: Workspace, p: number): boolean {
  for (let n = subproblems.firstGoal[p]; n < subproblems.firstGoal[p + 1]; n++) {
    const goal = goals[subproblems.goals[n]]
    if (goal.weight > 0 && goal.isBeyondReach(rows)) return true
  }
  return false
}

function isPulled(workspace: Workspace, p: number): boolean {
  const { kinematics, rows, subproblems } = workspace
  const { firstFreedom } = kinematics
  const { J, error, weight, capacity } = rows
  const lo = subproblems.firstRow[p]
  const hi = subproblems.endRow[p]
  let squared = 0
  let pull = 0
  let most = 0
  for (let k = lo; k < hi; k++) squared += weight[k] * error[k] * error[k]
  for (let b = subproblems.firstBone[p]; b < subproblems.firstBone[p + 1]; b++) {
    const i = subproblems.bones[b]
    for (let d = firstFreedom[i]; d < firstFreedom[i + 1]; d++) {
      let along = 0
      for (let k = lo; k < hi; k++) {
        const j = J[capacity * d + k]
        along += weight[k] * j * error[k]
        most += weight[k] * j * j * squared
      }
      if (!isBlocked(workspace, i, d - firstFreedom[i], -along)) pull += along * along
    }
  }
  return pull > LEAST_PULL * LEAST_PULL * most
}

/** Whether coordinate `c` of a joint is at the bound that a step in that direction would cross. */
function isBlocked({ kinematics, rig }: Workspace, i: number, c: number, direction: number): boolean {
  const kind = kinematics.kinds[i]
  if ((kind !== HINGE && kind !== UNIVERSAL && kind !== SLIDER) || c >= FREEDOMS[kind]) return false
  const { limits } = rig.joints[i]
  const value = kinematics.coordinates[2 * i + c]
  return direction < 0 ? value - limits[2 * c] < AT_BOUND : limits[2 * c + 1] - value < AT_BOUND
}
