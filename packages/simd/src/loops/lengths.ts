/** Rows of a length between two centres: `distance` and `ropeLength` of particles. */

import type { Batch } from '@tautline/core/kernel'
import { areHome, type Resident, tableOnly } from '../resident.js'
import type { Room } from '../room.js'

/** The variant of a row between centres (constraints: parts/length-row.ts). */
const CENTRES = 0

/** Kernel of `distance`. */
export function lengths(batch: Batch, room: Room): Resident | undefined {
  const { type } = batch
  if (batch.variant !== CENTRES) return undefined
  return tableOnly({
    sweep(bodies, rows, from, to, h) {
      if (!areHome(room, bodies, rows)) {
        type.loop?.sweep?.(bodies, rows, from, to, h)
        return
      }
      const { body, rest, lower, upper, lambda, softness, gamma, relaxation } = rows.columns
      room.exports?.sweepLengths(
        bodies.position.byteOffset,
        bodies.startPosition.byteOffset,
        body.byteOffset,
        rest.byteOffset,
        lower.byteOffset,
        upper.byteOffset,
        lambda.byteOffset,
        softness.byteOffset,
        gamma.byteOffset,
        relaxation.byteOffset,
        rows.damped,
        from,
        to,
      )
    },
  })
}
