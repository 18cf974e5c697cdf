/**
 * Limbs of two bones, solved in closed form: shoulder, elbow and hand; hip, knee and foot.
 *
 *   u = x_middle − x_start, v = x_end − x_middle, h the axis about which the middle bends; parts along h: u_h, v_h, across: U, V
 *   d² = u² + v² + 2 (u_h v_h + U V cos ψ)       →  ψ, which the middle is turned to about h (law of cosines where h ⟂ u, v)
 *   start turned the short way from the end's direction to the target's, then about that line until the middle is on the pole's side
 *
 * h is the middle's own axis where it is a hinge. Of a ball it is the one about which it is bent in the pose given, so a limb keeps
 * its plane; where it is straight, the one of the rest pose, or one that bends it towards the pole. A bend is never less than
 * `LEAST_BEND`, which a limb's length does not show and which keeps that axis in the pose: it never flips along a path.
 */

import {
  acos,
  atan2,
  compose,
  cos,
  frameX,
  normalizeQuaternion,
  rotateVector,
  sin,
  wrapAngle,
  finiteVector,
  flag,
  instance,
  knownFields,
  object,
  positive,
} from '@tautline/core/kernel'
import type { ReadonlyVec3 } from 'gl-matrix'
import { isLimited, rotatedFromRest, rotationFromRest } from './coordinates.js'
import { BALL, HINGE, triple } from './joints.js'
import { clampInside, holdBall } from './limits.js'
import { checkPose, Pose } from './pose.js'
import { Rig } from './rig.js'
import { arc, cross, dot, flatten, normalise, perpendicular, seenFrom } from './rotations.js'

/** The bones of a limb, by name or row; other bones may stand between them, and stay as they are. */
export interface TwoBoneDef {
  /** Shoulder or hip: a ball. */
  start: string | number
  /** Elbow or knee: a ball or a hinge. */
  middle: string | number
  /** Hand or foot. */
  end: string | number
  /** The end's point that is to get there, in its space [m]. @defaultValue its tip where it ends a chain, else its joint */
  point?: ReadonlyVec3
  /** Targets beyond this share of the reach, in (0, 1], are eased: the limb does not snap straight. 1 is off. @defaultValue 1 */
  softReach?: number
  /** Whether the end keeps its world orientation; it is a ball then. @defaultValue false */
  keepOrientation?: boolean
}

/**
 * - `converged`: the point is at the target, or where soft reach puts it.
 * - `unreachable`: the target is too far or too near, or a limit is in the way; the limb points straight at it where it can.
 * - `invalid`: the target is not finite or at the root, or a bone has no length; the pose is as it was.
 */
export type TwoBoneStatus = 'converged' | 'unreachable' | 'invalid'

const FIELDS: readonly (keyof TwoBoneDef)[] = ['start', 'middle', 'end', 'point', 'softReach', 'keepOrientation']

/** Least bend of a ball and of a hinge that may be as straight [rad]: it shortens a limb by less than 2e-13 of its length. */
const LEAST_BEND = 1e-6
/** Bends below this [rad] have no axis. */
const STRAIGHT = 1e-7
/** Lengths below this share of the rig's are none. */
const NO_LENGTH = 1e-9
/** Rounding of the cosine of a bend that is in reach. */
const ROUND_OFF = 1e-12

const u = /* @__PURE__ */ new Float64Array(3)
const v = /* @__PURE__ */ new Float64Array(3)
const w = /* @__PURE__ */ new Float64Array(3)
const axis = /* @__PURE__ */ new Float64Array(3)
const towards = /* @__PURE__ */ new Float64Array(3)
const side = /* @__PURE__ */ new Float64Array(3)
const q = /* @__PURE__ */ new Float64Array(4)
const r = /* @__PURE__ */ new Float64Array(4)
const bend = /* @__PURE__ */ new Float64Array(1)
const held = /* @__PURE__ */ new Float64Array(2)

