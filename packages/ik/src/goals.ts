/**
 * What a pose is asked for. A goal writes rows into the block: its error at the present pose, and the gradient.
 *
 *   position     e = x − target, three rows; the error is taken no longer than a share of the reach at once
 *   orientation  the rotation vector from the target, on the axes that are not free
 *   aim          the turn that brings an axis of the bone onto a direction, two rows; `up` a third
 *   pole         the angle of the middle bone about the line from the chain's root to its end, one row
 *   centre       the centre of mass at a point, or over a polygon of support
 * Angles are multiplied by a length, the rig's reach / 3, so that rows of one block compare.
 */

import {
  atan2At,
  finiteVector,
  frameX,
  frameY,
  frameZ,
  nonNegative,
  positive,
  rotationBetween,
  unitQuaternion,
  unitVector,
} from '@tautline/core'
import type { ReadonlyQuat, ReadonlyVec3 } from 'gl-matrix'
import { count, isFiniteVector, knownFields } from './checks.js'
import { SLIDER, triple } from './joints.js'
import { Rig } from './rig.js'
import type { Kinematics } from './kinematics.js'
import type { GoalRows } from './rows.js'
import { cross, flatten, perpendicular, turnVector } from './turns.js'

/** Fields of every goal. A wrong one is a `TypeError` or a `RangeError` of the goal's constructor. */
export interface GoalOptions {
  /** How strongly it pulls where goals disagree, >= 0; 0 switches it off. @defaultValue 1 */
  weight?: number
  /** 0, 1, 2 …: each has 1e-4 of the weight of the one before. What is not 0 does not count for `status`. @defaultValue 0 */
  priority?: number
  /**
   * Softness: the share of its error, 0 to below 1, that a lone goal on a free chain keeps. It is the C of (154), Waterson section 11.
   * What is not 0 does not count for `status`. @defaultValue 0
   */
  compliance?: number
  /** The first bone that may move for it, by name or row: the goal's own or one above it. @defaultValue the root */
  chain?: string | number
}

const FIELDS = ['weight', 'priority', 'compliance', 'chain']

/** How much weaker a priority is than the one before it. */
const PRIORITY = 1e-4

/** A goal of a rig. Its target, `weight` and `compliance` may be changed between solves. */
export abstract class Goal {
  /** Its solver's too. */
  readonly rig: Rig
  /** How errors begin. */
  private readonly where: string
  /** See {@link GoalOptions}. */
  weight: number
  /** See {@link GoalOptions}. */
  compliance: number
  /** See {@link GoalOptions}. */
  readonly priority: number
  /** The first bone that may move for it, by row; −1 for the root. */
  readonly chain: number
  /** The last bone that it moves, by row; −1 for all of them. */
  abstract readonly end: number
  /** Rows that it may write, at most. */
  abstract readonly most: number
  /** Whether its error is a length [m] and not an angle [rad]. */
  readonly isLength: boolean = false
  /** What is left of it after a solve: [m] where `isLength`, else [rad]. */
  error = 0

  /** `where` is how errors begin. */
  constructor(rig: Rig, where: string, options: GoalOptions) {
    if (!(rig instanceof Rig)) throw new TypeError(`${where}: rig must be a Rig, got ${String(rig)}`)
    this.rig = rig
    this.where = where
    this.weight = nonNegative(`${where}: weight`, options.weight ?? 1)
    this.priority = count(`${where}: priority`, options.priority ?? 0, 0)
    this.compliance = nonNegative(`${where}: compliance`, options.compliance ?? 0)
    if (this.compliance >= 1) throw new RangeError(`${where}: compliance must be < 1, got ${this.compliance}`)
    this.chain = options.chain === undefined ? -1 : rig.indexOf(options.chain, `${where}: chain`)
  }

