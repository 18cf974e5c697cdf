/** What is used of a `Document` of glTF-Transform, and the rig that is made of one. */

import type { BoneDef } from '../rig.js'
import type { LocalPose, Quat, Vec3 } from './transform.js'

/** What is used of a `Node` of glTF-Transform: its place in its parent's space [m], rotations [x, y, z, w]. */
export interface GltfNode {
  /** Becomes the bone's. */
  getName(): string
  /** [m] */
  getTranslation(): Vec3
  /** [x, y, z, w] */
  getRotation(): Quat
  /** By axis. */
  getScale(): Vec3
  /** `null` at the top of the scene. */
  getParentNode(): GltfNode | null
  /** [m] */
  setTranslation(position: Vec3): unknown
  /** [x, y, z, w] */
  setRotation(rotation: Quat): unknown
}

/** What is used of a `Skin` of glTF-Transform. */
export interface GltfSkin {
  /** As in the file, or empty. */
  getName(): string
  /** Become the bones. */
  listJoints(): GltfNode[]
  /** An accessor of a matrix a joint, column-major; `null` where they are all 1. */
  getInverseBindMatrices(): { getElement(index: number, target: number[]): number[]; getCount(): number } | null
}

/** What is used of a `Document` of glTF-Transform. */
export interface GltfDocument {
  /** All that the file has. */
  getRoot(): { listSkins(): GltfSkin[] }
}

/** Bones of a skin and the way back to its nodes. */
export interface GltfRig {
  /** For `Rig.from`. */
  readonly bones: BoneDef[]
  /** The file's nodes, a row a bone of the rig. */
  readonly nodes: readonly GltfNode[]
  /** Sets the nodes to a pose of the rig. */
  write(pose: LocalPose): void
  /** Sets a pose of the rig to the nodes as they stand. */
  read(pose: LocalPose): void
}
