/**
 * Ragdolls made of, and shown by, bones of three.
 *
 *   const doll = ragdollFromObject(world, gltf.scene)     bodies where the bones are
 *   mixer.update(dt); doll.track(); world.advance(dt)     led by an animation
 *   doll.update(world.alpha)                              bones where the bodies are
 */

import {
  type BonePose,
  type DriveToOptions,
  type Ragdoll,
  ragdoll,
  type RagdollBone,
  type RagdollOptions,
  type RagdollSkin,
  restPose,
} from '@tautline/assemblies'
import type { LeanWorld } from '@tautline/core'
import { type Bone, Matrix4, type Object3D, Quaternion, type Skeleton, type SkinnedMesh, Vector3 } from 'three'
import type { Updatable } from '../bindings.js'
import { isThree, share } from '../checks.js'

/** What `ragdoll` takes, besides the skeleton and what three says of it. */
export type RagdollObjectOptions = Omit<
  RagdollOptions,
  'skin' | 'scale' | 'position' | 'orientation' | 'pose' | 'previous'
>

const position = /* @__PURE__ */ new Vector3()
const turn = /* @__PURE__ */ new Quaternion()
const scale = /* @__PURE__ */ new Vector3()
const matrix = /* @__PURE__ */ new Matrix4()
const inverse = /* @__PURE__ */ new Matrix4()

/** Bones of three with the ragdoll that moves them. */
export class RagdollObject implements Updatable {
  /** The ragdoll; its bones are named as the nodes, those of one name by number. */
  readonly ragdoll: Ragdoll
  /** The nodes, in the order of the skeleton's bones: bones, and what lies between them. */
  readonly nodes: readonly Object3D[]
  /** As of the last `update` or `track`; top nodes in the world. */
  readonly pose: BonePose
  private readonly isTop: readonly boolean[]

  constructor(made: Ragdoll, nodes: readonly Object3D[]) {
    this.ragdoll = made
    this.nodes = nodes
    this.pose = restPose(made.asset.skeleton)
    const { parent } = made.asset.skeleton
    this.isTop = nodes.map((_, i) => parent[i] < 0)
  }

  /** Reads the bones as they stand, as after an animation mixer, into a pose, and returns it. */
  read(out: BonePose = this.pose): BonePose {
    this.nodes.forEach((node, i) => {
      if (this.isTop[i]) {
        node.updateWorldMatrix(true, false)
        node.matrixWorld.decompose(position, turn, scale)
      }
      ;(this.isTop[i] ? position : node.position).toArray(out.positions as unknown as number[], 3 * i)
      ;(this.isTop[i] ? turn : node.quaternion).toArray(out.rotations as unknown as number[], 4 * i)
    })
    return out
  }

  /** Drives the ragdoll to the bones as they stand: call it after the mixer, before the step. */
  track(options: DriveToOptions = {}): void {
    if (this.ragdoll.alive) this.ragdoll.driveTo(this.read(), options)
  }

  /** Writes the bones where the bodies are: see `Bindings.update`. Does nothing once the ragdoll is removed. */
  update(alpha = 1): void {
    share('update: alpha', alpha)
    if (!this.ragdoll.alive) return
    this.write(this.ragdoll.pose(this.pose, alpha))
  }

  /** Sets the bones to a pose; their scales stay. */
  write(pose: BonePose): void {
    const { positions, rotations } = pose
    this.nodes.forEach((node, i) => {
      node.position.fromArray(positions as unknown as number[], 3 * i)
      node.quaternion.fromArray(rotations as unknown as number[], 4 * i)
      const { parent } = node
      if (!this.isTop[i] || parent === null) return
      parent.updateWorldMatrix(true, false)
      node.matrixWorld.decompose(position, turn, scale)
      matrix.compose(node.position, node.quaternion, scale)
      inverse.copy(parent.matrixWorld).invert()
      matrix.premultiply(inverse).decompose(node.position, node.quaternion, scale)
    })
  }
}

/**
 * Makes a ragdoll of the bones of an object, such as the scene of a loaded glTF file: `ragdollFromObject(world, gltf.scene)`. It rests as its skin was
 * bound, is fitted to the skin, and starts as the bones stand. Skinned meshes are culled no more: a ragdoll falls out of the bounds that they have. Throws
 * `TypeError`/`RangeError` with what, which bone and the value, and adds nothing, when something is wrong.
 */
export function ragdollFromObject(
  world: LeanWorld,
  object: Object3D,
  options: RagdollObjectOptions = {},
): RagdollObject {
  const where = 'ragdollFromObject'
  isThree(`${where}: object`, object, 'isObject3D')
  object.updateWorldMatrix(true, true)
  const meshes = skinnedMeshes(object)
  const nodes = boneNodes(where, object, meshes)
  const names = uniqueNames(nodes)
  const places = bindPlaces(nodes, meshes)
  const bones = nodes.map((node, i): RagdollBone => {
    const parent = node.parent === null ? -1 : nodes.indexOf(node.parent)
    // What is above the bones may not move, but is where it is.
    places[i].decompose(position, turn, scale)
    return {
      name: names[i],
      parent: parent < 0 ? null : parent,
      position: [position.x, position.y, position.z],
      rotation: [turn.x, turn.y, turn.z, turn.w],
      scale: [scale.x, scale.y, scale.z],
    }
  })
  const skin = skinOf(nodes, names, meshes, worldPlaces(nodes, places))
  const made = ragdoll(world, { bones }, { ...options, ...(skin !== undefined && { skin }) })
  const shown = new RagdollObject(made, nodes)
  made.setPose(shown.read())
  for (const mesh of meshes) mesh.frustumCulled = false
  return shown
}

