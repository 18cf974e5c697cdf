/**
 * The rows of one patch, solved together: G Δλ = −residual, λ held to its bounds as it adds up.
 *
 * Normal rows first, all at once by LDLᵀ: where none of them would pull, that is the solution, and a face shares its load
 * evenly among four points that have only three degrees of freedom (the soft pass has a compliance; the rigid one gets a
 * trace of it). Where one would pull, projected Gauss–Seidel over them. Then friction, twist and rolling inside the bounds
 * that the load gives; and once more, as friction loads normals.
 */

import { DISC, solveDisc } from '@tautline/core'
import { MAX_POINTS } from '../narrow/manifold.js'
import { change, FRICTION, type Patches, residual, ROLLING, ROWS, TWIST } from './patch-columns.js'

/** Rounds of normals and friction a visit, and sweeps over the normals where one lets go. */
const ROUNDS = 2
const SWEEPS = 4
/** Friction that changes λ by less than this share of the load changes no normal that shows. */
const SETTLED = 1e-3
/** Compliance of the rigid pass as a share of G: far above round-off, far below what shows. */
const TRACE = 1e-6

/** Numbers of one factor: four of 1/D, six of L. */
const FACTOR = 10

const rhs = /* @__PURE__ */ new Float64Array(MAX_POINTS)

/** Factors of the normal rows of G with a share `softness` of the diagonal added, and with next to none. */
export function factorPatch(batch: Patches, row: number, softness: number): void {
  const { factor } = batch.columns
  const at = 2 * FACTOR * row
  factorNormals(batch, row, softness, factor, at)
  factorNormals(batch, row, TRACE, factor, at + FACTOR)
}

/** LDLᵀ, the way of a textbook, for up to four rows. */
function factorNormals(batch: Patches, row: number, softness: number, out: Float64Array, o: number): void {
  const { points, matrix } = batch.columns
  const n = points[row]
  const g = ROWS * ROWS * row
  let k = o + MAX_POINTS
  for (let i = 0; i < n; i++) {
    const first = k
    let d = (1 + softness) * matrix[g + ROWS * i + i]
    let other = o + MAX_POINTS
    for (let j = 0; j < i; j++) {
      // L_ij D_j = G_ij − Σ L_ik D_k L_jk
      let sum = matrix[g + ROWS * i + j]
      for (let m = 0; m < j; m++) sum -= out[first + m] * out[other + m]
      out[k++] = sum
      other += j
    }
    for (let j = 0; j < i; j++) {
      const scaled = out[first + j]
      out[first + j] = scaled * out[o + j]
      d -= scaled * out[first + j]
    }
    out[o + i] = d > 0 ? 1 / d : 0
  }
}

/** Fills `change` from `residual`, and adds it to λ. `softness`: as `factorPatch` was given, or 0 for the rigid pass. */
export function solvePatch(batch: Patches, row: number, softness: number): void {
  const { points, friction, torsional, rolling, sliding, spread, lambda } = batch.columns
  const l = ROWS * row
  const n = points[row]
  const grip = sliding[row] === 1 ? friction[2 * row + 1] : friction[2 * row]
  change.fill(0)
  for (let round = 0; round < ROUNDS; round++) {
    if (!solveNormals(batch, row, softness)) sweepNormals(batch, row, softness)
    if (grip === 0 && torsional[row] === 0 && rolling[row] === 0) break
    let load = 0
    let twistBound = 0
    for (let i = 0; i < n; i++) {
      load += lambda[l + i] + change[i]
      twistBound += (lambda[l + i] + change[i]) * spread[MAX_POINTS * row + i]
    }
    const before = change[FRICTION]
    const beside = change[FRICTION + 1]
    if (grip > 0) slide(batch, row, load)
    bound(batch, row, TWIST, grip * twistBound + torsional[row] * load)
    if (rolling[row] > 0) roll(batch, row, load)
    const moved = Math.abs(change[FRICTION] - before) + Math.abs(change[FRICTION + 1] - beside)
    if (moved <= SETTLED * load) break
  }
  for (let k = 0; k < ROWS; k++) lambda[l + k] += change[k]
}

/** All normals at once; false, and nothing changed, when one of them would pull. */
function solveNormals(batch: Patches, row: number, softness: number): boolean {
  const { points, friction, rolling, lambda, matrix, factor } = batch.columns
  const n = points[row]
  const l = ROWS * row
  const g = ROWS * l
  const f = 2 * FACTOR * row + (softness > 0 ? 0 : FACTOR)
  const turns = rolling[row] > 0 ? ROWS : friction[2 * row] > 0 ? ROLLING : FRICTION
  let k = f + MAX_POINTS
  for (let i = 0; i < n; i++) {
    const G = g + ROWS * i
    let r = -residual[i] - softness * matrix[G + i] * lambda[l + i]
    for (let j = FRICTION; j < turns; j++) r -= matrix[G + j] * change[j]
    for (let j = 0; j < i; j++) r -= factor[k++] * rhs[j]
    rhs[i] = r
  }
  for (let i = n - 1; i >= 0; i--) {
    let x = rhs[i] * factor[f + i]
    for (let j = i + 1; j < n; j++) x -= factor[f + MAX_POINTS + ((j * (j - 1)) >> 1) + i] * rhs[j]
    if (!(lambda[l + i] + x >= 0)) return false
    rhs[i] = x
  }
  for (let i = 0; i < n; i++) change[i] = rhs[i]
  return true
}

