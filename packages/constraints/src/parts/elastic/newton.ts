/**
 * A substep of a piece as a whole: the x with M (x − x̂)/h² = −∂Ψ/∂x, by Newton's method with the matrix of linear elasticity in place of the Hessian, so that one
 * factor serves all turns, and most steps. x̂ is where the nodes are without what the piece has done in this substep: what others have is part of it.
 *
 * It starts from the accelerations of the last substep, or from x̂, or from the pose before, and ends when rᵀΔ, the square of Newton's decrement, is small
 * beside that of all that the piece has moved. A way that leads beyond what is lowest on it is shortened by a secant. What none of this serves, as where an element is
 * pressed flat, is put back and swept.
 */

import { ANY_TRANSLATION_LOCK, type BodyColumns, RUNAWAY, type WorldView } from '@tautline/core/kernel'
import { CORNERS, CRUSHED, type ElasticBatch, F, JACOBIAN, STEP } from './element.js'
import type { Piece } from './piece.js'
import { respond, timesTransposed } from './response.js'
import { assembleStiffness, hasChanged, isBent, readMaterial } from './stiffness.js'
import { addDamping, MATERIAL, SHAPE, STRESS, stressAt } from './stress.js'

/** Mean square of strain [-] up to which the matrix is as good at the end of a way as at its start: a third of a percent. */
export const STRAINED = 1e-5
/** Most iterations. Past them, sweeps do as well. */
const MOST_ITERATIONS = 8
/** Share of the energy of all displacements below which a turn is the last: what it leaves is as much less again. */
const LAST = 1e-2
/** Share of the energy of the substep's motion below which one is the last. */
const ROUND_OFF = 1e-10
/** A node's mass at least times length squared a substep squared [J] that counts as motion: below it all is round-off. */
const REST = 1e-24
/** By which share of what a way was worth it may rise again at its end, before it is shortened. */
const OVERSHOOT = 0.5
/** To which shares of itself it is shortened where nothing tells by how much, and at most. */
const HALF = 0.5
const SHORTEST = 0.1

/** The rotation of a piece, and the sum of F of its elements. */
/**
 * What goes from one function to another as numbers would be boxed: rᵀΔ; least J; Σ m ‖Δ‖²/h² of what the piece has displaced its nodes by, and of what they have
 * moved in this substep [J]; and rᵀΔ with the last Δ.
 */
const FOUND = /* @__PURE__ */ new Float64Array(5)
const WORTH = 0
const LEAST = 1
const OWN = 2
const MOTION = 3
const ALONG = 4

/** Counts of a step. */
export interface ElasticCount {
  iterations: number
  factors: number
  swept: number
}

/** Solves a piece once; `first` in a substep. */
export function solvePiece(
  { bodies: { columns } }: WorldView,
  batch: ElasticBatch,
  piece: Piece,
  h: number,
  first: boolean,
  count: ElasticCount,
): void {
  if (first) piece.own.fill(0)
  // Others will push it, and then it is solved again.
  piece.spare = first && piece.isCoupled ? STRAINED * piece.modulus : 0
  keepPlaces(columns, piece)
  if (renewFactor(columns, batch, piece, h, count) && solveAsWhole(columns, batch, piece, h, first, count)) {
    piece.isWhole = true
    if (!piece.isCoupled || !first) writeMultipliers(columns, batch, piece, h)
    keepPush(batch, piece, h)
    keepPlaces(columns, piece)
    return
  }
  if (first) clearMultipliers(batch, piece)
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
  const isOne = sweep !== batch.type.sweep
  for (let from = 0, e = 1; e <= rows.length; e++) {
    if (e < rows.length && !isOne && rows[e] === rows[e - 1] + 1) continue
    sweep?.(columns, batch, rows[from], rows[e - 1] + 1, h)
    from = e
  }
}

