/** Columns that the loops of contact manifolds read and write. */

import type { Bytes, Column, Ints } from '@tautline/core/kernel'

/** Columns of manifolds and of their bodies, and scratch for one manifold. All fields are columns: compiled loops get their addresses. */
export class ManifoldView {
  /** Of bodies. */
  position!: Column
  orientation!: Column
  velocity!: Column
  angularVelocity!: Column
  inverseInertia!: Column
  startPosition!: Column
  startOrientation!: Column
  /** Of rows: see `MANIFOLD_COLUMNS`. */
  body!: Column
  points!: Column
  carrier!: Column
  tangent!: Column
  round!: Column
  anchorB!: Column
  friction!: Column
  torsional!: Column
  rolling!: Column
  restitution!: Column
  maxPushOut!: Column
  fall!: Column
  heft!: Column
  slender!: Column
  sliding!: Column
  impulse!: Column
  touching!: Column
  still!: Column
  fresh!: Column
  island!: Column
  seen!: Column
  record!: Column
  lambda!: Column
  /** By body: the poses at which lever arms and G were prepared; how far the push-out of deep overlaps has moved and turned it in this substep. */
  preparedPosition!: Column
  preparedOrientation!: Column
  pushed!: Column
  /** By body: 1 where something other than a contact holds it. */
  joined!: Bytes
  /** By row: 2 where a chain of impacts has struck it. */
  reached!: Bytes
  /** {@link HAS_JOINED} and so on: 1 where it is so. */
  flags!: Ints
  /** c_i, or the speeds of all rows, in the order of the multipliers; the change of λ in a pass; its force and moment about `ORIGIN`. */
  residual!: Column
  change!: Column
  wrench!: Column
  /** Scratch: a vector; the right side of the normals; arms to the points and their centre; angular parts of the gradients for a and b, and I⁻¹ times them; a disc. */
  vector!: Column
  rhs!: Column
  arms!: Column
  angularA!: Column
  angularB!: Column
  movedA!: Column
  movedB!: Column
  disc!: Column
}

/** Numbers in `flags`: whether any body is joined, whether bodies take loads, whether a chain of impacts has struck any manifold. */
export const HAS_JOINED = 0
export const TAKES_LOADS = 1
export const HAS_STRUCK = 2
export const FLAGS = 3
