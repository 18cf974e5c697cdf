/**
 * A whole figure from a few tracked points: head and hands, with or without feet.
 *
 *   point         a position goal for the bone's joint, and an orientation goal of a lower weight; with a compliance where the joint has limits
 *   elbow, knee   a pole on the side to which the limb is bent at rest; where it is straight there, knees forward, elbows back
 *                 and down. The pole turns with the bone on which the limb hangs.
 *   root          free, carried along with the points before each solve (`prePull`)
 *   seed          where a solve starts: the trunk as at rest under the head, facing as head and tracked feet do on the mean, the limbs
 *                 by two-bone.ts. So a pose depends on its points alone, and does not drift from frame to frame.
 *   three points  the feet stand under the head, turned by the head's yaw about up, as high over the floor as at rest; or stay where
 *                 they are planted. The hips are asked, with little weight, to turn likewise.
 *
 * Yaw is the twist of the head's turn from rest about up (swing–twist, P. Baerlocher 2001): it is continuous but for a head that is
 * upside down. Poles, hips and feet that are not tracked have a lower priority: they decide what the points leave open, and no error of
 * theirs counts.
 *
 * Orientations and poles are springs to the seed, min ½ Δqᵀ M Δq + ½ Σ e²/C under the positions: what a limit forbids costs a bounded
 * motion, so that the pose follows the points continuously. Rigid ones bend the whole figure for the last degree of a wrist.
 */

import {
  compose,
  finite,
  nonNegative,
  normalizeQuaternion,
  rotateVector,
  unitQuaternion,
  unitVector,
  shown,
  flag,
  instance,
  knownFields,
  object,
} from '@tautline/core/kernel'
import type { ReadonlyQuat, ReadonlyVec3 } from 'gl-matrix'
import { type BodyGoals, goalsOf, restRotationOf } from './body-goals.js'
import { finishLimb, type Limb, limbBone, limbOf } from './figure-limb.js'
import { OrientationGoal } from './goals/orientation.js'
import type { PoleGoal } from './goals/pole.js'
import { IkSolver } from './ik-solver.js'
import { triple } from './joints.js'
import { checkPose, Pose, WorldPose } from './pose.js'
import { Rig } from './rig.js'
import { cross, dot, normalise, seenFrom } from './rotations.js'

/** Names or rows of a figure's bones, by VRM's roles: of a humanoid, `humanoidRoles(rig.names) as FullBodyBones`. */
export interface FullBodyBones {
  /** Its joint is the point that is tracked, as with hands and feet. */
  head: string | number
  /** The wrist. */
  leftHand: string | number
  /** The wrist. */
  rightHand: string | number
  /** The ankle. */
  leftFoot: string | number
  /** The ankle. */
  rightFoot: string | number
  /** The bone that carries the body. @defaultValue the root */
  hips?: string | number
  /** From the shoulder. @defaultValue the nearest bone with a length above the lower arm */
  leftUpperArm?: string | number
  /** From the elbow. @defaultValue above the hand */
  leftLowerArm?: string | number
  /** From the shoulder. @defaultValue above the lower arm */
  rightUpperArm?: string | number
  /** From the elbow. @defaultValue above the hand */
  rightLowerArm?: string | number
  /** From the hip. @defaultValue above the lower leg */
  leftUpperLeg?: string | number
  /** From the knee. @defaultValue above the foot */
  leftLowerLeg?: string | number
  /** From the hip. @defaultValue above the lower leg */
  rightUpperLeg?: string | number
  /** From the knee. @defaultValue above the foot */
  rightLowerLeg?: string | number
}

/** Points that may be tracked. */
export type BodyPoint = 'head' | 'leftHand' | 'rightHand' | 'leftFoot' | 'rightFoot'

/** Options of {@link fullBody}. */
export interface FullBodyOptions {
  /** World direction. @defaultValue y */
  up?: ReadonlyVec3
  /** Where the figure looks at rest, in the world. @defaultValue (left foot − right foot) × up */
  forward?: ReadonlyVec3
  /**
   * Whether elbows and knees become hinges about the axis by which they bend towards their pole, from straight to 2.6 rad: then a
   * limb's swivel is all that is left open. Where they are balls, their twist is as well. @defaultValue false
   */
  hinges?: boolean
  /** Height of the floor on which untracked feet stand [m]. @defaultValue 0 */
  floor?: number
  /** What feet do that are not tracked. @defaultValue 'under' the head */
  feet?: 'under' | 'pinned'
  /** Of the goals on orientations, against 1 of positions. @defaultValue 0.3 */
  orientationWeight?: number
  /**
   * Of the goals on orientations of bones whose joint is not a ball without limits, in [0, 1): 0 holds them as rigidly as positions,
   * and makes a figure jump where its limits do not allow them. @defaultValue 0.2
   */
  orientationCompliance?: number
  /** Of the poles; 0 is none. @defaultValue 1 */
  poleWeight?: number
  /** Whether `prepare` poses the figure by its points alone; else a solve starts from the pose given. @defaultValue true */
  seed?: boolean
}