/** Projected Gauss–Seidel over the normals. */
function sweepNormals(batch: Patches, row: number, softness: number): void {
  const { points, friction, rolling, lambda, matrix } = batch.columns
  const n = points[row]
  const l = ROWS * row
  const g = ROWS * l
  const turns = rolling[row] > 0 ? ROWS : friction[2 * row] > 0 ? ROLLING : FRICTION
  for (let i = 0; i < n; i++) {
    const G = g + ROWS * i
    let r = residual[i]
    for (let j = FRICTION; j < turns; j++) r += matrix[G + j] * change[j]
    rhs[i] = r
  }
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    let load = 0
    let largest = 0
    for (let i = 0; i < n; i++) {
      const G = g + ROWS * i
      const a = softness * matrix[G + i]
      const diagonal = matrix[G + i] + a
      if (!(diagonal > 0)) continue
      let r = rhs[i] + a * (lambda[l + i] + change[i])
      for (let j = 0; j < n; j++) r += matrix[G + j] * change[j]
      const next = Math.max(lambda[l + i] + change[i] - r / diagonal, 0) - lambda[l + i]
      largest = Math.max(largest, Math.abs(next - change[i]))
      change[i] = next
      load += lambda[l + i] + next
    }
    if (largest <= SETTLED * load) break
  }
}

/** Residual of row k with what has changed so far. */
function present(matrix: Float64Array, G: number, k: number): number {
  let r = residual[k]
  for (let j = 0; j < ROWS; j++) r += matrix[G + j] * change[j]
  return r
}

/** Friction at the centre, inside the cone that `load` gives. */
function slide(batch: Patches, row: number, load: number): void {
  const { friction, sliding, lambda, matrix } = batch.columns
  const l = ROWS * row
  const s = ROWS * l + ROWS * FRICTION
  const t = s + ROWS
  const kss = matrix[s + FRICTION]
  const kst = matrix[s + FRICTION + 1]
  const ktt = matrix[t + FRICTION + 1]
  const determinant = kss * ktt - kst * kst
  if (!(determinant > 0)) return
  const es = present(matrix, s, FRICTION)
  const et = present(matrix, t, FRICTION + 1)
  const oldS = lambda[l + FRICTION]
  const oldT = lambda[l + FRICTION + 1]
  let fs = oldS + change[FRICTION] - (ktt * es - kst * et) / determinant
  let ft = oldT + change[FRICTION + 1] - (kss * et - kst * es) / determinant
  const slip = friction[2 * row + 1] * load
  const stick = sliding[row] === 1 ? slip : friction[2 * row] * load
  if (fs * fs + ft * ft > stick * stick) {
    const ls = oldS + change[FRICTION]
    const lt = oldT + change[FRICTION + 1]
    solveDisc(kss, kst, ktt, es - kss * ls - kst * lt, et - kst * ls - ktt * lt, stick, slip)
    fs = DISC[0]
    ft = DISC[1]
  }
  change[FRICTION] = fs - oldS
  change[FRICTION + 1] = ft - oldT
}

/** One row held to ±limit. */
function bound(batch: Patches, row: number, k: number, limit: number): void {
  const { lambda, matrix } = batch.columns
  const l = ROWS * row + k
  const G = ROWS * l
  const diagonal = matrix[G + k]
  if (!(diagonal > 0)) return
  const wanted = lambda[l] + change[k] - present(matrix, G, k) / diagonal
  change[k] = Math.min(Math.max(wanted, -limit), limit) - lambda[l]
}

/** Rolling resistance: a disc again, rows of a couple. */
function roll(batch: Patches, row: number, load: number): void {
  const { rolling, lambda, matrix } = batch.columns
  const l = ROWS * row
  const s = ROWS * l + ROWS * ROLLING
  const t = s + ROWS
  const kss = matrix[s + ROLLING]
  const kst = matrix[s + ROLLING + 1]
  const ktt = matrix[t + ROLLING + 1]
  if (!(kss * ktt - kst * kst > 0)) return
  const es = present(matrix, s, ROLLING)
  const et = present(matrix, t, ROLLING + 1)
  const ls = lambda[l + ROLLING] + change[ROLLING]
  const lt = lambda[l + ROLLING + 1] + change[ROLLING + 1]
  const limit = rolling[row] * load
  solveDisc(kss, kst, ktt, es - kss * ls - kst * lt, et - kst * ls - ktt * lt, limit, limit)
  change[ROLLING] = DISC[0] - lambda[l + ROLLING]
  change[ROLLING + 1] = DISC[1] - lambda[l + ROLLING + 1]
}
