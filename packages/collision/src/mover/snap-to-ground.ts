/** The ground below at the end of a move: what walked is held to it, what falls has landed or not. */

import { FLOOR, HELD, isGround, NO_EDGES } from './ground.js'
import { dot, lengthOf, type Move } from './move.js'
import { Planes, LIFT } from './planes.js'

/** Slides down along what is too steep to stand on, at most. */
const PASSES = 4
/** How far below what falls finds ground, as a share of the skin. */
const BELOW = 0.5
/** Share of a way down that is left where planes hold it: it stands between them. */
const STUCK = 1e-3

/** Finds the ground, and takes the character down to it where it walked. */
export function snapToGround(move: Move): void {
  const { settings, skin } = move
  if (!move.walks && dot(move.velocity, move.up) > 0) move.leaveGround()
  else if (
    move.walks
      ? !descend(move, settings.snapDistance + skin, HELD, Math.max(0, move.sunk))
      : !descend(move, BELOW * skin, NO_EDGES, 0)
  ) {
    move.leaveGround()
  }
}

/**
 * Takes a character down to ground no lower than `length` [m], past what is too steep to stand on; `edge` and `sunk` as of {@link isGround}. False, and it
 * stays where it is, where there is none.
 */
export function descend(move: Move, length: number, edge: number, sunk: number): boolean {
  const { T, up, near } = move
  below.clear()
  start.set(T)
  let left = length
  for (let pass = 0; pass < PASSES; pass++) {
    for (let k = 0; k < 3; k++) down[k] = -left * up[k]
    below.project(down, false, leg)
    const free = lengthOf(leg)
    if (free <= STUCK * left) {
      standBetween(move)
      return true
    }
    liftOff(free)
    if (!move.advance(leg)) break
    if (isGround(move, edge, sunk)) {
      move.standOnHit(FLOOR)
      return true
    }
    const { normal, time } = near.hit
    left *= 1 - time
    below.add(normal[0], normal[1], normal[2], 0)
  }
  T.set(start)
  return false
}

/** What is held by slopes on all sides stands: there is no way down. */
function standBetween(move: Move): void {
  move.T.set(start)
  move.standOnHit(move.up)
}

/** Leads the way off the planes along which it goes. */
function liftOff(length: number): void {
  const { normal, count } = below
  for (let k = 0; k < count; k++) for (let i = 0; i < 3; i++) leg[i] += LIFT * length * normal[3 * k + i]
}

const below = /* @__PURE__ */ new Planes()
const start = /* @__PURE__ */ new Float64Array(12)
const down = /* @__PURE__ */ new Float64Array(3)
const leg = /* @__PURE__ */ new Float64Array(3)
