/**
 * Impacts at velocity level: what touches and approaches is stopped, and bounces, without a gain of energy.
 *
 *   compression  λ >= 0, v_n >= 0, friction in its cone: sweeps from λ = 0, each a step down in kinetic energy
 *   restitution  e λ_n more on each manifold (Poisson); then friction once more, in the cone that the whole load gives
 *
 * Impulses λ on rows of speeds r change the energy by Σ λ·(r + r')/2, r and r' before and after. With friction, e λ_n can give more
 * than compression took (Kane's paradox). So each manifold adds up what it took, and gives back no more than that:
 *   s² ½ λ_nᵀ G λ_n + s λ_n·r <= taken,   s <= e
 * Last a look at the whole: where energy still grew, all impulses are scaled back, which keeps momentum, and counted.
 */

import type { BodyColumns } from '@tautline/core/kernel'
import { viewOf } from '../contact/manifold-plan.js'
import { buildMatrix } from '../contact/loops/effective-mass.js'
import { measureNormals } from '../contact/loops/gaps.js'
import { restingSpeed, SOFTNESS } from '../contact/loops/goals.js'
import { prepareLeverArms } from '../contact/loops/lever-arms.js'
import { accelerate, APART, measureVelocities, noteImpulse } from '../contact/loops/velocities.js'
import { change, FRICTION, G_NORMAL, RECORD, type Manifolds, residual, ROWS } from '../contact/manifold-columns.js'
import { factorManifold, solveRolling, solveSpeeds } from '../contact/loops/manifold-solver.js'
import { MAX_POINTS } from '../detect/narrow/manifold.js'

/** Sweeps of compression, at most. */
const SWEEPS = 24
/** They end when no point approaches faster than this share of the fastest before. */
const STOPPED = 1e-4
/** Approach [m/s] that is none. */
export const STILL = 1e-7
/** Growth of kinetic energy that is round-off. */
const ROUND_OFF = 1e-12

/** By manifold in hand: bits of the points that touch, approach before [m/s], and energy taken [J]. */
let touching = new Uint8Array(64)
let approach = new Float64Array(64)
let taken = new Float64Array(64)

/** Speeds before a pass. */
const before = /* @__PURE__ */ new Float64Array(ROWS)

/** What is counted: impacts, those that had to be scaled back, and substeps that steps ran out in. */
export const IMPACTS = 0
export const SCALED = 1
export const EXHAUSTED = 2

/**
 * Resolves the impacts of `count` manifolds; `slop` [m] by place says how near counts as touching. Adds impulses to the column and
 * returns the fastest approach that there was [m/s]. Counts into `counts`.
 */
export function resolveImpacts(
  c: BodyColumns,
  batch: Manifolds,
  rows: Int32Array,
  count: number,
  slop: Float64Array,
  h: number,
  counts: Float64Array,
): number {
  const m = viewOf(c, batch)
  if (touching.length < count) {
    touching = new Uint8Array(2 * count)
    approach = new Float64Array(2 * count)
    taken = new Float64Array(2 * count)
  }
  const fastest = findTouching(c, batch, rows, count, slop)
  if (fastest <= STILL) return 0
  const { lambda, touching: touched } = batch.columns
  for (let k = 0; k < count; k++) {
    if (touching[k] === 0) continue
    const row = rows[k]
    lambda.fill(0, ROWS * row, ROWS * row + ROWS)
    buildMatrix(m, row)
    factorManifold(m, row, SOFTNESS)
    taken[k] = 0
  }
  compress(c, batch, rows, count, STOPPED * fastest)
  for (let k = 0; k < count; k++) if (touching[k] !== 0) bounce(c, batch, rows[k], k, h)
  if (scaleBack(c, batch, rows, count)) counts[SCALED]++
  counts[IMPACTS]++
  for (let k = 0; k < count; k++) {
    if (touching[k] === 0) continue
    const row = rows[k]
    if (noteImpulse(m, row, 1) > 0) touched[row] = 1
    lambda.fill(0, ROWS * row, ROWS * row + ROWS)
  }
  return fastest
}

/** Which points touch, and the fastest approach of one of them [m/s]. */
function findTouching(c: BodyColumns, batch: Manifolds, rows: Int32Array, count: number, slop: Float64Array): number {
  const m = viewOf(c, batch)
  const { points } = batch.columns
  let fastest = 0
  for (let k = 0; k < count; k++) {
    const row = rows[k]
    touching[k] = 0
    approach[k] = 0
    measureNormals(m, row)
    for (let i = 0; i < points[row]; i++) if (residual[i] <= slop[k]) touching[k] |= 1 << i
    if (touching[k] === 0) continue
    prepareLeverArms(m, row)
    measureVelocities(m, row)
    for (let i = 0; i < points[row]; i++) {
      if ((touching[k] & (1 << i)) !== 0 && -residual[i] > approach[k]) approach[k] = -residual[i]
    }
    if (approach[k] > fastest) fastest = approach[k]
  }
  return fastest
}