/** A limb that is solved many times: `new TwoBone(rig, { start, middle, end })`, its `target` set, `solve(pose)`. */
export class TwoBone {
  readonly rig: Rig
  /** By row, as the next two. */
  readonly start: number
  /** By row. */
  readonly middle: number
  /** By row. */
  readonly end: number
  /** In the end's space [m]. */
  readonly point: Float64Array
  /** Share of the reach. */
  readonly softReach: number
  /** See {@link TwoBoneDef}. */
  readonly keepOrientation: boolean
  /** World [x, y, z] [m]: write to it. */
  readonly target: Float64Array = new Float64Array(3)
  /** World point [x, y, z] [m] on whose side the middle is to be, where `hasPole`. */
  readonly pole: Float64Array = new Float64Array(3)
  /** Whether the pole counts; without one the limb keeps its plane. */
  hasPole = false
  /** Bones from the root to the end, and where they are, four and three numbers each. */
  private readonly path: Int32Array
  private readonly R: Float64Array
  private readonly x: Float64Array
  /** Places of the three in the path. */
  private readonly s: number
  private readonly m: number
  private readonly e: number
  private readonly kept = new Float64Array(4)
  /** Axis of the bend at rest, in the start's space; zero where the limb is straight at rest. */
  private readonly restAxis = new Float64Array(3)
  private readonly reached = new Float64Array(3)

  /** Throws `RangeError` when the bones are no limb, `TypeError`/`RangeError` when a field is wrong. */
  constructor(rig: Rig, def: TwoBoneDef) {
    this.rig = instance('twoBone: rig', rig, Rig, 'a Rig')
    knownFields('twoBone: definition', def, FIELDS)
    this.start = rig.indexOf(def.start, 'twoBone: start')
    this.middle = rig.indexOf(def.middle, 'twoBone: middle')
    this.end = rig.indexOf(def.end, 'twoBone: end')
    const bones: number[] = []
    for (let i = this.end; i >= 0; i = rig.parent[i]) bones.unshift(i)
    this.path = Int32Array.from(bones)
    this.s = bones.indexOf(this.start)
    this.m = bones.indexOf(this.middle)
    this.e = bones.length - 1
    if (this.s < 0 || this.m <= this.s || this.e <= this.m) {
      throw new RangeError(
        `twoBone: start, middle and end must follow each other on one chain, got ${[this.start, this.middle, this.end].map((i) => rig.names[i]).join(', ')}`,
      )
    }
    const kinds = [this.start, this.middle, this.end].map((i) => rig.joints[i].kind)
    if (kinds[0] !== BALL) throw new RangeError(`twoBone: start must be a ball, got "${rig.names[this.start]}"`)
    if (kinds[1] !== BALL && kinds[1] !== HINGE) {
      throw new RangeError(`twoBone: middle must be a ball or a hinge, got "${rig.names[this.middle]}"`)
    }
    this.keepOrientation = flag('twoBone: keepOrientation', def.keepOrientation ?? false)
    if (this.keepOrientation && kinds[2] !== BALL) {
      throw new RangeError(`twoBone: end must be a ball to keep its orientation, got "${rig.names[this.end]}"`)
    }
    this.softReach = positive('twoBone: softReach', def.softReach ?? 1)
    if (this.softReach > 1) throw new RangeError(`twoBone: softReach must be <= 1, got ${this.softReach}`)
    const isLeaf = !rig.parent.includes(this.end)
    const tip = rig.tip.subarray(3 * this.end, 3 * this.end + 3)
    this.point = Float64Array.from(triple('twoBone: point', def.point ?? (isLeaf ? tip : [0, 0, 0])))
    this.R = new Float64Array(4 * bones.length)
    this.x = new Float64Array(3 * bones.length)
    this.findRestAxis()
  }

