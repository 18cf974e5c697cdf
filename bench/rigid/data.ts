/** Scenes of bodies that all engines run, as plain data: shapes, poses, masses, joints, friction. */

import type { RagdollAsset } from '@tautline/assemblies'
import type { Quadruple, Triple } from '../../examples/scenes/contacts/layouts.js'

/** A shape about its centre of mass; capsules and cylinders along y, `halfHeight` of the straight part. */
export type ShapeData =
  | { readonly kind: 'sphere'; readonly radius: number }
  | { readonly kind: 'capsule'; readonly radius: number; readonly halfHeight: number }
  | { readonly kind: 'box'; readonly halfExtents: Triple }
  | { readonly kind: 'cylinder'; readonly radius: number; readonly halfHeight: number }
  | { readonly kind: 'hull'; readonly points: readonly Triple[] }

export interface BodyData {
  readonly shape: ShapeData
  readonly position: Triple
  readonly orientation: Quadruple
  /** [kg] */
  readonly mass: number
  /** Figure that it is a part of, and which part. */
  readonly figure?: number
  readonly part?: number
}

/** Bounds of an angle [rad]. */
export type Bounds = readonly [number, number]

/** What a joint leaves free besides turning: about its x axis, the twist's or the hinge's, and by its swing. */
export interface JointLimits {
  /** Frames on both bodies, equal in the world where all angles are 0. */
  readonly frameA: Quadruple
  readonly frameB: Quadruple
  readonly swingY: Bounds
  readonly swingZ: Bounds
  readonly twist: Bounds
}

/** Two bodies held together at a point. */
export interface JointData {
  /** Row of a body; `null` for the world. */
  readonly a: number | null
  readonly b: number
  /** In the frames of both [m]. */
  readonly anchorA: Triple
  readonly anchorB: Triple
  /** None: a ball joint. */
  readonly limits?: JointLimits
}

/** Figures, as Tautline makes them in one call of `ragdoll`; others make them of bodies and joints. */
export interface FigureData {
  readonly asset: RagdollAsset
  readonly places: readonly { readonly position: Triple; readonly orientation: Quadruple }[]
  /** Frames of the shapes of the parts, in the frames of their bodies. */
  readonly shapes: readonly { readonly position: Triple; readonly orientation: Quadruple }[]
}

export interface SceneData {
  /** Of every body. */
  readonly friction: number
  readonly gravity: Triple
  /** Boxes that stand still. */
  readonly fixed: readonly { readonly halfExtents: Triple; readonly position: Triple }[]
  readonly bodies: readonly BodyData[]
  readonly joints: readonly JointData[]
  /** Pairs of parts of a figure that pass through each other, joined ones included. */
  readonly apart: readonly (readonly [number, number])[]
  /** Whether bodies touch at all. */
  readonly touches: boolean
  /** Rates at which velocities decay [1/s]. */
  readonly linearDamping: number
  readonly angularDamping: number
  readonly figures?: FigureData
}

/** What most scenes have: bodies that touch, no joints, no damping. */
export const PLAIN = {
  friction: 0.5,
  gravity: [0, -9.81, 0],
  fixed: [],
  joints: [],
  apart: [],
  touches: true,
  linearDamping: 0,
  angularDamping: 0,
} as const satisfies Omit<SceneData, 'bodies' | 'gravity'> & { gravity: Triple }

export const UPRIGHT: Quadruple = [0, 0, 0, 1]

/** A floor whose top is y = 0. */
export const FLOOR = {
  halfExtents: [50, 0.5, 50],
  position: [0, -0.5, 0],
} as const satisfies SceneData['fixed'][number]
