/**
 * A shape: immutable geometry in a frame of its own, shared by any number of colliders. It holds no pose and no material.
 *
 * All kinds are one class, so that the loops which read them keep one hidden class; `kind` says which, and `params` holds
 * the numbers of the simple ones. The functions that make shapes are in `shapes/`, a file a kind.
 */

import type { MassProperties } from '@tautline/core'
import type { ManifoldList } from '../detect/narrow/manifold.js'
import type { HeightfieldData } from './heightfield-data.js'
import type { HullData } from './hull-data.js'
import type { MeshData } from './mesh-data.js'

/** params: radius. Centre at the origin. */
export const SPHERE = 0
/** params: radius, half the length of the segment. The segment lies on y. */
export const CAPSULE = 1
/** params: radius at +y, radius at −y, half the distance of the two centres, which lie on y. */
export const TAPERED_CAPSULE = 2
/** params: three half extents. */
export const BOX = 3
/** params: radius, half height. The axis is y. */
export const CYLINDER = 4
/** `hull` holds vertices and faces. */
export const CONVEX_HULL = 5
/** params: outward unit normal n (3), offset d: the half space n·x <= d is solid. Never moves. */
export const PLANE = 6
/** `heightfield`. Never moves. */
export const HEIGHTFIELD = 7
/** `mesh`. Never moves. */
export const TRIANGLE_MESH = 8
/** `children`. */
export const COMPOUND = 9
/** One triangle of a mesh or heightfield, as the narrow phase sees it. params: three corners (9). No user makes one. */
export const TRIANGLE = 10

/** Names of the kinds, by number. */
export const SHAPE_NAMES = [
  'sphere',
  'capsule',
  'taperedCapsule',
  'box',
  'cylinder',
  'convexHull',
  'plane',
  'heightfield',
  'triangleMesh',
  'compound',
  'triangle',
] as const

/** Name of a kind of shape. */
export type ShapeName = (typeof SHAPE_NAMES)[number]

/** A shape as plain data: what JSON carries, and what `shapeFromJSON` reads. */
export interface ShapeJson {
  type: ShapeName
  [field: string]: unknown
}

/** A part of a compound: a convex shape and where it stands in the compound's frame. */
export interface Child {
  readonly shape: Shape
  /** x, y, z, then the rotation matrix row by row: what is local becomes the compound's by R x + t. */
  readonly transform: Float64Array
  /** The same rotation as a unit quaternion x, y, z, w. */
  readonly orientation: readonly [number, number, number, number]
}

/** Appends the contacts of a and b, b standing at `T`, in the frame of a, whose kind is no higher than b's. */
export type ContactFinder = (a: Shape, b: Shape, T: Float64Array, out: ManifoldList) => void

/** Mass properties of a shape at density 1 [kg/m³]: the mass is the volume. */
export type SolidOf = (shape: Shape) => MassProperties

/** What a shape is made of; see the constants above for what each kind uses. */
export interface ShapeParts {
  kind: number
  params: Float64Array
  bounds: Float64Array
  /** Where it is known better than from `bounds`. */
  reach?: number
  /** Makes what `toJSON` returns: arrays as large as a mesh's need not be there before. */
  json: () => ShapeJson
  /** What finds its contacts; not for spheres, boxes and planes, whose pairs every page has. Others bring theirs along. */
  contacts?: ContactFinder
  /** Not for what never moves. */
  solid?: SolidOf
  hull?: HullData
  heightfield?: HeightfieldData
  mesh?: MeshData
  children?: readonly Child[]
}

/** Immutable geometry. Made by `sphere`, `box`, `convexHull` and their like. */
export class Shape {
  readonly kind: number
  readonly params: Float64Array
  readonly hull: HullData | null
  readonly heightfield: HeightfieldData | null
  readonly mesh: MeshData | null
  readonly children: readonly Child[] | null
  /** Box that holds it, local frame [m]: least x, y, z, greatest x, y, z. Infinite for a plane. */
  readonly bounds: Float64Array
  /** Largest distance of its matter from the local origin [m]; `Infinity` for a plane. */
  readonly reach: number
  readonly contacts: ContactFinder | null
  readonly solid: SolidOf | null
  private readonly json: () => ShapeJson

  constructor(parts: ShapeParts) {
    this.kind = parts.kind
    this.params = parts.params
    this.hull = parts.hull ?? null
    this.heightfield = parts.heightfield ?? null
    this.mesh = parts.mesh ?? null
    this.children = parts.children ?? null
    this.bounds = parts.bounds
    this.contacts = parts.contacts ?? null
    this.solid = parts.solid ?? null
    this.json = parts.json
    this.reach = parts.reach ?? reachOf(parts.bounds)
  }

  /** Its kind in words. */
  get name(): ShapeName {
    return SHAPE_NAMES[this.kind]
  }

  /** Whether a body that moves can have it. */
  get movable(): boolean {
    return this.kind !== PLANE && this.kind !== HEIGHTFIELD && this.kind !== TRIANGLE_MESH
  }

  /** Whether it is convex: two such touch in one manifold. */
  get convex(): boolean {
    return this.kind <= PLANE
  }

  /** As plain data. */
  toJSON(): ShapeJson {
    return this.json()
  }
}

/** The farthest corner of a box from the origin: never too small. */
function reachOf(bounds: Float64Array): number {
  const x = Math.max(-bounds[0], bounds[3])
  const y = Math.max(-bounds[1], bounds[4])
  const z = Math.max(-bounds[2], bounds[5])
  return Math.sqrt(x * x + y * y + z * z)
}
