/**
 * The rows of one patch, solved together: projected Gauss–Seidel on G Δλ = −residual, λ held to its bounds as it adds up.
 *
 * With the matrix at hand a sweep over a patch costs a few dozen products, where one over the bodies would cost hundreds,
 * and four points of a face share their load at once instead of one substep after another.
 */

import { DISC, solveDisc } from '@tautline/core'
import { MAX_POINTS } from '../narrow/manifold.js'
import { change, FRICTION, type Patches, residual, ROLLING, ROWS, TWIST } from './patch-columns.js'

/** Most sweeps a visit. */
const SWEEPS = 4
/** Sweeps end when none of them changes λ by more than this share of the patch's load. */
const SETTLED = 1e-3

/** Fills `change` from `residual`, and adds it to λ. `softness`: compliance of the normal rows as a share of their G. */
export function solvePatch(batch: Patches, row: number, softness: number): void {
  const { points, friction, torsional, rolling, sliding, spread, lambda, matrix } = batch.columns
  const l = ROWS * row
  const g = ROWS * l
  const n = points[row]
  const grip = sliding[row] === 1 ? friction[2 * row + 1] : friction[2 * row]
  const rolls = rolling[row] > 0
  change.fill(0)
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    let load = 0
    let twistBound = 0
    let largest = 0
    for (let i = 0; i < n; i++) {
      const G = g + ROWS * i
      let r = residual[i]
      for (let k = 0; k < n; k++) r += matrix[G + k] * change[k]
      if (grip > 0) for (let k = FRICTION; k < ROLLING; k++) r += matrix[G + k] * change[k]
      if (rolls) r += matrix[G + 7] * change[7] + matrix[G + 8] * change[8]
      const old = lambda[l + i]
      const a = softness * matrix[G + i]
      const diagonal = matrix[G + i] + a
      if (diagonal > 0) {
        const next = Math.max(old + change[i] - (r + a * (old + change[i])) / diagonal, 0) - old
        const step = Math.abs(next - change[i])
        if (step > largest) largest = step
        change[i] = next
      }
      load += old + change[i]
      twistBound += (old + change[i]) * spread[MAX_POINTS * row + i]
    }
    if (grip > 0) {
      slide(batch, row, load)
      bound(batch, row, TWIST, grip * twistBound + torsional[row] * load)
    } else if (torsional[row] > 0) bound(batch, row, TWIST, torsional[row] * load)
    if (rolls) roll(batch, row, load)
    if (largest <= SETTLED * load) break
  }
  for (let k = 0; k < ROWS; k++) lambda[l + k] += change[k]
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
