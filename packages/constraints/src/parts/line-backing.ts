/** Which bodies of a line stay pressed on what is heavy, while it is solved (lines.ts). */

import { BACKING_LOAD, BACKING_N, BACKING_SHARE, type Backing, type Batch } from '@tautline/core/kernel'
import type { LengthColumn } from './length-row.js'
import { type Lines, RECORD } from './line-cover.js'
import { FX } from './line-record.js'
import { holdBounds, solveAgain } from './line-solve.js'

/** Solves of one line until none of its bodies is pulled off what it is pressed on. */
const ROUNDS = 8

/** Lets go of bodies that the line pulls off what they are pressed on, and solves it again. */
export function holdBacking(
  batch: Batch<LengthColumn>,
  lines: Lines,
  backing: Backing,
  x: Float64Array,
  base: number,
  at: number,
  count: number,
): void {
  const { nodes, scratch: s, isBounded, closes } = lines
  const { record } = backing
  for (let round = 0; round < ROUNDS; round++) {
    let changed = false
    // The first body of a ring is its last.
    for (let k = closes ? 1 : 0; k <= count; k++) {
      const place = backing.find(nodes[at + k] >> 2)
      if (place < 0 || record[place + BACKING_SHARE] === 0) continue
      const here = closes && k === count ? 0 : RECORD * k
      let along = 0
      for (let axis = 0; axis < 3; axis++) {
        const force = s[here + FX + axis] - (k > 0 ? s[RECORD * (k - 1) + FX + axis] : 0)
        along += record[place + BACKING_N + axis] * force
      }
      if (record[place + BACKING_LOAD] - record[place + BACKING_SHARE] * along >= 0) continue
      record[place + BACKING_SHARE] = 0
      changed = true
    }
    if (!changed) return
    solveAgain(lines, x, base, at, count, true)
    if (isBounded) holdBounds(batch, lines, x, base, at, count, true)
  }
}
