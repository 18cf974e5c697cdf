/** A fall: hands go to the ground where it goes, until they bear; backwards they stay behind the trunk, as overhead is half a turn away. */

import { across, cross, difference, direction, dot, rotated, scaled, sum, times, type Vec3 } from '../algebra.js'
import { cos, sin } from '@tautline/core/kernel'
import type { Ragdoll } from '../ragdoll.js'
import type { BodyPlan, Limb } from './body-plan.js'
import { jointOf, partRotation } from './readings.js'
import type { TargetPose } from './target-pose.js'

/** Of the arm's length: how far hands go ahead, aside, and down from the shoulder. */
const AHEAD = 0.62
const ASIDE = 0.25
const DOWN = 0.6
/** In a fall backwards, how far they go down along the trunk and out of its back: shoulders have 60° of that. */
const ALONG = 0.5
const BEHIND = 0.8
/** How far the chest is bent forward then from the hips, and the head from the chest [rad]: it rolls up, as it would strike its head first. */
const CURL = 0.6
const TUCK = 0.87
/** Cosine of the angle to straight back within which a fall goes backwards. */
const BACKWARDS = 0.9

/** Poses arms and head for a fall to `way`, a horizontal unit vector, as the trunk is now. */
export function brace(doll: Ragdoll, plan: BodyPlan, target: TargetPose, way: Vec3, up: Vec3): void {
  const { axes, chest } = plan
  // The way that it faces, however far its trunk leans.
  const facing = direction(cross(rotated(partRotation(doll, plan, chest), axes.left), up)) ?? way
  const isBack = -dot(facing, way) > BACKWARDS
  if (isBack) rollUp(target)
  braceArms(doll, plan, target, isBack ? undefined : way, up)
}

/** Bends the chest forward from the hips with all that hangs on it, and the head from the chest. */
function rollUp({ turns, plan, plan: { asset, chest, head } }: TargetPose): void {
  const left = rotated(turns[0], plan.axes.left)
  const bend = (part: number, angle: number): void => {
    const [x, y, z] = scaled(left, sin(angle / 2))
    turns[part] = times([x, y, z, cos(angle / 2)], turns[part])
  }
  const isAbove = asset.parts.map(() => false)
  asset.parts.forEach(({ parent }, part) => {
    isAbove[part] = part === chest || (parent >= 0 && isAbove[parent])
    if (isAbove[part]) bend(part, part === head ? CURL + TUCK : CURL)
  })
}

/** Poses arms for a fall to `way`, or backwards. */
function braceArms(doll: Ragdoll, plan: BodyPlan, target: TargetPose, way: Vec3 | undefined, up: Vec3): void {
  for (const arm of plan.arms ?? []) {
    const base = partRotation(doll, plan, arm.base)
    const at = jointOf(doll, arm.base)
    target.asSeen(arm, base, at, () => braceArm(plan, target, arm, way, up))
  }
}

function braceArm({ axes }: BodyPlan, target: TargetPose, arm: Limb, way: Vec3 | undefined, up: Vec3): void {
  const turn = target.turns[arm.base]
  const length = arm.upperLength + arm.lowerLength
  const aside = scaled(rotated(turn, axes.left), arm.side * ASIDE * length)
  const shoulder = sum(target.positions[arm.base], rotated(turn, arm.root))
  const ahead =
    way === undefined
      ? sum(scaled(rotated(turn, axes.up), -ALONG * length), scaled(rotated(turn, axes.front), -BEHIND * length))
      : sum(scaled(way, AHEAD * length), scaled(up, -DOWN * length))
  const to = sum(sum(shoulder, ahead), way === undefined ? aside : across(aside, way))
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
