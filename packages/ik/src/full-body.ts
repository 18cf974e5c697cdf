/**
 * A whole figure from a few tracked points: head and hands, with or without feet.
 *
 *   point         a position goal for the bone's joint, and an orientation goal of a lower weight
 *   elbow, knee   a pole on the side to which the limb is bent at rest; where it is straight there, knees forward, elbows back
 *                 and down. The pole turns with the bone on which the limb hangs.
 *   root          free, carried along with the points before each solve (`prePull`)
 *   three points  the feet stand under the head, turned by the head's yaw about up, at their height at rest; or stay where they are
 *                 planted. The hips are asked, with little weight, to turn likewise.
 *
 * Yaw is the twist of the head's turn from rest about up (swing–twist, P. Baerlocher 2001): it is continuous but for a head that is
 * upside down. Poles and the hips have a lower priority: they decide what the points leave open, and no error of theirs counts.
 */

import { compose, nonNegative, normalizeQuaternion, rotateVector, unitQuaternion, unitVector } from '@tautline/core'
import type { ReadonlyQuat, ReadonlyVec3 } from 'gl-matrix'
import { OrientationGoal, PoleGoal, PositionGoal } from './goals.js'
import type { IkSolver } from './ik-solver.js'
import { triple } from './joints.js'
import { Pose, WorldPose } from './pose.js'
import type { Rig } from './rig.js'
import { cross, dot, normalise, seenFrom } from './turns.js'

/** The bones of a figure, by the names of VRM's roles. Those of limbs are found from hands and feet where they are left out. */
export interface FullBodyBones {
  head: string | number
  leftHand: string | number
  rightHand: string | number
  leftFoot: string | number
  rightFoot: string | number
  /** @defaultValue the root */
  hips?: string | number
  leftUpperArm?: string | number
  leftLowerArm?: string | number
  rightUpperArm?: string | number
  rightLowerArm?: string | number
  leftUpperLeg?: string | number
  leftLowerLeg?: string | number
  rightUpperLeg?: string | number
  rightLowerLeg?: string | number
}

/** Points that may be tracked. */
export type BodyPoint = 'head' | 'leftHand' | 'rightHand' | 'leftFoot' | 'rightFoot'

/** Wishes of {@link fullBody}. */
export interface FullBodyOptions {
  /** @defaultValue y */
  up?: ReadonlyVec3
  /** Where the figure looks at rest, in the world. @defaultValue (left foot − right foot) × up */
  forward?: ReadonlyVec3
  /** What feet do that are not tracked. @defaultValue 'under' the head */
  feet?: 'under' | 'pinned'
  /** Of the goals on orientations, against 1 of positions. @defaultValue 0.3 */
  orientationWeight?: number
  /** Of the poles; 0 is none. @defaultValue 1 */
  poleWeight?: number
}

/** What a point is asked for. */
export interface BodyGoals {
  readonly position: PositionGoal
  readonly orientation: OrientationGoal
}

interface Limb {
  readonly pole: PoleGoal
  /** The bone on which it hangs; −1 for the world. */
  readonly carrier: number
  /** Towards the pole at rest, in the carrier's space. */
  readonly side: Float64Array
  readonly length: number
}

const POINTS: readonly BodyPoint[] = ['head', 'leftHand', 'rightHand', 'leftFoot', 'rightFoot']
/** Bends of less than this share of a limb's length have no side. */
const STRAIGHT = 0.02

const q = /* @__PURE__ */ new Float64Array(4)
const r = /* @__PURE__ */ new Float64Array(4)
const a = /* @__PURE__ */ new Float64Array(3)
const b = /* @__PURE__ */ new Float64Array(3)

/** A figure with goals: `setTarget` for what is tracked, `prepare(pose)`, then the solver's `solve(pose)`. Allocates nothing. */
export class FullBody {
  readonly rig: Rig
  readonly points: 3 | 5
  readonly goals: Readonly<Record<BodyPoint, BodyGoals>>
  readonly poles: readonly PoleGoal[]
  /** Asks the hips to face where the head does; of three points alone. */
  readonly hips: OrientationGoal | undefined
  private readonly limbs: Limb[] = []
  private readonly feet: 'under' | 'pinned'
  private readonly up: Float64Array
  private readonly rest: WorldPose
  private readonly world: WorldPose
  private readonly yaw = Float64Array.of(0, 0, 0, 1)