  /** Notes what of the present pose it refers to. This and what follows is called by the solver. */
  begin(_rows: GoalRows): void {}
  /** Writes its rows and `error`. */
  abstract write(rows: GoalRows): void
  /** Whether what it asks is beyond what the rig can ever reach. */
  isBeyondReach(_rows: GoalRows): boolean {
    return false
  }
  /** What is wrong with its target, or nothing. */
  abstract fault(): string
  /** What is wrong with what can be written to it, or nothing. */
  check(): string {
    const { where, weight, compliance } = this
    if (!(weight >= 0 && weight < Infinity)) return `${where}: weight must be >= 0 and finite, got ${weight}`
    if (!(compliance >= 0 && compliance < 1)) return `${where}: compliance must be in [0, 1), got ${compliance}`
    return this.fault()
  }

  /** Weight and softness of row k. */
  protected dress(rows: GoalRows, k: number): void {
    rows.weight[k] = this.weight
    for (let p = 0; p < this.priority; p++) rows.weight[k] *= PRIORITY
    rows.compliance[k] = this.compliance / (1 - this.compliance)
  }
}

const NONE: readonly [number, number, number] = [0, 0, 0]
const v = /* @__PURE__ */ new Float64Array(3)
const w = /* @__PURE__ */ new Float64Array(3)
/** Sine and cosine of an angle, then the angle. */
const angleTo = /* @__PURE__ */ new Float64Array(2)

/** What a {@link PositionGoal} takes besides. */
export interface PositionOptions extends GoalOptions {
  /** The bone's point that is to get there, in its space [m]. @defaultValue its tip where it ends a chain, else its joint */
  point?: ReadonlyVec3
  /** Which of the world's x, y and z count. @defaultValue all */
  axes?: readonly [boolean, boolean, boolean]
  /**
   * Targets beyond this share of the chain's length, in (0, 1], are eased, so that a limb does not snap straight; 1 is off.
   * @defaultValue 1
   */
  softReach?: number
  /** Most that its chain's bones may lengthen where the target is too far, as a factor >= 1. @defaultValue 1 */
  stretch?: number
  /** Times `weight`, its say in where `prePull` carries the root, >= 0. @defaultValue 1 */
  pull?: number
}

/** A point of a bone at a point of the world. */
export class PositionGoal extends Goal {
  override readonly isLength = true
  readonly most = 3
  /** By row. */
  readonly bone: number
  readonly end: number
  /** In the bone's space [m]. */
  readonly point: Float64Array
  /** World [x, y, z] [m]: write to it. */
  readonly target: Float64Array
  /** See {@link PositionOptions}, as the next three. */
  readonly axes: readonly [boolean, boolean, boolean]
  /** Share of `reach`. */
  readonly softReach: number
  /** Factor. */
  readonly stretch: number
  /** Factor. */
  readonly pull: number
  /** Length of its chain at rest, from the joint of the chain's first bone to the point, sliders drawn out [m]. */
  readonly reach: number
  private readonly eased = new Float64Array(3)
  private readonly isWhole: boolean

  /** `bone` by name or row, `target` in the world [m]. Throws `TypeError`/`RangeError` that names the field. */
  constructor(rig: Rig, bone: string | number, target: ReadonlyVec3, options: PositionOptions = {}) {
    knownFields('position: options', options, [...FIELDS, 'point', 'axes', 'softReach', 'stretch', 'pull'])
    super(rig, 'position', options)
    this.bone = rig.indexOf(bone, 'position: bone')
    this.end = this.bone
    checkChain('position', this, this.bone)
    const point = options.point ?? (isLeaf(rig, this.bone) ? rig.tip.subarray(3 * this.bone, 3 * this.bone + 3) : NONE)
    this.point = Float64Array.from(triple('position: point', point))
    this.target = Float64Array.from(triple('position: target', target))
    this.axes = options.axes ?? [true, true, true]
    this.isWhole = this.axes[0] && this.axes[1] && this.axes[2]
    this.softReach = positive('position: softReach', options.softReach ?? 1)
    if (this.softReach > 1) throw new RangeError(`position: softReach must be <= 1, got ${this.softReach}`)
    this.stretch = positive('position: stretch', options.stretch ?? 1)
    if (this.stretch < 1) throw new RangeError(`position: stretch must be >= 1, got ${this.stretch}`)
    this.pull = nonNegative('position: pull', options.pull ?? 1)
    this.reach = chainLength(rig, this.bone, this.chain, this.point)
  }

