/**
 * Moves a character, which is no body of the world: it goes where it is told as far as the colliders let it, up steps and slopes, down with
 * the ground, along with what it stands on; and pushes what is dynamic.
 *
 *   carry     by the way of the ground since the last move
 *   push out  of what came to it
 *   slide     along what it meets: the velocity nearest to the wanted one that leads into no plane met so far (the planes of Quake III
 *             Arena, id Software 1999, `PM_SlideMove`; solved exactly)
 *   snap      down to the ground
 */

import type { ReadonlyVec3 } from 'gl-matrix'
import { finiteVector, instance, normalizeQuaternion, positive, WORLD_BODY } from '@tautline/core/kernel'
import { LeanCollisions } from '../lean-collisions.js'
import { Source } from '../query/source.js'
import { carry, carryLength, carryRotation, findCarry } from './carry.js'
import { type Character, type CharacterOptions, checkCharacter, resolveMove } from './character.js'
import { dot, footOf, lengthOf, Move, velocityAt } from './move.js'
import { pressGround } from './push.js'
import { pushOut } from './push-out.js'
import { snapToGround } from './snap-to-ground.js'
import { aimInAir, slide } from './slide.js'

const DEFAULTS: CharacterOptions = {}
/** Reach around a move, beyond what its lengths ask, as a share of the shape. */
const SPARE = 0.5

let busy = false

/**
 * Moves a character for a time, and writes to it where that took it and what it stands on.
 *
 * `velocity` [m/s] is relative to the ground while the character is `grounded`, to the world in the air. On the ground only its part along
 * the ground counts, unless it leads up, which is a jump. Gravity is the caller's: see `docs/character.md`. It sees bodies where they are: call it
 * after a step, or within one from a stage.
 *
 * It changes nothing but the character and the velocities of dynamic bodies that it pushes or stands on. All else is kept between moves:
 * a move makes no objects but those of its filter and, for each push, of `onHit`.
 * @param velocity - that is wanted [m/s]
 * @param dt - how long [s]
 * @throws TypeError, RangeError on a bad argument, and moves nothing
 */
export function moveCharacter(
  collisions: LeanCollisions,
  character: Character,
  velocity: ReadonlyVec3,
  dt: number,
  options: CharacterOptions = DEFAULTS,
): void {
  const where = 'moveCharacter'
  instance(`${where}: collisions`, collisions, LeanCollisions, 'a Collisions')
  if (busy)
    throw new RangeError(`${where} must not be called from a filter or onHit of another move, got a call within one`)
  checkCharacter(where, character)
  finiteVector(`${where}: velocity`, velocity, 3)
  positive(`${where}: dt`, dt)
  const settings = resolveMove(where, options)
  busy = true
  try {
    move.settings = settings
    move.collisions = collisions
    move.columns = collisions.world.bodies.columns
    move.dt = dt
    move.source = new Source(collisions, where, settings.filter)
    begin(character, velocity)
    finish(character, run(character))
  } finally {
    busy = false
  }
}

function begin(character: Character, velocity: ReadonlyVec3): void {
  const { T, up, orientation, settings } = move
  for (let k = 0; k < 3; k++) {
    up[k] = character.up[k]
    move.velocity[k] = velocity[k]
    move.groundNormal[k] = character.groundNormal[k]
    move.groundPoint[k] = character.groundPoint[k]
  }
  const size = lengthOf(up)
  for (let k = 0; k < 3; k++) up[k] /= size
  orientation.set(character.orientation)
  normalizeQuaternion(orientation, 0)
  T.set(character.position)
  writeRotation(orientation, T)
  move.foot = footOf(settings.shape, T, up)
  move.pushLeft = settings.pushStrength * move.dt
  move.touchesWall = move.touchesCeiling = false
  move.ground = -1
  move.near.forgetCrush()
  if (character.crushedBy?.alive === true) {
    move.near.crusher = character.crushedBy.id
    move.near.crush.set(character.crushNormal)
  }
  move.walks = character.grounded && !(dot(move.velocity, up) > 0) && dot(move.groundNormal, up) > 0
}

