/** A scene that runs, with the statements that brought it where it is. */

import type { Body, Constraint, World } from '@tautline/core'
import { constraintText } from './script.js'
import type { ConstraintSpec } from './spec.js'

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
