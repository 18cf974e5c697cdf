/** Rows on the four corners of tetrahedra and of pairs of triangles: `tetraVolume`. */

import type { Batch } from '@tautline/core/kernel'
import { areHome, type Resident, withScratch } from '../resident.js'
import type { Room } from '../room.js'

/** Bytes of scratch memory (assembly/quads.ts). */
const SCRATCH = 432

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
