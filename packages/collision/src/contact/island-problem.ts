/**
 * Contacts of an island solved together, for heavy on light (`islands.ts`).
 *
 * With J the gradients of all rows of the island, W = M⁻¹ and r what they are off, the normals are the problem
 *   find λ >= 0:  w = r + J W Jᵀ (λ − λ₀) + ε D λ >= 0,  λᵀ w = 0,   D the diagonal of J W Jᵀ
 * The compliance ε D makes it strictly convex, so that a face with four points has one answer; at ε = 1e-6 heavy on light
 * sags by micrometres. In the velocity pass it is ε D (λ − λ₀): what rests has no speed left.
 *
 * For a set of acting rows the answer is found per body, not per row: with W = L Lᵀ and B = J L, the displacements L y are
 *   (1 + Bᵀ (ε D)⁻¹ B) y = Bᵀ Δλ_fixed − Bᵀ (ε D)⁻¹ r,   Δλ = −(ε D)⁻¹ (r + B y)
 * a matrix of six rows a body that is positive definite however many points a face has, and sparse: a body is linked to
 * what it touches alone (`block-matrix.ts`). The bodies are then displaced by W Jᵀ Δλ, so that momentum stays whatever round-off
 * there is in y.
 *
 * Which rows act is found by Newton's method on the function of y that this minimises, convex and with a continuous gradient:
 *   ½ |y + Bᵀ λ₀|² + Σ ½ max(0, λ₀ − (r + B y) / (ε D))² ε D
 * A step goes to the answer of the rows that act where it starts, or as far towards it as the function falls; it ends when the
 * rows that act there are those. Nothing changed since the last substep: one step. A pyramid dropped on its place with
 * all λ zero and its top 300 times as heavy: some two dozen. Exchanging blocks of rows (Júdice and Pires 1994) cycled there.
 *
 * Friction and twist join in the velocity pass: a row that sticks is one more row that acts, one that would leave its cone
 * is held on it, against the motion; loads and cones are brought into line in a few rounds.
 */

import { FRICTION, ROLLING, ROWS } from './manifold-columns.js'
import { BlockMatrix, DOF } from './block-matrix.js'

/** ε: far above what round-off leaves of a length, far below what shows. */
export const COMPLIANCE: number = 1e-6

/** Newton steps; cuts of a step, and how near to its lowest point is near enough, as a share of the first slope. */
const MOST_ROUNDS = 60
const MOST_CUTS = 40
const NEAR = 1e-6

/** A multiplier is wrong when it is so by more than this share of what its row's residual alone would ask for. */
const WRONG = 1e-12

/** Rows that are off by no more than this share of what the loads displace a body by are left as they are. */
const IN_PLACE = 1e-10

/** States of a row: not there, held at a change of λ, acts. */
export const NONE = 0
export const HELD = 1
export const ACTS = 2

/** One island at a time: its rows, its bodies, its matrix. Buffers grow and are kept. */
export class Island {
  /** Manifolds, by row of the batch; bodies, by row of the world; and place of a body among them. */
  manifolds: Int32Array = new Int32Array(0)
  manifoldCount = 0
  bodies: Int32Array = new Int32Array(0)
  bodyCount = 0
  place: Int32Array = new Int32Array(0)
  /** By manifold: places of a and b, −1 for what does not move. */
  ends: Int32Array = new Int32Array(0)
  /** By body: L of I⁻¹ (six numbers), force and moment. */
  roots: Float64Array = new Float64Array(0)
  wrench: Float64Array = new Float64Array(0)
  y: Float64Array = new Float64Array(0)
  goal: Float64Array = new Float64Array(0)
  step: Float64Array = new Float64Array(0)
  /** By row, `ROWS` a manifold: B (12 numbers), D, 1/(ε D), r, λ₀, Δλ that is held, state. */
  b: Float64Array = new Float64Array(0)
  diagonal: Float64Array = new Float64Array(0)
  stiffness: Float64Array = new Float64Array(0)
  r: Float64Array = new Float64Array(0)
  before: Float64Array = new Float64Array(0)
  held: Float64Array = new Float64Array(0)
  trial: Float64Array = new Float64Array(0)
  /** B y, B goal, B step. */
  along: Float64Array = new Float64Array(0)
  ahead: Float64Array = new Float64Array(0)
  rise: Float64Array = new Float64Array(0)
  state: Uint8Array = new Uint8Array(0)
  /** Whether a row has changed its state since the matrix was factored. */
  stale = true
  readonly matrix: BlockMatrix = new BlockMatrix()
}

