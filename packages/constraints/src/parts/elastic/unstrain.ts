/**
 * Takes back of the shape of pieces what nothing has paid for. A piece goes back, as far as it has to, to the shape that it began the step with: where it is held to the
 * pose before, and where it is free to that pose moved along, centre of mass and mean rotation, as a rigid body. No speed changes.
 */

import { FIT_SCRATCH, fitRotation } from '../rotation-fit.js'
import type { BodyColumns } from '@tautline/core/kernel'
import { CORNERS, type ElasticBatch } from './element.js'
import { forgetPush, writeMultipliers } from './newton.js'
import type { Piece } from './piece.js'
import { readMaterial } from './stiffness.js'
import { SHAPE, STRESS, stressAt, VOLUME } from './stress.js'

const FIT = /* @__PURE__ */ new Float64Array(FIT_SCRATCH)

/** Halvings of the way: to a thousandth of it. */
const HALVINGS = 10

/** Which of the pieces have more than at the start, and by how much [J]. */
export function unstrainPieces(
  columns: BodyColumns,
  batch: ElasticBatch,
  pieces: readonly Piece[],
  members: Uint8Array,
  excess: number,
  h: number,
): number {
  let now = 0
  let gained = 0
  for (let k = 0; k < pieces.length; k++) {
    const piece = pieces[k]
    piece.hasGained = false
    if (members[piece.bodyOf[0]] === 0) continue
    const stored = storedBy(columns, batch, piece, h)
    findShape(columns, piece)
    place(columns, piece, 0)
    const more = stored - storedBy(columns, batch, piece, h)
    place(columns, piece, 1)
    if (!(more > 0)) continue
    piece.hasGained = true
    now += stored
    gained += more
  }
  if (gained === 0) return 0
  const wanted = Math.min(excess, gained)
  // What the whole way takes is known: the pose before stores what it did.
  let share = 0
  let taken = gained
  for (let k = 1, width = 0.5; k <= HALVINGS; k++, width *= 0.5) {
    const less = now - storedAt(columns, batch, pieces, share + width, h)
    if (!(less >= wanted)) continue
    share += width
    taken = less
  }
  storedAt(columns, batch, pieces, share, h)
  for (let k = 0; k < pieces.length; k++) {
    if (!pieces[k].hasGained) continue
    writeMultipliers(columns, batch, pieces[k], h)
    forgetPush(batch, pieces[k])
  }
  return taken
}

/** Puts all that have gained at a share of their way, and sums what they store there [J]. */
function storedAt(
  columns: BodyColumns,
  batch: ElasticBatch,
  pieces: readonly Piece[],
  share: number,
  h: number,
): number {
  let sum = 0
  for (let k = 0; k < pieces.length; k++) {
    if (!pieces[k].hasGained) continue
    place(columns, pieces[k], share)
    sum += storedBy(columns, batch, pieces[k], h)
  }
  return sum
}

/** Puts the nodes at a share of the way from `step` to `before`. */
function place({ position }: BodyColumns, { bodyOf, step, before }: Piece, share: number): void {
  for (let i = 0, o = 0; i < bodyOf.length; i++) {
    for (let k = 0; k < 3; k++, o++) position[4 * bodyOf[i] + k] = step[o] + share * (before[o] - step[o])
  }
}

/** Centres of mass at the start of the step and now; Σ m x yᵀ about them, and the rotation between. */
const CENTRES = /* @__PURE__ */ new Float64Array(6)
const MOMENTS = /* @__PURE__ */ new Float64Array(9)
const R = /* @__PURE__ */ new Float64Array(9)

/** Writes where the nodes are into `before`, and into `step` where they would be with the shape of the start of the step. */
function findShape({ position, previousPosition }: BodyColumns, { bodyOf, step, before, isFree }: Piece): void {
  for (let i = 0, o = 0; i < bodyOf.length; i++) {
    for (let k = 0; k < 3; k++, o++) {
      before[o] = position[4 * bodyOf[i] + k]
      step[o] = previousPosition[3 * bodyOf[i] + k]
    }
  }
  if (!isFree) return
  let mass = 0
  CENTRES.fill(0)
  for (let i = 0, o = 0; i < bodyOf.length; i++, o += 3) {
    const m = 1 / position[4 * bodyOf[i] + 3]
    mass += m
    for (let k = 0; k < 3; k++) {
      CENTRES[k] += m * step[o + k]
      CENTRES[3 + k] += m * before[o + k]
    }
  }
  for (let k = 0; k < 6; k++) CENTRES[k] /= mass
  MOMENTS.fill(0)
  for (let i = 0, o = 0; i < bodyOf.length; i++, o += 3) {
    const m = 1 / position[4 * bodyOf[i] + 3]
    for (let k = 0; k < 3; k++) {
      const x = m * (before[o + k] - CENTRES[3 + k])
      for (let l = 0; l < 3; l++) MOMENTS[3 * k + l] += x * (step[o + l] - CENTRES[l])
    }
  }
  fitRotation(MOMENTS, R, FIT)
  for (let o = 0; o < step.length; o += 3) {
    const x = step[o] - CENTRES[0]
    const y = step[o + 1] - CENTRES[1]
    const z = step[o + 2] - CENTRES[2]
    for (let k = 0; k < 3; k++) step[o + k] = CENTRES[3 + k] + R[3 * k] * x + R[3 * k + 1] * y + R[3 * k + 2] * z
  }
}

/** ½ c²/compliance of all rows of a piece at the present pose [J]. */
function storedBy({ position }: BodyColumns, batch: ElasticBatch, { rows }: Piece, h: number): number {
  const { inverse, shape } = batch.columns
  let sum = 0
  for (let e = 0; e < rows.length; e++) {
    const row = rows[e]
    readMaterial(batch, row, h)
    stressAt(position, batch.ids, CORNERS * row, inverse, 9 * row, true)
    sum += (0.5 * STRESS[SHAPE] * STRESS[SHAPE]) / shape[2 * row]
    sum += (0.5 * STRESS[VOLUME] * STRESS[VOLUME]) / shape[2 * row + 1]
  }
  return sum
}
