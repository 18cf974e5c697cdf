/** What a humanoid's legs, arms and trunk measure at rest: what balance, reach and look-at reckon with. */

import {
  across,
  cross,
  difference,
  direction,
  dot,
  frameOf,
  inverse,
  type Quat,
  scaled,
  size,
  sum,
  times,
  rotationAt,
  rotated,
  type Vec3,
  vectorAt,
} from '../algebra.js'
import type { RagdollAsset } from '../data.js'
import { bodyAxes, type BodyAxes, type Role, type RoleRows } from '../humanoid.js'
import { type PartPlaces, restPlaces } from '../validate.js'

/** Two bones that bend at an elbow or a knee. */
export interface Limb {
  /** 1 of the left one, −1 of the right one. */
  readonly side: 1 | -1
  /** Parts: thigh, shank and foot, or upper arm, forearm and hand. */
  readonly upper: number
  readonly lower: number
  readonly end: number
  /** Part that it hangs on. */
  readonly base: number
  /** Its first joint, from that part's origin, at rest in the skeleton's space [m]. */
  readonly root: Vec3
  /** Lengths of both bones [m]. */
  readonly upperLength: number
  readonly lowerLength: number
  /** From the bone's frame at rest, x along it and y along the axis that it bends about, to the skeleton's space: inverse. */
  readonly upperFrame: Quat
  readonly lowerFrame: Quat
}

/** A sole seen from the ankle, at rest along its own axes [m]. */
export interface Sole {
  /** Unit vectors in the skeleton's space at rest: out of the sole into the foot, along it to the toes, and to the left. */
  readonly up: Vec3
  readonly front: Vec3
  readonly left: Vec3
  /** Inverse of the frame of front and up. */
  readonly frame: Quat
  readonly toe: number
  readonly heel: number
  /** To the left and to the right; the latter is below 0. */
  readonly outLeft: number
  readonly outRight: number
  /** From the ankle down. */
  readonly depth: number
}

/** A leg. */
export interface Leg extends Limb {
  readonly sole: Sole
}

/** A humanoid at rest. */
export interface BodyPlan {
  readonly asset: RagdollAsset
  readonly axes: BodyAxes
  /** Inverse of the frame of front and up. */
  readonly frame: Quat
  readonly rest: PartPlaces
  /** Part of the head; −1 without one. */
  readonly head: number
  readonly chest: number
  /** Left, right. */
  readonly legs: readonly [Leg, Leg]
  readonly arms: readonly [Limb, Limb] | undefined
}

/** Measures a ragdoll's rest. Throws `TypeError` for one that is no humanoid with feet. */
export function bodyPlan(where: string, asset: RagdollAsset): BodyPlan {
  const { roles, skeleton } = asset
  if (roles === undefined) throw new TypeError(`${where}: doll must be a humanoid, got one without roles`)
  const axes = bodyAxes(where, skeleton, roles)
  const rest = restPlaces(asset)
  const leg = (side: 1 | -1): Leg => {
    const limb = limbOf(asset, rest, axes, side, ['UpperLeg', 'LowerLeg', 'Foot'])
    if (limb === undefined)
      throw new TypeError(`${where}: doll must have feet as parts, got ${asset.parts.length} parts without`)
    return { ...limb, sole: soleOf(asset, rest, axes, limb.end) }
  }
  const [left, right] = [1, -1].map((side) =>
    limbOf(asset, rest, axes, side as 1 | -1, ['UpperArm', 'LowerArm', 'Hand']),
  )
  return {
    asset,
    axes,
    frame: inverse(frameOf(axes.front, axes.up)),
    rest,
    head: partOfRole(asset, roles, ['head', 'neck']),
    chest: partOfRole(asset, roles, ['upperChest', 'chest', 'spine']),
    legs: [leg(1), leg(-1)],
    arms: left && right && [left, right],
  }
}

/** A part whose own bone plays one of the roles; −1 without one. */
function partOfRole({ partOf }: RagdollAsset, roles: RoleRows, names: readonly Role[]): number {
  const row = names.map((name) => roles[name]).find((found) => found !== undefined)
  return row === undefined ? -1 : partOf[row]
}

