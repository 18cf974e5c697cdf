/**
 * What rows of others push nodes of a piece by, shared out over all of it. A row that is swept after the piece finds a node as light as its own mass has it, while the
 * rest of a stiff piece hangs on it. So others have their turns with the piece before it is solved for good:
 *
 *   turn       what a node was moved by, d, tells the load: f = d/(h² w), w the inverse mass that rows had found; the first time its own
 *   share      x = x₀ + K⁻¹ f, K = M/h² + stiffness, x₀ where the piece had left its nodes
 *   lend       rows find w = ‖K⁻¹ f‖/(h² ‖f‖) next, as heavy as it was with all that was pushed beside it
 *
 * The partner of a row got f too, so that momentum is kept whatever w was. w may be too large, as it is with the node's own mass: then a push falls short, and what is
 * left is pushed in the next turn. Too small, it goes too far: so it is no less than what the node gives way by alone, along its softest direction, and never falls
 * from one turn to the next.
 */

import { type BodyColumns, LENT } from '@tautline/core/kernel'
import type { Piece } from './piece.js'
import { respond } from './response.js'

/** Share of the most work of a turn in the substep, below which a turn is the last. */
const MET = 1e-3

/** Mean square of strain [-] up to which the matrix is as good at the end of a way as at its start: a third of a percent. */
export const STRAINED = 1e-5

/** Begins a substep in which others may push. */
export function beginLoads({ position }: BodyColumns, piece: Piece): void {
  const { bodyOf, lent, isSeen } = piece
  piece.isLoaded = false
  piece.mostWork = 0
  isSeen.fill(0)
  for (let i = 0; i < bodyOf.length; i++) lent[i] = position[4 * bodyOf[i] + 3]
}

/** Finds what others have pushed the nodes by since the piece had left them, before masses are restored; whether it is worth another turn. */
export function findLoads({ position }: BodyColumns, piece: Piece): boolean {
  const { bodyOf, before, load } = piece
  let work = 0
  for (let i = 0, o = 0; i < bodyOf.length; i++) {
    const p = 4 * bodyOf[i]
    const m = 1 / position[p + 3]
    for (let k = 0; k < 3; k++, o++) {
      const d = position[p + k] - before[o]
      load[o] = m * d
      work += m * d * d
    }
  }
  piece.isPushed = work > 0
  piece.mostWork = Math.max(piece.mostWork, work)
  return work > MET * piece.mostWork
}

/** Moves the nodes to x₀ + K⁻¹ f, counted as the piece's but for what f alone would have moved them by; and finds the masses to lend. */
export function shareLoads({ position }: BodyColumns, piece: Piece, h: number): void {
  const { bodyOf, before, load, step, own, carried, lent, softest, isSeen } = piece
  const squaredStep = h * h
  let strain = 0
  for (let o = 0; o < step.length; o++) step[o] = load[o] / squaredStep
  respond(piece)
  for (let i = 0, o = 0; i < bodyOf.length; i++, o += 3) {
    const p = 4 * bodyOf[i]
    const w = position[p + 3]
    let squared = 0
    let response = 0
    for (let k = 0; k < 3; k++) {
      const f = load[o + k]
      const u = step[o + k]
      squared += f * f
      response += u * u
      strain += (f - u / w) * u
      before[o + k] += u
      position[p + k] = before[o + k]
      own[o + k] += u - w * f
      carried[o + k] += w * f
    }
    if (!(squared > 0)) continue
    const found = Math.max(Math.sqrt(response / squared), softest[i], isSeen[i] === 1 ? lent[i] : 0)
    lent[i] = Math.min(found, w)
    isSeen[i] = 1
  }
  piece.isStrained = strain / squaredStep > STRAINED * piece.modulus
}

/** Has others find the masses that nodes had under their loads. */
export function lendMasses({ position, flags }: BodyColumns, piece: Piece): void {
  const { bodyOf, lent, kept } = piece
  piece.isLent = true
  for (let i = 0; i < bodyOf.length; i++) {
    const w = 4 * bodyOf[i] + 3
    kept[i] = position[w]
    position[w] = lent[i]
    flags[bodyOf[i]] |= LENT
  }
}

/** Gives nodes their own masses again. */
export function restoreMasses({ position, flags }: BodyColumns, piece: Piece): void {
  const { bodyOf, kept } = piece
  if (!piece.isLent) return
  piece.isLent = false
  for (let i = 0; i < bodyOf.length; i++) {
    position[4 * bodyOf[i] + 3] = kept[i]
    flags[bodyOf[i]] &= ~LENT
  }
}