  fault(): string {
    if (!isFiniteVector(this.point)) return 'position: point must be finite'
    return isFiniteVector(this.target) ? '' : 'position: target must be finite'
  }

  write(rows: GoalRows): void {
    const { kinematics } = rows
    this.ease(rows)
    kinematics.pointOf(this.bone, this.point, v)
    let squared = 0
    let whole = 0
    for (let k = 0; k < 3; k++) {
      rows.point[k] = v[k]
      w[k] = v[k] - this.eased[k]
      if (!this.axes[k]) continue
      const e = v[k] - this.target[k]
      squared += w[k] * w[k]
      whole += e * e
    }
    this.error = Math.sqrt(this.softReach < 1 ? squared : whole)
    const step = rows.step[0]
    const shrink = squared > step * step ? step / Math.sqrt(squared) : 1
    const opened = rows.count
    if (this.isWhole) {
      for (let k = 0; k < 3; k++) {
        const row = rows.open()
        rows.error[row] = shrink * w[k]
        this.dress(rows, row)
      }
      if (shrink < 1) rows.beyond[opened] = Math.sqrt(squared) - step
      rows.addPlace(opened, this.bone, this.chain)
      return
    }
    for (let k = 0; k < 3; k++) {
      if (!this.axes[k]) continue
      const row = rows.open()
      rows.error[row] = shrink * w[k]
      rows.direction.fill(0)
      rows.direction[k] = 1
      rows.addPoint(row, this.bone, this.chain)
      this.dress(rows, row)
    }
    if (shrink < 1) rows.beyond[opened] = Math.sqrt(squared) - step
  }

  override isBeyondReach(rows: GoalRows): boolean {
    const { rig, world } = rows.kinematics
    if (this.chain < 0 && rig.rootMode !== 'pinned') return false
    const root = chainRoot(rig, this.bone, this.chain)
    let squared = 0
    for (let k = 0; k < 3; k++) squared += square(this.target[k] - world.positions[3 * root + k])
    return Math.sqrt(squared) > this.reach
  }

  /** Lengthens the bones of the chain, its first one's place left alone. */
  stretchChain({ rig, world, stretch }: Kinematics): void {
    const root = chainRoot(rig, this.bone, this.chain)
    let squared = 0
    for (let k = 0; k < 3; k++) squared += square(this.target[k] - world.positions[3 * root + k])
    // The point's own way from its bone stays as it is.
    const own = Math.sqrt(square(this.point[0]) + square(this.point[1]) + square(this.point[2]))
    const factor = Math.min((Math.sqrt(squared) - own) / (this.reach - own), this.stretch)
    if (!(factor > 1)) return
    for (let i = this.bone; i !== root; i = rig.parent[i]) stretch[i] = Math.max(stretch[i], factor)
  }

  /**
   * The target, drawn towards the chain's root so that the chain never has to be longer than its reach: beyond s = softReach ·
   * reach a distance d becomes s + (R − s)(1 − exp(−(d − s)/(R − s))), here with its rational twin x/(1 + x), which needs no
   * exponential and has the same slope at s.
   */
  private ease(rows: GoalRows): void {
    for (let k = 0; k < 3; k++) this.eased[k] = this.target[k]
    if (this.softReach >= 1) return
    const { rig, world } = rows.kinematics
    const root = chainRoot(rig, this.bone, this.chain)
    let squared = 0
    for (let k = 0; k < 3; k++) {
      w[k] = this.target[k] - world.positions[3 * root + k]
      squared += w[k] * w[k]
    }
    const d = Math.sqrt(squared)
    const s = this.softReach * this.reach
    if (d <= s) return
    const x = (d - s) / (this.reach - s)
    const eased = s + ((this.reach - s) * x) / (1 + x)
    for (let k = 0; k < 3; k++) this.eased[k] = world.positions[3 * root + k] + (w[k] * eased) / d
  }
}

