/**
 * The rows of one manifold, solved together: G Δλ = −residual, λ held to its bounds as it adds up.
 *
 * Normal rows all at once by LDLᵀ: where none of them would pull, that is the solution, and a face shares its load evenly
 * among four points that have only three degrees of freedom (the soft pass has a compliance; the rigid one gets a trace of
 * it). Where one would pull, projected Gauss–Seidel over them. Friction and twist stay inside the bounds that the load
 * gives.
 */

import { B_S, B_T, DISC, K_SS, K_ST, K_TT, SLIP_RADIUS, solveDisc, STICK_RADIUS } from '@tautline/core/kernel'
import { MAX_POINTS } from '../detect/narrow/manifold.js'
import {
  change,
  FRICTION,
  G_CROSS,
  G_NORMAL,
  G_PLANE,
  G_ROLL,
  loadOf,
  RECORD,
  type Manifolds,
  residual,
  RIGID_FACTOR,
  ROLLING,
  ROWS,
  SOFT_FACTOR,
  SPREAD,
  TWIST,
} from './manifold-columns.js'

/** Sweeps over the normals where one lets go. */
const SWEEPS = 4
/** Sweeps end when none of them changes λ by more than this share of the load. */
const SETTLED = 1e-3
/** Friction that changes λ by less than this share of the load changes no normal that shows. */
const LIGHT = 1e-3
/** Compliance of the rigid pass as a share of G: far above round-off, far below what shows. */
const TRACE = 1e-6

/** ‖λ_t‖ this near its cone, as a share of it, slides. */
const ON_CONE = 1e-6

const rhs = /* @__PURE__ */ new Float64Array(MAX_POINTS)

/** Factors of the normal rows of G with a share `softness` of the diagonal added, and with next to none. */
export function factorManifold(batch: Manifolds, row: number, softness: number): void {
  const { points, record } = batch.columns
  factorNormals(record, RECORD * row + G_NORMAL, points[row], softness, RECORD * row + SOFT_FACTOR)
  factorNormals(record, RECORD * row + G_NORMAL, points[row], TRACE, RECORD * row + RIGID_FACTOR)
}

/** LDLᵀ of n rows at g into o: 1/D, then L. */
function factorNormals(record: Float64Array, g: number, n: number, softness: number, o: number): void {
  let k = o + MAX_POINTS
  let at = g
  for (let i = 0; i < n; i++) {
    const first = k
    let other = o + MAX_POINTS
    for (let j = 0; j < i; j++) {
      // L_ij D_j = G_ij − Σ L_im D_m L_jm
      let sum = record[at++]
      for (let m = 0; m < j; m++) sum -= record[first + m] * record[other + m]
      record[k++] = sum
      other += j
    }
    let d = (1 + softness) * record[at++]
    for (let j = 0; j < i; j++) {
      const scaled = record[first + j]
      record[first + j] = scaled * record[o + j]
      d -= scaled * record[first + j]
    }
    record[o + i] = d > 0 ? 1 / d : 0
  }
}

/**
 * `change` of the normal rows for `residual`; `softness` 0 is the rigid pass. Adds it to λ. What the last substep left of
 * friction, twist and rolling is cut to what the new load bears; returns whether that changed them.
 */
export function solveNormals(batch: Manifolds, row: number, softness: number): boolean {
  const { points, lambda, record } = batch.columns
  solveRows(record, RECORD * row, points[row] | 0, lambda, ROWS * row, softness)
  return takeNormals(batch, row)
}

/** Adds the normals' `change` to λ and cuts the other rows to the new load, into `change`; returns whether any was. */
export function takeNormals(batch: Manifolds, row: number): boolean {
  const { points, friction, torsional, rolling, lambda, record } = batch.columns
  const added = change
  const n = points[row] | 0
  const l = ROWS * row
  const p = RECORD * row
  let load = 0
  let lever = 0
  for (let i = 0; i < n; i++) {
    const whole = lambda[l + i] + added[i]
    lambda[l + i] = whole
    load += whole
    lever += whole * record[p + SPREAD + i]
  }
  added[TWIST] = 0
  const coefficient = friction[2 * row]
  let cut = cutDisc(lambda, l + FRICTION, FRICTION, coefficient * load)
  const limit = coefficient * lever + torsional[row] * load
  const twist = lambda[l + TWIST]
  if (Math.abs(twist) > limit) {
    lambda[l + TWIST] = twist > 0 ? limit : -limit
    added[TWIST] = lambda[l + TWIST] - twist
    cut = true
  }
  if (rolling[row] > 0 && cutDisc(lambda, l + ROLLING, ROLLING, rolling[row] * load)) cut = true
  return cut
}

/** Scales two multipliers at o back to a length of at most `radius`; `change` from `k` on gets the difference. */
function cutDisc(lambda: Float64Array, o: number, k: number, radius: number): boolean {
  const s = lambda[o]
  const t = lambda[o + 1]
  const squared = s * s + t * t
  change[k] = change[k + 1] = 0
  if (squared <= radius * radius) return false
  const scale = radius / Math.sqrt(squared)
  lambda[o] = scale * s
  lambda[o + 1] = scale * t
  change[k] = lambda[o] - s
  change[k + 1] = lambda[o + 1] - t
  return true
}

