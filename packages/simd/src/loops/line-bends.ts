/** Bending of lines: `lineBend`. */

import type { Batch } from '@tautline/core/kernel'
import { areHome, type Resident, tableOnly } from '../resident.js'
import type { Room } from '../room.js'

/** Kernel of `lineBend`. */
export function lineBends({ type }: Batch, room: Room): Resident {
  return tableOnly({
    sweep(bodies, rows, from, to, h) {
      if (!areHome(room, bodies, rows)) {
        type.sweep?.(bodies, rows, from, to, h)
        return
      }
      const { body, inverse, rest, lambda, softness, gamma, relaxation } = rows.columns
      room.exports?.sweepLineBends(
        bodies.position.byteOffset,
        bodies.startPosition.byteOffset,
        body.byteOffset,
        inverse.byteOffset,
        rest.byteOffset,
        lambda.byteOffset,
        softness.byteOffset,
        gamma.byteOffset,
        relaxation.byteOffset,
        from,
        to,
      )
    },
  })
}
