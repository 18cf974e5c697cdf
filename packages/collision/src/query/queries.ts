/**
 * What users ask of the colliders of a world: rays, casts, overlaps, nearest points. They are functions, so that a page which asks
 * nothing carries none. Arguments are checked, poses brought up
 * to date, numbers of colliders turned into handles; `query/scene.ts` does the work.
 */

import type { Body } from '@tautline/core'
import { flag, knownFields, nonNegative } from '@tautline/core/kernel'
import type { ReadonlyQuat, ReadonlyVec3, vec3 } from 'gl-matrix'
import type { Collider } from '../state/collider-handle.js'
import type { LeanCollisions } from '../lean-collisions.js'
import { checkDistance, checkMovable, checkRay, checkTransform, checkVector } from './check.js'
import * as scene from './scene.js'
import type { Shape } from '../shapes/shape.js'
import { type QueryFilter, Source } from './source.js'

export type { QueryFilter }

/** What every query takes. */
export interface QueryOptions {
  /** Which colliders count. @defaultValue all but sensors */
  filter?: QueryFilter
}

/** What `rayCast` and `rayCastAll` take. */
export interface RayCastOptions extends QueryOptions {
  /** How far the ray goes [m]. @defaultValue Infinity */
  maxDistance?: number
  /**
   * Whether a ray that begins inside a shape hits it at distance 0. If not, it hits the surface from within. Meshes and
   * heightfields have no inside. @defaultValue true
   */
  solid?: boolean
}

/** What `shapeCast` and `shapeCastAll` take. */
export interface ShapeCastOptions extends QueryOptions {
  /** Gap at which the shape counts as touching [m]. @defaultValue 0 */
  margin?: number
}

/** What `closestPoint` takes. */
export interface ClosestPointOptions extends QueryOptions {
  /** How far away it may be [m]. @defaultValue Infinity */
  maxDistance?: number
}

/** Where a shape stands. */
export interface Pose {
  /** Of the shape's origin, world [m]. */
  position: ReadonlyVec3
  /** Unit quaternion `[x, y, z, w]`, shape to world. @defaultValue [0, 0, 0, 1] */
  orientation?: ReadonlyQuat
}

/** A place on a collider. */
export interface QueryHit {
  collider: Collider
  /** Its body; `null` is the world. */
  body: Body | null
  /** On the surface of the collider, world [m]. */
  point: vec3
  /** Number of the triangle of a mesh or heightfield; −1 for other shapes. */
  feature: number
  /** Index of the part of a compound; −1 for other shapes. */
  child: number
}

/** Where a ray meets a collider. */
export interface RayCastHit extends QueryHit {
  /** Number of the triangle of a mesh or heightfield, or of the face of a hull, box or cylinder; else 0. −1 inside. */
  feature: number
  /** From the origin of the ray [m]. */
  distance: number
  /** Unit vector out of the surface; against the ray where it begins inside or meets a surface from behind. */
  normal: vec3
  /** Whether the ray begins inside. */
  inside: boolean
}

/** Where a shape on its way meets a collider. */
export interface ShapeCastHit extends QueryHit {
  /** Way gone until then [m]. */
  distance: number
  /** The same as a share of the displacement, in [0, 1]. */
  time: number
  /** Gap at that time [m]: at most the margin; negative, the depth, for an overlap at the start. */
  separation: number
  /** Unit vector from the collider to the shape. */
  normal: vec3
  /** Index of the part of the compound that was cast; −1 for other shapes. */
  ownChild: number
}

/** Where a collider is nearest to a point. */
export interface ClosestPoint extends QueryHit {
  /** [m]; negative inside, where it is the depth. */
  distance: number
  /** Unit vector out of the surface. */
  normal: vec3
}

/**
 * The first collider that a ray from `origin` [m] along `direction`, of any length but 0, meets; `null` if there is none. Of several
 * at the same distance it is that of the lowest number. Throws a `TypeError` or `RangeError` on a bad argument, as all queries do; they
 * see bodies where they are now.
 */
export function rayCast(
  collisions: LeanCollisions,
  origin: ReadonlyVec3,
  direction: ReadonlyVec3,
  options: RayCastOptions = {},
): RayCastHit | null {
  const where = 'rayCast'
  const source = sourceOf(collisions, where, options)
  const ray = checkRay(where, origin, direction, options.maxDistance ?? Infinity)
  const hit = scene.rayCast(source, ray, flag(`${where}: solid`, options.solid ?? true))
  return hit && withHandle(collisions, hit)
}

/** All that a ray meets, each collider where it first does, by distance. See {@link rayCast}. */
export function rayCastAll(
  collisions: LeanCollisions,
  origin: ReadonlyVec3,
  direction: ReadonlyVec3,
  options: RayCastOptions = {},
): RayCastHit[] {
  const where = 'rayCastAll'
  const source = sourceOf(collisions, where, options)
  const ray = checkRay(where, origin, direction, options.maxDistance ?? Infinity)
  const hits = scene.rayCastAll(source, ray, flag(`${where}: solid`, options.solid ?? true))
  return hits.map((hit) => withHandle(collisions, hit))
}

