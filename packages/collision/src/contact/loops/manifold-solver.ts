/**
 * The rows of one manifold, solved together: G Δλ = −residual, λ held to its bounds as it adds up.
 *
 * Normal rows all at once by LDLᵀ: where none of them would pull, that is the solution, and a face shares its load evenly
 * among four points that have only three degrees of freedom (the soft pass has a compliance; the rigid one gets a trace of
 * it). Where one would pull, projected Gauss–Seidel over them. Friction and twist stay inside the bounds that the load
 * gives.
 */

import {
  B_S,
  B_T,
  type Column,
  type f64,
  i32,
  K_SS,
  K_ST,
  K_TT,
  SLIP_RADIUS,
  solveDisc,
  STICK_RADIUS,
} from '@tautline/core/kernel'
import { MAX_POINTS } from '../../detect/narrow/carrier.js'
import {
  FRICTION,
  G_CROSS,
  G_NORMAL,
  G_PLANE,
  G_ROLL,
  RECORD,
  RIGID_FACTOR,
  ROLLING,
  ROWS,
  SOFT_FACTOR,
  SPREAD,
  TWIST,
} from '../manifold-record.js'
import { sumOfNormals } from './displace.js'
import type { ManifoldView } from './view.js'

/** Sweeps over the normals where one lets go. */
const SWEEPS = 4
/** Sweeps end when none of them changes λ by more than this share of the load. */
const SETTLED: f64 = 1e-3
/** Friction that changes λ by less than this share of the load changes no normal that shows. */
const LIGHT: f64 = 1e-3
/** Compliance of the rigid pass as a share of G: far above round-off, far below what shows. */
const TRACE: f64 = 1e-6

/** ‖λ_t‖ this near its cone, as a share of it, slides. */
const ON_CONE: f64 = 1e-6

/** Factors of the normal rows of G with a share `softness` of the diagonal added, and with next to none. */
export function factorManifold(m: ManifoldView, row: i32, softness: f64): void {
  const n = i32(m.points[row])
  const p = RECORD * row
  factorNormals(m.record, p + G_NORMAL, n, softness, p + SOFT_FACTOR)
  factorNormals(m.record, p + G_NORMAL, n, TRACE, p + RIGID_FACTOR)
}

