/**
 * A pose of one skeleton on another, by a mapping of bones.
 *
 *   D_i = R_i R̄_i,rest in world space                     what a bone has turned since the reference pose
 *   R_j = A D_i Ā R_j,rest                                the mapped bone turns likewise; A: from the one rig's world to the other's
 *   x_hips = x_rest + s A (x − x_rest of the source)      s the ratio of leg lengths
 *
 * Lengths and axes of the bones do not matter; bones without a counterpart keep their rest rotation. The two reference poses must
 * look alike, in their height over the ground as well: the rest poses, or others that are given where one is a T and the other an A,
 * or where a file rests with the hips at the origin.
 *
 * Legs of other proportions put feet where they slide; goals on the feet (`addFeet`) have the targets x_rest + s A (x − x_rest of
 * the source's foot): where the source's foot stands, so does the target.
 */

import {
  compose,
  normalizeQuaternion,
  positive,
  rotateVector,
  unitQuaternion,
  array,
  instance,
  knownFields,
  nonNegative,
  object,
} from '@tautline/core/kernel'
import type { ReadonlyQuat } from 'gl-matrix'
import type { GoalOptions } from './goals/goal.js'
import { OrientationGoal } from './goals/orientation.js'
import { PositionGoal } from './goals/position.js'
import { IkSolver } from './ik-solver.js'
import { checkPose, Pose, WorldPose } from './pose.js'
import { Rig } from './rig.js'
import { seenFrom } from './rotations.js'

/** Wishes of a {@link Retarget}. */
export interface RetargetOptions {
  /** The bone of the second rig that is moved as a whole, by name or row. @defaultValue the first that has a counterpart */
  hips?: string | number
  /** Feet of the second rig, by name or row, mapped: their chains are the legs. @defaultValue none */
  feet?: readonly (string | number)[]
  /** Of the hips' motion and of the feet's. @defaultValue the ratio of leg lengths, of the rigs' reach without feet */
  scale?: number
  /** Rotation [x, y, z, w] from the first rig's world to the second's. @defaultValue none */
  align?: ReadonlyQuat
  /**
   * Poses of the two rigs that look alike, and stand as high over the ground, where the rest poses do not. @defaultValue
   * the rest poses
   */
  reference?: {
    /** Of the first. @defaultValue its rest pose */
    from?: Pose
    /** Of the second. @defaultValue its rest pose */
    to?: Pose
  }
}

/** A foot and what it is asked for. */
export interface RetargetedFoot {
  /** Of the foot's joint. */
  readonly position: PositionGoal
  /** Turned as the source's foot has turned. */
  readonly orientation: OrientationGoal
}

const q = /* @__PURE__ */ new Float64Array(4)
const v = /* @__PURE__ */ new Float64Array(3)

/** Takes poses over from rig to rig: `new Retarget(from, to, { hisName: herName })`, then `apply(pose, out)` a frame. */
export class Retarget {
  /** Whose poses are read. */
  readonly from: Rig
  /** Whose poses are written. */
  readonly to: Rig
  /** Bone of `to`, by row. */
  readonly hips: number
  private readonly root: number
  /** Of the hips' motion and of the feet's. */
  readonly scale: number
  /** Bones of `to`, by row. */
  readonly feet: readonly number[]
  /** For each bone of `to` the one of `from`, or −1. */
  readonly source: Int32Array
  private readonly goals: RetargetedFoot[] = []
  private readonly align = new Float64Array(4)
  private readonly fromWorld: WorldPose
  private readonly toWorld: WorldPose
  private readonly fromReference: WorldPose
  private readonly toReference: WorldPose
  /** R̄_i,rest Ā R_j,rest by bone: R_j = A R_i of it. */
  private readonly after: Float64Array

