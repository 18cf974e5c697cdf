/** Rows on the four corners of tetrahedra and of pairs of triangles: `tetraVolume`, `neoHookean`, `dihedralBend`. */

import type { AnyType, Batch, BodyColumns } from '@tautline/core/kernel'
import type { Exports } from '../compiled.js'
import { areHome, type Resident, withScratch } from '../resident.js'
import type { Room } from '../room.js'

/** Bytes of scratch memory (assembly/quads.ts). */
const SCRATCH = 432
/** The same for elements that may be crushed (assembly/crushed.ts). */
const SCRATCH_OF_ELEMENTS = 1120

/** Rows from one on that a kernel has solved: the first one that it leaves to the type. */
type Solve = (exports: Exports, bodies: BodyColumns, rows: Batch, scratch: number, from: number, to: number) => number

/** A kernel that leaves rows out of the ordinary to the type, one by one. */
function solved(type: AnyType, room: Room, solve: Solve): Resident {
  return withScratch(room, SCRATCH, (scratch) => ({
    ...(type.loop?.prepare !== undefined && { prepare: type.loop.prepare.bind(type.loop) }),
    sweep(bodies, rows, from, to, h) {
      let row = from
      while (row < to) {
        const place = scratch()
        if (room.exports === undefined || place === undefined || !areHome(room, bodies, rows)) break
        row = solve(room.exports, bodies, rows, place, row, to)
        if (row < to) type.loop?.sweep?.(bodies, rows, row, ++row, h)
      }
      if (row < to) type.loop?.sweep?.(bodies, rows, row, to, h)
    },
  }))
}

/** Kernel of `tetraVolume`. */
export function tetraVolumes({ type }: Batch, room: Room): Resident {
  return solved(type, room, (exports, bodies, rows, scratch, from, to) => {
    const { rest, body, lambda, softness, gamma, relaxation } = rows.columns
    return exports.sweepTetraVolumes(
      bodies.position.byteOffset,
      bodies.startPosition.byteOffset,
      body.byteOffset,
      rest.byteOffset,
      lambda.byteOffset,
      softness.byteOffset,
      gamma.byteOffset,
      relaxation.byteOffset,
      scratch,
      from,
      to,
    )
  })
}

/** Kernel of `dihedralBend`. */
export function dihedralBends({ type }: Batch, room: Room): Resident {
  return solved(type, room, (exports, bodies, rows, scratch, from, to) => {
    const { rest, goal, most, body, lambda, softness, gamma, relaxation } = rows.columns
    return exports.sweepDihedralBends(
      bodies.position.byteOffset,
      bodies.startPosition.byteOffset,
      body.byteOffset,
      rest.byteOffset,
      goal.byteOffset,
      most.byteOffset,
      lambda.byteOffset,
      softness.byteOffset,
      gamma.byteOffset,
      relaxation.byteOffset,
      scratch,
      from,
      to,
    )
  })
}

/** Kernel of `neoHookean`. */
export function elements({ type }: Batch, room: Room): Resident {
  return withScratch(room, SCRATCH_OF_ELEMENTS, (scratch) => ({
    sweep(bodies, rows, from, to, h) {
      const place = scratch()
      if (room.exports === undefined || place === undefined || !areHome(room, bodies, rows)) {
        type.loop?.sweep?.(bodies, rows, from, to, h)
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
