/**
 * How fast two that have struck part again: e times their speed of approach, and no faster than what the row has taken of their energy gives.
 *
 * A substep ends anywhere within an impact, and a particle may meet several others in it: where one row has pushed it on another, a share of
 * each speed of approach would be more than there was. What the pushes of all rows take adds up to what the sweep takes, so that e² of each is
 * never more than that.
 */

export { takenBy } from './loops/taken-by.js'

/** Impacts slower than this many substeps of falling do not bounce. Otherwise resting particles would keep bouncing. */
export const RESTING = 4

/**
 * Speed with which they part [m/s].
 *
 * @param speed - of parting after the sweep [m/s]
 * @param taken - sum of {@link takenBy} over the substep; 0 where other loops than those of the type have swept the row
 * @param load - λ_n, and `start` the gap that the substep began with [m]: what has been taken is known by them if there is one row
 */
export function partingSpeed(
  e: number,
  speed: number,
  approach: number,
  taken: number,
  load: number,
  start: number,
  w: number,
  h: number,
): number {
  const energy = taken !== 0 ? taken / (h * h) : (0.5 * load * (approach + (start > 0 ? start / h : 0))) / h
  const most = speed * speed + 2 * w * energy
  const allowed = most > 0 ? e * Math.sqrt(most) : 0
  const wanted = e * approach
  return wanted < allowed ? wanted : allowed
}
