/** What a row of contact of a particle stores, and what its loops have to know of colliders. */

import type { Batch } from '@tautline/core/kernel'
import { RECORD } from './point-record.js'

export * from './point-record.js'

/** Columns and their strides. */
export const POINT_COLUMNS: { readonly who: 4; readonly touching: 1; readonly impulse: 1; readonly record: 24 } = {
  /** Set, number of the particle in it, collider, part of the collider (child or triangle; 0). */
  who: 4,
  /** 1 when it has pushed in the step; normal impulse of the step so far [N s]. */
  touching: 1,
  impulse: 1,
  record: RECORD,
}

/** Name of a column. */
export type PointColumn = keyof typeof POINT_COLUMNS

/** A batch of contacts of particles with colliders. */
export type PointContacts = Batch<PointColumn>