/** What an {@link OrientationGoal} takes besides. */
export interface OrientationOptions extends GoalOptions {
  /** Which of the target frame's x, y and z the bone may turn about freely. @defaultValue none */
  free?: readonly [boolean, boolean, boolean]
}

/** Of what is taken for a unit quaternion: its length is within 1 % of 1. */
const LEAST_SQUARED = 0.99 * 0.99
const MOST_SQUARED = 1.01 * 1.01

/** A bone's world orientation. */
export class OrientationGoal extends Goal {
  readonly most = 3
  /** By row. */
  readonly bone: number
  readonly end: number
  /** World [x, y, z, w], a unit quaternion: write to it. */
  readonly target: Float64Array
  /** See {@link OrientationOptions}. */
  readonly free: readonly [boolean, boolean, boolean]
  private readonly isWhole: boolean

  /** `bone` by name or row; `target` within 1 % of unit length. Throws `TypeError`/`RangeError` that names the field. */
  constructor(rig: Rig, bone: string | number, target: ReadonlyQuat, options: OrientationOptions = {}) {
    knownFields('orientation: options', options, [...FIELDS, 'free'])
    super(rig, 'orientation', options)
    this.bone = rig.indexOf(bone, 'orientation: bone')
    this.end = this.bone
    checkChain('orientation', this, this.bone)
    this.target = Float64Array.from(unitQuaternion('orientation: target', target))
    this.free = options.free ?? [false, false, false]
    this.isWhole = !this.free[0] && !this.free[1] && !this.free[2]
  }

  fault(): string {
    let squared = 0
    for (let k = 0; k < 4; k++) squared += square(this.target[k])
    return squared > LEAST_SQUARED && squared < MOST_SQUARED ? '' : 'orientation: target must be a unit quaternion'
  }

  write(rows: GoalRows): void {
    const { world, rig } = rows.kinematics
    rotationBetween(world.rotations, 4 * this.bone, this.target, 0, v, 0)
    const length = angleLength(rig)
    if (this.isWhole) {
      const first = rows.count
      for (let k = 0; k < 3; k++) {
        const row = rows.open()
        rows.error[row] = length * v[k]
        this.dress(rows, row)
      }
      rows.direction[0] = length
      rows.addTurns(first, this.bone, this.chain)
      this.error = Math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
      return
    }
    let squared = 0
    for (let k = 0; k < 3; k++) {
      if (this.free[k]) continue
      if (k === 0) frameX(this.target, 0, w, 0)
      else if (k === 1) frameY(this.target, 0, w, 0)
      else frameZ(this.target, 0, w, 0)
      const e = w[0] * v[0] + w[1] * v[1] + w[2] * v[2]
      squared += e * e
      const row = rows.open()
      rows.error[row] = length * e
      for (let c = 0; c < 3; c++) rows.direction[c] = length * w[c]
      rows.addTurn(row, this.bone, this.chain)
      this.dress(rows, row)
    }
    this.error = Math.sqrt(squared)
  }
}

/** What an {@link AimGoal} takes besides. */
export interface AimOptions extends GoalOptions {
  /** Axis of the bone that is to point there, in its space. @defaultValue along the bone, which must have a length then */
  axis?: ReadonlyVec3
  /** What keeps it from rolling about the line of sight. @defaultValue nothing */
  up?: {
    /** Axis of the bone that is to be as upright as it can, in its space. */
    axis: ReadonlyVec3
    /** World direction that is up. */
    towards: ReadonlyVec3
    /** Against the aim itself. @defaultValue 1 */
    weight?: number
  }
}