/** `change` of the normals for `residual`: all at once, or where one of them would pull by sweeps. */
function solveRows(
  record: Float64Array,
  p: number,
  n: number,
  lambda: Float64Array,
  l: number,
  softness: number,
): void {
  if (!solveAll(record, p, n, lambda, l, softness)) sweepSome(record, p, n, lambda, l, softness)
}

/** All normals at once; false when one of them would pull. Four, as faces have, are written out. */
function solveAll(
  record: Float64Array,
  p: number,
  n: number,
  lambda: Float64Array,
  l: number,
  softness: number,
): boolean {
  const f = p + (softness > 0 ? SOFT_FACTOR : RIGID_FACTOR)
  const g = p + G_NORMAL
  const gaps = residual
  const added = change
  if (n === MAX_POINTS) {
    const l0 = lambda[l]
    const l1 = lambda[l + 1]
    const l2 = lambda[l + 2]
    const l3 = lambda[l + 3]
    const l20 = record[f + 5]
    const l21 = record[f + 6]
    const l30 = record[f + 7]
    const l31 = record[f + 8]
    const l32 = record[f + 9]
    const r0 = -gaps[0] - softness * record[g] * l0
    const r1 = -gaps[1] - softness * record[g + 2] * l1 - record[f + 4] * r0
    const r2 = -gaps[2] - softness * record[g + 5] * l2 - l20 * r0 - l21 * r1
    const r3 = -gaps[3] - softness * record[g + 9] * l3 - l30 * r0 - l31 * r1 - l32 * r2
    const x3 = r3 * record[f + 3]
    const x2 = r2 * record[f + 2] - l32 * x3
    const x1 = r1 * record[f + 1] - l21 * x2 - l31 * x3
    const x0 = r0 * record[f] - record[f + 4] * x1 - l20 * x2 - l30 * x3
    if (!(l0 + x0 >= 0 && l1 + x1 >= 0 && l2 + x2 >= 0 && l3 + x3 >= 0)) return false
    added[0] = x0
    added[1] = x1
    added[2] = x2
    added[3] = x3
    return true
  }
  let k = f + MAX_POINTS
  for (let i = 0; i < n; i++) {
    let r = -gaps[i] - softness * record[g + ((i * (i + 3)) >> 1)] * lambda[l + i]
    for (let j = 0; j < i; j++) r -= record[k++] * rhs[j]
    rhs[i] = r
  }
  for (let i = n - 1; i >= 0; i--) {
    let x = rhs[i] * record[f + i]
    for (let j = i + 1; j < n; j++) x -= record[f + MAX_POINTS + ((j * (j - 1)) >> 1) + i] * rhs[j]
    if (!(lambda[l + i] + x >= 0)) return false
    rhs[i] = x
  }
  for (let i = 0; i < n; i++) added[i] = rhs[i]
  return true
}

/** Projected Gauss–Seidel over the normals. */
function sweepSome(
  record: Float64Array,
  p: number,
  n: number,
  lambda: Float64Array,
  l: number,
  softness: number,
): void {
  const g = p + G_NORMAL
  for (let i = 0; i < n; i++) change[i] = 0
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    let load = 0
    let largest = 0
    for (let i = 0; i < n; i++) {
      const own = record[g + ((i * (i + 3)) >> 1)]
      if (!(own > 0)) continue
      const old = lambda[l + i]
      let r = residual[i] + softness * own * (old + change[i])
      for (let j = 0; j < n; j++) {
        r += record[g + (j <= i ? ((i * (i + 1)) >> 1) + j : ((j * (j + 1)) >> 1) + i)] * change[j]
      }
      const next = Math.max(old + change[i] - r / (own + softness * own), 0) - old
      const step = Math.abs(next - change[i])
      if (step > largest) largest = step
      change[i] = next
      load += old + next
    }
    if (largest <= SETTLED * load) break
  }
}

/**
 * `change` of normals, friction and twist for the speeds in `residual`, rigid, and adds it to λ. Friction loads normals and
 * normals friction: where friction changes much, the normals are solved once more. Without `hasNormals` their λ is as it is.
 */
