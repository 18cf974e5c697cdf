/** What a contact manifold is driven to: how fast overlap is repaired, with which speed it bounces, and what λ the next substep begins with. */

import { type BodyColumns } from '@tautline/core/kernel'
import { holdsJoined } from './apply-impulses.js'
import { measureNormals, measureStartGaps } from './gaps.js'
import { measureVelocities } from './relax.js'
import { BOUNCE, DEEP, G_NORMAL, GOAL, RECORD, type Manifolds, residual, ROWS } from './manifold-columns.js'

/**
 * A contact is a spring and damper of frequency x/h on the mass that it moves, solved implicitly (soft step: Catto 2023):
 * x = ωh as large as substeps resolve, ζ well above critical. That gives the share of a penetration repaired a substep,
 * and the compliance of a row as a share of its G. A stack of 20 stands on it with 1.3 mm of sag a contact and comes to
 * rest at 1e-12 m/s; with rigid rows and a full warm start, whatever the repair, it never does.
 */
export const X = 0.8
const ZETA = 3
const REPAIR = X / (2 * ZETA + X)
export const SOFTNESS: number = 1 / (X * (2 * ZETA + X))
/** Compliance over repair: how far a load sags, as a share of its G. */
const SAG = SOFTNESS / REPAIR
/** Overlap that is pushed out faster than this [m/s] is deep. */
const DEEP_SPEED = 0.3
/** Overlap of more than so many times the sag of its load is deep. */
const LOADED = 3
/** Impacts slower than this many substeps of falling do not bounce. Otherwise resting bodies would keep bouncing. */
const RESTING = 2

/**
 * Speed [m/s] up to which an impact does not bounce. The fall of both bodies along the normal is not enough: two balls of a pile fall alike, and
 * approach each other by what the contacts around them leave.
 */
export function restingSpeed({ columns: { fall, heft } }: Manifolds, row: number, h: number): number {
  return RESTING * h * Math.max(2 * Math.abs(fall[row]), heft[row])
}

/**
 * What each c is to become by its value at the start of the substep, which stays in `BOUNCE`. A deep overlap of what joints hold stays as it
 * is: its share was pushed out before (`start-push.ts`).
 */
export function prepareGoals(bodies: BodyColumns, batch: Manifolds, row: number, h: number): void {
  measureStartGaps(bodies, batch, row)
  findGoals(batch, row, h)
  const { points, record } = batch.columns
  const p = RECORD * row
  if (record[p + DEEP] === 0 || !holdsJoined(batch, row)) return
  record[p + DEEP] = 0
  for (let i = 0; i < points[row]; i++) record[p + GOAL + i] = Math.min(record[p + BOUNCE + i], 0)
}

/** The same by the gaps in `residual`, and whether one of them is deep. */
export function findGoals(batch: Manifolds, row: number, h: number): void {
  const { points, maxPushOut, lambda, record } = batch.columns
  const gaps = residual
  const n = points[row] | 0
  const p = RECORD * row
  const most = maxPushOut[row] * h
  record[p + DEEP] = 0
  for (let i = 0; i < n; i++) {
    const c = gaps[i]
    const repair = -REPAIR * c
    if (
      repair > DEEP_SPEED * h &&
      -c > LOADED * SAG * record[p + G_NORMAL + ((i * (i + 3)) >> 1)] * lambda[ROWS * row + i]
    ) {
      record[p + DEEP] = 1
    }
    record[p + GOAL + i] = c < 0 ? c + (repair < most ? repair : most) : 0
    record[p + BOUNCE + i] = c
  }
}

/**
 * Whether a manifold is deep at the present poses, so that it is still being pushed out. `h` is the length of the last substep [s], `usual` that of the
 * world's settings: what stands deep by its load in a long step rises when steps are short again.
 */
export function isDeep(bodies: BodyColumns, batch: Manifolds, row: number, h: number, usual: number): boolean {
  const { points, lambda, record } = batch.columns
  const g = RECORD * row + G_NORMAL
  const least = DEEP_SPEED * Math.min(h, usual)
  const share = usual < h ? (usual * usual) / (h * h) : 1
  measureNormals(bodies, batch, row)
  for (let i = 0; i < points[row]; i++) {
    const depth = -residual[i]
    const sag = SAG * record[g + ((i * (i + 3)) >> 1)] * lambda[ROWS * row + i]
    if (REPAIR * depth > least && depth > LOADED * share * sag) return true
  }
  return false
}

/**
 * The speed that each point is to leave with, 0 where nothing bounces. A fall through the gap c in a field of relative
 * acceleration 2f strikes with V² = (v − f h)² − 4 f c, v the predicted speed: v − f h is the speed of the parabola that
 * semi-implicit Euler's positions lie on. Leaving with e V − f h from c = 0 puts the next positions on the mirrored one,
 * so that a ball with e = 1 comes back to its height at any substep.
 */
export function setBounce(bodies: BodyColumns, batch: Manifolds, row: number, h: number): void {
  const { points, restitution, fall, record } = batch.columns
  const e = restitution[row]
  const n = points[row] | 0
  const p = RECORD * row + BOUNCE
  if (e === 0) {
    for (let i = 0; i < n; i++) record[p + i] = 0
    return
  }
  measureVelocities(bodies, batch, row)
  const f = fall[row]
  const resting = restingSpeed(batch, row, h)
  for (let i = 0; i < n; i++) {
    const start = residual[i] - f * h
    const squared = start * start - 4 * f * Math.max(record[p + i], 0)
    const impact = start < 0 && squared > 0 ? Math.sqrt(squared) : 0
    record[p + i] = impact > resting ? e * impact - f * h : 0
  }
}
