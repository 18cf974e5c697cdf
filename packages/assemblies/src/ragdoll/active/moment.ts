/**
 * The linear inverted pendulum that a standing figure is: J. Pratt, J. Carff, S. Drakunov and A. Goswami 2006, "Capture point: a step toward humanoid push
 * recovery".
 *
 *   ẍ = ω₀² (x − p),  ω₀ = √(g/z),  ξ = x + ẋ/ω₀,  ξ(t) = p + (ξ − p) e^{ω₀ t}
 *
 * with the centre of mass x, its height z over the ground, the centre of pressure p. Who steps on ξ comes to rest.
 */

import { across, difference, dot, scaled, size, sum, type Vec3 } from '../algebra.js'
import type { Foot } from './foot.js'
import { nearestInSupport } from './support.js'

/** Where a figure's balance stands. */
export interface Moment {
  /** Away from the pull of gravity, and its size [m/s²]. */
  readonly up: Vec3
  readonly gravity: number
  /** Centre of mass [m], and its velocity against the ground that it stands on [m/s]. */
  readonly centre: Vec3
  readonly velocity: Vec3
  /** Middle of the soles that it stands on [m]. */
  readonly base: Vec3
  /** Height of the centre of mass over that [m], and ω₀ [1/s]. */
  readonly height: number
  readonly rate: number
  /** Capture point ξ at the height of the soles [m], and how far it is outside of the support polygon [m]. */
  readonly capture: Vec3
  readonly excess: number
}

/** Least height that is reckoned with [m]. */
const LOWEST = 0.05

/** Reckons with the feet that it stands on; with `aloft`, without those that are off the ground. */
export function momentOf(
  up: Vec3,
  gravity: number,
  centre: Vec3,
  motion: Vec3,
  feet: readonly Foot[],
  aloft: boolean,
): Moment {
  const share = 1 / feet.length
  const mean = (of: (foot: Foot) => Vec3): Vec3 =>
    feet.reduce((all, foot) => sum(all, scaled(of(foot), share)), [0, 0, 0] as Vec3)
  const base = mean(({ centre: at }) => at)
  const velocity = difference(
    motion,
    mean(({ groundVelocity }) => groundVelocity),
  )
  const height = Math.max(dot(difference(centre, base), up), LOWEST)
  const rate = Math.sqrt(gravity / height)
  const capture = atHeight(sum(centre, scaled(velocity, 1 / rate)), base, up)
  const touching = feet.filter(({ lifted }) => !(aloft && lifted))
  const corners = (touching.length > 0 ? touching : feet).flatMap((foot) => foot.corners())
  const excess = size(difference(capture, nearestInSupport(corners, capture, up)))
  return { up, gravity, centre, velocity, base, height, rate, capture, excess }
}

/** A point moved along up to the height of another. */
export function atHeight(x: Vec3, level: Vec3, up: Vec3): Vec3 {
  return sum(across(x, up), scaled(up, dot(level, up)))
}
