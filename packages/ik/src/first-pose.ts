/** Where a solve begins: bones as long as their targets ask, joints inside their limits, the root carried along where asked. */

import { PositionGoal } from './goals/position.js'
import { holdAll } from './limits.js'
import type { Pose } from './pose.js'
import type { Workspace } from './workspace.js'

const local = /* @__PURE__ */ new Float64Array(3)
const point = /* @__PURE__ */ new Float64Array(3)

/** Goes to the pose given, or the last one, inside the limits. */
export function startAt(workspace: Workspace, first: Pose): void {
  const { kinematics, limited, starts } = workspace
  kinematics.read(first)
  stretch(workspace)
  holdAll(kinematics, limited, starts.stretches)
  kinematics.update()
}

/** Makes the chains of goals that may stretch as long as their targets are far, within what they allow. */
function stretch({ kinematics, goals, rig, starts }: Workspace): void {
  starts.stretches = false
  for (let g = 0; g < goals.length; g++) {
    const goal = goals[g]
    if (goal instanceof PositionGoal && goal.weight > 0 && goal.stretch > 1) starts.stretches = true
  }
  if (!starts.stretches) return
  kinematics.stretch.fill(1)
  kinematics.world.update(rig, kinematics.pose)
  for (let g = 0; g < goals.length; g++) {
    const goal = goals[g]
    if (goal instanceof PositionGoal && goal.weight > 0 && goal.stretch > 1) goal.stretchChain(kinematics)
  }
}

/** Carries free roots along by the mean of what the position goals lack, where the rig asks for it. */
export function pullRoot({ kinematics, goals, rig }: Workspace): void {
  if (rig.rootMode !== 'prePull') return
  let weight = 0
  local.fill(0)
  for (let g = 0; g < goals.length; g++) {
    const goal = goals[g]
    if (!(goal instanceof PositionGoal) || goal.weight === 0) continue
    kinematics.pointOf(goal.bone, goal.point, point)
    const pull = goal.weight * goal.pull
    weight += pull
    for (let k = 0; k < 3; k++) local[k] += pull * (goal.target[k] - point[k])
  }
  if (weight === 0) return
  for (let i = 0; i < rig.count; i++) {
    if (rig.parent[i] >= 0) continue
    for (let k = 0; k < 3; k++) kinematics.pose.positions[3 * i + k] += local[k] / weight
  }
}
