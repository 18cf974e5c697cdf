/**
 * Which bones are parts of a ragdoll; all others are folded into the part that they hang on, and follow it rigidly.
 *
 * Of a humanoid, the bones of a level of detail. Of anything else: bones that move and have a length; twist bones, ends without a length and
 * bones that are locked are folded, as are those too short to matter.
 */

import { array, integer, shown } from '@tautline/core/kernel'
import { difference, size, vectorAt } from './algebra.js'
import { type HumanoidDetail, partsAt, type Role, type RoleRows } from './humanoid.js'
import { reachOf, type Skeleton } from './skeleton.js'

/** Which bones are parts. */
export interface Fold {
  /** Rows of the bones that are parts, parents first. */
  readonly bones: readonly number[]
  /** Roles of the parts, where they have one. */
  readonly roles: readonly (Role | undefined)[]
  /** Part that each part hangs on; −1 for the root. */
  readonly parent: readonly number[]
  /** Part that each bone belongs to; −1 for bones above the root and beside it. */
  readonly partOf: Int32Array
}

/** Bones that only share out the twist of another. */
const TWIST = /twist|roll\b|_roll|roll_/i
/** Bones shorter than this share of the whole are folded. */
const LEAST = 0.004

/** Chooses the parts of a skeleton. `isSkinned` says which bones move vertices, where a skin is known. */
export function foldOf(
  where: string,
  skeleton: Skeleton,
  roles: RoleRows | undefined,
  options: { readonly detail?: HumanoidDetail | 'all' | number; readonly bones?: readonly string[] },
  isSkinned: (row: number) => boolean,
): Fold {
  const chosen = chosenBones(where, skeleton, roles, options, isSkinned)
  const { order, parent, names } = skeleton
  const bones = Array.from(order).filter((row) => chosen.has(row))
  const partOf = new Int32Array(order.length).fill(-1)
  const partParent: number[] = []
  bones.forEach((row, part) => (partOf[row] = part))
  for (const row of order) if (partOf[row] < 0 && parent[row] >= 0) partOf[row] = partOf[parent[row]]
  for (const row of bones) partParent.push(parent[row] < 0 ? -1 : partOf[parent[row]])
  const roots = bones.filter((_, part) => partParent[part] < 0)
  if (roots.length === 0) throw new RangeError(`${where}: bones must include one with a length, got none that has`)
  if (roots.length > 1) {
    const list = roots.map((row) => `"${names[row]}"`).join(', ')
    throw new RangeError(`${where}: parts must hang on one root, got ${roots.length}: ${list}`)
  }
  return { bones, roles: bones.map((row) => chosen.get(row)), parent: partParent, partOf }
}

function chosenBones(
  where: string,
  skeleton: Skeleton,
  roles: RoleRows | undefined,
  { detail, bones }: { readonly detail?: HumanoidDetail | 'all' | number; readonly bones?: readonly string[] },
  isSkinned: (row: number) => boolean,
): Map<number, Role | undefined> {
  const roleAt = new Map(Object.entries(roles ?? {}).map(([role, row]) => [row, role as Role]))
  if (bones !== undefined) {
    const rows = array(`${where}: bones`, bones).map((name, k) => {
      const row = rowOf(skeleton, roles, name)
      if (row === undefined) throw new RangeError(`${where}: bones[${k}] must be a bone or a role, got ${shown(name)}`)
      return row
    })
    return new Map(rows.map((row) => [row, roleAt.get(row)]))
  }
  if (roles !== undefined && detail !== 'all') return partsAt(where, roles, (detail ?? 15) as HumanoidDetail)
  const moving = movingBones(skeleton, isSkinned)
  const most = detail === undefined || detail === 'all' ? Infinity : integer(`${where}: detail`, detail, 1)
  return new Map(shortlist(skeleton, moving, most).map((row) => [row, roleAt.get(row)]))
}

/** Row of a bone by its name or role. */
export function rowOf(
  { names }: Pick<Skeleton, 'names'>,
  roles: RoleRows | undefined,
  name: unknown,
): number | undefined {
  if (typeof name !== 'string') return undefined
  const row = names.indexOf(name)
  return row >= 0 ? row : roles?.[name as Role]
}

/** Bones that move on their own and are long enough. */
function movingBones(skeleton: Skeleton, isSkinned: (row: number) => boolean): number[] {
  const { order, parent, names, joints, matter } = skeleton
  const least = LEAST * reachOf(skeleton)
  const length = lengthsOf(skeleton)
  const isHeavy = (row: number): boolean => (matter[row]?.mass ?? 0) > 0
  return Array.from(order).filter((row) => {
    if (joints[row]?.kind === 'locked' && parent[row] >= 0) return false
    // What a file gives a joint or mass moves, however short it is.
    if (joints[row] !== undefined || isHeavy(row)) return true
    if (TWIST.test(names[row])) return false
    return length[row] > least || isSkinned(row)
  })
}

/** From each bone's joint to its tip or its farthest child [m]. */
export function lengthsOf({ parent, positions, tips }: Skeleton): Float64Array {
  const length = Float64Array.from(parent, (_, row) => (Number.isNaN(tips[3 * row]) ? 0 : size(vectorAt(tips, row))))
  parent.forEach((p, row) => {
    if (p >= 0) length[p] = Math.max(length[p], size(difference(vectorAt(positions, row), [0, 0, 0])))
  })
  return length
}

/** At most so many, the longest; a root stays. */
function shortlist(skeleton: Skeleton, rows: readonly number[], most: number): readonly number[] {
  if (rows.length <= most) return rows
  const length = lengthsOf(skeleton)
  const [root, ...others] = rows
  others.sort((r, s) => length[s] - length[r] || r - s)
  const kept = new Set([root, ...others.slice(0, most - 1)])
  return rows.filter((row) => kept.has(row))
}
