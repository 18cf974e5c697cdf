/**
 * Joints of a humanoid: frames whose zero is the anatomical position, whatever pose the skeleton rests in.
 *
 * A joint's x axis runs along the limb, y is what it bends about. The frame on the parent is the joint's in the anatomical position; that on the part is
 * the same, turned the short way from where the limb would be there (d₀) to where it is (d). Zero of the arm is held out sideways, of the leg down, of a
 * forearm and shank straight on; trunk, head, collar bones and feet rest at zero. A right limb is the left one's mirror image: what turns about an axis
 * turns about the mirrored one the other way, so that y stays and z and x change sign.
 */

import { atan2 } from '@tautline/core/kernel'
import {
  across,
  cross,
  difference,
  direction,
  dot,
  frameOf,
  fromTo,
  type Quat,
  scaled,
  size,
  times,
  type Vec3,
  vectorAt,
} from './algebra.js'
import { type JointRange, RANGES } from './anthropometry.js'
import { alongOf, type Figure, placeOf } from './figure.js'
import { type BodyAxes, type RoleRows, sideOf } from './humanoid.js'

/** A joint of a humanoid, its frames in the skeleton's space. */
export interface HumanJoint {
  readonly frameA: Quat
  readonly frameB: Quat
  /** Swing y, swing z, twist [rad], two each. */
  readonly limits: number[]
  readonly torque: number
}

const DEGREE: number = Math.PI / 180
/** A limb that is bent less than this at rest is straight [rad]. */
const STRAIGHT = 0.14

/** The joint of a part with a role; none where the role has none. */
export function humanJoint(figure: Figure, part: number): HumanJoint | undefined {
  const role = figure.fold.roles[part]
  const { axes } = figure
  if (role === undefined || axes === undefined || figure.fold.parent[part] < 0) return undefined
  const { side, part: kind } = sideOf(role)
  const { up, left, front } = axes
  const d = alongOf(figure, part)
  switch (kind) {
    case 'hips':
      return undefined
    case 'spine':
    case 'chest':
      return joint(RANGES.trunk, 1, upright(d, up), left, upright(d, up), trunkShare(figure))
    case 'head':
      return joint(RANGES.head, 1, up, left, up)
    case 'UpperArm':
      return joint(RANGES.UpperArm, side, scaled(left, side), cross(scaled(left, side), front), d)
    case 'LowerArm':
      return bend(figure, part, side, front, RANGES.LowerArm, pronation(figure, part, side))
    case 'UpperLeg':
      return joint(RANGES.UpperLeg, side, scaled(up, -1), cross(front, up), d)
    case 'LowerLeg':
      return bend(figure, part, side, scaled(front, -1), RANGES.LowerLeg, 0)
    case 'Hand': {
      const along = armOf(figure, part)
      const bent = size(difference(d, along)) > STRAIGHT
      return joint(RANGES.Hand, side, bent ? along : d, cross(along, palmOf(figure, part, side)), d)
    }
    case 'Foot':
    case 'Toes': {
      const way = direction(across(d, up), 0.1) ?? front
      return joint(RANGES[kind], side, way, cross(way, up), way)
    }
    default:
      return kind === 'Shoulder' ? joint(RANGES.Shoulder, side, d, cross(d, front), d) : undefined
  }
}

/** The trunk's way where it is near enough upright. */
function upright(d: Vec3, up: Vec3): Vec3 {
  return dot(d, up) > 0.5 ? d : up
}

/** Ranges of the back are shared by the joints that it has. */
function trunkShare({ fold }: Figure): number {
  return (
    1 /
    Math.max(
      1,
      fold.roles.filter((role, part) => fold.parent[part] >= 0 && (role === 'spine' || role === 'chest')).length,
    )
  )
}

function joint(range: JointRange, side: number, zero: Vec3, y: Vec3, d: Vec3, share = 1, turned = 0): HumanJoint {
  const frame = frameOf(zero, y)
  const mirror = side < 0 ? -1 : 1
  const limits = [
    ...bounds(range.y, share, 1, 0),
    ...bounds(range.z, share, mirror, 0),
    ...bounds(range.x, share, mirror, turned),
  ]
  // Half a turn from zero, the way back is about y.
  return {
    frameA: frame,
    frameB: times(fromTo(zero, d, direction(across(y, zero)) as Vec3), frame),
    limits,
    torque: range.torque,
  }
}

function bounds([min, max]: readonly [number, number], share: number, mirror: number, off: number): [number, number] {
  const [least, most] = [share * min * DEGREE - off, share * max * DEGREE - off]
  return mirror < 0 ? [-most, -least] : [least, most]
}

/** An elbow or a knee: straight on from its parent at zero, bent towards `way`. */
function bend(figure: Figure, part: number, side: number, way: Vec3, range: JointRange, turned: number): HumanJoint {
  const d = alongOf(figure, part)
  const parent = limbAbove(figure, part)
  const usual =
    direction(across(cross(parent, way), parent), 1e-3) ??
    direction(cross(parent, [0, 0, 1])) ??
    cross(parent, [1, 0, 0])
  const own = direction(cross(parent, d), STRAIGHT)
  const isBent = own !== undefined && dot(own, usual) > 0.3
  return joint(range, side, isBent ? parent : d, isBent ? own : usual, d, 1, turned)
}

/** Which way the part that this one hangs on goes. */
function limbAbove(figure: Figure, part: number): Vec3 {
  const p = figure.fold.parent[part]
  return direction(difference(placeOf(figure, part).x, placeOf(figure, p).x), 1e-9) ?? alongOf(figure, p)
}

/** Which way the forearm of a hand, or of itself, goes. */
function armOf(figure: Figure, part: number): Vec3 {
  return limbAbove(figure, part)
}

/** Rows of a hand's thumb, the nearest first. */
const THUMB = ['ThumbMetacarpal', 'ThumbProximal', 'ThumbDistal'] as const

/** Where the palm of a hand or of a forearm's hand faces, at rest: by its thumb, which points to the front where there is none. */
function palmOf(figure: Figure, part: number, side: number): Vec3 {
  const { roles, skeleton, axes } = figure
  const name = side > 0 ? 'left' : 'right'
  const rows = roles as RoleRows
  const d = alongOf(figure, part)
  const hand = rows[`${name}Hand`]
  const tips = THUMB.map((bone) => rows[`${name}${bone}`]).filter((row) => row !== undefined)
  const thumb =
    hand === undefined || tips.length === 0
      ? undefined
      : difference(vectorAt(skeleton.worldPositions, tips[tips.length - 1]), vectorAt(skeleton.worldPositions, hand))
  const { front, left } = axes as BodyAxes
  const way =
    direction(thumb && across(thumb, d), 1e-6) ??
    direction(across(front, d), 0.1) ??
    (direction(across(left, d)) as Vec3)
  return scaled(cross(d, way), side)
}

/** How far a forearm is turned from full supination at rest [rad]: as if its palm faced the way that the elbow bends. */
function pronation(figure: Figure, part: number, side: number): number {
  const d = alongOf(figure, part)
  const { front } = figure.axes as BodyAxes
  const bends = direction(across(front, d), 0.1)
  if (bends === undefined) return 80 * DEGREE
  const palm = palmOf(figure, part, side)
  const angle = side * atan2(dot(cross(bends, palm), d), dot(bends, palm))
  return Math.min(Math.max(angle, 0), 160 * DEGREE)
}
