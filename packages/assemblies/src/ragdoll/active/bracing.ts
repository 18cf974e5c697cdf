/** A fall: hands go to the ground where it goes, until they bear. */

import { across, difference, direction, scaled, sum, rotated, type Vec3 } from '../algebra.js'
import type { Ragdoll } from '../ragdoll.js'
import type { BodyPlan, Limb } from './body-plan.js'
import { jointOf, partRotation } from './readings.js'
import type { TargetPose } from './target-pose.js'

/** Of the arm's length: how far hands go ahead, aside, and down from the shoulder. */
const AHEAD = 0.62
const ASIDE = 0.25
const DOWN = 0.6

/** Poses arms for a fall to `way`, a horizontal unit vector, as the trunk is now. */
export function braceArms(doll: Ragdoll, plan: BodyPlan, target: TargetPose, way: Vec3, up: Vec3): void {
  for (const arm of plan.arms ?? []) {
    const base = partRotation(doll, plan, arm.base)
    const at = jointOf(doll, arm.base)
    target.asSeen(arm, base, at, () => braceArm(plan, target, arm, way, up))
  }
}

function braceArm({ axes }: BodyPlan, target: TargetPose, arm: Limb, way: Vec3, up: Vec3): void {
  const turn = target.turns[arm.base]
  const length = arm.upperLength + arm.lowerLength
  const aside = scaled(rotated(turn, axes.left), arm.side * ASIDE * length)
  const shoulder = sum(target.positions[arm.base], rotated(turn, arm.root))
  const ahead = sum(scaled(way, AHEAD * length), scaled(up, -DOWN * length))
  const to = sum(sum(shoulder, ahead), across(aside, way))
  target.reach(arm, to, elbowAxis(target, arm, difference(to, shoulder), up), 0.97)
  target.turns[arm.end] = target.turns[arm.lower]
}

/** An elbow bends its hand up and to the front: about the axis at right angles to the arm that leaves the elbow low and outside. */
export function elbowAxis({ plan, turns }: TargetPose, arm: Limb, along: Vec3, up: Vec3): Vec3 {
  const out = sum(scaled(rotated(turns[arm.base], plan.axes.left), arm.side), scaled(up, -1))
  const aside = direction(across(out, direction(along) ?? up)) ?? up
  const [x, y, z] = direction(along) ?? up
  // The knee's side of `reach` is along × axis.
  return [aside[1] * z - aside[2] * y, aside[2] * x - aside[0] * z, aside[0] * y - aside[1] * x]
}