  /** Poses the limb in place; never throws. */
  solve(pose: Pose): TwoBoneStatus {
    const { rig, target, pole, hasPole, x, s, m, e, R, kept } = this
    if (!(pose instanceof Pose)) return 'invalid'
    this.place(pose)
    for (let k = 0; k < 3; k++) {
      if (!Number.isFinite(target[k]) || (hasPole && !Number.isFinite(pole[k]))) return 'invalid'
      towards[k] = target[k] - x[3 * s + k]
    }
    if (this.keepOrientation) {
      for (let k = 0; k < 4; k++) kept[k] = R[4 * e + k]
      this.pointOf(e, w)
      // The joint's own target, with the point where the kept orientation puts it.
      for (let k = 0; k < 3; k++) towards[k] -= w[k] - x[3 * e + k]
    }
    for (let k = 0; k < 3; k++) u[k] = x[3 * m + k] - x[3 * s + k]
    this.endOf(v)
    for (let k = 0; k < 3; k++) v[k] -= x[3 * m + k]
    const least = NO_LENGTH * rig.size
    const isLong = Math.sqrt(dot(u, u)) > least && Math.sqrt(dot(v, v)) > least
    const distance = normalise(towards)
    if (!isLong || !(distance > least)) return 'invalid'
    let isMet = this.bendMiddle(pose, distance)
    this.place(pose)
    if (this.turnStart(pose)) isMet = false
    if (!this.keepOrientation) return isMet ? 'converged' : 'unreachable'
    this.place(pose)
    seenFrom(R, 4 * (e - 1), kept, 0, pose.rotations, 4 * this.end)
    normalizeQuaternion(pose.rotations, 4 * this.end)
    if (this.hold(this.end, pose)) isMet = false
    return isMet ? 'converged' : 'unreachable'
  }

  /** Turns the middle until the end is `distance` from the start, `towards` and `u`, `v` at hand; whether it can. */
  private bendMiddle(pose: Pose, distance: number): boolean {
    const { rig, R, m, middle } = this
    const isHinge = rig.joints[middle].kind === HINGE
    if (isHinge) this.cleanHinge(pose)
    else this.findAxis()
    const uh = dot(u, axis)
    const vh = dot(v, axis)
    const U = Math.sqrt(Math.max(dot(u, u) - uh * uh, 0))
    const V = Math.sqrt(Math.max(dot(v, v) - vh * vh, 0))
    // A hinge along one of its bones changes no distance.
    if (!(U * V > 0)) return false
    cross(u, v, w)
    const before = atan2(dot(axis, w), dot(u, v) - uh * vh)
    const aligned = dot(u, u) + dot(v, v) + 2 * uh * vh
    const d = this.eased(distance, Math.sqrt(aligned + 2 * U * V))
    const cosine = (d * d - aligned) / (2 * U * V)
    const isInReach = Math.abs(cosine) <= 1 + ROUND_OFF
    const psi = Math.min(Math.max(acos(Math.min(Math.max(cosine, -1), 1)), LEAST_BEND), Math.PI - LEAST_BEND)
    if (isHinge) return this.turnHinge(pose, before, psi) && isInReach
    const half = 0.5 * (psi - before)
    const sine = sin(half)
    for (let k = 0; k < 3; k++) q[k] = sine * axis[k]
    q[3] = cos(half)
    compose(q, 0, R, 4 * m, r, 0)
    seenFrom(R, 4 * (m - 1), r, 0, pose.rotations, 4 * middle)
    normalizeQuaternion(pose.rotations, 4 * middle)
    return !this.hold(middle, pose) && isInReach
  }

  /** The axis of a ball's bend, into `axis`. */
  private findAxis(): void {
    const { R, s, restAxis, pole, hasPole, x } = this
    cross(u, v, axis)
    const sine = normalise(axis) / Math.sqrt(dot(u, u) * dot(v, v))
    if (sine > STRAIGHT) return
    if (dot(restAxis, restAxis) > 0) {
      rotateVector(R, 4 * s, restAxis[0], restAxis[1], restAxis[2], axis, 0)
      // The end's own turn may have led the bend out of its plane.
      const along = dot(axis, u) / dot(u, u)
      for (let k = 0; k < 3; k++) axis[k] -= along * u[k]
      if (normalise(axis) > STRAIGHT) return
    }
    if (hasPole) {
      // Bending about n moves the middle along u × n.
      for (let k = 0; k < 3; k++) side[k] = pole[k] - x[3 * s + k]
      cross(side, u, axis)
      if (normalise(axis) > STRAIGHT * Math.sqrt(dot(side, side) * dot(u, u))) return
    }
    perpendicular(u, axis)
  }

