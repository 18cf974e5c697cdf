/** What a soft body consists of at present: replaced as a whole when it changes. */

import type { Body, Constraint } from '@tautline/core'
import type { AssemblyState } from '../assembly.js'
import type { Pin } from '../cloth/pins.js'
import type { SoftBodyAsset } from './asset.js'

export interface SoftBodyState extends AssemblyState {
  /** Its shape: as it may be shared, until a node goes. */
  readonly asset: SoftBodyAsset
  /** By node of the asset. */
  readonly nodes: readonly Body[]
  /** What holds it together. */
  readonly rows: readonly Constraint[]
  /** Nodes that are held. */
  readonly pins: readonly Pin[]
}

/** The state with its lists of bodies and constraints as they follow from the rest. */
export function gathered(state: Omit<SoftBodyState, 'bodies' | 'constraints'>): SoftBodyState {
  const joints = state.pins.map(({ joint }) => joint).filter((joint) => joint !== undefined)
  return { ...state, bodies: state.nodes, constraints: [...state.rows, ...joints] }
}
