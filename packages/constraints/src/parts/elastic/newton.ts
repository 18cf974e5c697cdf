/**
 * A substep of a piece as a whole: the x with M (x − x̂)/h² = −∂Ψ/∂x, by Newton's method with the matrix of linear elasticity in place of the Hessian, so that one
 * factor serves all turns, and most steps. x̂ is where the nodes are without what the piece has done in this substep: what others have is part of it.
 *
 * It ends when rᵀΔ, the square of Newton's decrement, is small beside that of all that the piece has moved. A way that leads beyond what is lowest on it is shortened by
 * a secant.
 */

import { type BodyColumns, RUNAWAY } from '@tautline/core/kernel'
import { CORNERS, type ElasticBatch } from './element.js'
import type { Piece } from './piece.js'
import { addForces } from './residual.js'
import { respond } from './response.js'
import { readMaterial } from './stiffness.js'
import { SHAPE, STRESS, stressAt } from './stress.js'

/** Most iterations. Past them, sweeps do as well. */
const MOST_ITERATIONS = 8
/** The same where it is careful. */
const MOST_CAREFUL = 40
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

/**
 * What goes from one function to another as numbers would be boxed: rᵀΔ; Σ m ‖Δ‖²/h² of what the piece has displaced its nodes by, and of what they have
 * moved in this substep [J]; and rᵀΔ with the last Δ.
 */
const FOUND = /* @__PURE__ */ new Float64Array(4)
const WORTH = 0
const OWN = 1
const MOTION = 2
const ALONG = 3

/** Counts of a step. */
export interface ElasticCount {
  iterations: number
  factors: number
  unsolved: number
  swept: number
}

/** Moves the nodes back to where they were at the start of the substep, and what is free on as a rigid body: what is kept from there has its momentum. */
export function startBefore({ position, startPosition }: BodyColumns, { bodyOf, own, isFree }: Piece): void {
  for (let k = 0; k < 3; k++) {
    let mass = 0
    let moment = 0
    for (let i = 0, o = k; i < bodyOf.length; i++, o += 3) {
      const p = 4 * bodyOf[i]
      const m = 1 / position[p + 3]
      own[o] += startPosition[p + k] - position[p + k]
      position[p + k] = startPosition[p + k]
      mass += m
      moment += m * own[o]
    }
    if (!isFree) continue
    const shift = moment / mass
    for (let i = 0, o = k; i < bodyOf.length; i++, o += 3) {
      own[o] -= shift
      position[4 * bodyOf[i] + k] -= shift
    }
  }
}

/** How it iterates: soon given up; never uphill, and longer; and then it keeps its shape where it does not come near. */
export const PLAIN = 0
export const CAREFUL = 1
export const KEPT = 2