  /** Takes everything but its turn out of a hinge, with the axis into `axis` and `v` as it is then; its angle into `bend`. */
  private cleanHinge(pose: Pose): void {
    const { rig, middle, R, x, m } = this
    rotationFromRest(rig, middle, pose.rotations, q)
    bend[0] = q[3] < 0 ? 2 * atan2(-q[0], -q[3]) : 2 * atan2(q[0], q[3])
    this.writeHinge(pose, bend[0])
    this.place(pose)
    compose(R, 4 * m, rig.joints[middle].frame, 0, q, 0)
    frameX(q, 0, axis, 0)
    this.endOf(v)
    for (let k = 0; k < 3; k++) v[k] -= x[3 * m + k]
  }

  /** Turns a hinge from a bend of `before` to one of ±`psi`: inside its limits, and of two the nearer; whether it is one of them. */
  private turnHinge(pose: Pose, before: number, psi: number): boolean {
    const { limits } = this.rig.joints[this.middle]
    const [min, max] = limits
    const one = intoRange(bend[0] + psi - before, min, max)
    const other = intoRange(bend[0] - psi - before, min, max)
    held[0] = one
    held[1] = other
    clampInside(held, 0, limits, 0)
    clampInside(held, 1, limits, 0)
    const offOne = Math.abs(held[0] - one)
    const offOther = Math.abs(held[1] - other)
    const isOne =
      Math.abs(offOne - offOther) > STRAIGHT ? offOne < offOther : Math.abs(one - bend[0]) <= Math.abs(other - bend[0])
    this.writeHinge(pose, isOne ? held[0] : held[1])
    return (isOne ? offOne : offOther) <= STRAIGHT
  }

  private writeHinge(pose: Pose, angle: number): void {
    q[0] = sin(0.5 * angle)
    q[1] = q[2] = 0
    q[3] = cos(0.5 * angle)
    rotatedFromRest(this.rig, this.middle, q, pose.rotations)
  }

  /** Turns the start so that the end lies `towards` the target, the middle on the pole's side; whether its limits were in the way. */
  private turnStart(pose: Pose): boolean {
    const { R, x, s, m, start, pole, hasPole } = this
    this.endOf(w)
    for (let k = 0; k < 3; k++) w[k] -= x[3 * s + k]
    // An end folded back onto the start has no direction of its own.
    if (normalise(w) === 0) return false
    arc(w, towards, r)
    compose(r, 0, R, 4 * s, q, 0)
    if (hasPole) {
      for (let k = 0; k < 3; k++) u[k] = x[3 * m + k] - x[3 * s + k]
      rotateVector(r, 0, u[0], u[1], u[2], u, 0)
      for (let k = 0; k < 3; k++) side[k] = pole[k] - x[3 * s + k]
      flatten(u, towards)
      flatten(side, towards)
      // Sine and cosine share a factor; a pole on the line shows no side and leaves it at 0.
      cross(u, side, w)
      const half = 0.5 * atan2(dot(w, towards), dot(u, side))
      const sine = sin(half)
      for (let k = 0; k < 3; k++) r[k] = sine * towards[k]
      r[3] = cos(half)
      compose(r, 0, q, 0, q, 0)
    }
    if (s === 0) for (let k = 0; k < 4; k++) pose.rotations[4 * start + k] = q[k]
    else seenFrom(R, 4 * (s - 1), q, 0, pose.rotations, 4 * start)
    normalizeQuaternion(pose.rotations, 4 * start)
    return this.hold(start, pose)
  }

  /** The distance drawn in to stay within soft reach: s + (R − s) x/(1 + x), x = (d − s)/(R − s), beyond s = softReach · R. */
  private eased(distance: number, reach: number): number {
    const from = this.softReach * reach
    if (this.softReach === 1 || distance <= from) return distance
    const over = (distance - from) / (reach - from)
    return from + ((reach - from) * over) / (1 + over)
  }

