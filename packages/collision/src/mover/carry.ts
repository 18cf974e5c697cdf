/** A character goes along with what it stands on: by the way of the ground since its last move, and by its turn about `up`. */

import { normalizeQuaternion, WORLD_BODY } from '@tautline/core/kernel'
import type { Character } from './character.js'
import { dot, type Move, velocityAt } from './move.js'

/** Ways of less than this [m] are none. */
const NOWHERE = 1e-12
const PASSES = 4

/**
 * Moves it by as much as the point of the ground below it has moved, as far as obstacles let it, and reads the velocity of that point.
 * Returns the row of the body of the ground; −1 where none carries it.
 */
export function findCarry(move: Move, character: Character): number {
  const { ground, groundPose } = character
  move.carried.fill(0)
  way.fill(0)
  for (let k = 0; k < 4; k++) turn[k] = k === 3 ? 1 : 0
  if (!character.grounded || ground === null || !move.collisions.find(ground)) return -1
  const row = move.source.rowOf(ground.id)
  if (row === WORLD_BODY) return -1
  const { position: x, orientation: q } = move.columns
  for (let k = 0; k < 3; k++) feet[k] = character.position[k] - move.foot * move.up[k]
  const ax = -groundPose[3]
  const ay = -groundPose[4]
  const az = -groundPose[5]
  const aw = groundPose[6]
  const o = 4 * row
  turn[0] = q[o + 3] * ax + q[o] * aw + q[o + 1] * az - q[o + 2] * ay
  turn[1] = q[o + 3] * ay + q[o + 1] * aw + q[o + 2] * ax - q[o] * az
  turn[2] = q[o + 3] * az + q[o + 2] * aw + q[o] * ay - q[o + 1] * ax
  turn[3] = q[o + 3] * aw - q[o] * ax - q[o + 1] * ay - q[o + 2] * az
  for (let k = 0; k < 3; k++) lever[k] = feet[k] - groundPose[k]
  for (let k = 0; k < 3; k++) way[k] = x[o + k] - groundPose[k]
  if (turn[0] !== 0 || turn[1] !== 0 || turn[2] !== 0) addTurnOf(lever)
  for (let k = 0; k < 3; k++) feet[k] += way[k]
  velocityAt(move.columns, row, feet, move.carried)
  return row
}

/** How far the ground carries it [m]. */
export function carryLength(): number {
  return Math.sqrt(dot(way, way))
}

/** Moves it along; the body in `row` goes with it and is no obstacle. */
export function carry(move: Move, row: number): void {
  const { near, planes } = move
  planes.clear()
  for (let k = 0; k < 3; k++) rest[k] = way[k]
  for (let pass = 0; pass < PASSES && dot(rest, rest) > NOWHERE * NOWHERE; pass++) {
    planes.project(rest, false, free)
    if (!move.advance(free, row)) break
    const { time, normal } = near.hit
    for (let k = 0; k < 3; k++) rest[k] *= 1 - time
    planes.add(normal[0], normal[1], normal[2], 0)
  }
  planes.clear()
}

/** Turns a quaternion by the part of the ground's turn that is about `up`. */
export function carryRotation(up: Float64Array, orientation: Float64Array): void {
  const twist = dot(turn, up)
  if (twist === 0) return
  for (let k = 0; k < 3; k++) yaw[k] = twist * up[k]
  yaw[3] = turn[3]
  normalizeQuaternion(yaw, 0)
  const [a, b, c, d] = yaw
  const x = orientation[0]
  const y = orientation[1]
  const z = orientation[2]
  const w = orientation[3]
  orientation[0] = d * x + a * w + b * z - c * y
  orientation[1] = d * y + b * w + c * x - a * z
  orientation[2] = d * z + c * w + a * y - b * x
  orientation[3] = d * w - a * x - b * y - c * z
}

/** Adds to `way` where `turn` takes the end of a lever: 2 w (v × l) + 2 v × (v × l), v and w of the quaternion. */
function addTurnOf(l: Float64Array): void {
  const [x, y, z, w] = turn
  const cx = 2 * (y * l[2] - z * l[1])
  const cy = 2 * (z * l[0] - x * l[2])
  const cz = 2 * (x * l[1] - y * l[0])
  way[0] += w * cx + y * cz - z * cy
  way[1] += w * cy + z * cx - x * cz
  way[2] += w * cz + x * cy - y * cx
}

/** Way of the ground at the feet, and its turn, since the last move. */
const way = /* @__PURE__ */ new Float64Array(3)
const turn = /* @__PURE__ */ new Float64Array(4)
const yaw = /* @__PURE__ */ new Float64Array(4)
const feet = /* @__PURE__ */ new Float64Array(3)
const lever = /* @__PURE__ */ new Float64Array(3)
const rest = /* @__PURE__ */ new Float64Array(3)
const free = /* @__PURE__ */ new Float64Array(3)
