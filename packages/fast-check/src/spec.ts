/** A scene as plain data: bodies, constraints, colliders, and what is done to them. */

import type { BodyDef, ConstraintType, WorldOptions } from '@tautline/core'
import type { Quat, Vec3 } from './numbers.js'

/** Any constraint type, its generics forgotten. */
export type AnyConstraintType = ConstraintType<object>

/** A constraint: bodies by their place in the scene, `null` for the world. */
export interface ConstraintSpec {
  type: AnyConstraintType
  joins: { a: number | null; b: number | null } | { bodies: readonly number[] }
  /** The rest of its definition. */
  fields: Readonly<Record<string, unknown>>
}

/** A shape: `['box', [0.5, 0.5, 0.5]]`. */
export type ShapeSpec =
  | readonly ['box', readonly [number, number, number]]
  | readonly ['sphere', number]
  | readonly ['plane', readonly [number, number, number]]

/** A collider on a body, or on the world. */
export interface ColliderSpec {
  body: number | null
  shape: ShapeSpec
  fields: Readonly<Record<string, unknown>>
}

/** A body's setter that takes a vector. */
export type VectorEdit =
  | 'setPosition'
  | 'setVelocity'
  | 'setAngularVelocity'
  | 'applyForce'
  | 'applyImpulse'
  | 'applyTorque'
  | 'applyAngularImpulse'

/**
 * One edit, or some steps. `body` and `constraint` count through those that are there at that time, and begin anew after the last:
 * every operation fits every scene. Where there is none, nothing is done.
 */
export type Operation =
  | { do: 'step'; count: number }
  | { do: VectorEdit; body: number; value: Vec3 }
  | { do: 'setOrientation'; body: number; value: Quat }
  | { do: 'removeBody'; body: number }
  | { do: 'removeConstraint'; constraint: number }
  | { do: 'set'; constraint: number; changes: Readonly<Record<string, unknown>> }
  | { do: 'add'; constraint: ConstraintSpec }
  | { do: 'configure'; options: WorldOptions }

/** What a scene is made of. */
export interface SceneDef {
  /** Of its world. */
  options: WorldOptions
  /** In order: constraints and colliders name them by number. */
  bodies: readonly BodyDef[]
  /** With numbers in place of bodies. */
  constraints: readonly ConstraintSpec[]
  /** With numbers in place of bodies. */
  colliders: readonly ColliderSpec[]
  /** Edits and steps, in order. */
  operations: readonly Operation[]
}