function run(character: Character): number {
  const row = findCarry(move, character)
  gather(0)
  if (row >= 0) {
    for (let k = 0; k < 3; k++) move.groundPoint[k] -= move.T[k]
    carry(move, row)
    for (let k = 0; k < 3; k++) move.groundPoint[k] += move.T[k]
    carryRotation(move.up, move.orientation)
    writeRotation(move.orientation, move.T)
  }
  const stuck = pushOut(move, gather)
  if (!move.near.covers(move.T, wayAhead())) gather(0)
  move.stand(move.groundNormal)
  slide(move)
  snapToGround(move)
  return stuck
}

/** Finds what the rest of the move may meet, and what is `more` farther away [m]. */
function gather(more: number): void {
  const { near, source, settings, T } = move
  near.gather(source, settings.shape, T, wayAhead() + carryLength() + SPARE * settings.shape.reach + more)
}

/** How far the move may look from where it stands [m]. */
function wayAhead(): number {
  const { settings, velocity, dt } = move
  const { skinWidth, stepHeight, snapDistance } = settings
  return lengthOf(velocity) * dt + stepHeight + snapDistance + 8 * skinWidth
}

function finish(character: Character, stuck: number): void {
  const { T, up, ground, source, columns, collisions } = move
  const grounded = ground >= 0
  if (!grounded) for (let k = 0; k < 3; k++) move.groundPoint[k] = T[k] - move.foot * up[k]
  velocityAt(columns, grounded ? source.rowOf(ground) : WORLD_BODY, move.groundPoint, groundVelocity)
  if (grounded) pressGround(move, collisions.world.settings.gravity)
  aimInAir(move, wanted)
  move.walls.project(wanted, true, left)
  // Relative to the world after ground, or to ground after the world.
  for (let k = 0; k < 3; k++) left[k] += move.carried[k] - (grounded ? groundVelocity[k] : 0)
  const along = grounded ? dot(left, up) : 0
  for (let k = 0; k < 3; k++) {
    character.position[k] = T[k]
    character.velocity[k] = left[k] - along * up[k]
    character.groundPoint[k] = move.groundPoint[k]
    character.groundNormal[k] = move.groundNormal[k]
    character.groundVelocity[k] = groundVelocity[k]
    character.crushNormal[k] = move.near.crush[k]
  }
  for (let k = 0; k < 4; k++) character.orientation[k] = move.orientation[k]
  character.penetration = stuck
  character.crushedBy = stuck > 0 ? collisions.handle(move.near.crusher) : null
  character.grounded = grounded
  character.touchesWall = move.touchesWall
  character.touchesCeiling = move.touchesCeiling
  character.ground = grounded ? collisions.handle(ground) : null
  notePose(character, grounded ? source.rowOf(ground) : WORLD_BODY)
}

/** Writes the rotation of a unit quaternion into a transform. */
function writeRotation([x, y, z, w]: Float64Array, T: Float64Array): void {
  T[3] = 1 - 2 * (y * y + z * z)
  T[4] = 2 * (x * y - w * z)
  T[5] = 2 * (x * z + w * y)
  T[6] = 2 * (x * y + w * z)
  T[7] = 1 - 2 * (x * x + z * z)
  T[8] = 2 * (y * z - w * x)
  T[9] = 2 * (x * z - w * y)
  T[10] = 2 * (y * z + w * x)
  T[11] = 1 - 2 * (x * x + y * y)
}

function notePose({ groundPose }: Character, row: number): void {
  const { position, orientation } = move.columns
  for (let k = 0; k < 3; k++) groundPose[k] = position[4 * row + k]
  for (let k = 0; k < 4; k++) groundPose[3 + k] = orientation[4 * row + k]
}

const move = /* @__PURE__ */ new Move()
const groundVelocity = /* @__PURE__ */ new Float64Array(3)
const wanted = /* @__PURE__ */ new Float64Array(3)
const left = /* @__PURE__ */ new Float64Array(3)