  /** See {@link fullBody}. */
  constructor(rig: Rig, solver: IkSolver, bones: FullBodyBones, points: 3 | 5, options: FullBodyOptions = {}) {
    if (solver.rig !== rig) throw new RangeError('fullBody: solver must be one of the rig, got another')
    if (points !== 3 && points !== 5) throw new RangeError(`fullBody: points must be 3 or 5, got ${String(points)}`)
    this.rig = rig
    this.points = points
    this.feet = options.feet ?? 'under'
    if (this.feet !== 'under' && this.feet !== 'pinned') {
      throw new RangeError(`fullBody: feet must be under or pinned, got ${String(this.feet)}`)
    }
    this.rest = new WorldPose(rig).update(rig, new Pose(rig))
    this.world = new WorldPose(rig).update(rig, new Pose(rig))
    this.up = Float64Array.from(unitVector('fullBody: up', options.up ?? [0, 1, 0]))
    const weight = nonNegative('fullBody: orientationWeight', options.orientationWeight ?? 0.3)
    const poleWeight = nonNegative('fullBody: poleWeight', options.poleWeight ?? 1)
    const rows = Object.fromEntries(POINTS.map((name) => [name, rig.indexOf(bones[name], `fullBody: ${name}`)]))
    const forward = this.findForward(options.forward, rows.leftFoot, rows.rightFoot)
    const made = POINTS.map((name) => [name, this.goalsOf(rows[name], weight)] as const)
    this.goals = Object.fromEntries(made) as Record<BodyPoint, BodyGoals>
    const hips = rig.indexOf(bones.hips ?? rig.parent.indexOf(-1), 'fullBody: hips')
    if (points === 3) this.hips = new OrientationGoal(rig, hips, this.restTurn(hips), { priority: 1 })
    for (const side of ['left', 'right'] as const) {
      for (const [end, upper, lower] of [
        ['Hand', 'UpperArm', 'LowerArm'],
        ['Foot', 'UpperLeg', 'LowerLeg'],
      ] as const) {
        const bone = rows[`${side}${end}`]
        const middle = this.limbBone(bones[`${side}${lower}`], bone, `${side}${lower}`)
        const start = this.limbBone(bones[`${side}${upper}`], middle, `${side}${upper}`)
        this.limbs.push(
          this.limbOf(start, middle, bone, end === 'Foot' ? forward : this.elbowSide(forward), poleWeight),
        )
      }
    }
    this.poles = this.limbs.map(({ pole }) => pole)
    for (const { position, orientation } of Object.values(this.goals)) {
      solver.add(position)
      solver.add(orientation)
    }
    for (const pole of this.poles) solver.add(pole)
    if (this.hips !== undefined) solver.add(this.hips)
    rig.root('prePull')
    solver.refresh()
  }

