/**
 * Angles of joints that go on over whole turns: φ = raw + 2π n, where the frames give raw in (−π, π] and n is that of the angle nearest to the last one.
 *
 * A column has two numbers an angle: φ at the end of the last substep [rad], and 1 where it counts turns. Where it does not (the joint is new, its limits
 * were changed, it was off, or twist was lost at a large swing), and where a pose was set, n is one that brings φ into the limits, if there is one.
 */

import { type BodyColumns, RESET } from '@tautline/core/kernel'
import { turnedAlong } from './angle-rows.js'
import { MAX, MIN } from './registers.js'

/** Numbers of the column an angle. */
export const TURN = 2
const COUNTS = 1

const TWO_PI = 2 * Math.PI
/**
 * Predicted rotation of both bodies in a substep [rad] up to which the nearest angle is the right one: the solve would have to turn them by π − 1 beside
 * it. Above, the rotation of the substep is added first.
 */
const SLOW = 1
/** How far an angle may be outside of its limits [rad] before a whole turn more or less counts as what was meant. */
const OUTSIDE = 0.1

/** Adds to the angle `t` of bodies `a` and `b` the turns of the column `turns` at `o`; its limits are at `p`. */
export function addTurns(
  bodies: BodyColumns,
  a: number,
  b: number,
  t: Float64Array,
  turns: Float64Array,
  o: number,
  limits: Float64Array,
  p: number,
): void {
  const moved = isFast(bodies, a, b) ? turnedAlong(bodies, a, b, t) : 0
  addTurnsNear(bodies, a, b, t, turns, o, limits, p, turns[o] + moved)
}

/** The same between steps, when the column has the turns of the present pose. */
export function readTurns(
  bodies: BodyColumns,
  a: number,
  b: number,
  t: Float64Array,
  turns: Float64Array,
  o: number,
  limits: Float64Array,
  p: number,
): void {
  addTurnsNear(bodies, a, b, t, turns, o, limits, p, turns[o])
}

function addTurnsNear(
  bodies: BodyColumns,
  a: number,
  b: number,
  t: Float64Array,
  turns: Float64Array,
  o: number,
  limits: Float64Array,
  p: number,
  near: number,
): void {
  const raw = t[0]
  let n = Math.round((near - raw) / TWO_PI)
  if (turns[o + COUNTS] === 0 || wasSet(bodies, a) || wasSet(bodies, b)) {
    n = turnsWithin(raw, n, limits[p + MIN], limits[p + MAX])
  }
  t[0] = raw + TWO_PI * n
}

/** Notes the angle `t`, turns included, for the next substep. */
export function keepTurns(t: Float64Array, turns: Float64Array, o: number, counts: boolean): void {
  const phi = t[0]
  if (phi - phi !== 0) return
  turns[o] = phi
  turns[o + COUNTS] = counts ? 1 : 0
}

/** Has the angle at `o` moved into its limits by whole turns when they are not what they were, or the joint was off. */
export function renewTurns(
  turns: Float64Array,
  o: number,
  limits: Float64Array,
  p: number,
  def: { min: number; max: number } | undefined,
  isLive: boolean,
): void {
  const isSame = limits[p + MIN] === (def?.min ?? -Infinity) && limits[p + MAX] === (def?.max ?? Infinity)
  if (!isSame || !isLive) turns[o + COUNTS] = 0
}

/** Whether the frames in `F` are turned against each other by less than a quarter turn of swing: then twist is well known. */
export function isTwistKnown(F: Float64Array): boolean {
  const x = F[3] * F[4] - F[0] * F[7] - F[1] * F[6] + F[2] * F[5]
  const w = F[3] * F[7] + F[0] * F[4] + F[1] * F[5] + F[2] * F[6]
  return x * x + w * w >= 0.5
}

/** The number of turns nearest to `n` that leaves raw + 2π n within the limits, or else least far outside. */
function turnsWithin(raw: number, n: number, min: number, max: number): number {
  const least = Math.ceil((min - OUTSIDE - raw) / TWO_PI)
  const most = Math.floor((max + OUTSIDE - raw) / TWO_PI)
  if (least <= most) return Math.min(Math.max(n, least), most)
  return min - (raw + TWO_PI * most) < raw + TWO_PI * least - max ? most : least
}

function wasSet({ flags }: BodyColumns, i: number): boolean {
  return (flags[i] & RESET) !== 0
}

function isFast({ predictedRotation: r }: BodyColumns, a: number, b: number): boolean {
  let sum = 0
  for (let k = 0; k < 3; k++) sum += Math.abs(r[3 * a + k]) + Math.abs(r[3 * b + k])
  return sum > SLOW
}
