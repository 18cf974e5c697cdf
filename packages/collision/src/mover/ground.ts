/** What a character can stand on: slopes up to the limit, and edges of what it could stand on if it were there. */

import { dot, flatten, lengthOf, type Move } from './move.js'

/** Least cosine of a contact with an edge to `up` that holds what stands there already, and what is about to step there; none. */
export const HELD = 1e-3
export const STEPPED = 0.2
export const NO_EDGES = 1
/** Share of the skin that a ray looks beyond an edge. */
const BEYOND = 0.5
/** Height [m] by which a step may pass its limit, for rounding. */
const HEIGHT_ROUNDING = 1e-6

/** Normal of the ground that `isGround` found. */
export const FLOOR: Float64Array = /* @__PURE__ */ new Float64Array(3)

/**
 * Whether what was met last is ground. A round foot meets an edge under a slant that is not the ground's: where the contact is as
 * upright as `edge`, what lies beyond decides. No edge above `stepHeight` is ground, however flat the contact: it would be climbed by the roundness of the foot.
 * `sunk` is how far the foot hangs below what it stands on [m], which steps are counted from.
 */
export function isGround(move: Move, edge: number, sunk = 0): boolean {
  const { near, up, settings } = move
  const { normal, point } = near.hit
  const upright = dot(normal, up)
  const low = move.heightOf(point) <= settings.stepHeight + sunk - move.skin + HEIGHT_ROUNDING
  if (upright >= settings.walkable) {
    const face = isFace(move)
    if (face || !low || !isEdgeOfGround(move)) for (let k = 0; k < 3; k++) FLOOR[k] = normal[k]
    return low || face
  }
  return upright >= edge && low && isEdgeOfGround(move)
}

/** Whether the surface that was met has the normal of the contact. */
function isFace(move: Move): boolean {
  const { near } = move
  const { normal, point } = near.hit
  for (let k = 0; k < 3; k++) {
    origin[k] = point[k] + move.skin * normal[k]
    direction[k] = -normal[k]
  }
  return near.castRay(near.id, origin, direction, 2 * move.skin) && dot(near.ray.normal, normal) > FACE
}

/** Whether the top beyond an edge is ground, at the height of the edge; writes its normal to `FLOOR`. */
function isEdgeOfGround(move: Move): boolean {
  const { near, up, settings } = move
  const { normal, point } = near.hit
  flatten(normal, up, direction)
  const flat = lengthOf(direction)
  if (!(flat > 0)) return false
  const beyond = BEYOND * move.skin
  // As high as the steepest ground rises on the way.
  const rise = (beyond * Math.sqrt(1 - settings.walkable * settings.walkable)) / settings.walkable + HEIGHT_ROUNDING
  for (let k = 0; k < 3; k++) {
    origin[k] = point[k] - (beyond / flat) * direction[k] + (rise + HEIGHT_ROUNDING) * up[k]
    direction[k] = -up[k]
  }
  if (!near.castRay(near.id, origin, direction, 2 * rise + 2 * HEIGHT_ROUNDING) || near.ray.inside) return false
  if (dot(near.ray.normal, up) < settings.walkable) return false
  for (let k = 0; k < 3; k++) FLOOR[k] = near.ray.normal[k]
  return true
}

/** Cosine of the angle by which the normals of a face may differ. */
const FACE = 0.9999

const origin = /* @__PURE__ */ new Float64Array(3)
const direction = /* @__PURE__ */ new Float64Array(3)
