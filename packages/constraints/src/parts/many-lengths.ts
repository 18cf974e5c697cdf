/** Lengths of many pairs at once, for types whose rows differ in them alone. */

import type { BodyColumns, ManyNumbers } from '@tautline/core/kernel'
import type { ReadonlyVec3 } from 'gl-matrix'

/** Whether all are lengths: finite, and not below 0. */
function areLengths(lengths: Float64Array): boolean {
  for (let k = 0; k < lengths.length; k++) if (!(lengths[k] >= 0 && lengths[k] < Infinity)) return false
  return true
}

/**
 * The lengths of rows on pairs of bodies: those that are `given`, or else where no row says one (`isPresent`) the distances of their centres now [m]. No
 * field where one is the same for all; nothing where one is none.
 */
export function manyLengths(
  { position: x }: BodyColumns,
  pairs: Int32Array,
  given: Float64Array | undefined,
  isPresent: boolean,
): ManyNumbers | undefined {
  if (given === undefined && !isPresent) return { fields: {}, isSatisfied: false }
  const length = given ?? new Float64Array(pairs.length / 2)
  if (given === undefined) {
    for (let k = 0; k < length.length; k++) {
      const p = 4 * pairs[2 * k]
      const q = 4 * pairs[2 * k + 1]
      const dx = x[p] - x[q]
      const dy = x[p + 1] - x[q + 1]
      const dz = x[p + 2] - x[q + 2]
      length[k] = Math.sqrt(dx * dx + dy * dy + dz * dz)
    }
  }
  return areLengths(length) ? { fields: { length }, isSatisfied: given === undefined } : undefined
}

/** Whether an anchor is the centre of mass. */
export function isCentre(anchor: ReadonlyVec3 | undefined): boolean {
  return anchor === undefined || (anchor[0] === 0 && anchor[1] === 0 && anchor[2] === 0)
}