export const island: Island = /* @__PURE__ */ new Island()

export function reserve(manifolds: number, bodies: number): void {
  if (island.place.length < bodies) island.place = new Int32Array(2 * bodies)
  if (island.manifolds.length >= manifolds) return
  const n = 2 * manifolds
  island.manifolds = new Int32Array(n)
  island.ends = new Int32Array(2 * n)
  // A manifold has two bodies at most.
  island.bodies = new Int32Array(2 * n)
  island.roots = new Float64Array(2 * n * DOF)
  island.wrench = new Float64Array(2 * n * DOF)
  island.y = new Float64Array(2 * n * DOF)
  island.goal = new Float64Array(2 * n * DOF)
  island.step = new Float64Array(2 * n * DOF)
  const rows = n * ROWS
  island.b = new Float64Array(2 * DOF * rows)
  island.diagonal = new Float64Array(rows)
  island.stiffness = new Float64Array(rows)
  island.r = new Float64Array(rows)
  island.before = new Float64Array(rows)
  island.held = new Float64Array(rows)
  island.trial = new Float64Array(rows)
  island.along = new Float64Array(rows)
  island.ahead = new Float64Array(rows)
  island.rise = new Float64Array(rows)
  island.state = new Uint8Array(rows)
}

/** Solves for the displacements of the present states, into `goal`; false where the matrix is not positive. */
function solveActing(): boolean {
  const { matrix, manifoldCount, bodyCount, ends, b, stiffness, r, held, state, goal } = island
  if (island.stale) {
    matrix.setUnit()
    for (let i = 0; i < ROWS * manifoldCount; i++) {
      if (state[i] !== ACTS) continue
      const j = (i / ROWS) | 0
      matrix.addRow(stiffness, i, b, 2 * DOF * i, ends[2 * j], ends[2 * j + 1])
    }
    if (!matrix.factor()) return false
    island.stale = false
  }
  goal.fill(0, 0, DOF * bodyCount)
  for (let i = 0; i < ROWS * manifoldCount; i++) {
    if (state[i] === NONE) continue
    const f = state[i] === ACTS ? -stiffness[i] * r[i] : held[i]
    if (f === 0) continue
    const j = (i / ROWS) | 0
    for (let side = 0; side < 2; side++) {
      const place = ends[2 * j + side]
      if (place < 0) continue
      const u = 2 * DOF * i + DOF * side
      for (let k = 0; k < DOF; k++) goal[DOF * place + k] += f * b[u + k]
    }
  }
  matrix.solve(goal)
  return true
}

/** B v of every row that is there. */
function alongRows(v: Float64Array, out: Float64Array): void {
  const { manifoldCount, ends, b, state } = island
  for (let j = 0; j < manifoldCount; j++) {
    const p = DOF * ends[2 * j]
    const q = DOF * ends[2 * j + 1]
    for (let i = ROWS * j; i < ROWS * j + ROLLING; i++) {
      if (state[i] === NONE) continue
      const u = 2 * DOF * i
      let sum = 0
      if (p >= 0) for (let k = 0; k < DOF; k++) sum += b[u + k] * v[p + k]
      if (q >= 0) for (let k = 0; k < DOF; k++) sum += b[u + DOF + k] * v[q + k]
      out[i] = sum
    }
  }
}

/**
 * Solves for normals that push or are zero; what friction and twist do is given by their states.
 *
 * The problem is the least of ½ |y|² + Σ ½ ε D λ(y)² + …, convex with a continuous gradient y − Bᵀ Δλ(y), where
 * λ(y) = max(0, λ₀ − (r + B y) / (ε D)). The rows that act at y give a Newton step; the whole of it is the answer once they
 * act at its end as well. Short of that it goes as far as the function falls.
 */