/** Sweeps over all rows from λ = 0, until nothing approaches. */
function compress(c: BodyColumns, batch: Manifolds, rows: Int32Array, count: number, least: number): void {
  const m = viewOf(c, batch)
  const { points, rolling } = batch.columns
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    let fastest = 0
    for (let k = 0; k < count; k++) {
      if (touching[k] === 0) continue
      const row = rows[k]
      measureVelocities(m, row)
      for (let r = 0; r < ROWS; r++) before[r] = residual[r]
      for (let i = 0; i < points[row]; i++) {
        if ((touching[k] & (1 << i)) === 0) residual[i] = APART
        else if (-residual[i] > fastest) fastest = -residual[i]
      }
      solveSpeeds(m, row, true)
      taken[k] -= applied(c, batch, row)
      if (rolling[row] === 0) continue
      for (let r = 0; r < ROWS; r++) before[r] = residual[r]
      solveRolling(m, row)
      taken[k] -= applied(c, batch, row)
    }
    if (fastest <= least) return
  }
}

/** Applies `change`, of which `before` holds the speeds before, and returns what it adds to the energy [J]. */
function applied(c: BodyColumns, batch: Manifolds, row: number): number {
  const m = viewOf(c, batch)
  const n = batch.columns.points[row]
  accelerate(m, row, 1)
  measureVelocities(m, row)
  let sum = 0
  for (let r = 0; r < ROWS; r++) if (r < n || r >= FRICTION) sum += change[r] * (before[r] + residual[r])
  return 0.5 * sum
}

/** Gives back e times the impulses of manifold k, as far as it took the energy for it. */
function bounce(c: BodyColumns, batch: Manifolds, row: number, k: number, h: number): void {
  const m = viewOf(c, batch)
  const { points, restitution, lambda, record } = batch.columns
  const e = restitution[row]
  if (e === 0 || approach[k] <= restingSpeed(m, row, h)) return
  const n = points[row]
  const l = ROWS * row
  measureVelocities(m, row)
  let linear = 0
  let square = 0
  let at = RECORD * row + G_NORMAL
  for (let i = 0; i < n; i++) {
    linear += lambda[l + i] * residual[i]
    for (let j = 0; j <= i; j++) square += (j < i ? 1 : 0.5) * record[at++] * lambda[l + i] * lambda[l + j]
  }
  if (!(square > 0) || !(taken[k] > 0)) return
  const most = (Math.sqrt(linear * linear + 4 * square * taken[k]) - linear) / (2 * square)
  const s = most < e ? most : e
  for (let r = 0; r < ROWS; r++) {
    before[r] = residual[r]
    change[r] = r < n && r < MAX_POINTS ? s * lambda[l + r] : 0
  }
  for (let i = 0; i < n; i++) lambda[l + i] += change[i]
  taken[k] -= applied(c, batch, row)
  for (let r = 0; r < ROWS; r++) before[r] = residual[r]
  solveSpeeds(m, row, false)
  taken[k] -= applied(c, batch, row)
}

/**
 * The last guard: where manifolds together gave more than they took, all of their impulses are scaled to s. That changes the energy by
 * s L + s² Q, of which L + Q is what they gave and L + 2 Q = Σ λ·r'; s = −L / Q makes it nothing. Returns whether it had to.
 */
function scaleBack(c: BodyColumns, batch: Manifolds, rows: Int32Array, count: number): boolean {
  const m = viewOf(c, batch)
  const { points, lambda } = batch.columns
  let given = 0
  let size = 0
  for (let k = 0; k < count; k++) {
    if (touching[k] === 0) continue
    given -= taken[k]
    size += Math.abs(taken[k])
  }
  if (!(given > ROUND_OFF * size)) return false
  let sum = 0
  for (let k = 0; k < count; k++) {
    if (touching[k] === 0) continue
    const row = rows[k]
    measureVelocities(m, row)
    for (let r = 0; r < ROWS; r++) {
      if (r < points[row] || r >= FRICTION) sum += lambda[ROWS * row + r] * residual[r]
    }
  }
  const quadratic = sum - given
  const linear = given - quadratic
  const s = quadratic > 0 && linear < 0 ? -linear / quadratic : 0
  for (let k = 0; k < count; k++) {
    if (touching[k] === 0) continue
    const row = rows[k]
    const l = ROWS * row
    change.fill(0)
    for (let r = 0; r < ROWS; r++) {
      if (r >= points[row] && r < FRICTION) continue
      change[r] = (s - 1) * lambda[l + r]
      lambda[l + r] *= s
    }
    accelerate(m, row, 1)
  }
  return true
}
