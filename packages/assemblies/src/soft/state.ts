/** What a soft body consists of at present: replaced as a whole when it changes. */

import type { Body, Constraint } from '@tautline/core'
import type { AssemblyState } from '../assembly.js'
import type { Pin } from '../cloth/pins.js'

export interface SoftBodyState extends AssemblyState {
  /** By node of the asset. */
  readonly nodes: readonly Body[]
  /** What holds it together; of a balloon the last is the volume within. */
  readonly rows: readonly Constraint[]
  /** Nodes that are held. */
  readonly pins: readonly Pin[]
}

/** The state with its lists of bodies and constraints as they follow from the rest. */
export function gathered(state: Omit<SoftBodyState, 'bodies' | 'constraints'>): SoftBodyState {
  const joints = state.pins.map(({ joint }) => joint).filter((joint) => joint !== undefined)
  return { ...state, bodies: state.nodes, constraints: [...state.rows, ...joints] }
}