export function solveNormals(): boolean {
  const { manifoldCount, bodyCount, state, y, goal, step, along, ahead, rise, trial, before, stiffness, r, held } =
    island
  const size = DOF * bodyCount
  y.fill(0, 0, size)
  along.fill(0, 0, ROWS * manifoldCount)
  let largest = 0
  for (let i = 0; i < ROWS * manifoldCount; i++) {
    if (state[i] !== NONE && isNormal(i)) largest = Math.max(largest, Math.abs(r[i]))
  }
  for (let round = 0; round < MOST_ROUNDS; round++) {
    if (!solveActing()) return false
    alongRows(goal, ahead)
    let wrong = 0
    for (let i = 0; i < ROWS * manifoldCount; i++) {
      if (state[i] === NONE) continue
      trial[i] = before[i] - stiffness[i] * (r[i] + ahead[i])
      if (isNormal(i) && isWrong(state[i], trial[i], WRONG * stiffness[i] * largest)) wrong++
    }
    if (wrong === 0) return true
    for (let k = 0; k < size; k++) step[k] = goal[k] - y[k]
    for (let i = 0; i < ROWS * manifoldCount; i++) rise[i] = ahead[i] - along[i]
    const share = descend(size)
    if (share > 0) {
      for (let k = 0; k < size; k++) y[k] += share * step[k]
      for (let i = 0; i < ROWS * manifoldCount; i++) along[i] += share * rise[i]
    }
    for (let i = 0; i < ROWS * manifoldCount; i++) {
      if (state[i] === NONE || !isNormal(i)) continue
      state[i] = before[i] - stiffness[i] * (r[i] + along[i]) > 0 ? ACTS : HELD
      held[i] = -before[i]
    }
    island.stale = true
  }
  return false
}

function isNormal(i: number): boolean {
  return i % ROWS < FRICTION
}

/** Whether a row that acts would pull, or one that does not would overlap. */
function isWrong(state: number, trial: number, tolerance: number): boolean {
  return state === ACTS ? trial < -tolerance : state === HELD && trial > tolerance
}

/** The share of `step` at which the function is least; 0 where it does not fall. */
function descend(size: number): number {
  let from = 0
  let low = slope(0, size)
  if (!(low < 0)) return 0
  let to = 1
  let high = slope(1, size)
  if (high <= 0) return 1
  const enough = -NEAR * low
  // False position, with the value at an end that stays halved (Illinois).
  for (let k = 0; k < MOST_CUTS; k++) {
    const middle = (from * high - to * low) / (high - low)
    const value = slope(middle, size)
    if (Math.abs(value) <= enough) return middle
    if (value < 0) {
      from = middle
      low = value
      high *= 0.5
    } else {
      to = middle
      high = value
      low *= 0.5
    }
  }
  return from
}

/** Slope of the function along `step` at a share of it. */
function slope(share: number, size: number): number {
  const { manifoldCount, state, y, step, along, rise, before, stiffness, r, held } = island
  let sum = 0
  for (let k = 0; k < size; k++) sum += step[k] * (y[k] + share * step[k])
  for (let first = 0; first < ROWS * manifoldCount; first += ROWS) {
    for (let i = first; i < first + FRICTION; i++) {
      if (state[i] === NONE) continue
      const pushed = Math.max(0, before[i] - stiffness[i] * (r[i] + along[i] + share * rise[i]))
      sum -= (pushed - before[i]) * rise[i]
    }
    for (let i = first + FRICTION; i < first + ROLLING; i++) {
      if (state[i] === NONE) continue
      const added = state[i] === ACTS ? -stiffness[i] * (r[i] + along[i] + share * rise[i]) : held[i]
      sum -= added * rise[i]
    }
  }
  return sum
}

/** Whether λ₀ is an answer as it stands, as it is substep after substep once all is at rest. */
export function isInPlace(): boolean {
  const { manifoldCount, state, before, diagonal, r } = island
  let largest = 0
  let off = 0
  for (let i = 0; i < ROWS * manifoldCount; i++) {
    if (state[i] === NONE) continue
    if (!isNormal(i) && state[i] === HELD) return false
    largest = Math.max(largest, diagonal[i] * before[i])
    off = Math.max(off, isNormal(i) && before[i] === 0 ? -r[i] : Math.abs(r[i]))
  }
  return off <= IN_PLACE * largest
}

/** What a row adds to λ, held to zero from below where it is a normal. */
export function addedNormal(i: number): number {
  const { before, held, trial, state } = island
  return state[i] === NONE ? 0 : state[i] === ACTS ? Math.max(trial[i], 0) - before[i] : held[i]
}
