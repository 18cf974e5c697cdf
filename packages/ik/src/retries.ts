/** What is tried for parts of a rig that get no better: joints off their bounds, a little aside, or another start. */

import { restore } from './best.js'
import type { Room } from './room.js'

/** Whether a bound was in force in a part's last step. */
export function isHeldBack({ block, parts }: Room, p: number): boolean {
  for (let b = parts.firstBone[p]; b < parts.firstBone[p + 1]; b++) if (block.isHeld(parts.bones[b])) return true
  return false
}

/** Moves joints of a part's unmet goals that were held by a bound inward, from its best pose; false when none was held. */
export function freeHeld(room: Room, p: number, times: number): boolean {
  const { block, result, parts, starts, unmet } = room
  let found = false
  restore(room, p)
  findUnmet(room, p)
  for (let b = parts.firstBone[p]; b < parts.firstBone[p + 1]; b++) {
    const i = parts.bones[b]
    if (unmet[i] === 0 || (result.atLimit[i] === 0 && !block.isHeld(i))) continue
    found = true
    parts.isAtBest[p] = 0
    starts.free(i, times)
  }
  return found
}

/** Frees what of a part stands still although there is an error. */
export function nudgePart({ parts, starts }: Room, p: number): void {
  for (let b = parts.firstBone[p]; b < parts.firstBone[p + 1]; b++) starts.nudge(parts.bones[b])
}

/** Another start for the chains of the goals that are not met, from the best pose. Chains whose goals are met stay. */
export function startAnew(room: Room): void {
  const { unmet, parts, starts } = room
  for (let p = 0; p < parts.count; p++) {
    restore(room, p)
    if (parts.isDone[p] === 1) continue
    findUnmet(room, p)
    parts.isAtBest[p] = 0
    for (let b = parts.firstBone[p]; b < parts.firstBone[p + 1]; b++) {
      if (unmet[parts.bones[b]] === 1) starts.anew(parts.bones[b])
    }
  }
}

/** Marks the bones of a part that move goals which its best pose does not meet. */
function findUnmet({ goals, rig, unmet, parts, isMissed }: Room, p: number): void {
  for (let b = parts.firstBone[p]; b < parts.firstBone[p + 1]; b++) unmet[parts.bones[b]] = 0
  for (let n = parts.firstGoal[p]; n < parts.firstGoal[p + 1]; n++) {
    const goal = goals[parts.goals[n]]
    if (isMissed[parts.goals[n]] === 0) continue
    for (let i = goal.end; i >= 0; i = i === goal.chain ? -1 : rig.parent[i]) unmet[i] = 1
  }
}
