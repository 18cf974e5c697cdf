/** Rows that say which particles have pushed each other as surfaces in a step: they are solved elsewhere (`surface-solver.ts`). */

import type { ConstraintType } from '@tautline/core'
import type { Batch } from '@tautline/core/kernel'
import { outlineSurface } from './outline.js'

/** Columns and their strides. */
export const SURFACE_COLUMNS: { readonly touching: 1 } = {
  /** 1: each of them has pushed. */
  touching: 1,
}

/** Name of a column. */
export type SurfaceColumn = keyof typeof SURFACE_COLUMNS

/** A batch of them. */
export type SurfaceContacts = Batch<SurfaceColumn>

/** Made by `Collisions`: two particles that have shared momentum in the step, so that what hangs together by them is known. */
export const surfaceContact: ConstraintType<object, SurfaceColumn> = {
  name: 'particleSurfaceContact',
  order: 5,
  arity: 2,
  multipliers: 1,
  traits: {
    warmStart: false,
    transient: true,
    unordered: true,
  },
  columns: SURFACE_COLUMNS,

  resolve: (def) => def,
  write() {},
  energy: () => 0,
  outline: outlineSurface,
  evaluate() {},
  loop: {
    sweep() {},
  },
}
