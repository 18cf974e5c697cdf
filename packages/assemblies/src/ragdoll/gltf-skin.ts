/**
 * The skin of a glTF file, for ragdolls fitted to it. Nothing of `@gltf-transform/core` is imported: hand over a `Document` that you have read.
 *
 * glTF 2.0 specification, 3.7.3 (skins).
 */

import { integer, object } from '@tautline/core/kernel'
import type { RagdollSkin } from './skin.js'

/** What is used of an `Accessor` of glTF-Transform. */
export interface GltfAccessor {
  /** How many elements it has. */
  getCount(): number
  /** One of them, normalized numbers as floats. */
  getElement(index: number, target: number[]): number[]
}

/** What is used of a `Skin`. */
export interface GltfBoundSkin {
  /** Bones, in the order that vertices count them in. */
  listJoints(): { getName(): string }[]
  /** A matrix a joint; `null` where they are all 1. */
  getInverseBindMatrices(): GltfAccessor | null
}

/** What is used of a `Node`. */
export interface GltfMeshNode {
  /** `null` of a node without. */
  getSkin(): GltfBoundSkin | null
  /** `null` of a node without. */
  getMesh(): { listPrimitives(): { getAttribute(name: string): GltfAccessor | null }[] } | null
}

/** What is used of a `Document`. */
export interface GltfFile {
  /** All that the file has. */
  getRoot(): { listNodes(): GltfMeshNode[]; listSkins(): GltfBoundSkin[] }
}

const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]

/**
 * Vertices of all meshes that a skin of a file moves: `ragdoll(world, fromGltf(file), { skin: gltfSkin(file) })`. Throws `TypeError`/`RangeError` where there
 * is no such skin, or no mesh with it.
 */
export function gltfSkin(document: GltfFile, skin = 0): RagdollSkin {
  const where = 'gltfSkin'
  object(`${where}: document`, document)
  const root = document.getRoot()
  const skins = root.listSkins()
  const chosen = skins[integer(`${where}: skin`, skin, 0, skins.length - 1)]
  const [positions, joints, weights]: [number[], number[], number[]] = [[], [], []]
  for (const node of root.listNodes()) {
    if (node.getSkin() !== chosen) continue
    for (const part of node.getMesh()?.listPrimitives() ?? []) {
      const lists = ['POSITION', 'JOINTS_0', 'WEIGHTS_0'].map((name) => part.getAttribute(name))
      const [position, joint, weight] = lists
      if (position === null || joint === null || weight === null) continue
      for (let v = 0; v < position.getCount(); v++) {
        positions.push(...position.getElement(v, []))
        joints.push(...joint.getElement(v, []))
        weights.push(...weight.getElement(v, []))
      }
    }
  }
  if (positions.length === 0) throw new RangeError(`${where}: document must have a mesh with skin ${skin}, got none`)
  const bones = chosen.listJoints().map((joint) => joint.getName())
  const matrices = chosen.getInverseBindMatrices()
  const inverseBindMatrices = bones.flatMap((_, k) => (matrices === null ? IDENTITY : matrices.getElement(k, [])))
  return { positions, joints, weights, bones, inverseBindMatrices }
}