  /**
   * `mapping` has the names of `to` as keys and those of `from` as values. Throws `TypeError`/`RangeError` when a bone is none of its
   * rig, or a field is wrong.
   */
  constructor(from: Rig, to: Rig, mapping: Readonly<Record<string, string>>, options: RetargetOptions = {}) {
    this.from = instance('Retarget: from', from, Rig, 'a Rig')
    this.to = instance('Retarget: to', to, Rig, 'a Rig')
    object('Retarget: mapping', mapping)
    knownFields('Retarget: options', options, ['hips', 'feet', 'scale', 'align', 'reference'])
    const { feet = [], reference = {} } = options
    knownFields('Retarget: reference', reference, ['from', 'to'])
    this.source = new Int32Array(to.count).fill(-1)
    for (const [mine, theirs] of Object.entries(mapping)) {
      this.source[to.indexOf(mine, 'Retarget: mapping')] = from.indexOf(theirs, 'Retarget: mapping')
    }
    this.hips =
      options.hips === undefined ? this.source.findIndex((i) => i >= 0) : to.indexOf(options.hips, 'Retarget: hips')
    this.mapped('hips', this.hips)
    let root = this.hips
    while (to.parent[root] >= 0) root = to.parent[root]
    this.root = root
    this.feet = (array('Retarget: feet', feet) as typeof feet).map((foot) =>
      this.mapped('feet', to.indexOf(foot, 'Retarget: feet')),
    )
    this.align.set(unitQuaternion('Retarget: align', options.align ?? [0, 0, 0, 1]))
    this.fromWorld = new WorldPose(from)
    this.toWorld = new WorldPose(to)
    this.fromReference = new WorldPose(from).update(
      from,
      checkPose('Retarget: reference.from', reference.from ?? new Pose(from), from.count),
    )
    this.toReference = new WorldPose(to).update(
      to,
      checkPose('Retarget: reference.to', reference.to ?? new Pose(to), to.count),
    )
    this.scale = options.scale === undefined ? this.ratio() : positive('Retarget: scale', options.scale)
    this.after = new Float64Array(4 * to.count)
    for (let j = 0; j < to.count; j++) {
      const i = this.source[j]
      if (i < 0) continue
      seenFrom(this.align, 0, this.toReference.rotations, 4 * j, q, 0)
      seenFrom(this.fromReference.rotations, 4 * i, q, 0, this.after, 4 * j)
    }
  }

  /**
   * Puts goals on the feet into a solver of the second rig, whose root must not be `pinned`; `apply` sets their targets, and the solve
   * after it moves the legs. `orientationWeight` is 0.3 by default. Throws `RangeError`, and adds nothing, where it cannot.
   */
  addFeet(solver: IkSolver, options: GoalOptions & { orientationWeight?: number } = {}): readonly RetargetedFoot[] {
    if (instance('Retarget.addFeet: solver', solver, IkSolver, 'an IkSolver').rig !== this.to)
      throw new RangeError('Retarget.addFeet: solver must be one of the second rig, got another')
    if (this.feet.length === 0) throw new RangeError('Retarget.addFeet: feet must be given to the Retarget, got none')
    if (this.to.rootMode === 'pinned') {
      // A solve puts a pinned root back to its place at rest.
      throw new RangeError('Retarget.addFeet: root of the second rig must be free, got a pinned one')
    }
    const { orientationWeight = 0.3, ...given } = object('Retarget.addFeet: options', options) as typeof options
    nonNegative('Retarget.addFeet: orientationWeight', orientationWeight)
    const made = this.feet.map((foot) => {
      const rest: GoalOptions = { chain: topOf(this.to, foot, this.hips), ...given }
      return {
        position: new PositionGoal(this.to, foot, [0, 0, 0], { ...rest, point: [0, 0, 0] }),
        orientation: new OrientationGoal(this.to, foot, [0, 0, 0, 1], { ...rest, weight: orientationWeight }),
      }
    })
    for (const { position, orientation } of made) {
      this.goals.push({ position: solver.add(position), orientation: solver.add(orientation) })
    }
    return this.goals
  }

