/**
 * Rigs of three.js: a `Skeleton`, a `SkinnedMesh`, or a hierarchy of bones, and poses written back to its bones.
 *
 * Nothing of three is imported: what is read of its objects is said by the interfaces below, which its own classes fit.
 * The rest pose is the bones' present one, or that in which the skin was bound; bones may point anywhere. The rig's space is
 * that of the node that all its roots hang on, or of one above that.
 */

import { oneOf } from '@tautline/core/kernel'
import type { BoneDef } from '../rig.js'
import { type SceneNode, type SceneOptions, SceneRig, boundPlace } from './nodes.js'
import type { LocalPose, Quat, Vec3 } from './transform.js'

export type { SceneOptions } from './nodes.js'
export type { LocalPose } from './transform.js'

/** What is used of a `Vector3`. */
export interface ThreeVector {
  readonly x: number
  readonly y: number
  readonly z: number
  /** Takes three numbers, or four of a `Quaternion`, from `offset` on. */
  fromArray(array: ArrayLike<number>, offset?: number): unknown
}

/** What is used of a `Quaternion`. */
export interface ThreeQuaternion extends ThreeVector {
  readonly w: number
}

/** What is used of an `Object3D`, such as a `Bone`: its place in its parent's space. Matrices are neither read nor written. */
export interface ThreeNode {
  /** Becomes the bone's. */
  readonly name: string
  /** `null` at the top of the scene. */
  readonly parent: ThreeNode | null
  /** Searched for bones where the source is a node. */
  readonly children: readonly ThreeNode[]
  /** [m] */
  readonly position: ThreeVector
  /** [x, y, z, w] */
  readonly quaternion: ThreeQuaternion
  /** By axis. */
  readonly scale: { readonly x: number; readonly y: number; readonly z: number }
}

/** What is used of a `Skeleton`. */
export interface ThreeSkeleton {
  /** In any order. */
  readonly bones: readonly ThreeNode[]
  /** From the space of the skin to each bone's when it was bound: column-major. */
  readonly boneInverses: readonly { readonly elements: ArrayLike<number> }[]
}

/** What is used of a `SkinnedMesh`. */
export interface ThreeSkinned {
  /** Whose bones are meant. */
  readonly skeleton: ThreeSkeleton
}

/** Options of {@link fromThree}. */
export interface ThreeOptions extends SceneOptions {
  /**
   * `present`: the bones as they stand now; `bind`: every bone that has a bone above it as the skin was bound; roots, which
   * carry the figure about, as they stand. @defaultValue 'present'
   */
  rest?: 'present' | 'bind'
  /** Node above all bones, whose space is the rig's. @defaultValue the one that the roots hang on */
  space?: ThreeNode
}

/** Bones of a scene and the way back to it. */
export interface ThreeRig {
  /** For `Rig.from`. */
  readonly bones: BoneDef[]
  /** The scene's bones, a row a bone of the rig. */
  readonly nodes: readonly ThreeNode[]
  /** Sets the scene's bones to a pose of the rig. Allocates nothing of its own. */
  write(pose: LocalPose): void
  /** Sets a pose of the rig to the scene's bones as they stand. */
  read(pose: LocalPose): void
}