/**
 * From where the last substep's accelerations lead; from the prediction; from the pose before, where no element is flat that was not; and from there with a matrix of
 * that pose.
 */
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
    if (iterate(columns, batch, piece, h, count)) return true
  }
  if (iterate(columns, batch, piece, h, count)) return true
  startBefore(columns, piece)
  if (iterate(columns, batch, piece, h, count)) return true
  startBefore(columns, piece)
  if (makeFactor(columns, batch, piece, h, true, count)) return iterate(columns, batch, piece, h, count)
  putBack(columns, piece)
  return false
}

/** Moves the nodes back to where they were at the start of the substep. */
function startBefore({ position, startPosition }: BodyColumns, { bodyOf, own }: Piece): void {
  for (let i = 0, o = 0; i < bodyOf.length; i++) {
    const p = 4 * bodyOf[i]
    for (let k = 0; k < 3; k++, o++) {
      own[o] += startPosition[p + k] - position[p + k]
      position[p + k] = startPosition[p + k]
    }
  }
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
  return isKept ? piece.isDefinite : makeFactor(columns, batch, piece, h, isTurned, count)
}

/** Makes the factor, at rest or at the present pose. False where there is none. */
function makeFactor(
  columns: BodyColumns,
  batch: ElasticBatch,
  piece: Piece,
  h: number,
  isTurned: boolean,
  count: ElasticCount,
): boolean {
  count.factors++
  piece.isTurned = isTurned
  piece.factoredFor = h
  assembleStiffness(columns, batch, piece, h, isTurned)
  return (piece.isDefinite = piece.factor.factorise())
}

/** Finds what each node would give way by under a load of its own, at rest: no less than along the softest direction. */
function findCompliance(columns: BodyColumns, batch: ElasticBatch, piece: Piece, h: number): void {
  const { factor, softest, bodyOf } = piece
  piece.softestFor = h
  assembleStiffness(columns, batch, piece, h, false)
  const isDefinite = factor.factorise()
  if (isDefinite) factor.invert()
  for (let i = 0; i < bodyOf.length; i++) {
    const w = columns.position[4 * bodyOf[i] + 3]
    softest[i] = isDefinite ? Math.min(largestEigenvalue(factor.diagonal, 9 * i) / (h * h), w) : w
  }
}

const power = new Float64Array(9)
const product = new Float64Array(9)

/** The largest eigenvalue of a symmetric, positive definite matrix, too large by 7 % at most: the eighth root of its eighth power's norm. */
function largestEigenvalue(m: Float64Array, o: number): number {
  const scale = m[o] + m[o + 4] + m[o + 8]
  if (!(scale > 0)) return 0
  for (let k = 0; k < 9; k++) power[k] = m[o + k] / scale
  for (let n = 0; n < 3; n++) {
    timesTransposed(power, power, product)
    power.set(product)
  }
  let squared = 0
  for (let k = 0; k < 9; k++) squared += power[k] * power[k]
  return scale * Math.sqrt(Math.sqrt(Math.sqrt(Math.sqrt(squared))))
}

/** Whether a node may not move along some axis: sweeps take that back after each row. */
function isLocked({ flags }: BodyColumns, { bodyOf }: Piece): boolean {
  for (let i = 0; i < bodyOf.length; i++) if ((flags[bodyOf[i]] & ANY_TRANSLATION_LOCK) !== 0) return true
  return false
}

