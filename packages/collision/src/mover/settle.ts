/** The ground below at the end of a move: what walked is held to it, what falls has landed or not. */

import { FLOOR, isGround } from './ground.js'
import { dot, lengthOf, type Move } from './move.js'
import { Planes } from './planes.js'

/** Slides down along what is too steep to stand on, at most. */
const PASSES = 4
/** How far below what falls finds ground, as a share of the skin. */
const BELOW = 0.5
/** Share of a way down that is left where planes hold it: it stands between them. */
const HELD = 1e-3
/** Share of a way by which it leads off the planes that it follows. */
const LIFT = 1e-8

/** Finds the ground, and takes the character down to it where it walked. */
export function settle(move: Move): void {
  const { T, up, near, settings, skin } = move
  if (!move.walks && dot(move.velocity, up) > 0) {
    move.leaveGround()
    return
  }
  below.clear()
  start.set(T)
  let left = move.walks ? settings.snapDistance + skin : BELOW * skin
  for (let pass = 0; pass < PASSES; pass++) {
    for (let k = 0; k < 3; k++) down[k] = -left * up[k]
    below.project(down, false, leg)
    const length = lengthOf(leg)
    if (length <= HELD * left) {
      standBetween(move)
      return
    }
    liftOff(length)
    if (!move.advance(leg)) break
    const { normal, time } = near.hit
    if (isGround(move, move.walks)) {
      move.standOnHit(FLOOR)
      return
    }
    left *= 1 - time
    below.add(normal[0], normal[1], normal[2], 0)
  }
  T.set(start)
  move.leaveGround()
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
