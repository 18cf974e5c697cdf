/** Bodies and constraints of a scene as numbers, while it is written and read. */

import type { Body, Constraint, LeanWorld } from '@tautline/core'

/** Numbers in place of handles, while a scene is written. */
export interface SceneWriter {
  /** Place of a body among those of the scene, −1 for the world. */
  body(body: Body | null): number
  /** Place of a constraint among those of the scene. */
  constraint(constraint: Constraint): number
}

/** Handles in place of numbers, while a scene is read. Throws a `RangeError` that says where, for numbers that are none. */
export interface SceneReader {
  readonly world: LeanWorld
  body(where: string, index: unknown): Body
  /** The same; for −1 the handle of a body that is gone. */
  bodyOrGone(where: string, index: unknown): Body
  constraint(where: string, index: unknown): Constraint
}
