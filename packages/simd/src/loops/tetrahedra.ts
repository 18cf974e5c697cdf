/** Rows on the four corners of tetrahedra and of pairs of triangles: `tetraVolume`, `neoHookean`. */

import type { Batch } from '@tautline/core/kernel'
import { areHome, type Resident, withScratch } from '../resident.js'
import type { Room } from '../room.js'

/** Bytes of scratch memory (assembly/quads.ts). */
const SCRATCH = 432
/** The same for elements that may be crushed (assembly/crushed.ts). */
const SCRATCH_OF_ELEMENTS = 1120

/** Kernel of `tetraVolume`. */
export function tetraVolumes({ type }: Batch, room: Room): Resident {
  return withScratch(room, SCRATCH, (scratch) => ({
    sweep(bodies, rows, from, to, h) {
      const { rest, body, lambda, softness, gamma, relaxation } = rows.columns
      let row = from
      while (row < to) {
        const place = scratch()
        if (room.exports === undefined || place === undefined || !areHome(room, bodies, rows)) break
        row = room.exports.sweepTetraVolumes(
          bodies.position.byteOffset,
          bodies.startPosition.byteOffset,
          body.byteOffset,
          rest.byteOffset,
          lambda.byteOffset,
          softness.byteOffset,
          gamma.byteOffset,
          relaxation.byteOffset,
          place,
          row,
          to,
        )
        // One whose bodies lie along a line.
        if (row < to) type.sweep?.(bodies, rows, row, ++row, h)
      }
      if (row < to) type.sweep?.(bodies, rows, row, to, h)
    },
  }))
}

/** Kernel of `neoHookean`. */
export function elements({ type }: Batch, room: Room): Resident {
  return withScratch(room, SCRATCH_OF_ELEMENTS, (scratch) => ({
    sweep(bodies, rows, from, to, h) {
      const place = scratch()
      if (room.exports === undefined || place === undefined || !areHome(room, bodies, rows)) {
        type.sweep?.(bodies, rows, from, to, h)
        return
      }
      const { body, inverse, shape, beta, size, lambda, regularization, relaxation } = rows.columns
      room.exports.sweepNeoHookean(
        bodies.position.byteOffset,
        bodies.startPosition.byteOffset,
        body.byteOffset,
        inverse.byteOffset,
        shape.byteOffset,
        beta.byteOffset,
        size.byteOffset,
        lambda.byteOffset,
        regularization.byteOffset,
        relaxation.byteOffset,
        place,
        from,
        to,
        h,
      )
    },
  }))
}
