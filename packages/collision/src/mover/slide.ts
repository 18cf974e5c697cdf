/**
 * The way itself: cast, stop, take what was met as a plane, go on along it, until the time is over.
 *
 *   walking   horizontal, as fast along a slope as on the level; what is too steep is a wall, which it steps onto if it is low enough
 *   in the air   every plane as it is; but what is too steep to stand on turns no way forward into a way up
 */

import { FLOOR, isGround, NO_EDGES } from './ground.js'
import { dot, flatten, lengthOf, type Move } from './move.js'
import { isDynamic, pushHit } from './push.js'
import { stepUp } from './step-up.js'
import { LIFT } from './planes.js'

/** Most things that are met in a move. */
const PASSES = 16
/** Ways of less than this [m] are none. */
const NOWHERE = 1e-9
/** Cosine of the angle to the ground within which a contact is no edge. */
const FACE = 1 - 1e-6
/** Normals less upright than minus this (cosine) are of ceilings. */
const CEILING = 0.1

export function slide(move: Move): void {
  const { planes } = move
  planes.clear()
  move.steep.clear()
  move.walls.clear()
  if (move.walks) addGround(move)
  move.left = move.dt
  for (let pass = 0; pass < PASSES && move.left > 0; pass++) {
    aim(move)
    planes.project(wanted, false, way)
    if (lengthOf(way) * move.left <= NOWHERE) return
    liftOff(move)
    for (let k = 0; k < 3; k++) leg[k] = way[k] * move.left
    if (!move.advance(leg)) {
      move.left = 0
      return
    }
    move.left *= 1 - move.near.hit.time
    meet(move)
  }
}

/** Writes the velocity that is wanted here to `wanted`. */
function aim(move: Move): void {
  const { velocity, up, groundNormal } = move
  flatten(velocity, up, wanted)
  if (!move.walks) {
    aimInAir(move, wanted)
    return
  }
  const speed = lengthOf(wanted)
  const rise = -dot(wanted, groundNormal) / dot(groundNormal, up)
  for (let k = 0; k < 3; k++) wanted[k] += rise * up[k]
  const length = lengthOf(wanted)
  if (length > 0) for (let k = 0; k < 3; k++) wanted[k] *= speed / length
}

/** Writes the wanted velocity less what leads into what is too steep: it would be lifted along it. */
export function aimInAir({ velocity, up, steep }: Move, out: Float64Array): void {
  const along = dot(velocity, up)
  flatten(velocity, up, relative)
  steep.project(relative, false, out)
  for (let k = 0; k < 3; k++) out[k] += along * up[k]
}

/** Leads a way off the planes along which it goes. */
function liftOff({ planes }: Move): void {
  const by = LIFT * lengthOf(way)
  const { normal } = planes
  for (let k = 0; k < planes.count; k++) {
    const along = normal[3 * k] * way[0] + normal[3 * k + 1] * way[1] + normal[3 * k + 2] * way[2]
    if (along > by) continue
    for (let i = 0; i < 3; i++) way[i] += by * normal[3 * k + i]
  }
}

/** Goes on from what was met. */
function meet(move: Move): void {
  const { near, up, velocity } = move
  const { normal } = near.hit
  move.report()
  if (!move.walks) {
    if (dot(velocity, up) > 0 || !isGround(move, NO_EDGES)) addWall(move, push(move))
    else {
      push(move)
      move.walks = true
      stand(move, FLOOR)
    }
    return
  }
  const ground = isGround(move, NO_EDGES)
  if (ground && dot(FLOOR, normal) > FACE) stand(move, FLOOR)
  else if (canStep(move) && stepUp(move, way)) {
    move.planes.clear()
    move.walls.clear()
    addGround(move)
  } else if (ground) stand(move, normal)
  else addWall(move, push(move))
}

function canStep(move: Move): boolean {
  const { near, up, settings } = move
  return (settings.stepOntoDynamic || !isDynamic(move, near.id)) && dot(near.hit.normal, up) > -CEILING
}

/** Stands on what was met, and goes on along it. */
function stand(move: Move, floor: Float64Array): void {
  const { normal } = move.near.hit
  move.standOnHit(floor, FLOOR)
  addGround(move)
  move.planes.add(normal[0], normal[1], normal[2], 0)
}

/** Pushes what was met; returns how fast it gives way, relative to the ground. */
function push(move: Move): number {
  const { carried, near, up } = move
  for (let k = 0; k < 3; k++) {
    relative[k] = way[k] + carried[k]
    against[k] = near.hit.normal[k]
  }
  if (move.walks) level(against, up)
  return pushHit(move, relative, against) - dot(carried, against)
}

/** Makes a normal level: who walks pushes ahead, not down, with the round of the body. False, and it stays, where it is upright. */
function level(normal: Float64Array, up: Float64Array): boolean {
  flatten(normal, up, flat)
  const length = lengthOf(flat)
  if (!(length > 0)) return false
  for (let k = 0; k < 3; k++) normal[k] = flat[k] / length
  return true
}

function addGround({ planes, groundNormal }: Move): void {
  planes.add(groundNormal[0], groundNormal[1], groundNormal[2], 0)
}

function addWall(move: Move, speed: number): void {
  const { near, up, planes, steep, walls } = move
  const { normal } = near.hit
  const upright = dot(normal, up)
  planes.add(normal[0], normal[1], normal[2], 0)
  if (!move.walks) walls.add(normal[0], normal[1], normal[2], speed)
  if (upright < -CEILING) move.touchesCeiling = true
  else move.touchesWall = true
  for (let k = 0; k < 3; k++) against[k] = normal[k]
  if (!level(against, up)) return
  if (move.walks) {
    planes.add(against[0], against[1], against[2], 0)
    walls.add(against[0], against[1], against[2], speed)
  } else if (upright > 0) steep.add(against[0], against[1], against[2], 0)
}

const wanted = /* @__PURE__ */ new Float64Array(3)
const way = /* @__PURE__ */ new Float64Array(3)
const leg = /* @__PURE__ */ new Float64Array(3)
const relative = /* @__PURE__ */ new Float64Array(3)
const against = /* @__PURE__ */ new Float64Array(3)
const flat = /* @__PURE__ */ new Float64Array(3)
