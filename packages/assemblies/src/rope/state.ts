/** What a rope consists of at present: replaced as a whole when it changes. */

import type { Body, Constraint } from '@tautline/core'
import type { AssemblyState } from '../assembly.js'
import type { RopeWinch } from './definition.js'

export interface RopeState extends AssemblyState {
  /** From its start to its end. */
  readonly nodes: readonly Body[]
  /** Segment k holds nodes k and k + 1. */
  readonly segments: readonly Constraint[]
  /** Row k holds node k + 1 between its neighbours; none where it does not resist bending. */
  readonly bends: readonly (Constraint | undefined)[]
  /** What the start and the end hang on; nothing where free or held by the world. */
  readonly start: Constraint | undefined
  readonly end: Constraint | undefined
  readonly winch: RopeWinch
}

/** The state with its lists of bodies and constraints as they follow from the rest. */
export function gathered(state: Omit<RopeState, 'bodies' | 'constraints'>): RopeState {
  const others = [...state.bends, state.start, state.end].filter((made) => made !== undefined)
  return { ...state, bodies: state.nodes, constraints: [...state.segments, ...others] }
}

/** Length of a segment at rest [m]. */
export function restOf(segment: Constraint): number {
  return (segment.def as { length: number }).length
}

const total = /* @__PURE__ */ new Float64Array(1)

/** Length of all of it at rest [m]. */
export function lengthOf({ segments }: RopeState): number {
  total[0] = 0
  // Of rows rather than definitions: a number that a getter gives would be boxed, a segment a substep.
  for (let k = 0; k < segments.length; k++) {
    const { batch, slot } = segments[k]
    total[0] += segments[k].alive ? batch.columns['rest' as never][batch.slotRow[slot]] : 0
  }
  return total[0]
}
