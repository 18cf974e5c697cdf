/**
 * Scalar rows on the centres of mass of `n` bodies: `g` holds the gradient, three numbers a body, and nothing turns.
 * `o` is the place of the row's first body in `ids`.
 */

import { type Batch, type BodyColumns, type Rows, RUNAWAY } from '@tautline/core/kernel'
import { IMMOVABLE } from './vector.js'

/**
 * A gradient with Σ w|J|² below this share of Σ w (times the size of J squared) is noise. Unit vectors that agree to
 * 1e-6 have lost ten of their sixteen digits, and a step along their difference would be a million errors long.
 */
export const NOISE = 1e-12

/**
 * Zeroes what bodies that move have of a gradient which is noise. Body b's three numbers are at `at + stride b` in `g`;
 * `size` is the square of what a sound gradient measures.
 */
export function dropNoise(
  bodies: BodyColumns,
  ids: Int32Array,
  o: number,
  n: number,
  g: Float64Array,
  at: number,
  stride: number,
  size: number,
): void {
  const x = bodies.position
  let w = 0
  let sum = 0
  for (let b = 0; b < n; b++) {
    const m = x[4 * ids[o + b] + 3]
    const k = at + stride * b
    w += m * (g[k] * g[k] + g[k + 1] * g[k + 1] + g[k + 2] * g[k + 2])
    sum += m
  }
  if (w > NOISE * size * sum) return
  for (let b = 0; b < n; b++) {
    const k = at + stride * b
    // What does not move keeps its share: the force on it is read from there.
    if (x[4 * ids[o + b] + 3] !== 0) g[k] = g[k + 1] = g[k + 2] = 0
  }
}

/** The gradient as the last row of `out`, for `evaluate`. */
export function centreGradient(out: Rows, n: number, g: Float64Array): void {
  for (let b = 0; b < n; b++) out.linear(b, g[3 * b], g[3 * b + 1], g[3 * b + 2])
}

/** One update of an equality row with error `c`. */
export function solveCentres(
  bodies: BodyColumns,
  batch: Batch<never>,
  row: number,
  n: number,
  g: Float64Array,
  c: number,
): void {
  const { ids } = batch
  const { lambda, softness, gamma, relaxation } = batch.columns
  const x = bodies.position
  const start = bodies.startPosition
  const o = n * row
  const a = softness[row]
  const old = lambda[row]
  let error = c + a * old
  let w = 0
  let moved = 0
  for (let b = 0; b < n; b++) {
    const p = 4 * ids[o + b]
    const gx = g[3 * b]
    const gy = g[3 * b + 1]
    const gz = g[3 * b + 2]
    w += x[p + 3] * (gx * gx + gy * gy + gz * gz)
    moved += gx * (x[p] - start[p]) + gy * (x[p + 1] - start[p + 1]) + gz * (x[p + 2] - start[p + 2])
  }
  if (gamma[row] > 0) {
    error += gamma[row] * moved
    w *= 1 + gamma[row]
  }
  if (w + a <= IMMOVABLE) return
  const s = (-relaxation[row] * error) / (w + a)
  lambda[row] = old + s
  if (!(Math.abs(s) < RUNAWAY)) return
  for (let b = 0; b < n; b++) {
    const p = 4 * ids[o + b]
    const m = s * x[p + 3]
    if (m === 0) continue
    x[p] += m * g[3 * b]
    x[p + 1] += m * g[3 * b + 1]
    x[p + 2] += m * g[3 * b + 2]
  }
}