  /** Writes the second rig's pose for one of the first to `out`, and returns it. */
  apply(pose: Pose, out: Pose): Pose {
    const { from, to, source, fromWorld, toWorld, align, after, goals, feet } = this
    checkPose('Retarget.apply: out', out, to.count)
    fromWorld.update(from, pose)
    const { rotations: R } = toWorld
    for (let j = 0; j < to.count; j++) {
      const p = to.parent[j]
      const i = source[j]
      for (let k = 3 * j; k < 3 * j + 3; k++) out.positions[k] = to.restPosition[k]
      if (i < 0) {
        for (let k = 4 * j; k < 4 * j + 4; k++) out.rotations[k] = to.restRotation[k]
        if (p < 0) for (let k = 0; k < 4; k++) R[4 * j + k] = out.rotations[4 * j + k]
        else compose(R, 4 * p, out.rotations, 4 * j, R, 4 * j)
        continue
      }
      compose(align, 0, fromWorld.rotations, 4 * i, q, 0)
      compose(q, 0, after, 4 * j, R, 4 * j)
      if (p < 0) for (let k = 0; k < 4; k++) out.rotations[4 * j + k] = R[4 * j + k]
      else seenFrom(R, 4 * p, R, 4 * j, out.rotations, 4 * j)
      normalizeQuaternion(out.rotations, 4 * j)
    }
    this.placeHips(out)
    for (let f = 0; f < goals.length; f++) {
      const { position, orientation } = goals[f]
      this.targetOf(feet[f], position.target)
      for (let k = 0; k < 4; k++) orientation.target[k] = R[4 * feet[f] + k]
    }
    return out
  }

  /** Moves the root so that the hips are where they belong in the world. */
  private placeHips(out: Pose): void {
    const { to, hips, root, toWorld } = this
    toWorld.update(to, out)
    this.targetOf(hips, v)
    for (let k = 0; k < 3; k++) out.positions[3 * root + k] += v[k] - toWorld.positions[3 * hips + k]
  }

  /** Where the scaled motion of its counterpart puts a bone, into `target`. */
  private targetOf(bone: number, target: Float64Array): void {
    const { source, fromWorld, fromReference, toReference, align, scale } = this
    const i = 3 * source[bone]
    const x = fromWorld.positions
    const r = fromReference.positions
    rotateVector(align, 0, x[i] - r[i], x[i + 1] - r[i + 1], x[i + 2] - r[i + 2], target, 0)
    for (let k = 0; k < 3; k++) target[k] = toReference.positions[3 * bone + k] + scale * target[k]
  }

  private mapped(what: string, bone: number): number {
    const name = this.to.names[bone]
    if (bone < 0) throw new RangeError('Retarget: mapping must have a bone at least, got none')
    if (this.source[bone] < 0) throw new RangeError(`Retarget: ${what} must be bones of the mapping, got "${name}"`)
    return bone
  }

  private ratio(): number {
    const { from, to, feet, source, hips } = this
    if (feet.length === 0) return to.size / from.size
    let [mine, theirs] = [0, 0]
    for (const foot of feet) {
      // From the same joint on in both: one rig may have a bone between hips and thigh that the other has not.
      let top = foot
      for (let i = foot; i >= 0 && i !== hips; i = to.parent[i]) if (source[i] >= 0) top = i
      const [a, b] = [bonesBetween(to, top, foot), bonesBetween(from, source[top], source[foot])]
      const isShared = a > 0 && b > 0
      mine += isShared ? a : legLength(to, foot, hips)
      theirs += isShared ? b : legLength(from, source[foot], source[hips])
    }
    return mine / theirs
  }
}

/** The first bone of a leg: the one of its bones that hangs on the hips. */
function topOf(rig: Rig, foot: number, hips: number): number {
  let i = foot
  while (rig.parent[i] >= 0 && rig.parent[i] !== hips) i = rig.parent[i]
  return i
}

/** Length of the bones from one's joint to that of one below [m]; 0 where it is not above it. */
function bonesBetween(rig: Rig, above: number, below: number): number {
  let sum = 0
  for (let i = below; i !== above; i = rig.parent[i]) {
    if (i < 0) return 0
    const [x, y, z] = rig.restPosition.subarray(3 * i, 3 * i + 3)
    sum += Math.sqrt(x * x + y * y + z * z)
  }
  return sum
}

/** Length of the bones from a leg's joint at the hips to its foot [m]. */
function legLength(rig: Rig, foot: number, hips: number): number {
  let sum = 0
  let i = foot
  for (; i >= 0 && rig.parent[i] >= 0 && rig.parent[i] !== hips; i = rig.parent[i]) {
    const [x, y, z] = rig.restPosition.subarray(3 * i, 3 * i + 3)
    sum += Math.sqrt(x * x + y * y + z * z)
  }
  if (!(sum > 0)) throw new RangeError(`Retarget: feet must hang on the hips by a leg, got "${rig.names[foot]}"`)
  return sum
}
