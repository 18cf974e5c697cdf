/** Whether rows take momentum from their bodies. */

import { type BodyColumns, DYNAMIC, ROTATES } from '@tautline/core/kernel'

/** Of rows between two bodies, at `anchorA` and `anchorB` where they have some: none, but where a body that does not rotate is held beside its centre. */
export function keepsBetween(
  bodies: BodyColumns,
  { ids, columns }: { readonly ids: Int32Array; readonly columns: object },
  row: number,
): boolean {
  const { anchorA, anchorB } = columns as { anchorA?: Float64Array; anchorB?: Float64Array }
  return !hasLever(bodies, ids[2 * row], anchorA, 3 * row) && !hasLever(bodies, ids[2 * row + 1], anchorB, 3 * row)
}

/** Of rows that hold directions of two bodies: none, but where one of them does not rotate. */
export function keepsRotating(
  { kind, flags }: BodyColumns,
  { ids }: { readonly ids: Int32Array },
  row: number,
): boolean {
  for (let b = 2 * row; b < 2 * row + 2; b++) {
    if (kind[ids[b]] === DYNAMIC && (flags[ids[b]] & ROTATES) === 0) return false
  }
  return true
}

/** Of rows between centres of mass, that go with their frame: none. */
export function keepsAll(): boolean {
  return true
}

/** Whether a body that does not rotate is held beside its centre: what keeps it from rotating is no part of the world. */
export function hasLever(
  { kind, flags }: BodyColumns,
  i: number,
  anchor: Float64Array | undefined,
  at: number,
): boolean {
  if (anchor === undefined || kind[i] !== DYNAMIC || (flags[i] & ROTATES) !== 0) return false
  return anchor[at] !== 0 || anchor[at + 1] !== 0 || anchor[at + 2] !== 0
}
