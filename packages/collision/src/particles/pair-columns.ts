/** What a row of contact of two particles stores. */

import type { Batch } from '@tautline/core/kernel'

/** Multipliers: normal, two of friction. */
export const ROWS = 3

/** n̂ of this substep, from the second particle to the first; and how far apart they are to be [m]. */
export const N = 0
export const APART = 3
/** Static and dynamic ν, restitution, push-out [m/s]. */
export const FRICTION = 4
export const RESTITUTION = 6
export const PUSH = 7
/** Speed of approach at the prediction [m/s]. */
export const APPROACH = 8
/** 1 where the two may come to touch in this substep. */
export const NEAR = 9
/** Energy that the normal row has taken in this substep, times h² [kg m²]: see `bounce.ts`. */
export const TAKEN = 10
export const RECORD = 11

/** Columns and their strides. */
export const PAIR_COLUMNS: {
  readonly who: 4
  readonly touching: 1
  readonly impulse: 1
  readonly record: 11
} = {
  /** Set and number in it of the first particle, and of the second. */
  who: 4,
  /** 1 when it has pushed in the step; normal impulse of the step so far [N s]. */
  touching: 1,
  impulse: 1,
  record: RECORD,
}

/** Name of a column. */
export type PairColumn = keyof typeof PAIR_COLUMNS

/** A batch of contacts of particles with particles. */
export type PairContacts = Batch<PairColumn>