/** LDLᵀ of n rows at g into o: 1/D, then L. */
function factorNormals(record: Column, g: i32, n: i32, softness: f64, o: i32): void {
  let k = o + MAX_POINTS
  let at = g
  for (let i = 0; i < n; i++) {
    const first = k
    let other = o + MAX_POINTS
    for (let j = 0; j < i; j++) {
      // L_ij D_j = G_ij − Σ L_im D_m L_jm
      let sum = record[at]
      for (let m = 0; m < j; m++) sum -= record[first + m] * record[other + m]
      record[k] = sum
      at++
      k++
      other += j
    }
    let d = (1 + softness) * record[at]
    at++
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
export function solveNormals(m: ManifoldView, row: i32, softness: f64): boolean {
  solveRows(m, row, softness)
  return takeNormals(m, row)
}

/** Adds the normals' `change` to λ and cuts the other rows to the new load, into `change`; returns whether any was. */
export function takeNormals(m: ManifoldView, row: i32): boolean {
  const record = m.record
  const lambda = m.lambda
  const added = m.change
  const n = i32(m.points[row])
  const l = ROWS * row
  const p = RECORD * row
  let load: f64 = 0
  let lever: f64 = 0
  for (let i = 0; i < n; i++) {
    const whole = lambda[l + i] + added[i]
    lambda[l + i] = whole
    load += whole
    lever += whole * record[p + SPREAD + i]
  }
  added[TWIST] = 0
  const coefficient = m.friction[2 * row]
  let cut = cutDisc(m, l + FRICTION, FRICTION, coefficient * load)
  const limit = coefficient * lever + m.torsional[row] * load
  const twist = lambda[l + TWIST]
  if (Math.abs(twist) > limit) {
    lambda[l + TWIST] = twist > 0 ? limit : -limit
    added[TWIST] = lambda[l + TWIST] - twist
    cut = true
  }
  const rolling = m.rolling[row]
  if (rolling > 0 && cutDisc(m, l + ROLLING, ROLLING, rolling * load)) cut = true
  return cut
}

/** Scales two multipliers at o back to a length of at most `radius`; `change` from `k` on gets the difference. */
function cutDisc(m: ManifoldView, o: i32, k: i32, radius: f64): boolean {
  const lambda = m.lambda
  const change = m.change
  const s = lambda[o]
  const t = lambda[o + 1]
  const squared = s * s + t * t
  change[k] = 0
  change[k + 1] = 0
  if (squared <= radius * radius) return false
  const scale = radius / Math.sqrt(squared)
  lambda[o] = scale * s
  lambda[o + 1] = scale * t
  change[k] = lambda[o] - s
  change[k + 1] = lambda[o + 1] - t
  return true
}

/** `change` of the normals for `residual`: all at once, or where one of them would pull by sweeps. */
function solveRows(m: ManifoldView, row: i32, softness: f64): void {
  if (!solveAll(m, row, softness)) sweepSome(m, row, softness)
}

/** All normals at once; false when one of them would pull. Four, as faces have, are written out. */
function solveAll(m: ManifoldView, row: i32, softness: f64): boolean {
  const record = m.record
  const lambda = m.lambda
  const gaps = m.residual
  const added = m.change
  const n = i32(m.points[row])
  const l = ROWS * row
  const p = RECORD * row
  const f = p + (softness > 0 ? SOFT_FACTOR : RIGID_FACTOR)
  const g = p + G_NORMAL
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
  const rhs = m.rhs
  let k = f + MAX_POINTS
  for (let i = 0; i < n; i++) {
    let r = -gaps[i] - softness * record[g + ((i * (i + 3)) >> 1)] * lambda[l + i]
    for (let j = 0; j < i; j++, k++) r -= record[k] * rhs[j]
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
function sweepSome(m: ManifoldView, row: i32, softness: f64): void {
  const record = m.record
  const lambda = m.lambda
  const change = m.change
  const n = i32(m.points[row])
  const l = ROWS * row
  const g = RECORD * row + G_NORMAL
  for (let i = 0; i < n; i++) change[i] = 0
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    let load: f64 = 0
    let largest: f64 = 0
    for (let i = 0; i < n; i++) {
      const own = record[g + ((i * (i + 3)) >> 1)]
      if (!(own > 0)) continue
      const old = lambda[l + i]
      let r = m.residual[i] + softness * own * (old + change[i])
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
export function solveSpeeds(m: ManifoldView, row: i32, hasNormals: boolean): void {
  const friction = m.friction
  const record = m.record
  const lambda = m.lambda
  const speeds = m.residual
  const added = m.change
  const disc = m.disc
  const n = i32(m.points[row])
  const l = ROWS * row
  const p = RECORD * row
  const torsional = m.torsional[row]
  const coefficient = friction[m.sliding[row] === 1 ? 2 * row + 1 : 2 * row]
  for (let k = 0; k < ROWS; k++) added[k] = 0
  if (hasNormals) solveRows(m, row, 0)
  if (coefficient > 0 || torsional > 0) {
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
    let ds: f64 = 0
    let dt: f64 = 0
    let dw: f64 = 0
    for (let again = hasNormals; ; again = false) {
      let es = speeds[FRICTION]
      let et = speeds[FRICTION + 1]
      let ew = speeds[TWIST]
      let load: f64 = 0
      let lever: f64 = 0
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
          disc[K_SS] = kss
          disc[K_ST] = kst
          disc[K_TT] = ktt
          disc[B_S] = fs - kss * oldS - kst * oldT
          disc[B_T] = ft - kst * oldS - ktt * oldT
          disc[STICK_RADIUS] = stick
          disc[SLIP_RADIUS] = friction[2 * row + 1] * load
          solveDisc(disc)
          s = disc[0]
          t = disc[1]
        }
        ds = s - oldS
        dt = t - oldT
      }
      const limit = coefficient * lever + torsional * load
      if (kww > 0 && limit > 0) {
        const wanted = oldW - (ew + ksw * ds + ktw * dt) / kww
        dw = (wanted > limit ? limit : wanted < -limit ? -limit : wanted) - oldW
      } else dw = -oldW
      if (!again || !(ds * ds + dt * dt > LIGHT * LIGHT * load * load)) break
      for (let i = 0, c = p + G_CROSS; i < n; i++, c += 3) {
        speeds[i] += record[c] * ds + record[c + 1] * dt + record[c + 2] * dw
      }
      solveRows(m, row, 0)
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

/** `change` of the normals that would stop the approach in `residual` by itself, from no load; λ stays as it is. */
export function strikeNormals(m: ManifoldView, row: i32): void {
  const lambda = m.lambda
  const bearing = m.arms
  const n = i32(m.points[row])
  const l = ROWS * row
  for (let i = 0; i < n; i++) {
    bearing[i] = lambda[l + i]
    lambda[l + i] = 0
  }
  solveRows(m, row, 0)
  for (let i = 0; i < n; i++) lambda[l + i] = bearing[i]
}

/** `change` of the two rolling rows for the speeds in `residual`, and adds it to λ. */
export function solveRolling(m: ManifoldView, row: i32): void {
  const record = m.record
  const lambda = m.lambda
  const change = m.change
  const disc = m.disc
  const l = ROWS * row
  const g = RECORD * row + G_ROLL
  for (let k = 0; k < ROWS; k++) change[k] = 0
  const kss = record[g]
  const kst = record[g + 1]
  const ktt = record[g + 2]
  if (!(kss * ktt - kst * kst > 0)) return
  const load = sumOfNormals(m, row)
  const s = lambda[l + ROLLING]
  const t = lambda[l + ROLLING + 1]
  const limit = m.rolling[row] * load
  disc[K_SS] = kss
  disc[K_ST] = kst
  disc[K_TT] = ktt
  disc[B_S] = m.residual[ROLLING] - kss * s - kst * t
  disc[B_T] = m.residual[ROLLING + 1] - kst * s - ktt * t
  disc[STICK_RADIUS] = limit
  disc[SLIP_RADIUS] = limit
  solveDisc(disc)
  change[ROLLING] = disc[0] - s
  change[ROLLING + 1] = disc[1] - t
  lambda[l + ROLLING] = disc[0]
  lambda[l + ROLLING + 1] = disc[1]
}

/** Notes whether friction is at its cone: then the dynamic coefficient holds until it sticks again. */
export function followSlip(m: ManifoldView, row: i32): void {
  const lambda = m.lambda
  const l = ROWS * row
  const load = sumOfNormals(m, row)
  const s = lambda[l + FRICTION]
  const t = lambda[l + FRICTION + 1]
  const cone = m.friction[2 * row + 1] * load
  // What sticks may be beyond it: the static cone is wider.
  m.sliding[row] = load > 0 && Math.abs(Math.sqrt(s * s + t * t) - cone) <= ON_CONE * cone ? 1 : 0
}
