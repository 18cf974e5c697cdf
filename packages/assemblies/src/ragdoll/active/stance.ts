/** Legs that stand: knees for the height of the root, hips for an upright trunk, ankles for the centre of pressure. */

import {
  across,
  cross,
  difference,
  direction,
  dot,
  frameOf,
  normalized,
  type Quat,
  scaled,
  size,
  sum,
  times,
  rotated,
  inverse,
  type Vec3,
} from '../algebra.js'
import type { Ragdoll } from '../ragdoll.js'
import type { BodyPlan } from './body-plan.js'
import type { Foot } from './foot.js'
import type { Moment } from './moment.js'
import { jointOf, partRotation } from './readings.js'
import { nearestInSupport } from './support.js'
import { TargetPose } from './target-pose.js'

/** Share of a leg's length that a standing one has, and one at most. */
const STRAIGHT = 0.985
const LONGEST = 0.997
/** Share of the taller leg's height that a stride lowers the root to at most. */
const LOWEST = 0.92
/** Rate at which the capture point is brought to the middle of the feet, as a share of ω₀. */
const RETURN = 2
/** Share of the sole that the centre of pressure keeps to. */
const INSIDE = 0.8
/** Share of the capture point's way off the middle that hips lean against, along the line between both feet. */
const LEAN = 0.5
/** Speed at which the root is raised and lowered, in legs a second, and how far ahead of it that may be, in legs. */
const RISE = 0.25
const AHEAD = 0.035
/** Tangent of half the largest angle by which a foot goes up on its toes, and halvings to find it. */
const TIPTOE = 0.36
const HALVINGS = 6

/** How an ankle is driven: its stiffness [N m/rad] and damping [N m s/rad]. */
export interface AnkleGains {
  readonly stiffness: number
  readonly damping: number
}

/** Height of a root over the ground that its legs are to hold [m], where it is now at `root`. */
export function rootHeight(root: Vec3, turn: Quat, feet: readonly Foot[], up: Vec3, last: number, dt: number): number {
  const heights = feet.map((foot) => {
    const { leg } = foot
    const ankle = foot.lifted ? foot.ankle : foot.joint
    const hip = rotated(turn, leg.root)
    const height = TargetPose.height(leg, size(across(difference(sum(root, hip), ankle), up)), STRAIGHT)
    return dot(ankle, up) + height - dot(hip, up)
  })
  const tallest = Math.max(...heights)
  const length = feet[0].leg.upperLength + feet[0].leg.lowerLength
  const due = Math.max(Math.min(...heights), tallest - (1 - LOWEST) * length)
  const now = dot(root, up)
  const before = Math.min(Math.max(last, now - AHEAD * length), now + AHEAD * length)
  return before + Math.min(Math.max(due - before, -RISE * length * dt), RISE * length * dt)
}

/** How far the root leans along the line between both feet against the way that it falls [m]. */
export function leanAlong(feet: readonly Foot[], { up, base, capture }: Moment): Vec3 {
  const line = feet.length === 2 ? direction(across(difference(feet[0].ankle, feet[1].ankle), up)) : undefined
  return line === undefined ? [0, 0, 0] : scaled(line, LEAN * dot(difference(base, capture), line))
}

/** Where the ground should push: so that the capture point goes to the middle of the feet, as far as the soles reach. */
export function pressurePoint(feet: readonly Foot[], { up, base, capture }: Moment): Vec3 {
  const wanted = sum(capture, scaled(difference(capture, base), RETURN))
  return nearestInSupport(
    feet.flatMap((foot) => foot.corners(INSIDE)),
    wanted,
    up,
  )
}