const POINTS: readonly BodyPoint[] = ['head', 'leftHand', 'rightHand', 'leftFoot', 'rightFoot']
const OPTIONS: readonly (keyof FullBodyOptions)[] = [
  'up',
  'forward',
  'hinges',
  'floor',
  'feet',
  'orientationWeight',
  'orientationCompliance',
  'poleWeight',
  'seed',
]
const q = /* @__PURE__ */ new Float64Array(4)
const r = /* @__PURE__ */ new Float64Array(4)
const a = /* @__PURE__ */ new Float64Array(3)
const b = /* @__PURE__ */ new Float64Array(3)

/** A figure with goals: `setTarget` for what is tracked, `prepare(pose)`, then the solver's `solve(pose)`. */
export class FullBody {
  readonly rig: Rig
  /** How many are tracked. */
  readonly points: 3 | 5
  /** In the solver, by point. */
  readonly goals: Readonly<Record<BodyPoint, BodyGoals>>
  /** In the solver: left arm, left leg, right arm, right leg. */
  readonly poles: readonly PoleGoal[]
  /** Asks the hips to face where the head does; of three points alone. */
  readonly hips: OrientationGoal | undefined
  private readonly limbs: Limb[] = []
  private readonly feet: 'under' | 'pinned'
  private readonly up: Float64Array
  private readonly rest: WorldPose
  private readonly world: WorldPose
  private readonly yaw = Float64Array.of(0, 0, 0, 1)
  private readonly isSeeded: boolean
  /** Bones that a seed poses, and the root above them. */
  private readonly posed: Uint8Array
  private readonly root: number
  /** From heights at rest to heights over the floor [m]. */
  private readonly raise: number

  /** See {@link fullBody}. */
  constructor(rig: Rig, solver: IkSolver, bones: FullBodyBones, points: 3 | 5, options: FullBodyOptions = {}) {
    instance('fullBody: rig', rig, Rig, 'a Rig')
    if (instance('fullBody: solver', solver, IkSolver, 'an IkSolver').rig !== rig)
      throw new RangeError('fullBody: solver must be one of the rig, got another')
    if (points !== 3 && points !== 5) throw new RangeError(`fullBody: points must be 3 or 5, got ${shown(points)}`)
    // All bones of a figure may be handed over.
    object('fullBody: bones', bones)
    knownFields('fullBody: options', options, OPTIONS)
    this.rig = rig
    this.points = points
    this.feet = options.feet ?? 'under'
    if (this.feet !== 'under' && this.feet !== 'pinned') {
      throw new RangeError(`fullBody: feet must be under or pinned, got ${shown(this.feet)}`)
    }
    this.rest = new WorldPose(rig).update(rig, new Pose(rig))
    this.world = new WorldPose(rig).update(rig, new Pose(rig))
    this.up = Float64Array.from(unitVector('fullBody: up', options.up ?? [0, 1, 0]))
    this.raise = finite('fullBody: floor', options.floor ?? 0) - this.lowest()
    const weight = nonNegative('fullBody: orientationWeight', options.orientationWeight ?? 0.3)
    const compliance = nonNegative('fullBody: orientationCompliance', options.orientationCompliance ?? 0.2)
    if (compliance >= 1) throw new RangeError(`fullBody: orientationCompliance must be < 1, got ${compliance}`)
    const poleWeight = nonNegative('fullBody: poleWeight', options.poleWeight ?? 1)
    const rows = Object.fromEntries(POINTS.map((name) => [name, rig.indexOf(bones[name], `fullBody: ${name}`)]))
    const forward = this.findForward(options.forward, rows.leftFoot, rows.rightFoot)
    const made = POINTS.map((name) => {
      const isTracked = points === 5 || !name.endsWith('Foot')
      return [name, goalsOf(rig, this.rest, rows[name], weight, compliance, isTracked ? 0 : 1)] as const
    })
    this.goals = Object.fromEntries(made) as Record<BodyPoint, BodyGoals>
    const hinges = flag('fullBody: hinges', options.hinges ?? false)
    this.isSeeded = flag('fullBody: seed', options.seed ?? true)
    const hips = bones.hips === undefined ? rig.parent.indexOf(-1) : rig.indexOf(bones.hips, 'fullBody: hips')
    if (points === 3) this.hips = new OrientationGoal(rig, hips, restRotationOf(this.rest, hips), { priority: 1 })
    for (const side of ['left', 'right'] as const) {
      for (const [end, upper, lower] of [
        ['Hand', 'UpperArm', 'LowerArm'],
        ['Foot', 'UpperLeg', 'LowerLeg'],
      ] as const) {
        const bone = rows[`${side}${end}`]
        const middle = limbBone(rig, bones[`${side}${lower}`], bone, `${side}${lower}`)
        const start = limbBone(rig, bones[`${side}${upper}`], middle, `${side}${upper}`)
        const otherwise = end === 'Foot' ? forward : this.elbowSide(forward)
        const goals = this.goals[`${side}${end}`]
        this.limbs.push(limbOf(rig, this.rest, start, middle, goals, otherwise, poleWeight))
      }
    }
    // All is well from here on: now the rig may change.
    for (const limb of this.limbs) finishLimb(rig, this.rest, limb, hinges)
    this.poles = this.limbs.map(({ pole }) => pole)
    for (const { position, orientation } of Object.values(this.goals)) {
      solver.add(position)
      solver.add(orientation)
    }
    for (const pole of this.poles) solver.add(pole)
    if (this.hips !== undefined) solver.add(this.hips)
    this.posed = new Uint8Array(rig.count)
    this.root = rows.head
    for (const name of POINTS) {
      for (let i = rows[name]; i >= 0; i = rig.parent[i]) this.posed[i] = 1
    }
    while (rig.parent[this.root] >= 0) this.root = rig.parent[this.root]
    rig.root('prePull')
  }

