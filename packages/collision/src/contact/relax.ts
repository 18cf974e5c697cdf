/** The pass over velocities of contact manifolds: prototype. */

import { type BodyColumns } from '@tautline/core/kernel'
import { wasStruck } from '../impact/impact-chains.js'
import { applyImpulses } from './apply-impulses.js'
import { followSlip } from './goals.js'
import {
  BOUNCE,
  DEEP,
  FIRST,
  FRICTION,
  G_NORMAL,
  GOAL,
  RECORD,
  type Manifolds,
  MOST_IMPULSE,
  residual,
  ROWS,
} from './manifold-columns.js'
import { solveRolling, solveSpeeds } from './manifold-solver.js'
import { measureVelocities } from './speeds.js'

/** A change of speed [m/s] that any contact may take over into the next substep. */
const GENTLE = 0.2
/** A residual so large that a row at rest stays at rest. */
const APART = 1e30

/** A pass over velocities: all rows. */
export function relaxRows(
  bodies: BodyColumns,
  batch: Manifolds,
  from: number,
  to: number,
  h: number,
  bounces: boolean,
): void {
  const { points, rolling, lambda, touching, island, record } = batch.columns
  const speeds = residual
  for (let row = from; row < to; row++) {
    const l = ROWS * row
    const p = RECORD * row
    const n = points[row] | 0
    const isDeep = record[p + DEEP] !== 0
    let pushed = 0
    for (let i = 0; i < n; i++) pushed += lambda[l + i]
    if (pushed === 0 && !isDeep) continue
    touching[row] = 1
    // An exact island bounces manifold by manifold: all at once, what is between two others can gain energy.
    if (bounces || island[row] === 0) {
      measureVelocities(bodies, batch, row)
      for (let i = 0; i < n; i++) {
        // A point that did not push is apart: it may come nearer.
        const leave = bounces ? record[p + BOUNCE + i] : 0
        if (lambda[l + i] > 0 || (isDeep && record[p + GOAL + i] < 0)) speeds[i] = h * (speeds[i] - leave)
        else speeds[i] = APART
      }
      for (let k = FRICTION; k < ROWS; k++) speeds[k] *= h
      solveSpeeds(batch, row, !wasStruck(row))
      applyImpulses(bodies, batch, row, h)
      followSlip(batch, row)
    }
    if (rolling[row] === 0) continue
    measureVelocities(bodies, batch, row)
    for (let k = FRICTION; k < ROWS; k++) speeds[k] *= h
    solveRolling(batch, row)
    applyImpulses(bodies, batch, row, h)
  }
}

/** Whether a point of a manifold that pushed is to bounce. */
export function bouncesOff(batch: Manifolds, row: number): boolean {
  const { points, restitution, lambda, record } = batch.columns
  if (restitution[row] === 0) return false
  for (let i = 0; i < points[row]; i++) {
    if (lambda[ROWS * row + i] > 0 && record[RECORD * row + BOUNCE + i] > 0) return true
  }
  return false
}

/**
 * Notes impulses, and cuts λ to what is a guess for the next substep. The force of an impact is none: displaced by it once more, a
 * light body between two heavy ones turns by radians. So the load Σ λ_i may double from substep to substep, and grow besides by what
 * stops `GENTLE` or a substep's fall; all of it goes where a point bounced or an overlap was pushed out fast.
 */
export function finishRows(batch: Manifolds, from: number, to: number, h: number): void {
  const { points, lambda, impulse, island, fall, record } = batch.columns
  for (let row = from; row < to; row++) {
    const l = ROWS * row
    const p = RECORD * row
    const n = points[row] | 0
    let pushed = 0
    for (let i = 0; i < n; i++) pushed += lambda[l + i]
    if (!Number.isNaN(pushed)) impulse[row] = Math.min(impulse[row] + pushed / h, MOST_IMPULSE)
    if (!wasStruck(row) && pushed > 0 && island[row] === 0) {
      const speed = Math.max(2 * Math.abs(fall[row]) * h, GENTLE)
      let least = Infinity
      let keeps = record[p + DEEP] === 0
      for (let i = 0; i < n; i++) {
        least = Math.min(least, record[p + G_NORMAL + ((i * (i + 3)) >> 1)])
        if (record[p + BOUNCE + i] > 0) keeps = false
      }
      const most = keeps ? 2 * record[p + FIRST] + (h * speed) / least : 0
      if (pushed <= most) continue
      const share = most / pushed
      for (let k = 0; k < ROWS; k++) lambda[l + k] *= share
    } else if (wasStruck(row) || bouncesOff(batch, row)) lambda.fill(0, l, l + ROWS)
  }
}
