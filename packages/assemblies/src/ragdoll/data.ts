/** What the asset of a ragdoll holds. */

import { array, object } from '@tautline/core/kernel'
import type { Shape } from '@tautline/collision'
import type { Quat, Vec3 } from './algebra.js'
import type { Role, RoleRows } from './humanoid.js'
import type { Matter } from './masses.js'
import type { PartJoint } from './part-joint.js'
import type { Skeleton } from './skeleton.js'

/** A part of a ragdoll: a bone with all that is folded into it. Vectors and turns are in the bone's rigid frame. */
export interface RagdollPart {
  /** Of its bone. */
  readonly name: string
  /** Row of its bone. */
  readonly bone: number
  readonly role: Role | undefined
  /** Part that it hangs on; −1 for the root. */
  readonly parent: number
  readonly matter: Matter
  readonly shape: Shape
  readonly position: Vec3
  readonly turn: Quat
  readonly joint: PartJoint | undefined
}

/** A skeleton as parts: made by {@link ragdollAsset}. */
export interface RagdollAsset {
  readonly skeleton: Skeleton
  readonly parts: readonly RagdollPart[]
  /** Part that each bone belongs to; −1 for bones above and beside the root. */
  readonly partOf: Int32Array
  /** Rows of bones by role; none where it is no humanoid. */
  readonly roles: RoleRows | undefined
  /** Pairs of parts that lie in each other at rest, and so never touch. */
  readonly overlaps: readonly (readonly [number, number])[]
  /** Of a humanoid, by the lengths of legs and trunk [m]; 0 of others. */
  readonly stature: number
  /** Of all parts [kg]. */
  readonly mass: number
}

/** Throws a `TypeError` unless it is an asset. */
export function checkAsset(where: string, asset: unknown): void {
  const { skeleton, parts } = object(where, asset)
  object(`${where}: skeleton`, skeleton)
  array(`${where}: parts`, parts)
}