/** An axis of a bone, from its joint, towards a point of the world. Its error is the angle between them, without the roll. */
export class AimGoal extends Goal {
  readonly most = 3
  /** By row. */
  readonly bone: number
  readonly end: number
  /** World [x, y, z] [m]: write to it. */
  readonly target: Float64Array
  /** Unit vector in the bone's space. */
  readonly axis: Float64Array
  /** As {@link AimOptions}, its directions unit vectors. */
  readonly up: { axis: Float64Array; towards: Float64Array; weight: number } | undefined
  private readonly side = new Float64Array(3)
  private readonly other = new Float64Array(3)

  /** `bone` by name or row, `target` in the world [m]. Throws `TypeError`/`RangeError` that names the field. */
  constructor(rig: Rig, bone: string | number, target: ReadonlyVec3, options: AimOptions = {}) {
    knownFields('aim: options', options, [...FIELDS, 'axis', 'up'])
    super(rig, 'aim', options)
    this.bone = rig.indexOf(bone, 'aim: bone')
    this.end = this.bone
    checkChain('aim', this, this.bone)
    this.target = Float64Array.from(triple('aim: target', target))
    const tip = rig.tip.subarray(3 * this.bone, 3 * this.bone + 3)
    this.axis = Float64Array.from(unitVector('aim: axis', options.axis ?? tip))
    const { up } = options
    if (up !== undefined) knownFields('aim: up', up, ['axis', 'towards', 'weight'])
    this.up =
      up === undefined
        ? undefined
        : {
            axis: Float64Array.from(unitVector('aim: up.axis', up.axis)),
            towards: Float64Array.from(unitVector('aim: up.towards', up.towards)),
            weight: nonNegative('aim: up.weight', up.weight ?? 1),
          }
  }

  fault(): string {
    const { up } = this
    if (!isFiniteVector(this.axis)) return 'aim: axis must be finite'
    if (up !== undefined && !(isFiniteVector(up.axis) && isFiniteVector(up.towards) && up.weight >= 0)) {
      return 'aim: up must be finite, its weight >= 0'
    }
    return isFiniteVector(this.target) ? '' : 'aim: target must be finite'
  }

  write(rows: GoalRows): void {
    const { world, rig } = rows.kinematics
    const { side, other } = this
    v.set(this.axis)
    turnVector(world.rotations, 4 * this.bone, v)
    for (let k = 0; k < 3; k++) w[k] = this.target[k] - world.positions[3 * this.bone + k]
    this.error = 0
    // Towards itself is no direction.
    if (!hasDirection(w)) return
    cross(v, w, side)
    const sine = Math.sqrt(side[0] * side[0] + side[1] * side[1] + side[2] * side[2])
    angleTo[0] = sine
    angleTo[1] = v[0] * w[0] + v[1] * w[1] + v[2] * w[2]
    atan2At(angleTo, 0)
    const angle = angleTo[0]
    if (sine > 0) for (let k = 0; k < 3; k++) side[k] /= sine
    else perpendicular(v, side)
    cross(v, side, other)
    const length = angleLength(rig)
    this.error = angle
    for (let k = 0; k < 2; k++) {
      const row = rows.open()
      rows.error[row] = k === 0 ? -length * angle : 0
      const about = k === 0 ? side : other
      for (let c = 0; c < 3; c++) rows.direction[c] = length * about[c]
      rows.addTurn(row, this.bone, this.chain)
      this.dress(rows, row)
    }
    if (this.up === undefined) return
    // The angle about the axis from where up is to where it can be.
    w.set(this.up.axis)
    turnVector(world.rotations, 4 * this.bone, w)
    flatten(w, v)
    side.set(this.up.towards)
    flatten(side, v)
    if (!hasDirection(w) || !hasDirection(side)) return
    cross(w, side, other)
    angleTo[0] = v[0] * other[0] + v[1] * other[1] + v[2] * other[2]
    angleTo[1] = w[0] * side[0] + w[1] * side[1] + w[2] * side[2]
    atan2At(angleTo, 0)
    const lean = angleTo[0]
    const row = rows.open()
    rows.error[row] = -length * lean
    for (let c = 0; c < 3; c++) rows.direction[c] = length * v[c]
    rows.addTurn(row, this.bone, this.chain)
    this.dress(rows, row)
    rows.weight[row] *= this.up.weight
  }
}

