/** Look-at and reach: additions to the pose that is driven, with limits and speeds. */

import {
  across,
  cross,
  difference,
  direction,
  dot,
  fromTo,
  normalized,
  scaled,
  size,
  sum,
  times,
  rotated,
  type Vec3,
} from '../algebra.js'
import { elbowAxis } from './bracing.js'
import type { Limb } from './body-plan.js'
import type { TargetPose } from './target-pose.js'

/** How it looks or reaches. */
export interface AimOptions {
  /** Fastest that the gaze turns [rad/s], or a hand's goal moves [m/s]. @defaultValue 4 rad/s, 2 m/s */
  speed?: number
}

/** A thing that is aimed at: where to, and where the aim is on its way there. */
export interface Aim {
  goal: Vec3 | undefined
  speed: number
  /** Gaze: unit vector seen from the chest; reach: point seen from the shoulder [m]. */
  now: Vec3 | undefined
}

/** Nothing is aimed at. */
export function noAim(speed: number): Aim {
  return { goal: undefined, speed, now: undefined }
}

/** Tangent of half the largest angle between gaze and chest: 70°. */
const FARTHEST = 0.7
/** A hand that is back this near to its posture is no more led [m]. */
const BACK = 0.02
/** Share of the arm's length that it reaches. */
const REACH = 0.97

/** Turns the head towards the goal of its aim, for `dt`. */
export function rotateHead(target: TargetPose, aim: Aim, dt: number): void {
  const { plan, turns, positions } = target
  const { head, chest, axes } = plan
  if (head < 0 || (aim.goal === undefined && aim.now === undefined)) return
  const front = rotated(turns[head], axes.front)
  const wanted =
    aim.goal === undefined ? front : limited(front, direction(difference(aim.goal, positions[head])) ?? front)
  const back = normalized([-turns[chest][0], -turns[chest][1], -turns[chest][2], turns[chest][3]])
  const seen = rotated(back, wanted)
  const now = aim.now ?? rotated(back, front)
  const way = difference(seen, now)
  const far = size(way)
  const most = aim.speed * dt
  aim.now = direction(far > most ? sum(now, scaled(way, most / far)) : seen) ?? seen
  turns[head] = times(fromTo(front, rotated(turns[chest], aim.now)), turns[head])
  if (aim.goal === undefined && far <= most) aim.now = undefined
}

/** A direction no farther from the front than a neck turns. */
function limited(front: Vec3, way: Vec3): Vec3 {
  const c = dot(front, way)
  const s = size(cross(front, way))
  // tan(θ/2) = sin θ/(1 + cos θ)
  if (s <= FARTHEST * (1 + c)) return way
  const aside = direction(across(way, front)) ?? (direction(across([0.1, 1, 0.3], front)) as Vec3)
  const t = FARTHEST
  return sum(scaled(front, (1 - t * t) / (1 + t * t)), scaled(aside, (2 * t) / (1 + t * t)))
}

/** Leads a hand to the goal of its aim, for `dt`. */
export function reachOut(target: TargetPose, arm: Limb, aim: Aim, up: Vec3, dt: number): void {
  if (aim.goal === undefined && aim.now === undefined) return
  const { turns, positions } = target
  const shoulder = sum(positions[arm.base], rotated(turns[arm.base], arm.root))
  const rest = difference(handOf(target, arm), shoulder)
  const length = REACH * (arm.upperLength + arm.lowerLength)
  const wanted = aim.goal === undefined ? rest : difference(aim.goal, shoulder)
  const far = size(wanted)
  const due = far > length ? scaled(wanted, length / far) : wanted
  const now = aim.now ?? rest
  const way = difference(due, now)
  const left = size(way)
  const most = aim.speed * dt
  aim.now = left > most ? sum(now, scaled(way, most / left)) : due
  if (aim.goal === undefined && left <= Math.max(most, BACK)) {
    aim.now = undefined
    return
  }
  target.reach(arm, sum(shoulder, aim.now), elbowAxis(target, arm, aim.now, up), REACH)
  turns[arm.end] = turns[arm.lower]
}

/** Where a hand is in the pose. */
function handOf({ turns, positions, plan }: TargetPose, { base, root, upper, lower, end }: Limb): Vec3 {
  const { positions: x } = plan.rest
  const bone = (from: number, to: number): Vec3 => [0, 1, 2].map((k) => x[3 * to + k] - x[3 * from + k]) as Vec3
  const shoulder = sum(positions[base], rotated(turns[base], root))
  return sum(sum(shoulder, rotated(turns[upper], bone(upper, lower))), rotated(turns[lower], bone(lower, end)))
}
