/**
 * One update of a shape-matched cluster that holds bodies which do not move.
 *
 *   min Σ ½ ‖x_i − y_i‖²/w'_i + ½/a Σ w_i ‖x_i − x̄ − r_i‖²,  x̄ = Σ w_i x_i
 *   x_i = t_i y_i + (1 − t_i)(x̄ + r_i),  t_i = a/(a + w'_i w_i),  Σ w_i t_i (y_i − x̄ − r_i) = 0
 *
 * y: without this row's impulse, w': inverse masses, r_i: the shape where it fits best (Bouaziz et al., "Projective dynamics", 2014, their local and global
 * step). What moves freely goes straight along the gradient and needs none of this; beside what is held, the error of that body stays as the
 * others' goes, the gradient turns within the solve, and a row along it pushes a tenth of its force sideways: pinned cubes gained five times what they had.
 */

import { type Batch, type BodyColumns, RUNAWAY } from '@tautline/core/kernel'

/** Softness of a rigid cluster beside what its bodies give way by: multipliers, c over this, keep eleven digits. */
const RIGID = 1e-5

/** Whether a row holds both bodies that move and bodies that do not. */
export function isHeld({ position }: BodyColumns, { ids, arity }: Batch<never>, row: number): boolean {
  for (let b = arity * row; b < arity * (row + 1); b++) if (position[4 * ids[b] + 3] === 0) return true
  return false
}

/** Solves row `row` with error `c` [m], gradient `g`, and `weights` w_i. */
export function solveHeldCluster(
  bodies: BodyColumns,
  batch: Batch<never>,
  row: number,
  weights: readonly number[],
  g: Float64Array,
  c: number,
): void {
  const { ids, arity } = batch
  const { lambda, softness, gamma, relaxation } = batch.columns
  const x = bodies.position
  const start = bodies.startPosition
  const o = arity * row
  const damping = gamma[row]
  const old = lambda[row]
  let least = Infinity
  let moved = 0
  for (let k = 0; k < arity; k++) {
    const p = 4 * ids[o + k]
    if (x[p + 3] !== 0) least = Math.min(least, x[p + 3] * weights[k])
    moved +=
      g[3 * k] * (x[p] - start[p]) + g[3 * k + 1] * (x[p + 1] - start[p + 1]) + g[3 * k + 2] * (x[p + 2] - start[p + 2])
  }
  if (!(least < Infinity)) return
  const a = Math.max(softness[row], RIGID * least)
  // A damper holds to the error that the substep began with.
  const kept = damping * Math.max(0, c - moved)
  const push = kept / a - old
  let sum = 0
  let dx = 0
  let dy = 0
  let dz = 0
  for (let k = 0; k < arity; k++) {
    const w = weights[k]
    const mobility = x[4 * ids[o + k] + 3]
    const t = (w * a) / (a + (1 + damping) * mobility * w)
    const s = t * (c / w + mobility * push)
    sum += t
    dx += s * g[3 * k]
    dy += s * g[3 * k + 1]
    dz += s * g[3 * k + 2]
  }
  dx /= sum
  dy /= sum
  dz /= sum
  let squared = 0
  for (let k = 0; k < arity; k++) {
    const w = weights[k]
    const p = 4 * ids[o + k]
    const mobility = x[p + 3]
    const t = a / (a + (1 + damping) * mobility * w)
    const s = c / w + mobility * push
    const ex = t * (s * g[3 * k] - dx)
    const ey = t * (s * g[3 * k + 1] - dy)
    const ez = t * (s * g[3 * k + 2] - dz)
    squared += w * (ex * ex + ey * ey + ez * ez)
    if (mobility === 0) continue
    const r = relaxation[row]
    x[p] += r * (dx + ex - (c / w) * g[3 * k])
    x[p + 1] += r * (dy + ey - (c / w) * g[3 * k + 1])
    x[p + 2] += r * (dz + ez - (c / w) * g[3 * k + 2])
  }
  const next = (kept - (1 + damping) * Math.sqrt(squared)) / a
  lambda[row] = Math.abs(next) < RUNAWAY ? next : 0
}
