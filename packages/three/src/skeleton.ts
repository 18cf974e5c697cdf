/**
 * Skeletons: a rig and its pose made of bones of three, poses written back to them, and ragdolls shown by them.
 *
 *   const figure = new SkeletonBinding(skinnedMesh)         a rig with figure.pose
 *   solver.solve(figure.pose);  figure.write()              IK
 *   const ragdoll = figure.ragdoll(world, types)            bodies where the bones are; ragdoll.update(alpha) a frame
 *
 * The rig's space is that of the node that its roots hang on, or `space`. Bodies are in the world: the node may stand anywhere in it, but
 * its world scale must be 1, so that metres are metres; `space` above a scaled node with `scale: 'bake'` makes them so.
 */

import { rotateVector, type World } from '@tautline/core'
import {
  type MassOptions,
  Pose,
  type Ragdoll,
  type RagdollOptions,
  type RagdollTypes,
  Rig,
  toRagdoll,
} from '@tautline/ik'
import { fromThree, type ThreeOptions, type ThreeRig } from '@tautline/ik/three'
import type { Object3D, Skeleton, SkinnedMesh } from 'three'
import type { Updatable } from './bindings.js'
import { kindOf, share } from './checks.js'
import { composePoses, invertPose, POSE, writePose } from './poses.js'
import { writeObjectPose } from './space.js'

/** How a rig is made of a skeleton. */
export interface SkeletonOptions extends Omit<ThreeOptions, 'space'>, MassOptions {
  /** Node above all bones, whose space is the rig's. @defaultValue the one that the roots hang on */
  space?: Object3D
}

/** World scale of the rig's space within this of 1 is 1. */
const UNIT_SCALE = 1e-6

const base = /* @__PURE__ */ new Float64Array(POSE)
const inverse = /* @__PURE__ */ new Float64Array(POSE)
const place = /* @__PURE__ */ new Float64Array(POSE)
const v = /* @__PURE__ */ new Float64Array(3)

/** Bones of three as a rig with a pose. */
export class SkeletonBinding {
  /** Its bones; joints are balls until `rig.joint` says otherwise. */
  readonly rig: Rig
  /** The pose that `read` and `write` use when they are given none; at first the rest pose. */
  readonly pose: Pose
  /** The reader of `@tautline/ik/three`, with the bones by row of the rig. */
  readonly bones: ThreeRig
  /** Node whose space is the rig's; `null` is the world. */
  readonly space: Object3D | null
  private readonly mesh: SkinnedMesh | undefined

  /** Makes a rig of a skeleton, a skinned mesh, or all bones below a node. Throws `TypeError`/`RangeError` as `fromThree` and `Rig.from` do. */
  constructor(source: SkinnedMesh | Skeleton | Object3D, options: SkeletonOptions = {}) {
    const { density, thickness, ...three } = options
    this.bones = fromThree(source, three)
    if ((source as Partial<SkinnedMesh>).isSkinnedMesh === true) this.mesh = source as SkinnedMesh
    this.rig = Rig.from(this.bones.bones, {
      ...(density !== undefined && { density }),
      ...(thickness !== undefined && { thickness }),
    })
    this.pose = new Pose(this.rig)
    const root = this.bones.nodes[this.rig.parent.indexOf(-1)] as Object3D
    this.space = options.space ?? parentOfBones(root, this.bones)
  }

  /** Sets the bones to a pose. Allocates nothing. @defaultValue the own pose */
  write(pose: Pose = this.pose): void {
    this.bones.write(pose)
  }

  /** Sets a pose to the bones as they stand, as after an animation mixer, and returns it. @defaultValue the own pose */
  read(pose: Pose = this.pose): Pose {
    this.bones.read(pose)
    return pose
  }

  /**
   * Makes bodies and joints where the bones are, and what shows them: joint types are those of `@tautline/constraints`. With
   * `options.previous`, a pose `dt` before, they keep the speed of the animation. A `SkinnedMesh` that the binding was made of is culled no more. Throws `RangeError` where the space is scaled, and what
   * `toRagdoll` throws; nothing is added then.
   */
  ragdoll(world: World, types: RagdollTypes, options: RagdollOptions = {}): RagdollBinding {
    const { previous } = options
    checkScale(this.space)
    const pose = this.toWorld(this.pose)
    const ragdoll = toRagdoll(this.rig, pose, world, types, {
      ...options,
      ...(previous !== undefined && { previous: this.toWorld(previous) }),
    })
    // Its bounds are those of the bind pose where it stands, and a ragdoll falls out of them.
    if (this.mesh !== undefined) this.mesh.frustumCulled = false
    return new RagdollBinding(this, ragdoll)
  }

  /** A copy of a pose with its roots in the world. */
  toWorld(pose: Pose): Pose {
    const { rig, space } = this
    const out = new Pose(rig).copy(pose)
    if (space === null) return out
    writeObjectPose(space, base)
    for (let i = 0; i < rig.count; i++) if (rig.parent[i] < 0) moveRoot(base, out, i)
    return out
  }
}

/** A ragdoll that bones show. */
export class RagdollBinding implements Updatable {
  /** Bodies and joints by bone. */
  readonly ragdoll: Ragdoll
  /** The bones. */
  readonly skeleton: SkeletonBinding
  /** As of the last `update`, in the rig's space. */
  readonly pose: Pose
  /** Poses of the bodies, seven numbers each. */
  private readonly at: Float64Array
  /** Joints in their parents' spaces as they were made, and the axes of sliders. */
  private readonly joints: Float64Array
  private readonly axes: Float64Array

