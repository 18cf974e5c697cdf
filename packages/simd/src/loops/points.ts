/** Contacts of particles with colliders: `particleContact`. Those with what gives way are left to the type. */

import type { Batch, BodyColumns } from '@tautline/core/kernel'
import { areHome, type Resident, tableOnly } from '../resident.js'
import type { Room } from '../room.js'

/** What the loop uses of the plan of such a batch (collision: particles/surfaces.ts). */
interface PointPlan {
  readonly pressed: { note(batch: Batch, from: number, to: number, bodies: number): void }
}

function isBacked({ backing }: BodyColumns): boolean {
  return backing !== undefined && backing.count > 0
}

/** Kernel of `particleContact`. */
export function points({ type }: Batch, room: Room): Resident {
  return tableOnly({
    ...(type.loop?.prepare !== undefined && { prepare: type.loop.prepare.bind(type.loop) }),
    ...(type.loop?.velocities !== undefined && { velocities: type.loop.velocities.bind(type.loop) }),
    sweep(bodies, rows, from, to, h) {
      if (room.exports === undefined || isBacked(bodies) || !areHome(room, bodies, rows)) {
        type.loop?.sweep?.(bodies, rows, from, to, h)
        return
      }
      const { body, record, lambda } = rows.columns
      const met = room.exports.meetSurfaces(
        bodies.position.byteOffset,
        bodies.startPosition.byteOffset,
        body.byteOffset,
        record.byteOffset,
        lambda.byteOffset,
        from,
        to,
      )
      ;(rows.plan as PointPlan).pressed.note(rows, from, met, bodies.kind.length)
      if (met < to) type.loop?.sweep?.(bodies, rows, met, to, h)
    },
  })
}