/**
 * Which way the middle of a chain bends: a knee or an elbow towards a point. Its error is the angle about the line from start to
 * end; nothing is asked of a limb that is straight, or where the point lies on that line.
 */
export class PoleGoal extends Goal {
  readonly most = 1
  readonly end: number
  /** By row. */
  readonly middle: number
  /** By row. */
  readonly start: number
  /** World [x, y, z] [m]: write to it. */
  readonly target: Float64Array
  private readonly along = new Float64Array(3)

  /**
   * `start`, `middle` and `end` are bones of one chain, by name or row: hip, knee and foot; shoulder, elbow and hand. Others may
   * stand between. Throws `TypeError`/`RangeError` that names the field.
   */
  constructor(
    rig: Rig,
    bones: { start: string | number; middle: string | number; end: string | number },
    target: ReadonlyVec3,
    options: GoalOptions = {},
  ) {
    knownFields('pole: options', options, FIELDS)
    super(rig, 'pole', options)
    this.start = rig.indexOf(bones.start, 'pole: start')
    this.middle = rig.indexOf(bones.middle, 'pole: middle')
    this.end = rig.indexOf(bones.end, 'pole: end')
    if (!isAbove(rig, this.start, this.middle) || !isAbove(rig, this.middle, this.end)) {
      throw new RangeError('pole: start, middle and end must follow each other on one chain')
    }
    // The middle's own joint does not move it.
    checkChain('pole', this, rig.parent[this.middle])
    this.target = Float64Array.from(triple('pole: target', target))
  }

  fault(): string {
    return isFiniteVector(this.target) ? '' : 'pole: target must be finite'
  }

  write(rows: GoalRows): void {
    const { positions: x } = rows.kinematics.world
    const { along } = this
    for (let k = 0; k < 3; k++) {
      along[k] = x[3 * this.end + k] - x[3 * this.start + k]
      v[k] = x[3 * this.middle + k] - x[3 * this.start + k]
      w[k] = this.target[k] - x[3 * this.start + k]
    }
    this.error = 0
    if (!hasDirection(along)) return
    flatten(v, along)
    flatten(w, along)
    const bend = Math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
    // A straight limb has no side, and a pole on its line shows none.
    if (!(bend > STRAIGHT * rows.kinematics.rig.size) || !hasDirection(w)) return
    cross(v, w, rows.direction)
    angleTo[0] = (rows.direction[0] * along[0] + rows.direction[1] * along[1] + rows.direction[2] * along[2]) / bend
    angleTo[1] = (v[0] * w[0] + v[1] * w[1] + v[2] * w[2]) / bend
    atan2At(angleTo, 0)
    const angle = angleTo[0]
    this.error = Math.abs(angle)
    // Turning the middle about the line by dφ moves it by bend dφ along (along × v).
    const row = rows.open()
    cross(along, v, rows.direction)
    for (let k = 0; k < 3; k++) {
      rows.direction[k] /= bend
      rows.point[k] = x[3 * this.middle + k]
    }
    rows.error[row] = -bend * angle
    rows.addPoint(row, this.middle, this.chain)
    this.dress(rows, row)
  }
}

/** A bend that is less than this share of the reach has no side. */
const STRAIGHT = 1e-6

/** The centre of mass of the whole rig, as its bones' masses make it, at a point, or over a polygon on a plane. */
export class CentreGoal extends Goal {
  readonly end = -1
  override readonly isLength = true
  readonly most = 3
  /** World [x, y, z] [m]: write to it. Over a support it is the solver's. */
  readonly target: Float64Array
  /** Which of the world's x, y and z count: x and z over a support. */
  readonly axes: readonly [boolean, boolean, boolean]
  /** Corners of the support in order around it, x and z each [m]; empty for a point. It is taken as convex. */
  support: Float64Array