/** Newton iterations; false, with the nodes where they were, where they do not come near. */
export function iterate(
  columns: BodyColumns,
  batch: ElasticBatch,
  piece: Piece,
  h: number,
  how: number,
  count: ElasticCount,
): boolean {
  const { step, delta } = piece
  const most = how === PLAIN ? MOST_ITERATIONS : MOST_CAREFUL
  // What the way that was gone last was worth, as its start had it.
  let gone = 0
  for (let iteration = 0; iteration < most; iteration++) {
    count.iterations++
    findResidual(columns, batch, piece, h)
    if (gone > 0) {
      findDot(step, delta)
      const along = FOUND[ALONG]
      if (!(along >= (how === PLAIN ? -OVERSHOOT * gone : 0))) {
        // A secant says where on the way it is lowest.
        const share = along < 0 ? Math.max(gone / (gone - along), SHORTEST) : HALF
        shorten(columns, piece, share)
        gone *= share
        continue
      }
    }
    respond(piece, FOUND)
    const worth = FOUND[WORTH]
    if (!(worth < Infinity)) break
    displace(columns, piece)
    if (worth <= LAST * FOUND[OWN] + ROUND_OFF * FOUND[MOTION] + REST || worth <= piece.spare) return true
    delta.set(step)
    gone = worth
  }
  if (how === KEPT) {
    startBefore(columns, piece)
    count.unsolved++
    return true
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
export function startWarm(columns: BodyColumns, batch: ElasticBatch, piece: Piece, h: number): void {
  const { owner, step, rows } = piece
  const { push } = batch.columns
  for (let i = 0, o = 0; i < owner.length; i++, o += 3) {
    const p = placeOf(owner[i], rows)
    for (let k = 0; k < 3; k++) step[o + k] = h * h * push[p + k]
  }
  displace(columns, piece)
}

/** Keeps what the piece has displaced its nodes by as accelerations. */
export function keepPush(batch: ElasticBatch, piece: Piece, h: number): void {
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

/** Forgets them: what follows from the pose alone is no longer so. */
export function forgetPush(batch: ElasticBatch, { owner, rows }: Piece): void {
  const { push } = batch.columns
  for (let i = 0; i < owner.length; i++) {
    const p = placeOf(owner[i], rows)
    for (let k = 0; k < 3; k++) push[p + k] = 0
  }
}

/** Where the acceleration of a node stands that a corner owns, by its number among all corners. */
function placeOf(corner: number, rows: Int32Array): number {
  const e = Math.floor(corner / CORNERS)
  return 3 * (CORNERS * rows[e] + corner - CORNERS * e)
}

/** −∂Ψ/∂x − M (x − x̂)/h² into `step`, the sum of F into `mean`, and sums into `FOUND`. */
function findResidual(columns: BodyColumns, batch: ElasticBatch, piece: Piece, h: number): void {
  const { position, startPosition } = columns
  const { bodyOf, own, carried, step } = piece
  let displaced = 0
  let motion = 0
  for (let i = 0, o = 0; i < bodyOf.length; i++) {
    const p = 4 * bodyOf[i]
    const m = 1 / (position[p + 3] * h * h)
    for (let k = 0; k < 3; k++, o++) {
      const moved = position[p + k] - startPosition[p + k]
      step[o] = -m * own[o]
      const ways = own[o] + carried[o]
      displaced += m * ways * ways
      motion += m * moved * moved
    }
  }
  FOUND[OWN] = displaced
  FOUND[MOTION] = motion
  addForces(columns, batch, piece, h)
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
export function keepPlaces({ position }: BodyColumns, { bodyOf, before, own, ownBefore }: Piece): void {
  ownBefore.set(own)
  for (let i = 0, o = 0; i < bodyOf.length; i++, o += 3) {
    for (let k = 0; k < 3; k++) before[o + k] = position[4 * bodyOf[i] + k]
  }
}

/** Puts the nodes back to the places that were kept. */
export function putBack({ position }: BodyColumns, { bodyOf, before, own, ownBefore }: Piece): void {
  for (let i = 0, o = 0; i < bodyOf.length; i++, o += 3) {
    for (let k = 0; k < 3; k++) position[4 * bodyOf[i] + k] = before[o + k]
  }
  own.set(ownBefore)
}

/** Counts what the nodes have moved since their places were kept. */
export function addMoved({ position }: BodyColumns, { bodyOf, before, own }: Piece): void {
  for (let i = 0, o = 0; i < bodyOf.length; i++, o += 3) {
    for (let k = 0; k < 3; k++) own[o + k] += position[4 * bodyOf[i] + k] - before[o + k]
  }
}

/** Takes back all that the piece has displaced its nodes by in this substep: sweeps begin with λ = 0 where nodes are without it, or they would push twice. */
export function takeBack(columns: BodyColumns, batch: ElasticBatch, piece: Piece): void {
  const { bodyOf, own, rows } = piece
  const { position } = columns
  const { lambda } = batch.columns
  for (let i = 0, o = 0; i < bodyOf.length; i++) {
    for (let k = 0; k < 3; k++, o++) position[4 * bodyOf[i] + k] -= own[o]
  }
  own.fill(0)
  keepPlaces(columns, piece)
  for (let e = 0; e < rows.length; e++) lambda[2 * rows[e]] = lambda[2 * rows[e] + 1] = 0
}

/** λ = −c/a of all rows at the present pose, a = compliance/h² + α: what they bear; what damps them as a whole is no part of it. */
export function writeMultipliers({ position }: BodyColumns, batch: ElasticBatch, { rows }: Piece, h: number): void {
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
