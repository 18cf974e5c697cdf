/**
 * The matrix that a substep of a piece is solved with: M/h² + Σ (1 + γ) K_ab, blocks of corners a and b, b_a row a of B and, of corner 0, minus the sum of the others,
 *
 *   K_ab = k_h c_a c_bᵀ + k_d (3/I) (g_b g_aᵀ + (b_a·b_b) F Fᵀ),   g = F b,  c = C b, C the cofactors of F,  I = tr FᵀF
 *
 * k_d, k_h and γ as in `stress.ts`. At rest, F = 1, it is that of linear elasticity, and a piece that has turned as a whole has the same in the frame that has turned
 * along. One that has bent has the F of its elements: then too it knows a rotation about the present pose for one, and is definite.
 */

import type { BodyColumns } from '@tautline/core/kernel'
import { FIT_SCRATCH, fitRotation } from '../rotation-fit.js'
import { C, CORNERS, deform, type ElasticBatch, F, SQUARED, squareShape, STEP } from './element.js'
import type { Piece } from './piece.js'
import { MATERIAL } from './stress.js'

const FIT = /* @__PURE__ */ new Float64Array(FIT_SCRATCH)

/** Mean ‖F − R‖² beyond which a piece has bent, so that one rotation for all of it no longer tells. */
const MOST_APART = 0.01
/**
 * The same times h² tr K/tr M: what the matrix takes for a rotation is a strain by as much, and what is stiff for a substep must not be told so.
 */
const MOST_APART_STIFF = 0.25

/** Of an element: its rows of B, g and c, three numbers a corner, and (3/I) F Fᵀ. */
const b = /* @__PURE__ */ new Float64Array(12)
const g = /* @__PURE__ */ new Float64Array(12)
const c = /* @__PURE__ */ new Float64Array(12)
const square = /* @__PURE__ */ new Float64Array(9)
const R = /* @__PURE__ */ new Float64Array(9)
const mean = /* @__PURE__ */ new Float64Array(9)

/** Writes k_d, k_h and γ of a row into `MATERIAL`. */
export function readMaterial(batch: ElasticBatch, row: number, h: number): void {
  const { shape, beta, regularization } = batch.columns
  const alpha = h * h * regularization[row]
  MATERIAL[0] = 1 / (shape[2 * row] + alpha)
  // A row that is off has an infinite compliance.
  MATERIAL[1] = 1 / (shape[2 * row + 1] + alpha)
  MATERIAL[2] = beta[row] / h
}

/** Whether the elements of a piece have turned apart, at the start of the substep. */
export function isBent({ startPosition }: BodyColumns, batch: ElasticBatch, piece: Piece, h: number): boolean {
  const { rows, stiffness } = piece
  const { inverse } = batch.columns
  mean.fill(0)
  let squared = 0
  for (let e = 0; e < rows.length; e++) {
    deform(startPosition, batch.ids, CORNERS * rows[e], inverse, 9 * rows[e])
    for (let k = 0; k < 9; k++) {
      mean[k] += F[k]
      squared += F[k] * F[k]
    }
  }
  fitRotation(mean, R, FIT)
  // Σ ‖F − R‖² = Σ ‖F‖² − 2 R·ΣF + 3 for each.
  let along = 0
  for (let k = 0; k < 9; k++) along += R[k] * mean[k]
  const most = Math.min(MOST_APART, MOST_APART_STIFF / (h * h * stiffness))
  return !(squared - 2 * along + 3 * rows.length < most * rows.length)
}

/**
 * Kinds of matrices: at rest; at the present pose; and there with the squares of what the energy has, k_d (b_a·b_b) 1 and k_d c_a c_bᵀ, added where it is strained. F Fᵀ
 * is next to nothing across a long pull, and Newton's steps went ten times too far.
 */
export const AT_REST = 0
export const BENT = 1
export const FIRM = 2

/** Writes the matrix of a piece. */
export function assembleStiffness(
  bodies: BodyColumns,
  batch: ElasticBatch,
  piece: Piece,
  h: number,
  kind: number,
): void {
  const { factor, rows, corner, place, bodyOf } = piece
  const { block, diagonal } = factor
  block.fill(0)
  diagonal.fill(0)
  mean.fill(0)
  for (let i = 0; i < bodyOf.length; i++) {
    const m = 1 / (bodies.position[4 * bodyOf[i] + 3] * h * h)
    for (let k = 9 * i; k < 9 * i + 9; k += 4) diagonal[k] = m
  }
  for (let e = 0; e < rows.length; e++) {
    readMaterial(batch, rows[e], h)
    readGradients(bodies, batch, rows[e], kind !== AT_REST)
    const gain = 1 + MATERIAL[2]
    const kd = gain * MATERIAL[0]
    let kh = gain * MATERIAL[1]
    if (kind === FIRM) {
      kh += gain * MATERIAL[0]
      squareShape()
      const strain = Math.min(1, STEP[SQUARED])
      for (let k = 0; k < 9; k += 4) square[k] += strain
    }
    for (let a = 0, pair = 6 * e; a < CORNERS; a++) {
      const i = corner[CORNERS * e + a]
      if (i >= 0) addBlock(diagonal, 9 * i, 3 * a, 3 * a, kd, kh)
      for (let d = 0; d < a; d++, pair++) {
        if (place[pair] < 0) continue
        const isBelow = i > corner[CORNERS * e + d]
        addBlock(block, 9 * place[pair], isBelow ? 3 * a : 3 * d, isBelow ? 3 * d : 3 * a, kd, kh)
      }
    }
  }
  fitRotation(mean, piece.turned, FIT)
}