  /**
   * `target` a point [m], with `axes` as of a {@link PositionGoal}; or `support`, three corners [x, z] [m] or more of a convex polygon,
   * with y up: the centre is then kept over it. Throws `TypeError`/`RangeError` that names the field.
   */
  constructor(
    rig: Rig,
    where:
      | { target: ReadonlyVec3; axes?: readonly [boolean, boolean, boolean] }
      | { support: ReadonlyArray<readonly [number, number]> },
    options: Omit<GoalOptions, 'chain'> = {},
  ) {
    knownFields(
      'centre: options',
      options,
      FIELDS.filter((name) => name !== 'chain'),
    )
    super(rig, 'centre', options)
    const isOver = 'support' in where
    knownFields(`centre: ${isOver ? 'support' : 'target'}`, where, isOver ? ['support'] : ['target', 'axes'])
    if (isOver) {
      if (where.support.length < 3) {
        throw new RangeError(`centre: support must have at least three corners, got ${where.support.length}`)
      }
      this.support = Float64Array.from(
        where.support.flatMap((corner) => Array.from(finiteVector('centre: support', corner, 2))),
      )
      this.target = new Float64Array(3)
      this.axes = [true, false, true]
    } else {
      this.support = new Float64Array(0)
      this.target = Float64Array.from(triple('centre: target', where.target))
      this.axes = where.axes ?? [true, true, true]
    }
  }

  fault(): string {
    if (!isFiniteVector(this.support)) return 'centre: support must be finite'
    return isFiniteVector(this.target) ? '' : 'centre: target must be finite'
  }

  write(rows: GoalRows): void {
    rows.kinematics.centreOfMass(v)
    this.error = 0
    if (this.support.length > 0 && nearestInside(this.support, v, this.target)) return
    let squared = 0
    for (let k = 0; k < 3; k++) if (this.axes[k]) squared += square(v[k] - this.target[k])
    this.error = Math.sqrt(squared)
    const step = rows.step[0]
    const shrink = squared > step * step ? step / Math.sqrt(squared) : 1
    const opened = rows.count
    for (let k = 0; k < 3; k++) {
      if (!this.axes[k]) continue
      const row = rows.open()
      rows.error[row] = shrink * (v[k] - this.target[k])
      rows.direction.fill(0)
      rows.direction[k] = 1
      rows.addCentre(row)
      this.dress(rows, row)
    }
    if (shrink < 1) rows.beyond[opened] = Math.sqrt(squared) - step
  }
}

/**
 * A bone held where it is when a solve begins: its joint's position, and its orientation where asked. Its error is a length, to which
 * an angle counts as that share of the rig's reach.
 */
export class PinGoal extends Goal {
  readonly end: number
  override readonly isLength = true
  readonly most = 6
  /** What holds the position; its target is written by each solve, as the next one's. */
  readonly position: PositionGoal
  /** What holds the orientation, where asked. */
  readonly orientation: OrientationGoal | undefined

  /** `orientation`: whether that is held too, by default not. Throws `TypeError`/`RangeError` that names the field. */
  constructor(rig: Rig, bone: string | number, options: GoalOptions & { orientation?: boolean } = {}) {
    knownFields('pin: options', options, [...FIELDS, 'orientation'])
    super(rig, 'pin', options)
    const { orientation, ...rest } = options
    this.position = new PositionGoal(rig, bone, NONE, { ...rest, point: NONE })
    this.end = this.position.bone
    this.orientation = orientation === true ? new OrientationGoal(rig, bone, [0, 0, 0, 1], rest) : undefined
  }

  override begin({ kinematics }: GoalRows): void {
    const { world } = kinematics
    const { bone } = this.position
    for (let k = 0; k < 3; k++) this.position.target[k] = world.positions[3 * bone + k]
    if (this.orientation === undefined) return
    for (let k = 0; k < 4; k++) this.orientation.target[k] = world.rotations[4 * bone + k]
  }