/** Poses the legs that stand, and has the ankles push at `pressure`. */
export function standOn(
  doll: Ragdoll,
  target: TargetPose,
  feet: readonly Foot[],
  moment: Moment,
  pressure: Vec3,
  gains: AnkleGains,
): void {
  const points = feet.map((foot) => nearestInSupport(foot.corners(INSIDE), pressure, moment.up))
  feet.forEach((foot, k) => {
    const { leg } = foot
    const hip = sum(target.positions[leg.base], rotated(target.turns[leg.base], leg.root))
    const length = LONGEST * (leg.upperLength + leg.lowerLength)
    if (size(difference(hip, foot.ankle)) > length) {
      const { ankle, turn } = onToes(foot, hip, length)
      target.stand(leg, ankle, turn, LONGEST)
      return
    }
    target.stand(leg, foot.lifted ? foot.ankle : foot.joint, foot.turn, LONGEST)
    if (foot.lifted) return
    const force = groundForce(doll, moment, pressure, shareOf(points, k, pressure))
    pressAt(doll, target, foot, points[k], force, gains)
  })
}

/** Share of the weight on foot `k`: by the law of the lever. */
function shareOf(points: readonly Vec3[], k: number, pressure: Vec3): number {
  if (points.length === 1) return 1
  const line = difference(points[1], points[0])
  const square = dot(line, line)
  const along = square > 1e-6 ? Math.min(1, Math.max(0, dot(difference(pressure, points[0]), line) / square)) : 0.5
  return k === 0 ? 1 - along : along
}

/** From the centre of pressure through the centre of mass [N]. */
function groundForce({ mass }: Ragdoll, { up, gravity, centre, height }: Moment, pressure: Vec3, share: number): Vec3 {
  const aside = scaled(across(difference(centre, pressure), up), 1 / height)
  return scaled(sum(up, aside), share * mass * gravity)
}

/**
 * Sets the target of an ankle so that its spring bears the couple about the ankle that a force at a point of the sole brings about:
 * target = present turn + couple/stiffness. What the damper takes is added.
 */
function pressAt(
  doll: Ragdoll,
  target: TargetPose,
  foot: Foot,
  point: Vec3,
  force: Vec3,
  { stiffness, damping }: AnkleGains,
): void {
  const { leg, ground, joint } = foot
  const { plan } = target
  const up = foot.normal
  const at = sum(point, scaled(up, dot(difference(ground, point), up)))
  const couple = cross(force, difference(at, joint))
  const [own, shank] = [doll.bodies[leg.end], doll.bodies[leg.lower]]
  const rate = difference(own.angularVelocity as Vec3, shank.angularVelocity as Vec3)
  const [x, y, z] = scaled(sum(couple, scaled(rate, damping)), 0.5 / stiffness)
  const turn = times(normalized([x, y, z, 1]), foot.turnNow)
  target.turnEnd(leg, times(times(target.turns[leg.lower], inverse(partRotation(doll, plan, leg.lower))), turn))
}

/** A foot that is too far away goes up on its toes until the leg reaches. */
function onToes(foot: Foot, hip: Vec3, length: number): { ankle: Vec3; turn: Quat } {
  const { tip, leg } = foot
  const axis = rotated(foot.turn, leg.sole.left)
  const at = (t: number): { ankle: Vec3; turn: Quat } => {
    const roll = normalized([t * axis[0], t * axis[1], t * axis[2], 1])
    return { ankle: sum(tip, rotated(roll, difference(foot.ankle, tip))), turn: times(roll, foot.turn) }
  }
  let [least, most] = [0, TIPTOE]
  for (let k = 0; k < HALVINGS; k++) {
    const t = 0.5 * (least + most)
    if (size(difference(hip, at(t).ankle)) > length) least = t
    else most = t
  }
  return at(most)
}

/** The upright turn of the trunk whose front is that of the feet. */
export function uprightRotation({ frame }: BodyPlan, feet: readonly Foot[], up: Vec3): Quat {
  const front = feet.reduce((all, { turn, leg }) => sum(all, rotated(turn, leg.sole.front)), [0, 0, 0] as Vec3)
  const way = direction(across(front, up), 1e-3) ?? rotated(feet[0].turn, feet[0].leg.sole.front)
  return times(frameOf(way, up), frame)
}

/** Where a doll's root is [m]. */
export function rootOf(doll: Ragdoll): Vec3 {
  return jointOf(doll, 0)
}