/** Makes bones of a skeleton, or of all bones (`isBone`) below a node. Throws `TypeError`/`RangeError` with what, which node and the value. */
export function fromThree(source: ThreeSkinned | ThreeSkeleton | ThreeNode, options: ThreeOptions = {}): ThreeRig {
  if (typeof source !== 'object' || source === null) {
    throw new TypeError(`fromThree: source must be a SkinnedMesh, a Skeleton or a bone, got ${String(source)}`)
  }
  const rest = oneOf('fromThree: rest', options.rest ?? 'present', ['present', 'bind'])
  const skeleton = skeletonOf(source)
  const bones = skeleton?.bones ?? bonesBelow(source as ThreeNode)
  if (bones.length === 0) throw new RangeError('fromThree: source must have bones (isBone), got none')
  if (rest === 'bind' && skeleton?.boneInverses.length !== bones.length) {
    throw new RangeError("fromThree: rest 'bind' must have a skeleton with an inverse matrix a bone, got none")
  }
  const space = options.space ?? commonSpace(bones)
  const found = collect(bones, space)
  const nodes = found.map((node): SceneNode => {
    const isBone = bones.includes(node)
    const parent = node.parent === null ? -1 : found.indexOf(node.parent)
    const { position, quaternion, scale } = node
    const present = {
      position: [position.x, position.y, position.z] as Vec3,
      rotation: [quaternion.x, quaternion.y, quaternion.z, quaternion.w] as Quat,
      scale: [scale.x, scale.y, scale.z] as Vec3,
    }
    const up = node.parent === null ? -1 : bones.indexOf(node.parent)
    const isBound = rest === 'bind' && isBone && up >= 0
    const inverses = skeleton?.boneInverses
    const place = isBound ? boundPlace(inverses![up].elements, inverses![bones.indexOf(node)].elements) : present
    return { name: node.name, parent, isBone, ...place }
  })
  const rig = new SceneRig('fromThree', nodes, options)
  return new Binding(
    rig,
    rig.rows.map((row) => found[row]),
  )
}

class Binding implements ThreeRig {
  readonly bones: BoneDef[]
  readonly nodes: readonly ThreeNode[]
  private readonly rig: SceneRig

  constructor(rig: SceneRig, nodes: readonly ThreeNode[]) {
    this.rig = rig
    this.bones = rig.bones
    this.nodes = nodes
  }

  write(pose: LocalPose): void {
    const { rig, nodes } = this
    rig.toNodes(pose)
    for (let i = 0; i < nodes.length; i++) {
      nodes[i].position.fromArray(rig.position, 3 * i)
      nodes[i].quaternion.fromArray(rig.rotation, 4 * i)
    }
  }

  read(pose: LocalPose): void {
    const { rig, nodes } = this
    for (let i = 0; i < nodes.length; i++) {
      const { position, quaternion } = nodes[i]
      rig.position[3 * i] = position.x
      rig.position[3 * i + 1] = position.y
      rig.position[3 * i + 2] = position.z
      rig.rotation[4 * i] = quaternion.x
      rig.rotation[4 * i + 1] = quaternion.y
      rig.rotation[4 * i + 2] = quaternion.z
      rig.rotation[4 * i + 3] = quaternion.w
    }
    rig.fromNodes(pose)
  }
}

function skeletonOf(source: ThreeSkinned | ThreeSkeleton | ThreeNode): ThreeSkeleton | undefined {
  if ('skeleton' in source) return source.skeleton
  return 'bones' in source ? source : undefined
}

function bonesBelow(node: ThreeNode): ThreeNode[] {
  const own = (node as { isBone?: boolean }).isBone === true ? [node] : []
  return [...own, ...(node.children ?? []).flatMap(bonesBelow)]
}

/** What the topmost bones hang on; `null` where that is nothing. */
function commonSpace(bones: readonly ThreeNode[]): ThreeNode | null {
  const tops = new Set(bones.map((bone) => above(bone, bones)))
  const parents = new Set(Array.from(tops, (bone) => bone.parent))
  if (parents.size > 1)
    throw new RangeError('fromThree: roots must hang on one node (or give a space above them), got several')
  return parents.values().next().value ?? null
}

/** The topmost bone over a bone, with other nodes in between or not. */
function above(bone: ThreeNode, bones: readonly ThreeNode[]): ThreeNode {
  let top = bone
  for (let up = bone.parent; up !== null; up = up.parent) if (bones.includes(up)) top = up
  return top
}

/** Bones and what is between them and `space`, parents first. */
function collect(bones: readonly ThreeNode[], space: ThreeNode | null): ThreeNode[] {
  const found = new Set<ThreeNode>()
  for (const bone of bones) {
    const chain: ThreeNode[] = []
    let node: ThreeNode | null = bone
    for (; node !== space && node !== null; node = node.parent) chain.unshift(node)
    if (node !== space) throw new RangeError(`fromThree: space must be above bone "${bone.name}", got "${space?.name}"`)
    for (const each of chain) found.add(each)
  }
  return [...found]
}
