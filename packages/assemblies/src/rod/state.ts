/** What a rod consists of at present. */

import type { Body, Constraint } from '@tautline/core'
import type { AssemblyState } from '../assembly.js'
import type { RodJoint } from './build.js'

/** What a rod consists of at present: replaced as a whole when it changes. */
export interface RodState extends AssemblyState {
  /** From its start to its end. */
  readonly links: readonly Body[]
  /** Joint k holds links k and k + 1. */
  readonly joints: readonly RodJoint[]
  readonly start: RodJoint | undefined
  readonly end: RodJoint | undefined
}

/** The state with its lists of bodies and constraints as they follow from the rest. */
export function gathered(state: Omit<RodState, 'bodies' | 'constraints'>): RodState {
  const constraints = [...state.joints, state.start, state.end].flatMap((joint) =>
    joint === undefined ? [] : [joint.point, joint.spring].filter((made): made is Constraint => made !== undefined),
  )
  return { ...state, bodies: state.links, constraints }
}
