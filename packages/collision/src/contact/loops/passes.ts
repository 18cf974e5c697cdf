/** Passes over rows of contact manifolds, one after the other. The step calls them in TypeScript or compiled. They skip rows that an exact island solves. */

import { type f64, i32 } from '@tautline/core/kernel'
import { DEEP, GOAL, RECORD, ROWS } from '../manifold-record.js'
import { displace, sumOfNormals, warmStart } from './displace.js'
import { buildMatrix } from './effective-mass.js'
import { measureNormals } from './gaps.js'
import { prepareGoals, setBounce, SOFTNESS } from './goals.js'
import { prepareLeverArms } from './lever-arms.js'
import { factorManifold, solveNormals } from './manifold-solver.js'
import { noteSlenderness } from './slenderness.js'
import { bouncesOff, isStruck, relax } from './velocities.js'
import type { ManifoldView } from './view.js'

/** Approach [m/s] from which an overlap is stopped rigidly: with soft contacts a fast thin rod would pass a wall. */
const IMPACT: f64 = 2
/** Share of its radius of gyration by which a body has moved far since it was prepared, and change of its quaternion by which it has. */
const SHIFTED: f64 = 0.5
const TURNED: f64 = 0.2
/** Change of a quaternion beyond which G is out of date: a hundredth of a radian. */
const ROTATED: f64 = 0.005

/** Goals, lever arms, G where it is due, the speeds to leave with, and displacement by the λ of the last substep. */
export function prepare(m: ManifoldView, from: i32, to: i32, h: f64): void {
  for (let row = from; row < to; row++) {
    const isExact = m.island[row] !== 0
    const isStill = m.still[row] !== 0
    prepareGoals(m, row, h)
    // An exact island takes its overlaps in one go.
    if (isExact) m.record[RECORD * row + DEEP] = 0
    if (!isStill) prepareLeverArms(m, row)
    if (m.fresh[row] !== 0 || (!isStill && hasRotated(m, row))) {
      buildMatrix(m, row)
      factorManifold(m, row, SOFTNESS)
      noteSlenderness(m, row)
    }
    setBounce(m, row, h)
    if (!isExact) warmStart(m, row)
  }
}

/** Whether one of the bodies has turned since its manifold was found. */
function hasRotated(m: ManifoldView, row: i32): boolean {
  return differ(m, 16 * row + 4, 4 * i32(m.body[2 * row])) || differ(m, 16 * row + 12, 4 * i32(m.body[2 * row + 1]))
}

/** Whether the orientation of a body at c is another than was seen. */
function differ(m: ManifoldView, o: i32, c: i32): boolean {
  const seen = m.seen
  const q = m.orientation
  let sum: f64 = 0
  for (let k = 0; k < 4; k++) sum += (seen[o + k] - q[c + k]) * (seen[o + k] - q[c + k])
  return sum > ROTATED * ROTATED
}

/** A pass over positions: normals alone. */
export function sweep(m: ManifoldView, from: i32, to: i32, h: f64): void {
  for (let row = from; row < to; row++) if (m.island[row] === 0) pushApart(m, row, h)
}

/** Pushes one manifold apart. */
export function pushApart(m: ManifoldView, row: i32, h: f64): void {
  const record = m.record
  const gaps = m.residual
  const n = i32(m.points[row])
  const p = RECORD * row
  const least = -IMPACT * h
  measureNormals(m, row)
  let acts = false
  let isRigid = record[p + DEEP] !== 0
  for (let i = 0; i < n; i++) {
    const c = gaps[i] - record[p + GOAL + i]
    gaps[i] = c
    if (c < 0 || m.lambda[ROWS * row + i] > 0) acts = true
    if (c < least) isRigid = true
  }
  // Apart and never pushed: nothing to do.
  if (acts) displace(m, row, solveNormals(m, row, isRigid ? 0 : SOFTNESS))
}

/** Arms and G at the present poses. Steered by those from before a push-out that moved much, repeated passes diverge. */
export function steerAnew(m: ManifoldView, row: i32): void {
  prepareLeverArms(m, row)
  buildMatrix(m, row)
  factorManifold(m, row, SOFTNESS)
}

/**
 * Prepares lever arms and G again for loaded manifolds with a body that has moved far since: by a share of its radius of gyration, or by a change of its quaternion. G is off by three quarters then, and from twice on passes over velocities
 * gain energy. Shifts of half a metre, as of limbs that strong drives throw, made 8 kJ of 180 J.
 */
export function renewMoved(m: ManifoldView, from: i32, to: i32): void {
  for (let row = from; row < to; row++) {
    if (m.island[row] !== 0 || sumOfNormals(m, row) === 0) continue
    if (wasMovedFar(m, i32(m.body[2 * row])) || wasMovedFar(m, i32(m.body[2 * row + 1]))) steerAnew(m, row)
  }
}

/** Whether a body has been moved far since its lever arms and G were prepared. */
function wasMovedFar(m: ManifoldView, i: i32): boolean {
  const x = m.position
  const q = m.orientation
  const y = m.preparedPosition
  const r = m.preparedOrientation
  const I = m.inverseInertia
  const e = 9 * i
  const p = 4 * i
  const w = x[p + 3]
  if (w === 0) return false
  const dx = x[p] - y[p]
  const dy = x[p + 1] - y[p + 1]
  const dz = x[p + 2] - y[p + 2]
  const trace = I[e] + I[e + 4] + I[e + 8]
  if ((dx * dx + dy * dy + dz * dz) * trace > SHIFTED * SHIFTED * w) return true
  const ax = q[p] - r[p]
  const ay = q[p + 1] - r[p + 1]
  const az = q[p + 2] - r[p + 2]
  const aw = q[p + 3] - r[p + 3]
  return ax * ax + ay * ay + az * az + aw * aw > TURNED * TURNED
}

/** A pass over velocities, of those that bounce alone. */
export function rebound(m: ManifoldView, from: i32, to: i32, h: f64): void {
  for (let row = from; row < to; row++) {
    if (bouncesOff(m, row) && !isStruck(m, row)) relax(m, row, row + 1, h, true)
  }
}
