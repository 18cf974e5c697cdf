/** Goals of a tracked point of a figure. */

import { isLimited } from './coordinates.js'
import { OrientationGoal } from './goals/orientation.js'
import { PositionGoal } from './goals/position.js'
import { BALL } from './joints.js'
import type { WorldPose } from './pose.js'
import type { Rig } from './rig.js'

/** What a point is asked for: both of a lower priority where it is not tracked. */
export interface BodyGoals {
  /** Of the bone's joint. */
  readonly position: PositionGoal
  /** Of weight `orientationWeight`. */
  readonly orientation: OrientationGoal
}

/** Asks a bone to be where it is at rest: `weight`, `compliance` of its orientation, `priority` of both. */
export function goalsOf(
  rig: Rig,
  rest: WorldPose,
  bone: number,
  weight: number,
  compliance: number,
  priority: number,
): BodyGoals {
  const joint = rig.joints[bone]
  // A ball without limits takes any turn by itself.
  const asked = joint.kind === BALL && !isLimited(joint) ? 0 : compliance
  const at: [number, number, number] = [0, 1, 2].map((k) => rest.positions[3 * bone + k]) as [number, number, number]
  return {
    position: new PositionGoal(rig, bone, at, { point: [0, 0, 0], priority }),
    orientation: new OrientationGoal(rig, bone, restRotationOf(rest, bone), { weight, compliance: asked, priority }),
  }
}

/** Orientation of a bone at rest, world. */
export function restRotationOf({ rotations }: WorldPose, bone: number): [number, number, number, number] {
  return [0, 1, 2, 3].map((k) => rotations[4 * bone + k]) as [number, number, number, number]
}
