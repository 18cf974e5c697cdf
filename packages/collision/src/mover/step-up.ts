/**
 * Steps onto what is in the way: up by the height of a step, on, and down again. It is one if it holds the foot on ground, no higher than a
 * step, and further on than where it was stopped.
 *
 * A try looks farther ahead than slow feet go: a round foot rests on the very edge of a step at first, under a normal that tells nothing.
 */

import { STEPPED } from './ground.js'
import { dot, flatten, lengthOf, type Move } from './move.js'
import { descend } from './snap-to-ground.js'

/** Least way forward of a try, as a share of the skin. */
const AHEAD = 2
/** Raised above the height of a step by this share of the skin, so as not to graze it. */
const SPARE = 0.05
const ROUNDING = 1e-6
/** Ways down along what is too high, at most. */
const PASSES = 4

/** Goes on by what is left of `velocity` one step higher. False, and it stays where it is, where there is no step. */
export function stepUp(move: Move, velocity: Float64Array): boolean {
  const { near, T, up, skin, settings } = move
  if (!(settings.stepHeight > 0)) return false
  flatten(velocity, up, ahead)
  const speed = lengthOf(ahead)
  if (!(speed > 0)) return false
  start.set(T)
  near.keep()
  const { sunk } = move
  for (let k = 0; k < 3; k++) leg[k] = (settings.stepHeight + Math.max(0, sunk) + SPARE * skin) * up[k]
  move.advance(leg)
  const rise = riseSince(start, T, up)
  raised.set(T)
  const length = speed * move.left
  const least = AHEAD * skin
  // What is beyond the first step may be too high, or out of the way.
  const stepped =
    rise > 0 &&
    (tryStep(move, Math.max(length, least) / speed, rise, sunk) ||
      (length > least && tryStep(move, least / speed, rise, sunk)))
  if (!stepped) {
    T.set(start)
    near.recall()
    return false
  }
  if (length < least) {
    T.set(raised)
    for (let k = 0; k < 3; k++) leg[k] = (length / speed) * ahead[k]
    lower(move, rise, sunk, move.advance(leg))
  }
  move.left -= Math.min(move.left, gone(move) / speed)
  return true
}

/** Goes on for a time at the raised height, and down. False, and it stands on what it did, where that holds no foot. */
function tryStep(move: Move, time: number, rise: number, sunk: number): boolean {
  const { T, ground, groundNormal, groundPoint, footing } = move
  T.set(raised)
  normal.set(groundNormal)
  point.set(groundPoint)
  stood.set(footing)
  if (goOn(move, time) && comeDown(move, rise, sunk)) return true
  move.ground = ground
  groundNormal.set(normal)
  groundPoint.set(point)
  footing.set(stood)
  return false
}

/** Moves it ahead for a time, at the raised height. Whether that is farther than rounding. */
function goOn(move: Move, time: number): boolean {
  for (let k = 0; k < 3; k++) leg[k] = time * ahead[k]
  const met = move.advance(leg)
  return !met || move.near.hit.time * lengthOf(leg) > ROUNDING
}

/** Puts it down on ground that is no higher than a step above where it began, and than it could be raised. */
function comeDown(move: Move, rise: number, sunk: number): boolean {
  return descend(move, rise, STEPPED, Math.max(0, sunk)) && isLow(move, move.groundPoint, rise, sunk)
}

/** Whether a point is no higher than a step above where it began, and than it could be raised. */
function isLow({ settings, skin, up, foot }: Move, at: Float64Array, rise: number, sunk: number): boolean {
  for (let k = 0; k < 3; k++) lift[k] = at[k] - start[k]
  return dot(lift, up) + foot <= Math.min(settings.stepHeight + sunk, rise) - skin + ROUNDING
}

/**
 * Puts it down on whatever there is, as far as it was raised, and along what is too high for a step: that is what has stopped its way ahead, and edges that the round of its
 * foot comes to.
 */
function lower(move: Move, rise: number, sunk: number, isStopped: boolean): void {
  const { near, up } = move
  const { normal, point } = near.hit
  let left = rise
  let along = isStopped ? dot(normal, up) + ROUNDING : 0
  for (let pass = 0; pass < PASSES; pass++) {
    for (let k = 0; k < 3; k++) leg[k] = left * (along * normal[k] - up[k])
    if (!move.advance(leg) || isLow(move, point, rise, sunk)) return
    left *= 1 - near.hit.time
    along = dot(normal, up) + ROUNDING
  }
}

/** How far it has gone ahead [m]. */
function gone({ T, up }: Move): number {
  for (let k = 0; k < 3; k++) leg[k] = T[k] - start[k]
  flatten(leg, up, leg)
  return lengthOf(leg)
}

function riseSince(from: Float64Array, to: Float64Array, up: Float64Array): number {
  for (let k = 0; k < 3; k++) lift[k] = to[k] - from[k]
  return dot(lift, up)
}

const ahead = /* @__PURE__ */ new Float64Array(3)
const leg = /* @__PURE__ */ new Float64Array(3)
const lift = /* @__PURE__ */ new Float64Array(3)
const normal = /* @__PURE__ */ new Float64Array(3)
const point = /* @__PURE__ */ new Float64Array(3)
const stood = /* @__PURE__ */ new Float64Array(7)
const start = /* @__PURE__ */ new Float64Array(12)
const raised = /* @__PURE__ */ new Float64Array(12)