/**
 * The first collider that a shape, convex or a compound, touches on its straight way from `pose` by `displacement` [m], without
 * turning; `null` if there is none. What it overlaps at the start it hits at once, the deepest first; what it only touches
 * there and does not approach it does not hit.
 */
export function shapeCast(
  collisions: LeanCollisions,
  shape: Shape,
  pose: Pose,
  displacement: ReadonlyVec3,
  options: ShapeCastOptions = {},
): ShapeCastHit | null {
  const where = 'shapeCast'
  const source = sourceOf(collisions, where, options)
  const moving = checkMovable(`${where}: shape`, shape)
  const T = transformOf(where, pose)
  const way = checkVector(`${where}: displacement`, displacement)
  const hit = scene.shapeCast(source, moving, T, way, marginOf(where, options))
  return hit && castHit(collisions, hit, way)
}

/** All that a shape on its way touches, each collider where it first does, by time. See {@link shapeCast}. */
export function shapeCastAll(
  collisions: LeanCollisions,
  shape: Shape,
  pose: Pose,
  displacement: ReadonlyVec3,
  options: ShapeCastOptions = {},
): ShapeCastHit[] {
  const where = 'shapeCastAll'
  const source = sourceOf(collisions, where, options)
  const moving = checkMovable(`${where}: shape`, shape)
  const T = transformOf(where, pose)
  const way = checkVector(`${where}: displacement`, displacement)
  const hits = scene.shapeCastAll(source, moving, T, way, marginOf(where, options))
  return hits.map((hit) => castHit(collisions, hit, way))
}

/** The colliders that a shape, convex or a compound, overlaps or touches at `pose`, by number. */
export function overlapShape(
  collisions: LeanCollisions,
  shape: Shape,
  pose: Pose,
  options: QueryOptions = {},
): Collider[] {
  const where = 'overlapShape'
  const source = sourceOf(collisions, where, options)
  const ids = scene.overlapShape(source, checkMovable(`${where}: shape`, shape), transformOf(where, pose))
  return ids.map((id) => collisions.handle(id))
}

/** The colliders that hold a point [m], by number. Meshes and heightfields, which have no inside, hold none. */
export function overlapPoint(collisions: LeanCollisions, point: ReadonlyVec3, options: QueryOptions = {}): Collider[] {
  const where = 'overlapPoint'
  const source = sourceOf(collisions, where, options)
  return scene.overlapPoint(source, checkVector(`${where}: point`, point)).map((id) => collisions.handle(id))
}

/**
 * The point of all colliders that is nearest to a given one [m]; `null` if none is as near as `maxDistance`. Inside several
 * it is on the surface of that in which the point is deepest.
 */
export function closestPoint(
  collisions: LeanCollisions,
  point: ReadonlyVec3,
  options: ClosestPointOptions = {},
): ClosestPoint | null {
  const where = 'closestPoint'
  const source = sourceOf(collisions, where, options)
  const at = checkVector(`${where}: point`, point)
  const maxDistance = checkDistance(`${where}: maxDistance`, options.maxDistance ?? Infinity)
  const nearest = scene.closestPoint(source, at, maxDistance)
  return nearest && withHandle(collisions, nearest)
}

function sourceOf(collisions: LeanCollisions, where: string, options: QueryOptions): Source {
  knownFields(`${where}: options`, options, OPTIONS[where] ?? ['filter'])
  return new Source(collisions, where, options.filter ?? {})
}

/** A result of a query with handles in place of the number. */
function withHandle<Result extends { id: number }>(
  collisions: LeanCollisions,
  { id, ...rest }: Result,
): Omit<Result, 'id'> & { collider: Collider; body: Body | null } {
  const collider = collisions.handle(id)
  return { collider, body: collider.body, ...rest }
}

function castHit(collisions: LeanCollisions, result: scene.CastResult, [x, y, z]: Float64Array): ShapeCastHit {
  return { ...withHandle(collisions, result), distance: result.time * Math.sqrt(x * x + y * y + z * z) }
}

function marginOf(where: string, options: ShapeCastOptions): number {
  return nonNegative(`${where}: margin`, options.margin ?? 0)
}

function transformOf(where: string, pose: Pose): Float64Array {
  knownFields(`${where}: pose`, pose, ['position', 'orientation'])
  return checkTransform(where, pose.position, pose.orientation ?? [0, 0, 0, 1])
}

/** Fields of options by query; the others take a filter alone. */
const OPTIONS: Readonly<Record<string, readonly string[]>> = {
  rayCast: ['filter', 'maxDistance', 'solid'],
  rayCastAll: ['filter', 'maxDistance', 'solid'],
  shapeCast: ['filter', 'margin'],
  shapeCastAll: ['filter', 'margin'],
  closestPoint: ['filter', 'maxDistance'],
}