  /** Puts a ball inside its limits; whether it was outside. */
  private hold(bone: number, pose: Pose): boolean {
    return isLimited(this.rig.joints[bone]) && holdBall(this.rig, bone, pose.rotations)
  }

  /** Where a pose puts the bones of the path. */
  private place(pose: Pose): void {
    const { path, R, x } = this
    for (let p = 0; p < path.length; p++) {
      const i = path[p]
      if (p === 0) {
        for (let k = 0; k < 4; k++) R[k] = pose.rotations[4 * i + k]
        for (let k = 0; k < 3; k++) x[k] = pose.positions[3 * i + k]
        continue
      }
      const o = 3 * i
      compose(R, 4 * (p - 1), pose.rotations, 4 * i, R, 4 * p)
      rotateVector(R, 4 * (p - 1), pose.positions[o], pose.positions[o + 1], pose.positions[o + 2], x, 3 * p)
      for (let k = 0; k < 3; k++) x[3 * p + k] += x[3 * (p - 1) + k]
    }
  }

  /** World place of `point` on the bone at `p` of the path. */
  private pointOf(p: number, out: Float64Array): void {
    const { R, x, point } = this
    rotateVector(R, 4 * p, point[0], point[1], point[2], out, 0)
    for (let k = 0; k < 3; k++) out[k] += x[3 * p + k]
  }

  /** What is to get to the target: the point, or the end's joint where it keeps its orientation. */
  private endOf(out: Float64Array): void {
    const { x, e } = this
    if (this.keepOrientation) for (let k = 0; k < 3; k++) out[k] = x[3 * e + k]
    else this.pointOf(e, out)
  }

  private findRestAxis(): void {
    const { rig, x, R, s, m, restAxis, reached } = this
    this.place(new Pose(rig))
    this.endOf(reached)
    for (let k = 0; k < 3; k++) {
      u[k] = x[3 * m + k] - x[3 * s + k]
      v[k] = reached[k] - x[3 * m + k]
    }
    cross(u, v, w)
    if (!(normalise(w) > STRAIGHT * Math.sqrt(dot(u, u) * dot(v, v)))) return
    for (let k = 0; k < 3; k++) q[k] = -R[4 * s + k]
    q[3] = R[4 * s + 3]
    rotateVector(q, 0, w[0], w[1], w[2], restAxis, 0)
  }
}

/**
 * Poses a limb once: a {@link TwoBone} made and thrown away. `target` and `pole` are points of the world [m]. Throws
 * `RangeError`/`TypeError` when its fields are wrong.
 */
export function twoBone(
  rig: Rig,
  pose: Pose,
  def: TwoBoneDef & { target: ReadonlyVec3; pole?: ReadonlyVec3 },
): TwoBoneStatus {
  const { target, pole, ...bones } = object('twoBone: definition', def) as unknown as typeof def
  const limb = new TwoBone(rig, bones)
  checkPose('twoBone: pose', pose, rig.count)
  limb.target.set(three('twoBone: target', target))
  limb.hasPole = pole !== undefined
  if (pole !== undefined) limb.pole.set(three('twoBone: pole', pole))
  return limb.solve(pose)
}

/** Three numbers, finite or not: what is not ends as the status `invalid`. */
function three(where: string, v: ReadonlyVec3): ReadonlyVec3 {
  const isThree = typeof v === 'object' && v !== null && v.length === 3
  if (!isThree || [v[0], v[1], v[2]].some((x: unknown) => typeof x !== 'number')) finiteVector(where, v, 3)
  return v
}

/** The angle, a turn more or less, that is nearest to the middle of a range with two ends; else in (−π, π]. */
function intoRange(angle: number, min: number, max: number): number {
  const middle = 0.5 * (min + max)
  return Number.isFinite(middle) ? middle + wrapAngle(angle - middle) : wrapAngle(angle)
}