  /** Shows a ragdoll of the skeleton's rig. Throws `RangeError` for one of another. */
  constructor(skeleton: SkeletonBinding, ragdoll: Ragdoll) {
    const { rig } = skeleton
    const { bodies, joints } = ragdoll ?? {}
    if (!Array.isArray(bodies) || !Array.isArray(joints)) {
      throw new TypeError(`RagdollBinding: ragdoll must be a ragdoll, got ${kindOf(ragdoll)}`)
    }
    if (bodies.length !== rig.count || joints.length !== rig.count) {
      throw new RangeError(
        `RagdollBinding: ragdoll must have a body and a joint for each of ${rig.count} bones, got ${bodies.length} and ${joints.length}`,
      )
    }
    this.skeleton = skeleton
    this.ragdoll = ragdoll
    this.pose = new Pose(rig)
    this.at = new Float64Array(POSE * rig.count)
    this.joints = new Float64Array(3 * rig.count)
    this.axes = new Float64Array(3 * rig.count)
    for (let i = 0; i < rig.count; i++) {
      const p = rig.parent[i]
      if (p < 0) continue
      const def = ragdoll.joints[i]?.def
      for (let k = 0; k < 3; k++) {
        this.joints[3 * i + k] = (def?.anchorA?.[k] ?? 0) + rig.centre[3 * p + k]
        if (ragdoll.joints[i]?.typeName === 'slider') this.axes[3 * i + k] = def?.axisA?.[k] ?? 0
      }
    }
  }

  /**
   * Writes the bones where the bodies are: see `Bindings.update`. Bones stay hung on their joints: only roots, and sliders along their
   * axis, take their positions from the bodies. Does nothing once a body is no more. Allocates nothing.
   */
  update(alpha = 1): void {
    share('update: alpha', alpha)
    const { ragdoll, skeleton, pose, at, joints, axes } = this
    const { rig, space } = skeleton
    const { bodies } = ragdoll
    for (let i = 0; i < rig.count; i++) {
      if (!bodies[i].alive) return
      const o = POSE * i
      writePose(bodies[i].bodies.columns, bodies[i].index, alpha, at, o)
      // From the centre of mass to the joint.
      rotateVector(at, o + 3, rig.centre[3 * i], rig.centre[3 * i + 1], rig.centre[3 * i + 2], v, 0)
      for (let k = 0; k < 3; k++) at[o + k] -= v[k]
    }
    if (space !== null) {
      writeObjectPose(space, base)
      invertPose(base, inverse)
    }
    const { positions, rotations } = pose
    for (let i = 0; i < rig.count; i++) {
      const p = rig.parent[i]
      if (p < 0) {
        for (let k = 0; k < POSE; k++) place[k] = at[POSE * i + k]
        if (space !== null) composePoses(inverse, 0, place, 0, place, 0)
        for (let k = 0; k < 3; k++) positions[3 * i + k] = place[k]
      } else {
        const up = POSE * p
        for (let k = 0; k < POSE; k++) base[k] = at[up + k]
        invertPose(base, base)
        composePoses(base, 0, at, POSE * i, place, 0)
        let along = 0
        for (let k = 0; k < 3; k++) along += axes[3 * i + k] * (place[k] - joints[3 * i + k])
        for (let k = 0; k < 3; k++) positions[3 * i + k] = joints[3 * i + k] + along * axes[3 * i + k]
      }
      const length = Math.sqrt(place[3] * place[3] + place[4] * place[4] + place[5] * place[5] + place[6] * place[6])
      for (let k = 0; k < 4; k++) rotations[4 * i + k] = place[3 + k] / length
    }
    skeleton.write(pose)
  }

  /** Takes bodies and joints out of the world; the bones stay as they are. */
  remove(): void {
    for (const body of this.ragdoll.bodies) if (body.alive) body.remove()
  }
}

/** A root ← base ∘ root. */
function moveRoot(from: Float64Array, pose: Pose, i: number): void {
  for (let k = 0; k < 3; k++) place[k] = pose.positions[3 * i + k]
  for (let k = 0; k < 4; k++) place[3 + k] = pose.rotations[4 * i + k]
  composePoses(from, 0, place, 0, place, 0)
  for (let k = 0; k < 3; k++) pose.positions[3 * i + k] = place[k]
  for (let k = 0; k < 4; k++) pose.rotations[4 * i + k] = place[3 + k]
}

/** The node that the topmost bone hangs on. */
function parentOfBones(root: Object3D, { nodes }: ThreeRig): Object3D | null {
  let top = root
  for (let up: Object3D | null = root; up !== null; up = up.parent) if (nodes.includes(up)) top = up
  return top.parent
}

function checkScale(space: Object3D | null): void {
  if (space === null) return
  space.updateWorldMatrix(true, false)
  const e = space.matrixWorld.elements
  for (let k = 0; k < 12; k += 4) {
    const scale = Math.sqrt(e[k] * e[k] + e[k + 1] * e[k + 1] + e[k + 2] * e[k + 2])
    if (Math.abs(scale - 1) <= UNIT_SCALE) continue
    throw new RangeError(
      `ragdoll: space must have a world scale of 1 (or wish a space above it, and scale: 'bake'), got ${scale} of "${space.name}"`,
    )
  }
}