/** Newton iterations; false, with the nodes where they were, where they do not come near. */
function iterate(columns: BodyColumns, batch: ElasticBatch, piece: Piece, h: number, count: ElasticCount): boolean {
  const { step, delta } = piece
  // What the way that was gone last was worth, as its start had it.
  let gone = 0
  for (let iteration = 0; iteration < MOST_ITERATIONS; iteration++) {
    count.iterations++
    findResidual(columns, batch, piece, h)
    const isFlat = !(FOUND[LEAST] > CRUSHED)
    if (gone > 0) {
      findDot(step, delta)
      const along = FOUND[ALONG]
      if (isFlat || !(along >= -OVERSHOOT * gone)) {
        // A secant says where on the way it is lowest.
        const share = isFlat || !(along < 0) ? HALF : Math.max(gone / (gone - along), SHORTEST)
        shorten(columns, piece, share)
        gone *= share
        continue
      }
    } else if (isFlat) break
    respond(piece, FOUND)
    const worth = FOUND[WORTH]
    if (!(worth < Infinity)) break
    displace(columns, piece)
    if (worth <= LAST * FOUND[OWN] + ROUND_OFF * FOUND[MOTION] + REST || worth <= piece.spare) return true
    delta.set(step)
    gone = worth
  }
  putBack(columns, piece)
  return false
}

function findDot(a: Float64Array, b: Float64Array): void {
  let sum = 0
  for (let k = 0; k < a.length; k++) sum += a[k] * b[k]
  FOUND[ALONG] = sum
}

/** Leaves a share of the last way. */
function shorten({ position }: BodyColumns, { bodyOf, own, delta }: Piece, share: number): void {
  for (let i = 0, o = 0; i < bodyOf.length; i++, o += 3) {
    const p = 4 * bodyOf[i]
    for (let k = 0; k < 3; k++) {
      const back = (1 - share) * delta[o + k]
      position[p + k] -= back
      own[o + k] -= back
      delta[o + k] -= back
    }
  }
}

/**
 * Moves the nodes as in the last substep: what holds a body up, or sways slowly, does so with next to the same accelerations. They stand in the row that owns the
 * node, so that they are saved with it.
 */
function startWarm(columns: BodyColumns, batch: ElasticBatch, piece: Piece, h: number): void {
  const { owner, step, rows } = piece
  const { push } = batch.columns
  for (let i = 0, o = 0; i < owner.length; i++, o += 3) {
    const p = placeOf(owner[i], rows)
    for (let k = 0; k < 3; k++) step[o + k] = h * h * push[p + k]
  }
  displace(columns, piece)
}

/** Keeps what the piece has displaced its nodes by as accelerations. */
function keepPush(batch: ElasticBatch, piece: Piece, h: number): void {
  const { owner, own, rows } = piece
  const { push } = batch.columns
  for (let i = 0, o = 0; i < owner.length; i++, o += 3) {
    const p = placeOf(owner[i], rows)
    for (let k = 0; k < 3; k++) {
      const acceleration = own[o + k] / (h * h)
      // What ran away is no guess.
      push[p + k] = Math.abs(acceleration) < RUNAWAY ? acceleration : 0
    }
  }
}

/** Where the acceleration of a node stands that a corner owns, by its number among all corners. */
function placeOf(corner: number, rows: Int32Array): number {
  const e = Math.floor(corner / CORNERS)
  return 3 * (CORNERS * rows[e] + corner - CORNERS * e)
}

