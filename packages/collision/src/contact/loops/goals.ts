/** What a contact manifold is driven to: how fast overlap is repaired, with which speed it bounces, and what λ the next substep begins with. */

import { type f64, i32 } from '@tautline/core/kernel'
import { BOUNCE, DEEP, G_NORMAL, GOAL, RECORD, ROWS } from '../manifold-record.js'
import { measureStartGaps } from './gaps.js'
import { measureVelocities } from './velocities.js'
import { HAS_JOINED, type ManifoldView } from './view.js'

/**
 * A contact is a spring and damper of frequency x/h on the mass that it moves, solved implicitly (soft step: Catto 2023):
 * x = ωh as large as substeps resolve, ζ well above critical. That gives the share of a penetration repaired a substep,
 * and the compliance of a row as a share of its G. A stack of 20 stands on it with 1.3 mm of sag a contact and comes to
 * rest at 1e-12 m/s; with rigid rows and a full warm start, whatever the repair, it never does.
 */
export const X: f64 = 0.8
const ZETA: f64 = 3
export const REPAIR: f64 = X / (2 * ZETA + X)
export const SOFTNESS: f64 = 1 / (X * (2 * ZETA + X))
/** Compliance over repair: how far a load sags, as a share of its G. */
export const SAG: f64 = SOFTNESS / REPAIR
/** Overlap that is pushed out faster than this [m/s] is deep. */
export const DEEP_SPEED: f64 = 0.3
/** Overlap of more than so many times the sag of its load is deep. */
export const LOADED: f64 = 3
/** Impacts slower than this many substeps of falling do not bounce. Otherwise resting bodies would keep bouncing. */
const RESTING: f64 = 2

/**
 * Speed [m/s] up to which an impact does not bounce. The fall of both bodies along the normal is not enough: two balls of a pile fall alike, and
 * approach each other by what the contacts around them leave.
 */
export function restingSpeed(m: ManifoldView, row: i32, h: f64): f64 {
  return RESTING * h * Math.max(2 * Math.abs(m.fall[row]), m.heft[row])
}

/**
 * What each c is to become by its value at the start of the substep, which stays in `BOUNCE`. A deep overlap of what joints hold stays as it
 * is: its share was pushed out before (`start-push.ts`).
 */
export function prepareGoals(m: ManifoldView, row: i32, h: f64): void {
  measureStartGaps(m, row)
  findGoals(m, row, h)
  const record = m.record
  const n = i32(m.points[row])
  const p = RECORD * row
  if (record[p + DEEP] === 0 || !holdsJoined(m, row)) return
  record[p + DEEP] = 0
  for (let i = 0; i < n; i++) record[p + GOAL + i] = Math.min(record[p + BOUNCE + i], 0)
}

/** Whether a body of a manifold is held by something other than contacts: then deep overlaps are pushed out at the start of the substep. */
export function holdsJoined(m: ManifoldView, row: i32): boolean {
  if (m.flags[HAS_JOINED] === 0) return false
  return m.joined[i32(m.body[2 * row])] === 1 || m.joined[i32(m.body[2 * row + 1])] === 1
}

/** The same by the gaps in `residual`, and whether one of them is deep. */
export function findGoals(m: ManifoldView, row: i32, h: f64): void {
  const record = m.record
  const lambda = m.lambda
  const gaps = m.residual
  const n = i32(m.points[row])
  const p = RECORD * row
  const most = m.maxPushOut[row] * h
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
 * The speed that each point is to leave with, 0 where nothing bounces. A fall through the gap c in a field of relative
 * acceleration 2f strikes with V² = (v − f h)² − 4 f c, v the predicted speed: v − f h is the speed of the parabola that
 * semi-implicit Euler's positions lie on. Leaving with e V − f h from c = 0 puts the next positions on the mirrored one,
 * so that a ball with e = 1 comes back to its height at any substep.
 */
export function setBounce(m: ManifoldView, row: i32, h: f64): void {
  const record = m.record
  const e = m.restitution[row]
  const n = i32(m.points[row])
  const p = RECORD * row + BOUNCE
  if (e === 0) {
    for (let i = 0; i < n; i++) record[p + i] = 0
    return
  }
  measureVelocities(m, row)
  const f = m.fall[row]
  const resting = restingSpeed(m, row, h)
  for (let i = 0; i < n; i++) {
    const start = m.residual[i] - f * h
    const squared = start * start - 4 * f * Math.max(record[p + i], 0)
    const impact: f64 = start < 0 && squared > 0 ? Math.sqrt(squared) : 0
    record[p + i] = impact > resting ? e * impact - f * h : 0
  }
}
