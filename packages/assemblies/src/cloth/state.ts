/** What a cloth consists of at present: replaced as a whole when it changes. */

import type { Body, Constraint } from '@tautline/core'
import type { AssemblyState } from '../assembly.js'
import type { ClothMotion } from './definition.js'
import type { Pin } from './pins.js'
import type { ClothRow } from './rows.js'
import type { SkinPoint } from './skin.js'

/** A row, and the constraints that it became. */
export interface BuiltRow extends ClothRow {
  readonly constraints: readonly Constraint[]
}

/** A vertex that came apart. */
export interface Tear {
  /** The vertex that was there, and the new one. */
  readonly from: number
  readonly to: number
}

export interface ClothState extends AssemblyState {
  /** By vertex: those of the asset, then what tears have made. */
  readonly vertices: readonly Body[]
  /** By vertex: which one of the asset it was. */
  readonly origin: Uint32Array
  /** Three vertices a triangle. */
  readonly triangles: Uint32Array
  readonly rows: readonly BuiltRow[]
  readonly pins: readonly Pin[]
  readonly tethers: readonly Constraint[]
  readonly skin: readonly SkinPoint[]
  readonly motion: ClothMotion
  /** What came apart in the last step. */
  readonly torn: readonly Tear[]
}

/** The state with its lists of bodies and constraints as they follow from the rest. */
export function gathered(state: Omit<ClothState, 'bodies' | 'constraints'>): ClothState {
  const { vertices, rows, pins, tethers, skin } = state
  const bodies = [...vertices]
  const constraints: Constraint[] = []
  for (const row of rows) constraints.push(...row.constraints)
  for (const { joint } of pins) if (joint !== undefined) constraints.push(joint)
  for (const constraint of tethers) constraints.push(constraint)
  for (const point of skin) {
    for (const body of [point.place, point.centre]) if (body !== undefined) bodies.push(body)
    constraints.push(...point.rows)
  }
  return { ...state, bodies, constraints }
}
