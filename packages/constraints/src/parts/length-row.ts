/**
 * The row of a length between two anchors, c = ‖δp‖ − l [m] (Waterson 134), for types with these columns.
 *
 *   ∂c/∂x_a = n̂, ∂c/∂θ_a = r_a × n̂, and the negatives at p_b for b,  n̂ = δp/‖δp‖
 *
 * Where both anchors are at the centres of mass, as in cloth, nothing turns and a shorter loop runs.
 */

import type { Batch, BodyColumns, Rows } from '@tautline/core'
import { isAtRest, type LengthMode, lowerForce, upperForce } from './length-mode.js'
import { levers, LEVERS } from './levers.js'
import { displacePair, movedPair, pairInverseMass } from './linear.js'
import { IMMOVABLE } from './vector.js'

export type LengthColumn = 'rest' | 'lower' | 'upper' | 'anchorA' | 'anchorB'

/** Their strides. */
export const LENGTH_COLUMNS = { rest: 1, lower: 1, upper: 1, anchorA: 3, anchorB: 3 } as const

/** Variants: which loop runs. */
const CENTRES = 0
const ANCHORED = 1

/** Below this distance [m] the direction is noise: wait for the points to part. */
const TOO_SHORT = 1e-12

const g = /* @__PURE__ */ new Float64Array(LEVERS)
const m = /* @__PURE__ */ new Float64Array(3)

/** The variant for two anchors. */
export function lengthVariant(anchorA: ArrayLike<number>, anchorB: ArrayLike<number>): number {
  for (let k = 0; k < 3; k++) if (anchorA[k] !== 0 || anchorB[k] !== 0) return ANCHORED
  return CENTRES
}

/** Stores a row. */
export function writeLength(
  batch: Batch<LengthColumn>,
  row: number,
  length: number,
  mode: LengthMode,
  anchorA: ArrayLike<number>,
  anchorB: ArrayLike<number>,
): void {
  const { columns } = batch
  columns.rest[row] = length
  columns.lower[row] = lowerForce(mode)
  columns.upper[row] = upperForce(mode)
  columns.anchorA.set(anchorA, 3 * row)
  columns.anchorB.set(anchorB, 3 * row)
}

/** The row for `evaluate`. */
export function lengthRow(bodies: BodyColumns, batch: Batch<LengthColumn>, row: number, out: Rows): void {
  const { rest, lower, upper, anchorA, anchorB, compliance, rayleigh } = batch.columns
  levers(bodies, batch.ids[2 * row], batch.ids[2 * row + 1], anchorA, anchorB, row, g)
  const length = Math.sqrt(g[6] * g[6] + g[7] * g[7] + g[8] * g[8])
  if (length < TOO_SHORT) return
  const [nx, ny, nz] = [g[6] / length, g[7] / length, g[8] / length]
  const group = out.group('scalar', 'position', 'm')
  group.compliance = compliance[row]
  group.rayleigh = rayleigh[row]
  group.lower = lower[row]
  group.upper = upper[row]
  out.row(0, length - rest[row])
  out.point(0, 1, g[0], g[1], g[2], nx, ny, nz)
  out.point(1, -1, g[3], g[4], g[5], nx, ny, nz)
}

/** The loop. */
export function sweepLength(bodies: BodyColumns, batch: Batch<LengthColumn>, from: number, to: number): void {
  if (batch.variant === CENTRES) sweepCentres(bodies, batch, from, to)
  else sweepAnchored(bodies, batch, from, to)
}

function sweepCentres(bodies: BodyColumns, batch: Batch<LengthColumn>, from: number, to: number): void {
  const { ids, damped } = batch
  const { rest, lower, upper, lambda, softness, gamma, relaxation } = batch.columns
  const x = bodies.position
  const start = bodies.startPosition
  for (let row = from; row < to; row++) {
    const p = 4 * ids[2 * row]
    const q = 4 * ids[2 * row + 1]
    const dx = x[p] - x[q]
    const dy = x[p + 1] - x[q + 1]
    const dz = x[p + 2] - x[q + 2]
    const length = Math.sqrt(dx * dx + dy * dy + dz * dz)
    if (length < TOO_SHORT) continue
    const wp = x[p + 3]
    const wq = x[q + 3]
    const a = softness[row]
    const old = lambda[row]
    if (isAtRest(length - rest[row], old, lower[row], upper[row])) continue
    let error = length - rest[row] + a * old
    let w = wp + wq
    if (damped) {
      const moved =
        (dx * (x[p] - start[p] - x[q] + start[q]) +
          dy * (x[p + 1] - start[p + 1] - x[q + 1] + start[q + 1]) +
          dz * (x[p + 2] - start[p + 2] - x[q + 2] + start[q + 2])) /
        length
      error += gamma[row] * moved
      w *= 1 + gamma[row]
    }
    if (w + a <= IMMOVABLE) continue
    let fresh = old - (relaxation[row] * error) / (w + a)
    if (fresh < lower[row]) fresh = 0
    if (fresh > upper[row]) fresh = 0
    lambda[row] = fresh
    const s = (fresh - old) / length
    x[p] += s * wp * dx
    x[p + 1] += s * wp * dy
    x[p + 2] += s * wp * dz
    x[q] -= s * wq * dx
    x[q + 1] -= s * wq * dy
    x[q + 2] -= s * wq * dz
  }
}

function sweepAnchored(bodies: BodyColumns, batch: Batch<LengthColumn>, from: number, to: number): void {
  const { ids } = batch
  const { rest, lower, upper, anchorA, anchorB, lambda, softness, gamma, relaxation } = batch.columns
  for (let row = from; row < to; row++) {
    const a = ids[2 * row]
    const b = ids[2 * row + 1]
    levers(bodies, a, b, anchorA, anchorB, row, g)
    const length = Math.sqrt(g[6] * g[6] + g[7] * g[7] + g[8] * g[8])
    if (length < TOO_SHORT) continue
    const nx = g[6] / length
    const ny = g[7] / length
    const nz = g[8] / length
    const old = lambda[row]
    if (isAtRest(length - rest[row], old, lower[row], upper[row])) continue
    let error = length - rest[row] + softness[row] * old
    let w = pairInverseMass(bodies, a, b, g, nx, ny, nz)
    if (gamma[row] > 0) {
      movedPair(bodies, a, b, g, m)
      error += gamma[row] * (nx * m[0] + ny * m[1] + nz * m[2])
      w *= 1 + gamma[row]
    }
    if (w + softness[row] <= IMMOVABLE) continue
    let fresh = old - (relaxation[row] * error) / (w + softness[row])
    if (fresh < lower[row]) fresh = 0
    if (fresh > upper[row]) fresh = 0
    lambda[row] = fresh
    const s = fresh - old
    displacePair(bodies, a, b, g, s * nx, s * ny, s * nz)
  }
}
