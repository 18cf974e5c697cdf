/** Contacts of particles with particles: `particlePairContact`. Its preparation has a kernel; what sweeps it goes from row to row. */

import type { Batch } from '@tautline/core/kernel'
import { areHome, type Resident, tableOnly } from '../resident.js'
import type { Room } from '../room.js'

/** Kernel of `particlePairContact`. */
export function particlePairs({ type }: Batch, room: Room): Resident {
  return tableOnly({
    prepare(bodies, rows, from, to, h) {
      if (!areHome(room, bodies, rows)) {
        type.loop?.prepare?.(bodies, rows, from, to, h)
        return
      }
      const { body, record } = rows.columns
      room.exports?.preparePairs(
        bodies.position.byteOffset,
        bodies.startPosition.byteOffset,
        body.byteOffset,
        record.byteOffset,
        from,
        to,
        h,
      )
    },
    ...(type.loop?.sweep !== undefined && { sweep: type.loop.sweep.bind(type.loop) }),
    ...(type.loop?.velocities !== undefined && { velocities: type.loop.velocities.bind(type.loop) }),
  })
}