/** −∂Ψ/∂x − M (x − x̂)/h² into `step`, the sum of F into `mean`, and sums and the least J into `FOUND`. */
function findResidual(columns: BodyColumns, batch: ElasticBatch, piece: Piece, h: number): void {
  const { position, startPosition } = columns
  const { rows, corner, bodyOf, own, step, mean } = piece
  const { inverse } = batch.columns
  let displaced = 0
  let motion = 0
  for (let i = 0, o = 0; i < bodyOf.length; i++) {
    const p = 4 * bodyOf[i]
    const m = 1 / (position[p + 3] * h * h)
    for (let k = 0; k < 3; k++, o++) {
      const moved = position[p + k] - startPosition[p + k]
      step[o] = -m * own[o]
      displaced += m * own[o] * own[o]
      motion += m * moved * moved
    }
  }
  FOUND[OWN] = displaced
  FOUND[MOTION] = motion
  mean.fill(0)
  let least = Infinity
  for (let e = 0; e < rows.length; e++) {
    const row = rows[e]
    readMaterial(batch, row, h)
    stressAt(position, batch.ids, CORNERS * row, inverse, 9 * row, false)
    if (MATERIAL[2] > 0) addDamping(startPosition, batch.ids, CORNERS * row, inverse, 9 * row)
    // Not a number is less than anything.
    if (!(STEP[JACOBIAN] >= least)) least = STEP[JACOBIAN]
    for (let k = 0; k < 9; k++) mean[k] += F[k]
    let sx = 0
    let sy = 0
    let sz = 0
    for (let k = 0; k < 3; k++) {
      const b = 9 * row + 3 * k
      const u = inverse[b]
      const v = inverse[b + 1]
      const w = inverse[b + 2]
      const x = STRESS[0] * u + STRESS[1] * v + STRESS[2] * w
      const y = STRESS[3] * u + STRESS[4] * v + STRESS[5] * w
      const z = STRESS[6] * u + STRESS[7] * v + STRESS[8] * w
      sx += x
      sy += y
      sz += z
      const o = 3 * corner[CORNERS * e + 1 + k]
      if (o < 0) continue
      step[o] -= x
      step[o + 1] -= y
      step[o + 2] -= z
    }
    const o = 3 * corner[CORNERS * e]
    if (o < 0) continue
    step[o] += sx
    step[o + 1] += sy
    step[o + 2] += sz
  }
  FOUND[LEAST] = least
}

/** Moves the nodes by Δ. */
function displace({ position }: BodyColumns, { bodyOf, own, step }: Piece): void {
  for (let i = 0, o = 0; i < bodyOf.length; i++, o += 3) {
    const p = 4 * bodyOf[i]
    for (let k = 0; k < 3; k++) {
      position[p + k] += step[o + k]
      own[o + k] += step[o + k]
    }
  }
}

/** Keeps where the nodes are, and what of it is the piece's. */
function keepPlaces({ position }: BodyColumns, { bodyOf, before, own, ownBefore }: Piece): void {
  ownBefore.set(own)
  for (let i = 0, o = 0; i < bodyOf.length; i++, o += 3) {
    for (let k = 0; k < 3; k++) before[o + k] = position[4 * bodyOf[i] + k]
  }
}

/** Puts the nodes back to the places that were kept. */
function putBack({ position }: BodyColumns, { bodyOf, before, own, ownBefore }: Piece): void {
  for (let i = 0, o = 0; i < bodyOf.length; i++, o += 3) {
    for (let k = 0; k < 3; k++) position[4 * bodyOf[i] + k] = before[o + k]
  }
  own.set(ownBefore)
}

/** Counts what the nodes have moved since their places were kept. */
function addMoved({ position }: BodyColumns, { bodyOf, before, own }: Piece): void {
  for (let i = 0, o = 0; i < bodyOf.length; i++, o += 3) {
    for (let k = 0; k < 3; k++) own[o + k] += position[4 * bodyOf[i] + k] - before[o + k]
  }
}

function clearMultipliers({ columns: { lambda } }: ElasticBatch, { rows }: Piece): void {
  for (let e = 0; e < rows.length; e++) lambda[2 * rows[e]] = lambda[2 * rows[e] + 1] = 0
}

/** λ = −c/a of all rows at the present pose, a = compliance/h² + α: what they bear; what damps them as a whole is no part of it. */
function writeMultipliers({ position }: BodyColumns, batch: ElasticBatch, { rows }: Piece, h: number): void {
  const { inverse, shape, regularization, lambda } = batch.columns
  for (let e = 0; e < rows.length; e++) {
    const row = rows[e]
    readMaterial(batch, row, h)
    stressAt(position, batch.ids, CORNERS * row, inverse, 9 * row, true)
    for (let k = 0; k < 2; k++) {
      const compliance = shape[2 * row + k] / (h * h) + regularization[row]
      lambda[2 * row + k] = compliance < Infinity ? -STRESS[SHAPE + k] / compliance : 0
    }
  }
}