  /** Where a point's joint is to be [m], and how it is to be turned; without an orientation it is left free. */
  setTarget(point: BodyPoint, position: ReadonlyVec3, orientation?: ReadonlyQuat): void {
    const goals = this.goals[point]
    if (goals === undefined)
      throw new RangeError(`setTarget: point must be one of ${POINTS.join(', ')}, got ${String(point)}`)
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

  /** Sets what follows from the targets and the pose at hand: poles, and of three points the hips and the feet. */
  prepare(pose: Pose): void {
    const { rig, world, limbs } = this
    world.update(rig, pose)
    if (this.points === 3) this.standUnderHead()
    for (const { pole, carrier, side, length } of limbs) {
      if (carrier >= 0) rotateVector(world.rotations, 4 * carrier, side[0], side[1], side[2], a, 0)
      else a.set(side)
      for (let k = 0; k < 3; k++) {
        const middle = 0.5 * (world.positions[3 * pole.start + k] + world.positions[3 * pole.end + k])
        pole.target[k] = middle + length * a[k]
      }
    }
  }

  private standUnderHead(): void {
    const { rest, up, goals, yaw, hips, feet } = this
    const { head } = goals
    // The head's turn from rest, and its twist about up.
    seenFrom(rest.rotations, 4 * head.position.bone, IDENTITY, 0, r, 0)
    compose(head.orientation.target, 0, r, 0, q, 0)
    const along = q[0] * up[0] + q[1] * up[1] + q[2] * up[2]
    // Upside down there is no yaw: the last one stays.
    if (along * along + q[3] * q[3] > 1e-12) {
      for (let k = 0; k < 3; k++) yaw[k] = along * up[k]
      yaw[3] = q[3]
      normalizeQuaternion(yaw, 0)
    }
    if (hips !== undefined) compose(yaw, 0, rest.rotations, 4 * hips.bone, hips.target, 0)
    if (feet === 'pinned') return
    const h = 3 * head.position.bone
    for (const name of FEET) {
      const { position, orientation } = goals[name]
      const f = 3 * position.bone
      for (let k = 0; k < 3; k++) b[k] = rest.positions[f + k] - rest.positions[h + k]
      rotateVector(yaw, 0, b[0], b[1], b[2], b, 0)
      for (let k = 0; k < 3; k++) position.target[k] = head.position.target[k] + b[k]
      // Onto the height that the foot has at rest.
      const high = dot(up, position.target) - dotAt(rest.positions, f, up)
      for (let k = 0; k < 3; k++) position.target[k] -= high * up[k]
      compose(yaw, 0, rest.rotations, 4 * position.bone, orientation.target, 0)
    }
  }

  private goalsOf(bone: number, weight: number): BodyGoals {
    const { rig, rest } = this
    const at: [number, number, number] = [0, 1, 2].map((k) => rest.positions[3 * bone + k]) as [number, number, number]
    return {
      position: new PositionGoal(rig, bone, at, { point: [0, 0, 0] }),
      orientation: new OrientationGoal(rig, bone, this.restTurn(bone), { weight }),
    }
  }

  private restTurn(bone: number): [number, number, number, number] {
    const { rotations } = this.rest
    return [0, 1, 2, 3].map((k) => rotations[4 * bone + k]) as [number, number, number, number]
  }

  /** A bone of a limb as named, or the nearest above another that has a length. */
  private limbBone(named: string | number | undefined, below: number, what: string): number {
    const { rig } = this
    if (named !== undefined) return rig.indexOf(named, `fullBody: ${what}`)
    let i = below
    for (; i >= 0; i = rig.parent[i]) {
      const [x, y, z] = rig.restPosition.subarray(3 * i, 3 * i + 3)
      if (rig.parent[i] >= 0 && x * x + y * y + z * z > 0) return rig.parent[i]
    }
    throw new RangeError(`fullBody: ${what} must be above "${rig.names[below]}", got a root`)
  }

  private limbOf(start: number, middle: number, end: number, otherwise: Float64Array, weight: number): Limb {
    const { rig, rest } = this
    const x = rest.positions
    let length = 0
    let squared = 0
    for (let k = 0; k < 3; k++) {
      a[k] = x[3 * end + k] - x[3 * start + k]
      b[k] = x[3 * middle + k] - x[3 * start + k]
    }
    length = normalise(a)
    const along = dot(a, b)
    for (let k = 0; k < 3; k++) b[k] -= along * a[k]
    squared = dot(b, b)
    if (!(squared > STRAIGHT * STRAIGHT * length * length)) {
      b.set(otherwise)
      const off = dot(a, b)
      for (let k = 0; k < 3; k++) b[k] -= off * a[k]
    }
    normalise(b)
    const carrier = rig.parent[start]
    const side = new Float64Array(3)
    if (carrier < 0) side.set(b)
    else {
      seenFrom(rest.rotations, 4 * carrier, IDENTITY, 0, q, 0)
      rotateVector(q, 0, b[0], b[1], b[2], side, 0)
    }
    const pole = new PoleGoal(rig, { start, middle, end }, [0, 0, 0], { weight, priority: 1 })
    return { pole, carrier, side, length }
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
