/** Parts of a scene as plain data, and a scene that runs. */

import type { Body, Constraint, ConstraintType, World } from '@tautline/core'
import { constraintText } from './script.js'

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

/** A scene in a world, with handles in the order of its definition and of its edits. */
export interface Running {
  world: World
  bodies: Body[]
  constraints: Constraint[]
  /** The statements that brought it here. */
  lines: string[]
}

/** Adds a constraint, and the statement that does. */
export function addConstraint(running: Running, spec: ConstraintSpec): void {
  const { world, bodies, constraints, lines } = running
  lines.push(`const constraint${constraints.length} = ${constraintText(spec)}`)
  const { joins } = spec
  const at = (index: number | null): Body | null => (index === null ? null : bodies[index])
  const named = 'bodies' in joins ? { bodies: joins.bodies.map(at) } : { a: at(joins.a), b: at(joins.b) }
  constraints.push(world.add(spec.type, { ...spec.fields, ...named }) as unknown as Constraint)
}
