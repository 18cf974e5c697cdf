/**
 * Humanoids: which bones play which role, which of them are parts at a level of detail, and which way the body faces.
 *
 * Roles are those of VRM 1.0, found by the names that makers of skeletons give (`humanoidRoles` of `@tautline/ik`), or given.
 */

import { knownFields, object, shown } from '@tautline/core/kernel'
import { humanoidRoles, type Role, ROLES, type Roles } from '@tautline/ik/roles'
import { across, cross, difference, direction, type Vec3, vectorAt } from './algebra.js'
import type { Skeleton } from './skeleton.js'

export type { Role, Roles } from '@tautline/ik/roles'

/** Rows of bones by role. */
export type RoleRows = Partial<Record<Role, number>>

/** How many parts a humanoid has. */
export type HumanoidDetail = 11 | 15 | 20

/** What a figure must have to be one. */
const LIMBS = ['UpperArm', 'LowerArm', 'UpperLeg', 'LowerLeg'] as const

const SIDES = ['left', 'right'] as const

/** Limbs of each level, besides hips, chest and head. */
const LEVELS: Readonly<Record<HumanoidDetail, readonly string[]>> = {
  11: LIMBS,
  15: [...LIMBS, 'Hand', 'Foot'],
  20: [...LIMBS, 'Hand', 'Foot', 'Shoulder', 'Toes'],
}

/** Rows of the roles given, or found by names; none where the skeleton is no humanoid. Throws for roles of bones that there are not. */
export function rolesOf(where: string, { names }: Skeleton, given: Roles | 'none' | undefined): RoleRows | undefined {
  if (given === 'none') return undefined
  const roles = given === undefined ? namedRoles(names) : given
  if (given !== undefined) knownFields(`${where}: roles`, object(`${where}: roles`, given), ROLES)
  const rows: RoleRows = {}
  for (const [role, name] of Object.entries(roles)) {
    const row = names.indexOf(name)
    if (row < 0) throw new RangeError(`${where}: roles.${role} must be a bone, got ${shown(name)}`)
    rows[role as Role] = row
  }
  const lacks = lackingRoles(rows)
  if (lacks.length === 0) return rows
  if (given === undefined) return undefined
  throw new RangeError(`${where}: roles must have ${lacks.join(', ')}, got none`)
}

function namedRoles(names: readonly string[]): Roles {
  try {
    return humanoidRoles(names)
  } catch {
    return {}
  }
}

function lackingRoles(rows: RoleRows): string[] {
  const due = ['hips', ...LIMBS.flatMap((limb) => SIDES.map((side) => side + limb))] as Role[]
  const lacks: string[] = due.filter((role) => rows[role] === undefined)
  if (rows.head === undefined && rows.neck === undefined) lacks.push('head')
  if (chestOf(rows) === undefined) lacks.push('chest')
  return lacks
}

/** The bone that the upper trunk hangs on. */
function chestOf({ chest, upperChest, spine }: RoleRows): number | undefined {
  return chest ?? upperChest ?? spine
}

/** Rows of the bones that are parts at a level of detail, by the role that each stands for; what the figure lacks is left out. */
export function partsAt(where: string, rows: RoleRows, detail: HumanoidDetail): Map<number, Role> {
  if (!Object.keys(LEVELS).map(Number).includes(detail)) {
    throw new RangeError(`${where}: detail must be one of ${Object.keys(LEVELS).join(', ')}, got ${shown(detail)}`)
  }
  const found = new Map<number, Role>()
  const add = (role: Role, row: number | undefined): void => {
    if (row !== undefined && !found.has(row)) found.set(row, role)
  }
  add('hips', rows.hips)
  add('chest', chestOf(rows))
  add('head', rows.head ?? rows.neck)
  if (detail === 20) add('spine', rows.spine)
  for (const limb of LEVELS[detail])
    for (const side of SIDES) add(`${side}${limb}` as Role, rows[`${side}${limb}` as Role])
  return found
}

/** Directions of a body in the pose that its skeleton rests in: unit vectors at right angles. */
export interface BodyAxes {
  readonly up: Vec3
  readonly left: Vec3
  readonly front: Vec3
}

/** Which way a humanoid faces. Throws where hips and head, or left and right, are at one place. */
export function bodyAxes(where: string, { worldPositions }: Skeleton, rows: RoleRows): BodyAxes {
  const at = (row: number | undefined): Vec3 => vectorAt(worldPositions, row as number)
  const up = direction(difference(at(rows.head ?? rows.neck), at(rows.hips)), 1e-6)
  if (up === undefined) throw new RangeError(`${where}: head must be away from the hips, got them at one place`)
  const sides = difference(at(rows.leftUpperLeg), at(rows.rightUpperLeg))
  const left =
    direction(across(sides, up), 1e-6) ??
    direction(across(difference(at(rows.leftUpperArm), at(rows.rightUpperArm)), up), 1e-6)
  if (left === undefined)
    throw new RangeError(`${where}: left limbs must be away from the right ones, got them at one place`)
  return { up, left, front: cross(left, up) }
}

/** `left`, `right` or neither of a role, and the part of the body that it is. */
export function sideOf(role: Role): { side: 1 | -1 | 0; part: string } {
  if (role.startsWith('left')) return { side: 1, part: role.slice(4) }
  if (role.startsWith('right')) return { side: -1, part: role.slice(5) }
  return { side: 0, part: role }
}