  /**
   * Where a point's joint is to be [m], and how it is to be turned; without an orientation that is as it was asked before, at first
   * as at rest (a `weight` 0 of its goal asks for none). Throws `TypeError`/`RangeError` when a value is wrong, and changes nothing
   * then.
   */
  setTarget(point: BodyPoint, position: ReadonlyVec3, orientation?: ReadonlyQuat): void {
    const goals = this.goals[point]
    if (goals === undefined)
      throw new RangeError(`setTarget: point must be one of ${POINTS.join(', ')}, got ${shown(point)}`)
    const at = triple('setTarget: position', position)
    if (orientation !== undefined) goals.orientation.target.set(unitQuaternion('setTarget: orientation', orientation))
    goals.position.target.set(at)
  }

  /** Plants feet that are not tracked where a pose has them. */
  plant(pose: Pose): void {
    const { rig, world, goals } = this
    world.update(rig, pose)
    for (const { position, orientation } of [goals.leftFoot, goals.rightFoot]) {
      for (let k = 0; k < 3; k++) position.target[k] = world.positions[3 * position.bone + k]
      for (let k = 0; k < 4; k++) orientation.target[k] = world.rotations[4 * position.bone + k]
    }
  }

  /** Sets what follows from the targets, poles and of three points the hips and the feet, and seeds the pose. */
  prepare(pose: Pose): void {
    const { rig, world, limbs } = this
    checkPose('prepare: pose', pose, rig.count)
    this.findYaw()
    if (this.points === 3) this.standUnderHead()
    if (this.isSeeded) this.seedTrunk(pose)
    world.update(rig, pose)
    for (const { pole, carrier, side, length, goals, seed } of limbs) {
      if (carrier >= 0) rotateVector(world.rotations, 4 * carrier, side[0], side[1], side[2], a, 0)
      else a.set(side)
      const end = this.isSeeded ? goals.position.target : world.positions.subarray(3 * pole.end, 3 * pole.end + 3)
      for (let k = 0; k < 3; k++) pole.target[k] = 0.5 * (world.positions[3 * pole.start + k] + end[k]) + length * a[k]
      if (!this.isSeeded || seed === undefined) continue
      seed.target.set(goals.position.target)
      seed.pole.set(pole.target)
      seed.solve(pose)
    }
    if (this.isSeeded) this.seedEnds(pose)
  }

  /** Bones between the points as at rest, turned by the yaw, the head where it is to be. */
  private seedTrunk(pose: Pose): void {
    const { rig, world, posed, root, yaw, rest, goals } = this
    for (let i = 0; i < rig.count; i++) {
      if (posed[i] === 0) continue
      for (let k = 4 * i; k < 4 * i + 4; k++) pose.rotations[k] = rig.restRotation[k]
      for (let k = 3 * i; k < 3 * i + 3; k++) pose.positions[k] = rig.restPosition[k]
    }
    compose(yaw, 0, rest.rotations, 4 * root, pose.rotations, 4 * root)
    world.update(rig, pose)
    const { position } = goals.head
    for (let k = 0; k < 3; k++) {
      pose.positions[3 * root + k] += position.target[k] - world.positions[3 * position.bone + k]
    }
  }

  /** Head, hands and feet turned as they are to be. */
  private seedEnds(pose: Pose): void {
    const { rig, world, goals } = this
    world.update(rig, pose)
    for (const name of POINTS) {
      const { position, orientation } = goals[name]
      const i = position.bone
      const p = rig.parent[i]
      if (p < 0 || orientation.weight === 0) continue
      seenFrom(world.rotations, 4 * p, orientation.target, 0, pose.rotations, 4 * i)
      normalizeQuaternion(pose.rotations, 4 * i)
    }
  }

