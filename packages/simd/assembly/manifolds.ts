// Contact manifolds (collision: contact/manifold-rows.ts): the phases of rows that no exact island, no chain of impacts and, over velocities, no deep overlap holds.

import { recordOf } from './access'
import {
  BODY,
  BOUNCE,
  CHANGE,
  DEEP,
  FIRST,
  FRESH,
  GOAL,
  IMPULSE,
  INVERSE_INERTIA,
  ISLAND,
  LAMBDA,
  ORIENTATION,
  POINTS,
  POSITION,
  PREPARED_ORIENTATION,
  PREPARED_POSITION,
  RECORD,
  RECORD_BYTES,
  RESIDUAL,
  RESTITUTION,
  ROLLING,
  SEEN,
  STILL,
  TOUCHING,
} from './manifold-columns'
import { measureAt, measureVelocities, prepareLeverArms } from './manifold-geometry'
import { followSlip, limitWarmStart, prepareGoals, setBounce } from './manifold-goals'
import { accelerate, displace, displaceNormals } from './manifold-impulses'
import { buildMatrix } from './manifold-mass'
import { noteSlenderness } from './manifold-slenderness'
import { SOFTNESS, factorManifold, solveNormals, solveRolling, solveSpeeds } from './manifold-solver'

/** Squared change of a quaternion beyond which G is out of date (collision: contact/store-manifold.ts). */
const ROTATED: f64 = 0.005 * 0.005
/** The same, and squared share of the radius of gyration, of what has moved far (collision: contact/manifold-rows.ts). */
const TURNED: f64 = 0.2 * 0.2
const SHIFTED: f64 = 0.5 * 0.5
/** A residual so large that a row at rest stays at rest. */
const APART: f64 = 1e30

/** What a batch holds that these loops leave to TypeScript. */
const EXACT = 1
const IS_DEEP = 2
const BOUNCES = 4

/** Which of them rows `from` to `to` hold. */
export function traitsOfManifolds(from: usize, to: usize): i32 {
  let traits = 0
  for (let row = from; row < to; row++) {
    if (load<f64>(ISLAND + (row << 3)) != 0) traits |= EXACT
    if (load<f64>(RECORD + RECORD_BYTES * row, DEEP) != 0) traits |= IS_DEEP
    if (load<f64>(RESTITUTION + (row << 3)) > 0) traits |= BOUNCES
  }
  return traits
}

/** Displaces by the λ of the last substep. */
function warmStart(row: usize, p: usize, n: i32, l: usize, a: usize, b: usize): void {
  let pushed: f64 = 0
  for (let i = 0; i < n; i++) pushed += load<f64>(l + (i << 3))
  store<f64>(p, pushed, FIRST)
  if (pushed == 0) {
    for (let k: usize = 32; k < 72; k += 8) store<f64>(l + k, 0)
    return
  }
  for (let k: usize = 0; k < 72; k += 8) store<f64>(CHANGE + k, load<f64>(l + k))
  displace(row, p, n, a, b)
}

/** Whether a body has turned since its manifold was found. */
function hasRotated(row: usize, a: usize, b: usize): bool {
  const seen = SEEN + (row << 7)
  let sum: f64 = 0
  for (let k: usize = 0; k < 32; k += 8) {
    const d = load<f64>(seen + k, 32) - load<f64>(ORIENTATION + a + k)
    sum += d * d
  }
  if (sum > ROTATED) return true
  sum = 0
  for (let k: usize = 0; k < 32; k += 8) {
    const d = load<f64>(seen + k, 96) - load<f64>(ORIENTATION + b + k)
    sum += d * d
  }
  return sum > ROTATED
}

function factorAnew(row: usize, p: usize, n: i32, a: usize, b: usize): void {
  buildMatrix(POSITION, row, p, n, a, b)
  factorManifold(p, n)
}

/** Goals, lever arms, G where it is due, and the λ of the last substep. */
export function prepareManifolds(from: usize, to: usize, h: f64): void {
  for (let row = from; row < to; row++) {
    const a = recordOf(BODY + (row << 4))
    const b = recordOf(BODY + (row << 4) + 8)
    const p = RECORD + RECORD_BYTES * row
    const l = LAMBDA + 72 * row
    const n = <i32>load<f64>(POINTS + (row << 3))
    prepareGoals(row, p, n, l, a, b, h)
    if (load<f64>(ISLAND + (row << 3)) != 0) store<f64>(p, 0, DEEP)
    const still = load<f64>(STILL + (row << 3)) != 0
    if (!still) prepareLeverArms(POSITION, ORIENTATION, row, p, n, l, a, b)
    if (load<f64>(FRESH + (row << 3)) != 0 || (!still && hasRotated(row, a, b))) {
      factorAnew(row, p, n, a, b)
      noteSlenderness(row, p, n, a, b)
    }
    setBounce(row, p, n, a, b, h)
    if (load<f64>(ISLAND + (row << 3)) == 0) warmStart(row, p, n, l, a, b)
  }
}

/** A pass over positions: normals alone; what would overlap by more than −`impact` [m] is stopped rigidly. */
export function sweepManifolds(from: usize, to: usize, impact: f64): void {
  for (let row = from; row < to; row++) {
    const a = recordOf(BODY + (row << 4))
    const b = recordOf(BODY + (row << 4) + 8)
    const p = RECORD + RECORD_BYTES * row
    const l = LAMBDA + 72 * row
    const n = <i32>load<f64>(POINTS + (row << 3))
    measureAt(POSITION, ORIENTATION, row, p, n, a, b)
    let acts = false
    let isRigid = load<f64>(p, DEEP) != 0
    for (let i = 0; i < n; i++) {
      const c = load<f64>(RESIDUAL + (i << 3)) - load<f64>(p + (i << 3), GOAL)
      store<f64>(RESIDUAL + (i << 3), c)
      if (c < 0 || load<f64>(l + (i << 3)) > 0) acts = true
      if (c < impact) isRigid = true
    }
    if (!acts) continue
    if (solveNormals(row, n, p, l, isRigid ? 0 : SOFTNESS)) displace(row, p, n, a, b)
    else displaceNormals(p, n, a, b)
  }
}

