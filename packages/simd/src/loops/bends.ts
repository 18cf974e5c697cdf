/** Bending of lines and of pairs of triangles: `lineBend`, `isometricBend`. */

import type { Batch } from '@tautline/core/kernel'
import { areHome, type Resident, tableOnly } from '../resident.js'
import type { Room } from '../room.js'

/** Kernel of `lineBend`. */
export function lineBends({ type }: Batch, room: Room): Resident {
  return tableOnly({
    sweep(bodies, rows, from, to, h) {
      if (!areHome(room, bodies, rows)) {
        type.loop?.sweep?.(bodies, rows, from, to, h)
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

/** Kernel of `isometricBend`. */
export function isometricBends({ type }: Batch, room: Room): Resident {
  return tableOnly({
    sweep(bodies, rows, from, to, h) {
      if (!areHome(room, bodies, rows)) {
        type.loop?.sweep?.(bodies, rows, from, to, h)
        return
      }
      const { body, weight, rest, lambda, softness, gamma, relaxation } = rows.columns
      room.exports?.sweepIsometricBends(
        bodies.position.byteOffset,
        bodies.startPosition.byteOffset,
        body.byteOffset,
        weight.byteOffset,
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