export function solveSpeeds(batch: Manifolds, row: number, hasNormals = true): void {
  const { points, friction, torsional, sliding, lambda, record } = batch.columns
  const speeds = residual
  const added = change
  const n = points[row] | 0
  const l = ROWS * row
  const p = RECORD * row
  const coefficient = friction[sliding[row] === 1 ? 2 * row + 1 : 2 * row]
  for (let k = 0; k < ROWS; k++) added[k] = 0
  if (hasNormals) solveRows(record, p, n, lambda, l, 0)
  if (coefficient > 0 || torsional[row] > 0) {
    const kss = record[p + G_PLANE]
    const kst = record[p + G_PLANE + 1]
    const ktt = record[p + G_PLANE + 2]
    const ksw = record[p + G_PLANE + 3]
    const ktw = record[p + G_PLANE + 4]
    const kww = record[p + G_PLANE + 5]
    const determinant = kss * ktt - kst * kst
    const oldS = lambda[l + FRICTION]
    const oldT = lambda[l + FRICTION + 1]
    const oldW = lambda[l + TWIST]
    let ds = 0
    let dt = 0
    let dw = 0
    for (let again = hasNormals; ; again = false) {
      let es = speeds[FRICTION]
      let et = speeds[FRICTION + 1]
      let ew = speeds[TWIST]
      let load = 0
      let lever = 0
      for (let i = 0, c = p + G_CROSS; i < n; i++, c += 3) {
        const d = added[i]
        es += record[c] * d
        et += record[c + 1] * d
        ew += record[c + 2] * d
        const whole = lambda[l + i] + d
        load += whole
        lever += whole * record[p + SPREAD + i]
      }
      if (coefficient > 0 && determinant > 0) {
        const fs = es + ksw * dw
        const ft = et + ktw * dw
        let s = oldS - (ktt * fs - kst * ft) / determinant
        let t = oldT - (kss * ft - kst * fs) / determinant
        const stick = coefficient * load
        if (s * s + t * t > stick * stick) {
          DISC[K_SS] = kss
          DISC[K_ST] = kst
          DISC[K_TT] = ktt
          DISC[B_S] = fs - kss * oldS - kst * oldT
          DISC[B_T] = ft - kst * oldS - ktt * oldT
          DISC[STICK_RADIUS] = stick
          DISC[SLIP_RADIUS] = friction[2 * row + 1] * load
          solveDisc()
          s = DISC[0]
          t = DISC[1]
        }
        ds = s - oldS
        dt = t - oldT
      }
      const limit = coefficient * lever + torsional[row] * load
      if (kww > 0 && limit > 0) {
        const wanted = oldW - (ew + ksw * ds + ktw * dt) / kww
        dw = (wanted > limit ? limit : wanted < -limit ? -limit : wanted) - oldW
      } else dw = -oldW
      if (!again || !(ds * ds + dt * dt > LIGHT * LIGHT * load * load)) break
      for (let i = 0, c = p + G_CROSS; i < n; i++, c += 3) {
        speeds[i] += record[c] * ds + record[c + 1] * dt + record[c + 2] * dw
      }
      solveRows(record, p, n, lambda, l, 0)
    }
    lambda[l + FRICTION] = oldS + ds
    lambda[l + FRICTION + 1] = oldT + dt
    lambda[l + TWIST] = oldW + dw
    added[FRICTION] = ds
    added[FRICTION + 1] = dt
    added[TWIST] = dw
  }
  if (hasNormals) for (let i = 0; i < n; i++) lambda[l + i] += added[i]
}

const bearing = /* @__PURE__ */ new Float64Array(MAX_POINTS)

/** `change` of the normals that would stop the approach in `residual` by itself, from no load; λ stays as it is. */
export function strikeNormals(batch: Manifolds, row: number): void {
  const { points, lambda, record } = batch.columns
  const n = points[row]
  const l = ROWS * row
  for (let i = 0; i < n; i++) {
    bearing[i] = lambda[l + i]
    lambda[l + i] = 0
  }
  solveRows(record, RECORD * row, n, lambda, l, 0)
  for (let i = 0; i < n; i++) lambda[l + i] = bearing[i]
}

/** `change` of the two rolling rows for the speeds in `residual`, and adds it to λ. */
export function solveRolling(batch: Manifolds, row: number): void {
  const { rolling, lambda, record } = batch.columns
  const l = ROWS * row
  const g = RECORD * row + G_ROLL
  for (let k = 0; k < ROWS; k++) change[k] = 0
  const kss = record[g]
  const kst = record[g + 1]
  const ktt = record[g + 2]
  if (!(kss * ktt - kst * kst > 0)) return
  const load = loadOf(batch, row)
  const s = lambda[l + ROLLING]
  const t = lambda[l + ROLLING + 1]
  const limit = rolling[row] * load
  DISC[K_SS] = kss
  DISC[K_ST] = kst
  DISC[K_TT] = ktt
  DISC[B_S] = residual[ROLLING] - kss * s - kst * t
  DISC[B_T] = residual[ROLLING + 1] - kst * s - ktt * t
  DISC[STICK_RADIUS] = DISC[SLIP_RADIUS] = limit
  solveDisc()
  change[ROLLING] = DISC[0] - s
  change[ROLLING + 1] = DISC[1] - t
  lambda[l + ROLLING] = DISC[0]
  lambda[l + ROLLING + 1] = DISC[1]
}

/** Notes whether friction is at its cone: then the dynamic coefficient holds until it sticks again. */
export function followSlip(batch: Manifolds, row: number): void {
  const { friction, lambda, sliding } = batch.columns
  const l = ROWS * row
  const load = loadOf(batch, row)
  const s = lambda[l + FRICTION]
  const t = lambda[l + FRICTION + 1]
  const cone = friction[2 * row + 1] * load
  // What sticks may be beyond it: the static cone is wider.
  sliding[row] = load > 0 && Math.abs(Math.sqrt(s * s + t * t) - cone) <= ON_CONE * cone ? 1 : 0
}
