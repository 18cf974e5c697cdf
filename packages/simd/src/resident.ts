/** What a kernel keeps for one batch. */

import type { Batch, BodyColumns, Loops } from '@tautline/core/kernel'
import { ALIGNMENT, type Room } from './room.js'

/** The loops of a batch, and what they need in the memory besides its table. */
export interface Resident {
  readonly loops: Loops
  /** Bytes of it, with rows in their present order and so many bodies. */
  bytes(bodies: BodyColumns): number
  /** Whether all of that is in the memory, as it is now. */
  isHome(bodies: BodyColumns): boolean
  /** Moves it there: so many bytes fit. */
  moveIn(bodies: BodyColumns): void
}

/** Makes the resident of a batch of one type. */
export type Kernel = (batch: Batch, room: Room) => Resident | undefined

/** A resident whose loops need nothing but the table. */
export function tableOnly(loops: Loops): Resident {
  return { loops, bytes: () => 0, isHome: () => true, moveIn: () => undefined }
}

/**
 * A resident whose loops need so many bytes to work in besides. `make` gets what tells where these are: undefined while they have no place in the present
 * memory.
 */
export function withScratch(room: Room, bytes: number, make: (scratch: () => number | undefined) => Loops): Resident {
  let buffer: ArrayBuffer | undefined
  let address = 0
  const isHome = (): boolean => buffer === room.buffer
  return {
    loops: make(() => (isHome() ? address : undefined)),
    bytes: () => bytes + ALIGNMENT,
    isHome,
    moveIn() {
      buffer = room.buffer
      address = room.take(bytes)
    },
  }
}

/** Whether bodies and the rows of a batch lie in the memory now: tables that have grown since the step began do not. */
export function areHome(room: Room, bodies: BodyColumns, batch: Batch): boolean {
  return batch.table.buffer === room.buffer && bodies.position.buffer === room.buffer
}