function skinnedMeshes(object: Object3D): SkinnedMesh[] {
  const meshes: SkinnedMesh[] = []
  object.traverse((node) => {
    if ((node as Partial<SkinnedMesh>).isSkinnedMesh === true) meshes.push(node as SkinnedMesh)
  })
  return meshes
}

/** Bones of the meshes, or else all bones below the object, and the nodes between them, parents first. */
function boneNodes(where: string, object: Object3D, meshes: readonly SkinnedMesh[]): Object3D[] {
  const bones = new Set<Object3D>(meshes.flatMap(({ skeleton }) => skeleton.bones))
  if (bones.size === 0) object.traverse((node) => void ((node as Partial<Bone>).isBone === true && bones.add(node)))
  if (bones.size === 0) throw new RangeError(`${where}: object must have bones (isBone), got none`)
  const wanted = new Set<Object3D>()
  for (const bone of bones) {
    const chain: Object3D[] = []
    for (let node: Object3D | null = bone; node !== null; node = node.parent) {
      chain.push(node)
      // What lies between two bones is carried along.
      if (bones.has(node)) for (const between of chain.splice(0)) wanted.add(between)
    }
  }
  const top = Array.from(wanted, rootOf)
  const ordered: Object3D[] = []
  for (const root of new Set(top)) root.traverse((node) => void (wanted.has(node) && ordered.push(node)))
  return ordered
}

function rootOf(node: Object3D): Object3D {
  return node.parent === null ? node : rootOf(node.parent)
}

function uniqueNames(nodes: readonly Object3D[]): string[] {
  const taken = new Set<string>()
  return nodes.map(({ name }, i) => {
    let own = name === '' ? `bone ${i}` : name
    for (let n = 2; taken.has(own); n++) own = `${name} ${n}`
    taken.add(own)
    return own
  })
}

/** Local places of nodes when their skins were bound; of top nodes, and of what no skin has, as they stand: those of top nodes in the world. */
function bindPlaces(nodes: readonly Object3D[], meshes: readonly SkinnedMesh[]): Matrix4[] {
  const skeletons = Array.from(new Set(meshes.map(({ skeleton }) => skeleton)))
  return nodes.map((node) => {
    const { parent } = node
    if (parent === null || !nodes.includes(parent)) return node.matrixWorld.clone()
    const owner = skeletons.find(({ bones }) => bones.includes(node as Bone) && bones.includes(parent as Bone))
    if (owner === undefined) return new Matrix4().compose(node.position, node.quaternion, node.scale)
    const own = inverseOf(owner, node)
    return new Matrix4().copy(own).invert().premultiply(inverseOf(owner, parent))
  })
}

function inverseOf({ bones, boneInverses }: Skeleton, node: Object3D): Matrix4 {
  return boneInverses[bones.indexOf(node as Bone)]
}

/** World places of nodes at bind. */
function worldPlaces(nodes: readonly Object3D[], places: readonly Matrix4[]): Matrix4[] {
  const world: Matrix4[] = []
  nodes.forEach((node, i) => {
    const parent = node.parent === null ? -1 : nodes.indexOf(node.parent)
    world.push(parent < 0 ? places[i] : new Matrix4().multiplyMatrices(world[parent], places[i]))
  })
  return world
}

/** Vertices of all meshes where they are at bind, in the world. */
function skinOf(
  nodes: readonly Object3D[],
  names: readonly string[],
  meshes: readonly SkinnedMesh[],
  world: readonly Matrix4[],
): RagdollSkin | undefined {
  const positions: number[] = []
  const joints: number[] = []
  const weights: number[] = []
  const rows = new Map(nodes.map((node, i) => [node, i]))
  for (const { geometry, skeleton, bindMatrix } of meshes) {
    const { position: at, skinIndex, skinWeight } = geometry.attributes
    const { bones, boneInverses } = skeleton
    const ways = bones.map((bone, k) => {
      return new Matrix4().multiplyMatrices(world[rows.get(bone) as number], boneInverses[k]).multiply(bindMatrix)
    })
    for (let v = 0; v < at.count; v++) {
      const share = [0, 1, 2, 3].map((k) => skinWeight.getComponent(v, k))
      const joint = [0, 1, 2, 3].map((k) => skinIndex.getComponent(v, k))
      const first = joint[share.indexOf(Math.max(...share))]
      position.fromBufferAttribute(at, v).applyMatrix4(ways[first])
      positions.push(position.x, position.y, position.z)
      joints.push(...joint.map((k) => rows.get(bones[k]) as number))
      weights.push(...share)
    }
  }
  return positions.length === 0 ? undefined : { positions, joints, weights, bones: names }
}
