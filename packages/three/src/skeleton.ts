/**
 * Skeletons: a rig and its pose made of bones of three, and poses written back to them.
 *
 *   const figure = new SkeletonBinding(skinnedMesh)         a rig with figure.pose
 *   solver.solve(figure.pose);  figure.write()              IK
 *   const ragdoll = bindRagdoll(figure, world)              bodies where the bones are; ragdoll.update(alpha) a frame (ragdoll.ts)
 *
 * The rig's space is that of the node that its roots hang on, or `space`. Bodies are in the world: the node may stand anywhere in it, but
 * its world scale must be 1, so that metres are metres; `space` above a scaled node with `scale: 'bake'` makes them so.
 */

import { type MassOptions, Pose, Rig } from '@tautline/ik'
import { fromThree, type ThreeOptions, type ThreeRig } from '@tautline/ik/three'
import type { Object3D, Skeleton, SkinnedMesh } from 'three'
import { composePoses, POSE } from './poses.js'
import { writeObjectPose } from './space.js'

/** How a rig is made of a skeleton. */
export interface SkeletonOptions extends Omit<ThreeOptions, 'space'>, MassOptions {
  /** Node above all bones, whose space is the rig's. @defaultValue the one that the roots hang on */
  space?: Object3D
}

const base = /* @__PURE__ */ new Float64Array(POSE)
const place = /* @__PURE__ */ new Float64Array(POSE)

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
  /** The skinned mesh that it was made of. */
  readonly mesh: SkinnedMesh | undefined

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
