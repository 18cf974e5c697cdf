/** The best pose so far, part by part. */

import type { Room } from './room.js'

/** A part's pose at hand is its best. */
export function keep(room: Room, p: number): void {
  const { kinematics, goals, rig, best, bestCoordinates, block, isMissed, limited, parts, result, settings } = room
  const { pose, coordinates } = kinematics
  const { bones, firstBone, firstGoal } = parts
  parts.isAtBest[p] = 1
  if (parts.count === 1) {
    best.copy(pose)
    bestCoordinates.set(coordinates)
  }
  for (let b = firstBone[p]; b < firstBone[p + 1]; b++) {
    const i = bones[b]
    result.atLimit[i] = limited[i] === 1 && block.isHeld(i) ? 1 : 0
    if (parts.count === 1) continue
    best.copyBone(i, pose)
    bestCoordinates[2 * i] = coordinates[2 * i]
    bestCoordinates[2 * i + 1] = coordinates[2 * i + 1]
  }
  for (let n = firstGoal[p]; n < firstGoal[p + 1]; n++) {
    const goal = goals[parts.goals[n]]
    const most = goal.isLength ? settings.tolerance * rig.size : settings.tolerance
    isMissed[parts.goals[n]] = goal.weight > 0 && goal.error > most ? 1 : 0
  }
}

/** A part goes back to its best pose. */
export function restore({ kinematics, best, bestCoordinates, parts }: Room, p: number): void {
  const { pose, coordinates } = kinematics
  if (parts.isAtBest[p] === 1) return
  parts.isAtBest[p] = 1
  for (let b = parts.firstBone[p]; b < parts.firstBone[p + 1]; b++) {
    const i = parts.bones[b]
    pose.copyBone(i, best)
    coordinates[2 * i] = bestCoordinates[2 * i]
    coordinates[2 * i + 1] = bestCoordinates[2 * i + 1]
  }
}
