/** Where to step: on the point that the capture point will have reached when the foot comes down, as far as legs reach and do not cross. */

import { across, difference, direction, dot, scaled, size, sum, rotated, type Vec3 } from '../algebra.js'
import type { Foot } from './foot.js'
import { atHeight, type Moment } from './moment.js'
import { nearestInSupport } from './support.js'

/**
 * How far ankles go apart at most, as a share of the leg, where hips sink by a tenth of it: at 0.75 pushes were held to 0.6 of what a pendulum with a step
 * holds, at 0.9 all are to 0.7. And how near they come side by side.
 */
const STRIDE = 0.9
const NARROWEST = 0.18
/** How far beyond the capture point it steps, as a share of the leg. */
const BEYOND = 0.035
/** Terms of the exponential series. */
const TERMS = 10

/** A place for a foot. */
export interface StepGoal {
  /** Of the ankle [m]. */
  readonly ankle: Vec3
  /** How far it falls short of where it should be [m]. */
  readonly short: number
}

/** Where `foot` should come down in `left` seconds while the figure stands on `stance`. */
export function stepGoal(foot: Foot, stance: Foot, { up, rate, capture }: Moment, left: number): StepGoal {
  const { leg } = foot
  const length = leg.upperLength + leg.lowerLength
  // The ankle has the pressure at the edge meanwhile.
  const pressure = nearestInSupport(stance.corners(), capture, up)
  const way = scaled(difference(capture, pressure), exponential(rate * left))
  const out = direction(way)
  const due = sum(sum(pressure, way), out === undefined ? [0, 0, 0] : scaled(out, BEYOND * length))
  const { toe, heel } = leg.sole
  const wanted = difference(due, rotated(stance.turn, scaled(stance.leg.sole.front, 0.5 * (toe + heel))))
  const aside = scaled(rotated(stance.turn, stance.leg.sole.left), leg.side)
  const narrow = NARROWEST * length - dot(difference(wanted, stance.ankle), aside)
  const beside = narrow > 0 ? sum(wanted, scaled(aside, narrow)) : wanted
  const apart = across(difference(beside, stance.ankle), up)
  const far = size(apart)
  const reached = far > STRIDE * length ? sum(beside, scaled(apart, (STRIDE * length) / far - 1)) : beside
  const short = size(across(difference(reached, wanted), up))
  return { ankle: sum(atHeight(reached, stance.ground, up), scaled(up, leg.sole.depth)), short }
}

/** Which of two feet to step with, the better one; −1 never. */
export function betterFoot(feet: readonly [Foot, Foot], moment: Moment, time: number): 0 | 1 {
  return costOf(feet[0], feet[1], moment, time) <= costOf(feet[1], feet[0], moment, time) ? 0 : 1
}

/** How far a step falls short, and how far from what it stands on meanwhile the figure falls [m]: the foot behind goes first. */
function costOf(foot: Foot, stance: Foot, moment: Moment, time: number): number {
  const { capture, up } = moment
  const beyond = size(difference(capture, nearestInSupport(stance.corners(), capture, up)))
  return stepGoal(foot, stance, moment, time).short + beyond
}

/** eˣ for small x, by its series: the same bits on every engine. */
export function exponential(x: number): number {
  let value = 1
  for (let k = TERMS; k > 0; k--) value = 1 + (x / k) * value
  return value
}