  fault(): string {
    return ''
  }

  write(rows: GoalRows): void {
    this.position.weight = this.weight
    this.position.compliance = this.compliance
    this.position.write(rows)
    this.error = this.position.error
    if (this.orientation === undefined) return
    this.orientation.weight = this.weight
    this.orientation.compliance = this.compliance
    this.orientation.write(rows)
    // As a length: an angle of it is a share of the reach.
    this.error = Math.max(this.error, this.orientation.error * rows.kinematics.rig.size)
  }
}

/** Length that angles are multiplied by [m]. */
export function angleLength(rig: Rig): number {
  return rig.size / 3
}

/** Moves `p` (x, z of a point) to the nearest point of a convex polygon, into `out`; true when it is inside already. */
function nearestInside(corners: Float64Array, p: Float64Array, out: Float64Array): boolean {
  const n = corners.length / 2
  let area = 0
  for (let i = 0; i < n; i++) {
    const j = (i + 1) % n
    area += corners[2 * i] * corners[2 * j + 1] - corners[2 * j] * corners[2 * i + 1]
  }
  let inside = true
  let least = Infinity
  for (let i = 0; i < n; i++) {
    const j = (i + 1) % n
    const ax = corners[2 * i]
    const az = corners[2 * i + 1]
    const ex = corners[2 * j] - ax
    const ez = corners[2 * j + 1] - az
    const px = p[0] - ax
    const pz = p[2] - az
    if (area * (ex * pz - ez * px) < 0) inside = false
    const share = Math.min(Math.max((px * ex + pz * ez) / (ex * ex + ez * ez), 0), 1)
    const dx = share * ex - px
    const dz = share * ez - pz
    if (dx * dx + dz * dz >= least) continue
    least = dx * dx + dz * dz
    out[0] = ax + share * ex
    out[2] = az + share * ez
  }
  return inside
}

function isLeaf(rig: Rig, bone: number): boolean {
  return !rig.parent.includes(bone)
}

/** Throws `RangeError` where a goal's chain does not lead to a bone that it moves: it would be taken from the root. */
function checkChain(where: string, { rig, chain }: Goal, bone: number): void {
  if (chain < 0 || chain === bone || isAbove(rig, chain, bone)) return
  throw new RangeError(`${where}: chain must be "${rig.names[bone]}" or above it, got "${rig.names[chain]}"`)
}

function isAbove(rig: Rig, above: number, below: number): boolean {
  for (let i = rig.parent[below]; i >= 0; i = rig.parent[i]) if (i === above) return true
  return false
}

/** The first bone of a chain to `bone`. */
function chainRoot(rig: Rig, bone: number, chain: number): number {
  let i = bone
  while (i !== chain && rig.parent[i] >= 0) i = rig.parent[i]
  return i
}

function chainLength(rig: Rig, bone: number, chain: number, point: Float64Array): number {
  let sum = Math.sqrt(point[0] * point[0] + point[1] * point[1] + point[2] * point[2])
  const root = chainRoot(rig, bone, chain)
  for (let i = bone; i !== root; i = rig.parent[i]) {
    const [x, y, z] = [0, 1, 2].map((k) => rig.restPosition[3 * i + k])
    const { kind, limits } = rig.joints[i]
    sum += Math.sqrt(x * x + y * y + z * z) + (kind === SLIDER ? Math.max(Math.abs(limits[0]), Math.abs(limits[1])) : 0)
  }
  return sum
}

function square(x: number): number {
  return x * x
}

/** A vector shorter than this [m] shows no direction. */
const NOWHERE = 1e-12

/** Makes a unit vector of `a`; false where it shows no direction. */
function hasDirection(a: Float64Array): boolean {
  const squared = a[0] * a[0] + a[1] * a[1] + a[2] * a[2]
  if (!(squared > NOWHERE * NOWHERE)) return false
  const scale = 1 / Math.sqrt(squared)
  for (let k = 0; k < 3; k++) a[k] *= scale
  return true
}
