/**
 * A piece in a substep: its factor, where its solution starts, and what becomes of it where none is found.
 *
 *   starts    the accelerations of the last substep; x̂; the pose before, with a matrix of that; and the same with one that is stiffer than the material wherever it is
 *             strained, and goes nowhere too far
 *   no end    before others have pushed, the piece is put back and swept with them; after that it keeps its shape and goes on with its momentum, as they have pushed masses that
 *             were lent
 */

import { ANY_TRANSLATION_LOCK, type BodyColumns, type WorldView } from '@tautline/core/kernel'
import { findCompliance } from './response.js'
import { STRAINED } from './coupling.js'
import type { ElasticBatch } from './element.js'
import {
  addMoved,
  CAREFUL,
  type ElasticCount,
  iterate,
  keepPlaces,
  keepPush,
  KEPT,
  PLAIN,
  putBack,
  startBefore,
  startWarm,
  takeBack,
  writeMultipliers,
} from './newton.js'
import type { Piece } from './piece.js'
import { noteStart } from './residual.js'
import { assembleStiffness, AT_REST, BENT, FIRM, hasChanged, isBent } from './stiffness.js'

/** Solves a piece once; `first` in a substep. */
export function solvePiece(
  { bodies: { columns } }: WorldView,
  batch: ElasticBatch,
  piece: Piece,
  h: number,
  first: boolean,
  count: ElasticCount,
): void {
  if (first) {
    piece.own.fill(0)
    piece.carried.fill(0)
    noteStart(columns, batch, piece)
  }
  const unsolved = count.unsolved
  keepPlaces(columns, piece)
  const hasFactor = renewFactor(columns, batch, piece, h, count)
  // Others will push it, and then it is solved again.
  piece.spare = first && piece.isCoupled ? STRAINED * piece.modulus : 0
  if (hasFactor && solveAsWhole(columns, batch, piece, h, first, count)) {
    // Loads that had no solution are not to grow.
    piece.isWhole = count.unsolved === unsolved
    // Of what is coupled only what it ends with is read.
    if (!first || !piece.isCoupled) writeMultipliers(columns, batch, piece, h)
    keepPush(batch, piece, h)
    keepPlaces(columns, piece)
    return
  }
  takeBack(columns, batch, piece)
  count.swept++
  piece.isWhole = false
  sweepRuns(columns, batch, piece, h)
  addMoved(columns, piece)
  keepPush(batch, piece, h)
  keepPlaces(columns, piece)
}

/** Sweeps the rows of a piece: as many as stand together at once, but for kernels, whose lanes want rows that share no body. */
function sweepRuns(columns: BodyColumns, batch: ElasticBatch, { rows }: Piece, h: number): void {
  const { sweep } = batch.loops
  const isOne = sweep !== batch.type.loop?.sweep
  for (let from = 0, e = 1; e <= rows.length; e++) {
    if (e < rows.length && !isOne && rows[e] === rows[e - 1] + 1) continue
    sweep?.(columns, batch, rows[from], rows[e - 1] + 1, h)
    from = e
  }
}

/** Whether a start leads to a solution, or the piece keeps its shape. */
function solveAsWhole(
  columns: BodyColumns,
  batch: ElasticBatch,
  piece: Piece,
  h: number,
  first: boolean,
  count: ElasticCount,
): boolean {
  if (first) {
    startWarm(columns, batch, piece, h)
    if (iterate(columns, batch, piece, h, PLAIN, count)) return true
  }
  if (iterate(columns, batch, piece, h, PLAIN, count)) return true
  startBefore(columns, piece)
  if (makeFactor(columns, batch, piece, h, BENT, count) && iterate(columns, batch, piece, h, PLAIN, count)) return true
  startBefore(columns, piece)
  if (
    makeFactor(columns, batch, piece, h, FIRM, count) &&
    iterate(columns, batch, piece, h, first ? CAREFUL : KEPT, count) &&
    // Of too stiff a matrix nodes would seem too heavy.
    (!first || !piece.isCoupled || makeFactor(columns, batch, piece, h, BENT, count))
  ) {
    return true
  }
  putBack(columns, piece)
  return false
}

/** Makes the factor anew where masses, material, substep or a bent pose ask for it. False where there is none. */
function renewFactor(columns: BodyColumns, batch: ElasticBatch, piece: Piece, h: number, count: ElasticCount): boolean {
  if (!piece.isDue && h === piece.factoredFor) return piece.isDefinite
  // By the pose alone, not by how it came about: a snapshot needs nothing of it.
  const isOther = piece.isDue && hasChanged(columns, batch, piece)
  const isTurned = piece.isDue ? isBent(columns, batch, piece, h) : piece.isTurned
  piece.isDue = false
  const isUnknown = piece.isCoupled && (isOther || piece.softestFor !== h)
  if (isUnknown) findCompliance(columns, batch, piece, h)
  const isKept = !isUnknown && !isOther && !isTurned && !piece.isTurned && h === piece.factoredFor
  if (isLocked(columns, piece)) {
    piece.factoredFor = 0
    return false
  }
  return isKept ? piece.isDefinite : makeFactor(columns, batch, piece, h, isTurned ? BENT : AT_REST, count)
}

/** Makes the factor of a kind of matrix. False where there is none. */
function makeFactor(
  columns: BodyColumns,
  batch: ElasticBatch,
  piece: Piece,
  h: number,
  kind: number,
  count: ElasticCount,
): boolean {
  count.factors++
  piece.isTurned = kind !== AT_REST
  piece.factoredFor = h
  assembleStiffness(columns, batch, piece, h, kind)
  return (piece.isDefinite = piece.factor.factorise())
}

/** Whether a node may not move along some axis: sweeps take that back after each row. */
function isLocked({ flags }: BodyColumns, { bodyOf }: Piece): boolean {
  for (let i = 0; i < bodyOf.length; i++) if ((flags[bodyOf[i]] & ANY_TRANSLATION_LOCK) !== 0) return true
  return false
}
