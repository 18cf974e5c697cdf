/** Which elements hang together by bodies that move: each such piece is solved as one system. */

import { type Batch, type Bodies, DisjointSets, groupBySet } from '@tautline/core/kernel'
import { CORNERS } from './element.js'
import { Piece } from './piece.js'

/** Rows of a batch that may be solved as a whole, in pieces; oldest first, of pieces and in each. */
export function piecesOf({ columns, count }: Bodies, batch: Batch, rows: readonly number[]): number[][] {
  const { position } = columns
  const { body, sequence } = batch.common
  const sets = DisjointSets.of(count)
  const moverOf = (row: number): number => {
    for (let k = CORNERS * row; k < CORNERS * (row + 1); k++) if (position[4 * body[k] + 3] !== 0) return body[k]
    return -1
  }
  for (const row of rows) {
    const first = moverOf(row)
    for (let k = CORNERS * row; k < CORNERS * (row + 1); k++) {
      if (position[4 * body[k] + 3] !== 0) sets.join(first, body[k])
    }
  }
  const byAge = [...rows].sort((r, s) => sequence[r] - sequence[s])
  return groupBySet(sets, byAge, moverOf)
}

/** The piece of these rows, or the one that there was, where it has the same rows on the same bodies. */
export function pieceOf(bodies: Bodies, batch: Batch, rows: readonly number[], before: Piece | undefined): Piece {
  const { position } = bodies.columns
  const { body, slot } = batch.common
  const slots = Int32Array.from(rows, (row) => slot[row])
  // What does not move is the same whoever it is, but for the row that finds it.
  const corners = new Int32Array(CORNERS * rows.length)
  for (let e = 0; e < rows.length; e++) {
    for (let k = 0; k < CORNERS; k++) {
      const i = body[CORNERS * rows[e] + k]
      corners[CORNERS * e + k] = position[4 * i + 3] === 0 ? -1 : i
    }
  }
  return before !== undefined && before.has(slots, corners) ? before : new Piece(slots, corners)
}