/** What the blocks of an element are made of. */
function readGradients({ position }: BodyColumns, batch: ElasticBatch, row: number, isBent: boolean): void {
  const { inverse } = batch.columns
  readRows(inverse, 9 * row)
  if (isBent) deform(position, batch.ids, CORNERS * row, inverse, 9 * row)
  else {
    setIdentity(F)
    setIdentity(C)
  }
  let squared = 0
  for (let k = 0; k < 9; k++) {
    mean[k] += F[k]
    squared += F[k] * F[k]
  }
  for (let i = 0; i < 9; i += 3) {
    for (let j = 0; j < 9; j += 3) {
      square[i + j / 3] = (3 / squared) * (F[i] * F[j] + F[i + 1] * F[j + 1] + F[i + 2] * F[j + 2])
    }
  }
  const root = Math.sqrt(3 / squared)
  for (let k = 0; k < 12; k += 3) {
    const x = b[k]
    const y = b[k + 1]
    const z = b[k + 2]
    g[k] = root * (F[0] * x + F[1] * y + F[2] * z)
    g[k + 1] = root * (F[3] * x + F[4] * y + F[5] * z)
    g[k + 2] = root * (F[6] * x + F[7] * y + F[8] * z)
    c[k] = C[0] * x + C[1] * y + C[2] * z
    c[k + 1] = C[3] * x + C[4] * y + C[5] * z
    c[k + 2] = C[6] * x + C[7] * y + C[8] * z
  }
}

/** Rows of B into `b`. */
function readRows(inverse: Float64Array, n: number): void {
  for (let k = 0; k < 9; k++) b[3 + k] = inverse[n + k]
  for (let k = 0; k < 3; k++) b[k] = -(b[3 + k] + b[6 + k] + b[9 + k])
}

function setIdentity(m: Float64Array): void {
  m.fill(0)
  m[0] = m[4] = m[8] = 1
}

/** Adds the block of corners a and d, whose numbers start there. */
function addBlock(m: Float64Array, o: number, a: number, d: number, kd: number, kh: number): void {
  const dot = kd * (b[a] * b[d] + b[a + 1] * b[d + 1] + b[a + 2] * b[d + 2])
  for (let i = 0; i < 3; i++) {
    const u = kh * c[a + i]
    const v = kd * g[d + i]
    const k = o + 3 * i
    m[k] += u * c[d] + v * g[a] + dot * square[3 * i]
    m[k + 1] += u * c[d + 1] + v * g[a + 1] + dot * square[3 * i + 1]
    m[k + 2] += u * c[d + 2] + v * g[a + 2] + dot * square[3 * i + 2]
  }
}

/** Notes masses and material of a piece; whether they are others than noted before. */
export function hasChanged(bodies: BodyColumns, batch: ElasticBatch, piece: Piece): boolean {
  const { rows, bodyOf, noted } = piece
  const { shape, beta, regularization } = batch.columns
  let isOther = false
  let k = 0
  const note = (value: number): void => {
    if (noted[k] !== value) isOther = true
    noted[k++] = value
  }
  for (let i = 0; i < bodyOf.length; i++) note(bodies.position[4 * bodyOf[i] + 3])
  for (let e = 0; e < rows.length; e++) {
    note(shape[2 * rows[e]])
    note(shape[2 * rows[e] + 1])
    note(beta[rows[e]])
    note(regularization[rows[e]])
  }
  if (isOther) {
    piece.stiffness = stiffnessOf(bodies, batch, rows, bodyOf)
    piece.modulus = 0
    for (let e = 0; e < rows.length; e++) piece.modulus += 1 / shape[2 * rows[e]]
  }
  return isOther
}

/** tr K/tr M of elements at rest, and the nodes at their corners that move [1/s²]. */
export function stiffnessOf(
  { position }: BodyColumns,
  batch: ElasticBatch,
  rows: ArrayLike<number>,
  nodes: Iterable<number>,
): number {
  const { shape, inverse, body } = batch.columns
  let stiffness = 0
  for (let e = 0; e < rows.length; e++) {
    const row = rows[e]
    readRows(inverse, 9 * row)
    const moduli = 4 / shape[2 * row] + 1 / shape[2 * row + 1]
    for (let a = 0; a < CORNERS; a++) {
      if (position[4 * body[CORNERS * row + a] + 3] === 0) continue
      stiffness += moduli * (b[3 * a] * b[3 * a] + b[3 * a + 1] * b[3 * a + 1] + b[3 * a + 2] * b[3 * a + 2])
    }
  }
  let mass = 0
  for (const i of nodes) mass += 1 / position[4 * i + 3]
  return stiffness / (3 * mass)
}