  /** The mean yaw of the head and of tracked feet. */
  private findYaw(): void {
    const { goals, points, yaw } = this
    mean.fill(0)
    this.addYaw(goals.head)
    if (points === 5) for (const name of FEET) this.addYaw(goals[name])
    const squared = mean[0] * mean[0] + mean[1] * mean[1] + mean[2] * mean[2] + mean[3] * mean[3]
    // Upside down there is none: the last one stays.
    if (!(squared > NO_YAW)) return
    yaw.set(mean)
    normalizeQuaternion(yaw, 0)
  }

  /** Adds the yaw of a point's target to `mean`, on the side of what is there. */
  private addYaw({ orientation: { bone, target } }: BodyGoals): void {
    const { rest, up } = this
    seenFrom(rest.rotations, 4 * bone, IDENTITY, 0, r, 0)
    compose(target, 0, r, 0, q, 0)
    const along = q[0] * up[0] + q[1] * up[1] + q[2] * up[2]
    const toMean = along * (mean[0] * up[0] + mean[1] * up[1] + mean[2] * up[2]) + q[3] * mean[3]
    const sign = toMean < 0 ? -1 : 1
    for (let k = 0; k < 3; k++) mean[k] += sign * along * up[k]
    mean[3] += sign * q[3]
  }

  private standUnderHead(): void {
    const { rest, up, goals, yaw, hips, feet } = this
    const { head } = goals
    if (hips !== undefined) compose(yaw, 0, rest.rotations, 4 * hips.bone, hips.target, 0)
    if (feet === 'pinned') return
    const h = 3 * head.position.bone
    for (const name of FEET) {
      const { position, orientation } = goals[name]
      const f = 3 * position.bone
      for (let k = 0; k < 3; k++) b[k] = rest.positions[f + k] - rest.positions[h + k]
      rotateVector(yaw, 0, b[0], b[1], b[2], b, 0)
      for (let k = 0; k < 3; k++) position.target[k] = head.position.target[k] + b[k]
      // Onto the height over the floor that the foot has at rest.
      const high = dot(up, position.target) - dotAt(rest.positions, f, up) - this.raise
      for (let k = 0; k < 3; k++) position.target[k] -= high * up[k]
      compose(yaw, 0, rest.rotations, 4 * position.bone, orientation.target, 0)
    }
  }

  /** Least height of a joint or a bone's end at rest [m]. */
  private lowest(): number {
    const { rig, rest, up } = this
    let least = Infinity
    for (let i = 0; i < rig.count; i++) {
      const [x, y, z] = rig.tip.subarray(3 * i, 3 * i + 3)
      rotateVector(rest.rotations, 4 * i, x, y, z, a, 0)
      const joint = dotAt(rest.positions, 3 * i, up)
      least = Math.min(least, joint, joint + dot(a, up))
    }
    return least
  }

  private findForward(given: ReadonlyVec3 | undefined, leftFoot: number, rightFoot: number): Float64Array {
    if (given !== undefined) return Float64Array.from(unitVector('fullBody: forward', given))
    const { positions } = this.rest
    for (let k = 0; k < 3; k++) a[k] = positions[3 * leftFoot + k] - positions[3 * rightFoot + k]
    const forward = new Float64Array(3)
    cross(a, this.up, forward)
    if (!(normalise(forward) > 0)) {
      throw new RangeError('fullBody: forward must be given where the feet are not beside each other, got none')
    }
    return forward
  }

  /** Back and down. */
  private elbowSide(forward: Float64Array): Float64Array {
    return Float64Array.from(forward, (f, k) => -f - this.up[k])
  }
}

const FEET = ['leftFoot', 'rightFoot'] as const
/** Squared length of a sum of yaws below which it has no direction. */
const NO_YAW = 1e-12
const mean = /* @__PURE__ */ new Float64Array(4)
const IDENTITY = /* @__PURE__ */ Float64Array.of(0, 0, 0, 1)

/**
 * Puts goals for a whole figure into a solver and makes the rig's root `prePull`. Throws `TypeError`/`RangeError`, and changes nothing,
 * when a bone is none of the rig or a field is wrong.
 */
export function fullBody(
  rig: Rig,
  solver: IkSolver,
  bones: FullBodyBones,
  points: 3 | 5,
  options: FullBodyOptions = {},
): FullBody {
  return new FullBody(rig, solver, bones, points, options)
}

function dotAt(v: Float64Array, o: number, n: Float64Array): number {
  return v[o] * n[0] + v[o + 1] * n[1] + v[o + 2] * n[2]
}
