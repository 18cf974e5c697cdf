/** What poses are to the functions of this entry, and their checks. */

import { finiteVector, object, shown } from '@tautline/core/kernel'

/** Where bones are in their parents' spaces: a `Pose` of this package is one, and a `BonePose` of `@tautline/assemblies`. */
export interface PoseData {
  /** [x, y, z], a row of three a bone. */
  readonly positions: Float64Array
  /** [x, y, z, w], a row of four a bone. */
  readonly rotations: Float64Array
}

/** Names of bones and rows of their parents, −1 of roots: a `Rig` is one, and the skeleton of a ragdoll's asset. */
export interface BoneTree {
  readonly names: readonly string[]
  readonly parent: ArrayLike<number>
}

/** A pose; of `count` bones where that is given. */
export function checkPoseData(where: string, pose: unknown, count?: number): PoseData {
  const { positions, rotations } = object(where, pose) as unknown as PoseData
  for (const [name, list] of [
    ['positions', positions],
    ['rotations', rotations],
  ] as const) {
    if (!(list instanceof Float64Array)) {
      throw new TypeError(`${where}: ${name} must be a Float64Array, got ${shown(list)}`)
    }
  }
  const bones = count ?? rotations.length / 4
  if (rotations.length !== 4 * bones || positions.length !== 3 * bones) {
    const got = `${positions.length} and ${rotations.length}`
    throw new RangeError(`${where} must have 3 positions and 4 rotations a bone, of ${bones} bones, got ${got}`)
  }
  return pose as PoseData
}

/** Names and parents that belong together. */
export function checkTree(where: string, tree: BoneTree): BoneTree {
  const { names, parent } = object(where, tree) as unknown as BoneTree
  if (!Array.isArray(names)) throw new TypeError(`${where}: names must be an array, got ${shown(names)}`)
  names.forEach((name: unknown, k) => {
    if (typeof name !== 'string') throw new TypeError(`${where}: names[${k}] must be a text, got ${shown(name)}`)
  })
  finiteVector(`${where}: parent`, parent, names.length)
  return tree
}

/** Row of a bone. Throws `RangeError` where there is none of that name. */
export function boneRow(where: string, { names }: BoneTree, bone: string): number {
  const row = names.indexOf(bone)
  if (row < 0) throw new RangeError(`${where} must be a bone of the skeleton, got ${shown(bone)}`)
  return row
}

/** Shares of bones, or none: as many as there are bones. */
export function checkMask(where: string, mask: ArrayLike<number> | undefined, count: number): void {
  if (mask === undefined) return
  finiteVector(where, mask, count)
  for (let i = 0; i < count; i++) {
    if (mask[i] < 0 || mask[i] > 1) throw new RangeError(`${where}[${i}] must be within [0, 1], got ${mask[i]}`)
  }
}
