/**
 * Ragdolls shown by bones of three: bodies where the bones are, and bones where the bodies are. An entry of its own, `@tautline/three/ragdoll`,
 * as it brings the joints of `@tautline/constraints` along.
 */

import type { SliderDef } from '@tautline/constraints'
import { type LeanWorld } from '@tautline/core'
import { rotateVector } from '@tautline/core/kernel'
import { Pose } from '@tautline/ik'
import { type Ragdoll, type RagdollOptions, toRagdoll } from '@tautline/ik/ragdoll'
import type { Object3D } from 'three'
import type { Updatable } from './bindings.js'
import { kindOf, share } from './checks.js'
import { composePoses, invertPose, POSE, writePose } from './poses.js'
import type { SkeletonBinding } from './skeleton.js'
import { writeObjectPose } from './space.js'

/** World scale of the rig's space within this of 1 is 1. */
const UNIT_SCALE = 1e-6

const base = /* @__PURE__ */ new Float64Array(POSE)
const inverse = /* @__PURE__ */ new Float64Array(POSE)
const place = /* @__PURE__ */ new Float64Array(POSE)
const v = /* @__PURE__ */ new Float64Array(3)

/**
 * Makes bodies and joints where the bones of a skeleton are, and what shows them. With `options.previous`, a pose `dt` before, they keep
 * the speed of the animation. A `SkinnedMesh` that the skeleton was made of is culled no more. Throws `RangeError` where the space is
 * scaled, and what `toRagdoll` throws; nothing is added then.
 */
export function bindRagdoll(skeleton: SkeletonBinding, world: LeanWorld, options: RagdollOptions = {}): RagdollBinding {
  const { previous } = options
  checkScale(skeleton.space)
  const pose = skeleton.toWorld(skeleton.pose)
  const ragdoll = toRagdoll(skeleton.rig, pose, world, {
    ...options,
    ...(previous !== undefined && { previous: skeleton.toWorld(previous) }),
  })
  // Its bounds are those of the bind pose where it stands, and a ragdoll falls out of them.
  if (skeleton.mesh !== undefined) skeleton.mesh.frustumCulled = false
  return new RagdollBinding(skeleton, ragdoll)
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
      const joint = ragdoll.joints[i]
      const axis = joint?.typeName === 'slider' ? (joint.def as SliderDef).axisA : undefined
      for (let k = 0; k < 3; k++) {
        this.joints[3 * i + k] = (joint?.def.anchorA?.[k] ?? 0) + rig.centre[3 * p + k]
        this.axes[3 * i + k] = axis?.[k] ?? 0
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

function checkScale(space: Object3D | null): void {
  if (space === null) return
  space.updateWorldMatrix(true, false)
  const e = space.matrixWorld.elements
  for (let k = 0; k < 12; k += 4) {
    const scale = Math.sqrt(e[k] * e[k] + e[k + 1] * e[k + 1] + e[k + 2] * e[k + 2])
    if (Math.abs(scale - 1) <= UNIT_SCALE) continue
    throw new RangeError(
      `ragdoll: space must have a world scale of 1 (or give a space above it, and scale: 'bake'), got ${scale} of "${space.name}"`,
    )
  }
}