function limbOf(
  asset: RagdollAsset,
  rest: PartPlaces,
  { left, up }: BodyAxes,
  side: 1 | -1,
  names: readonly [string, string, string],
): Limb | undefined {
  const name = side > 0 ? 'left' : 'right'
  const [upper, lower, end] = names.map((kind) => asset.parts.findIndex(({ role }) => role === `${name}${kind}`))
  if (upper < 0 || lower < 0 || end < 0) return undefined
  const base = asset.parts[upper].parent
  const [a, b, c] = [upper, lower, end].map((part) => vectorAt(rest.positions, part))
  const isLeg = names[0] === 'UpperLeg'
  // A knee bends about the left; an elbow, with the arm out, about up, the left one the other way round.
  const axis: Vec3 = isLeg ? left : elbowAxis(difference(b, a), up, left, side)
  return {
    side,
    upper,
    lower,
    end,
    base,
    root: difference(a, vectorAt(rest.positions, base)),
    upperLength: size(difference(b, a)),
    lowerLength: size(difference(c, b)),
    upperFrame: inverse(frameOf(direction(difference(b, a)) as Vec3, axis)),
    lowerFrame: inverse(frameOf(direction(difference(c, b)) as Vec3, axis)),
  }
}

/** Axis that an elbow bends its forearm to the front about. */
function elbowAxis(along: Vec3, up: Vec3, left: Vec3, side: number): Vec3 {
  const front = [
    left[1] * up[2] - left[2] * up[1],
    left[2] * up[0] - left[0] * up[2],
    left[0] * up[1] - left[1] * up[0],
  ] as Vec3
  const d = direction(along) as Vec3
  const way =
    direction(across(front, d), 0.1) ?? (direction(across([side * left[0], side * left[1], side * left[2]], d)) as Vec3)
  return [d[1] * way[2] - d[2] * way[1], d[2] * way[0] - d[0] * way[2], d[0] * way[1] - d[1] * way[0]]
}

/** By the corners of the shapes of a foot and its toes. The face of a box that looks down is the sole, also where it does not lie level at rest. */
function soleOf({ parts }: RagdollAsset, rest: PartPlaces, axes: BodyAxes, foot: number): Sole {
  const own = parts[foot]
  const q0 = times(rotationAt(rest.rotations, foot), own.turn)
  const faces = (
    [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ] as Vec3[]
  ).map((axis) => rotated(q0, axis))
  const steepest = faces.reduce((best, axis) =>
    Math.abs(dot(axis, axes.up)) > Math.abs(dot(best, axes.up)) ? axis : best,
  )
  const up = own.shape.name === 'box' ? scaled(steepest, dot(steepest, axes.up) < 0 ? -1 : 1) : axes.up
  const front = direction(across(axes.front, up)) as Vec3
  const left = cross(up, front)
  const ankle = vectorAt(rest.positions, foot)
  const corners = parts.flatMap(({ shape, position, turn, parent }, part) => {
    if (part !== foot && parent !== foot) return []
    const q = rotationAt(rest.rotations, part)
    const x = vectorAt(rest.positions, part)
    const { bounds } = shape
    return Array.from({ length: 8 }, (_, k): Vec3 => {
      const corner: Vec3 = [bounds[k & 1 ? 3 : 0], bounds[k & 2 ? 4 : 1], bounds[k & 4 ? 5 : 2]]
      return difference(sum(x, rotated(q, sum(position, rotated(turn, corner)))), ankle)
    })
  })
  const along = (axis: Vec3): number[] => corners.map((corner) => dot(corner, axis))
  return {
    toe: Math.max(...along(front)),
    heel: Math.min(...along(front)),
    up,
    front,
    left,
    frame: inverse(frameOf(front, up)),
    outLeft: Math.max(...along(left)),
    outRight: Math.min(...along(left)),
    depth: -Math.min(...along(up)),
  }
}

/** The turn from rest by which a bone lies along `along` and bends about `axis`: `frame` is the limb's of that bone. */
export function boneRotation(frame: Quat, along: Vec3, axis: Vec3): Quat {
  return times(frameOf(along, axis), frame)
}