/** Whether a body has been moved far since its lever arms and G were prepared. */
function wasMovedFar(a: usize): bool {
  const x = POSITION + a
  const w = load<f64>(x, 24)
  if (w == 0) return false
  const dx = load<f64>(x) - load<f64>(PREPARED_POSITION + a)
  const dy = load<f64>(x, 8) - load<f64>(PREPARED_POSITION + a, 8)
  const dz = load<f64>(x, 16) - load<f64>(PREPARED_POSITION + a, 16)
  const e = INVERSE_INERTIA + (a >> 2) * 9
  const trace = load<f64>(e) + load<f64>(e, 32) + load<f64>(e, 64)
  if ((dx * dx + dy * dy + dz * dz) * trace > SHIFTED * w) return true
  let turned: f64 = 0
  for (let k = a; k < a + 32; k += 8) {
    const d = load<f64>(ORIENTATION + k) - load<f64>(PREPARED_ORIENTATION + k)
    turned += d * d
  }
  return turned > TURNED
}

/** Whether a point of a manifold that pushed is to bounce. */
function bouncesOff(p: usize, n: i32, l: usize): bool {
  for (let i = 0; i < n; i++) if (load<f64>(l + (i << 3)) > 0 && load<f64>(p + (i << 3), BOUNCE) > 0) return true
  return false
}

/** Lever arms and G anew of what has moved far: steered by old ones, passes over velocities gain energy. */
function renewMoved(from: usize, to: usize): void {
  for (let row = from; row < to; row++) {
    const l = LAMBDA + 72 * row
    const n = <i32>load<f64>(POINTS + (row << 3))
    if (load<f64>(ISLAND + (row << 3)) != 0) continue
    let pushed: f64 = 0
    for (let i = 0; i < n; i++) pushed += load<f64>(l + (i << 3))
    if (pushed == 0) continue
    const a = recordOf(BODY + (row << 4))
    const b = recordOf(BODY + (row << 4) + 8)
    if (!wasMovedFar(a) && !wasMovedFar(b)) continue
    const p = RECORD + RECORD_BYTES * row
    prepareLeverArms(POSITION, ORIENTATION, row, p, n, l, a, b)
    factorAnew(row, p, n, a, b)
  }
}

/** A pass over velocities: all rows of a manifold. */
function relax(row: usize, h: f64, bounces: bool): void {
  const p = RECORD + RECORD_BYTES * row
  const l = LAMBDA + 72 * row
  const n = <i32>load<f64>(POINTS + (row << 3))
  const isDeep = load<f64>(p, DEEP) != 0
  let pushed: f64 = 0
  for (let i = 0; i < n; i++) pushed += load<f64>(l + (i << 3))
  if (pushed == 0 && !isDeep) return
  store<f64>(TOUCHING + (row << 3), 1)
  const a = recordOf(BODY + (row << 4))
  const b = recordOf(BODY + (row << 4) + 8)
  measureVelocities(POSITION, p, n, a, b)
  for (let i = 0; i < n; i++) {
    const leave = bounces ? load<f64>(p + (i << 3), BOUNCE) : 0
    const touches = load<f64>(l + (i << 3)) > 0 || (isDeep && load<f64>(p + (i << 3), GOAL) < 0)
    store<f64>(RESIDUAL + (i << 3), touches ? h * (load<f64>(RESIDUAL + (i << 3)) - leave) : APART)
  }
  for (let k: usize = 32; k < 72; k += 8) store<f64>(RESIDUAL + k, load<f64>(RESIDUAL + k) * h)
  solveSpeeds(row, n, p, l)
  accelerate(row, p, n, a, b, h)
  followSlip(row, n, l)
  if (load<f64>(ROLLING + (row << 3)) == 0) return
  measureVelocities(POSITION, p, n, a, b)
  for (let k: usize = 32; k < 72; k += 8) store<f64>(RESIDUAL + k, load<f64>(RESIDUAL + k) * h)
  solveRolling(row, n, p, l)
  accelerate(row, p, n, a, b, h)
}

/** A pass over velocities, then the impulses, and what of λ the next substep begins with. */
export function relaxManifolds(from: usize, to: usize, h: f64): void {
  renewMoved(from, to)
  for (let row = from; row < to; row++) relax(row, h, false)
  for (let row = from; row < to; row++) {
    if (bouncesOff(RECORD + RECORD_BYTES * row, <i32>load<f64>(POINTS + (row << 3)), LAMBDA + 72 * row))
      relax(row, h, true)
  }
  for (let row = from; row < to; row++) {
    const p = RECORD + RECORD_BYTES * row
    const l = LAMBDA + 72 * row
    const n = <i32>load<f64>(POINTS + (row << 3))
    let pushed: f64 = 0
    for (let i = 0; i < n; i++) pushed += load<f64>(l + (i << 3))
    if (pushed == pushed)
      store<f64>(IMPULSE + (row << 3), Math.min(load<f64>(IMPULSE + (row << 3)) + pushed / h, f64.MAX_VALUE))
    if (pushed > 0) limitWarmStart(row, p, n, l, h)
    else if (bouncesOff(p, n, l)) for (let k: usize = 0; k < 72; k += 8) store<f64>(l + k, 0)
  }
}
