/** Which vertices of a skin each part carries. */

import { array, finiteVector, integer, knownFields, object, shown } from '@tautline/core/kernel'
import { listed } from '../parts/mesh.js'
import { difference, inverse, scaled, sum, rotationAt, rotated, type Vec3, vectorAt } from './algebra.js'
import type { Skeleton } from './skeleton.js'

/** A skin as files have it: each vertex moves with up to four bones. */
export interface RagdollSkin {
  /** x, y, z of each vertex in the skeleton's space, at rest; with `inverseBindMatrices`, in the space that it was bound in. */
  positions: ArrayLike<number>
  /** Four numbers a vertex: which of `bones` it moves with. */
  joints: ArrayLike<number>
  /** Four numbers a vertex: how much it moves with each. */
  weights: ArrayLike<number>
  /** Names of bones that `joints` counts, as of the joints of a skin. @defaultValue the skeleton's, in its order */
  bones?: readonly string[]
  /** A matrix a bone of `bones`, column-major: from the space that the skin was bound in to the bone's, as in glTF. @defaultValue none */
  inverseBindMatrices?: ArrayLike<number>
}

/** Vertices with the bone that moves each most, in the skeleton's space [m]. */
export interface SkinPoints {
  readonly positions: Float64Array
  readonly bones: Int32Array
}

const FIELDS: readonly (keyof RagdollSkin)[] = ['positions', 'joints', 'weights', 'bones', 'inverseBindMatrices']

/** Vertices closer to the skin's own count than this share of weight are not moved by a bone. */
const LEAST_WEIGHT = 1e-3

/** Checks a skin, and finds which bone moves each vertex most; vertices that none moves are left out. */
export function skinPoints(where: string, skeleton: Skeleton, skin: RagdollSkin, scale: number): SkinPoints {
  knownFields(where, object(where, skin), FIELDS)
  const count = listOf(`${where}: positions`, skin.positions) / 3
  if (!Number.isInteger(count))
    throw new RangeError(`${where}: positions must be three a vertex, got ${skin.positions.length}`)
  for (const field of ['joints', 'weights'] as const) {
    const length = listOf(`${where}: ${field}`, skin[field])
    if (length !== 4 * count)
      throw new RangeError(`${where}: ${field} must be ${4 * count}, four a vertex, got ${length}`)
  }
  const rows = boneRows(where, skeleton, skin.bones)
  const { inverseBindMatrices: matrices } = skin
  const numbers = 16 * rows.length
  if (matrices !== undefined && listOf(`${where}: inverseBindMatrices`, matrices) !== numbers) {
    throw new RangeError(`${where}: inverseBindMatrices must be ${numbers}, 16 a bone, got ${matrices.length}`)
  }
  const positions: number[] = []
  const bones: number[] = []
  for (let v = 0; v < count; v++) {
    let best = -1
    for (let k = 4 * v; k < 4 * v + 4; k++) {
      const weight = skin.weights[k]
      if (weight > LEAST_WEIGHT && (best < 0 || weight > skin.weights[best])) best = k
    }
    if (best < 0) continue
    const joint = integer(`${where}: joints[${best}]`, skin.joints[best], 0, rows.length - 1)
    const at = vectorAt(skin.positions, v)
    const placed = matrices === undefined ? scaled(at, scale) : atRest(skeleton, rows[joint], matrices, joint, at)
    for (let k = 0; k < 3; k++) {
      const x = at[k]
      if (!Number.isFinite(x)) throw new RangeError(`${where}: positions[${3 * v + k}] must be finite, got ${shown(x)}`)
      positions.push(placed[k])
    }
    bones.push(rows[joint])
  }
  return { positions: Float64Array.from(positions), bones: Int32Array.from(bones) }
}

/** Where a bone at rest has a vertex: by its inverse bind matrix `m`. */
function atRest(skeleton: Skeleton, row: number, m: ArrayLike<number>, k: number, [x, y, z]: Vec3): Vec3 {
  const o = 16 * k
  const own = vectorAt(skeleton.own, row)
  const local = [0, 1, 2].map((r) => own[r] * (m[o + r] * x + m[o + 4 + r] * y + m[o + 8 + r] * z + m[o + 12 + r]))
  return sum(vectorAt(skeleton.worldPositions, row), rotated(rotationAt(skeleton.worldRotations, row), local as Vec3))
}

function listOf(where: string, value: unknown): number {
  const { length } = listed(where, value)
  finiteVector(where, value, length)
  return length
}

function boneRows(where: string, { names }: Skeleton, bones: readonly string[] | undefined): readonly number[] {
  if (bones === undefined) return names.map((_, row) => row)
  return array(`${where}: bones`, bones).map((name, k) => {
    const row = names.indexOf(name as string)
    if (row < 0) throw new RangeError(`${where}: bones[${k}] must be a bone of the skeleton, got ${shown(name)}`)
    return row
  })
}

/** Whether a bone moves vertices, by row. */
export function skinnedBones({ names }: Skeleton, points: SkinPoints | undefined): Uint8Array {
  const skinned = new Uint8Array(names.length)
  for (const row of points?.bones ?? []) skinned[row] = 1
  return skinned
}

/** Vertices by part, in the rigid frame of the part's bone [m]. */
export function pointsOfParts(
  skeleton: Skeleton,
  points: SkinPoints,
  bones: readonly number[],
  partOf: Int32Array,
): Vec3[][] {
  const found: Vec3[][] = bones.map(() => [])
  const { worldPositions, worldRotations } = skeleton
  const back = bones.map((row) => inverse(rotationAt(worldRotations, row)))
  points.bones.forEach((row, v) => {
    const part = partOf[row]
    if (part < 0) return
    const local = difference(vectorAt(points.positions, v), vectorAt(worldPositions, bones[part]))
    found[part].push(rotated(back[part], local))
  })
  return found
}
