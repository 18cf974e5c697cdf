/** How the length of a rope changes: to a target, or on and on, getting up to speed and stopping in time. */

import { finite, nonNegative, object } from '@tautline/core/kernel'

/** A winch. */
export interface Winch {
  /** Length that it goes to [m]; NaN: none, it goes on at `rate`. */
  readonly target: number
  /** Speed towards a target [m/s], above 0. */
  readonly speed: number
  /** Growth by `reel`, below 0 taking in [m/s]; 0 with a target. */
  readonly rate: number
  /** Most that it takes in against [N]. */
  readonly force: number
  /** Speed at present [m/s]. */
  readonly pace: number
}

/** Time in which a winch gets up to its speed [s]. */
const RISE = 0.1
/**
 * Most that a winch of some strength accelerates by [m/s²], and how much of that it has left by the share of its force that is. What it bears has the weight and the
 * acceleration of the substep before in it: with more, a load of half its strength and above has it to and fro between all and nothing.
 */
const HAUL = 10
const EASE = 0.75
/** Share of a length that is none: what adding up a thousand segments leaves. */
const ROUND_OFF = 1e-12

/** Speed in a substep of `h` [s] of a winch at a `length` [m], whose rope bore `pull` in the last [N s²]. */
export function paceOf({ target, speed, rate, force, pace }: Winch, length: number, h: number, pull: number): number {
  const most = Number.isNaN(target) ? Math.abs(rate) : speed
  // Also from a rate that is above `speed` it stops in time.
  const more = (Math.max(most, Math.abs(pace)) / RISE) * h
  let wanted = rate
  if (!Number.isNaN(target)) {
    const left = target - length
    // Lengths of many segments add up to it but for round-off: a rope that follows that is set anew in every substep, and no guard knows what it may have.
    if (Math.abs(left) <= ROUND_OFF * target) return 0
    // What can still be stopped in time; the last bit at once.
    const brake = Math.sqrt((2 * Math.abs(left) * most) / RISE)
    const fastest = Math.min(most, brake, Math.abs(left) / h)
    wanted = left < 0 ? -fastest : fastest
    if (Math.abs(left) < more * h) return left / h
  }
  let least = pace - more
  if (wanted < 0 && pace <= 0 && force < Infinity)
    least = Math.min(0, pace - Math.min(more, HAUL * h) * roomOf(force * h * h, pull))
  return Math.max(least, Math.min(pace + more, wanted))
}

/** A winch that goes to a length [m]. */
export function goTo<W extends Winch>(winch: W, target: number): W {
  return { ...winch, target, rate: 0 }
}

/** A winch that goes on at a rate [m/s], or for 0 stays at its `length` [m]. */
export function reelAt<W extends Winch>(winch: W, rate: number, length: number): W {
  return rate === 0 ? goTo(winch, length) : { ...winch, target: NaN, rate }
}

/** Share of its acceleration that a winch which bears `pull` of at most `force` has left; below 0 it slows down. */
function roomOf(force: number, pull: number): number {
  return EASE * Math.max(-1, 1 - pull / force)
}

/** A winch as plain data: a field that is left out is none. */
export function writeWinch(winch: Winch): object {
  const known = (value: number): number | undefined => (Number.isFinite(value) ? value : undefined)
  return JSON.parse(JSON.stringify({ ...winch, target: known(winch.target), force: known(winch.force) })) as object
}

/** Checks what {@link writeWinch} gave, and makes of it what it was. */
export function readWinch(where: string, value: unknown): Winch {
  const { target, speed, rate, force, pace } = object(where, value)
  const known = finite(`${where}: speed`, speed)
  const reels = target === undefined
  return {
    // What is left of a rope may be one node.
    target: reels ? NaN : nonNegative(`${where}: target`, target),
    speed: Math.abs(known),
    // Former files have the rate of `reel` in `speed`.
    rate: rate === undefined ? (reels ? known : 0) : finite(`${where}: rate`, rate),
    pace: finite(`${where}: pace`, pace),
    force: force === undefined ? Infinity : nonNegative(`${where}: force`, force),
  }
}
