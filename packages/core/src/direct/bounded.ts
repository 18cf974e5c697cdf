/**
 * Rows of joints whose multipliers are bounded (limits, ropes, friction, drives with a largest force), and which of them act: with the
 * linearized system they are a linear complementarity problem,
 *
 *   ρ = r + J dX + a dλ      active: ρ = 0 and lower <= λ + dλ <= upper;   held: λ + dλ = lower and ρ >= 0, or = upper and ρ <= 0
 *
 * solved by block principal pivoting (Júdice and Pires 1994): all rows on the wrong side change at once; where that does not make
 * them fewer for a while, the last of them changes alone (Murty 1974), which ends always. Each pivot is an elimination of the tree.
 *
 * A limit has two ends and one row. It stands at the end that pushes or, where none does, at the nearer one; the other end is
 * looked at as well.
 */

import { SIX } from './body-block.js'

/** What a bounded row does in the step in hand. */
export const ACTIVE = 0
export const HELD_LOWER = 1
export const HELD_UPPER = 2

/** A row is on the right side of its bound that is nearer to it than this [m, rad]. */
const SLACK = 1e-10
/** Pivots of all rows at once that may pass without fewer wrong ones, and the most of both kinds. */
const PATIENCE = 3
const MOST = 12

/** Scratch of the bounded rows of one set of trees; `capacity` is the most rows that they have. */
export class Bounded {
  count = 0
  /** Whether the last solution has left all of them on their side. */
  isSettled = true
  /** Edge and joint of a row, and its multiplier among all. */
  readonly edge: Int32Array
  readonly joint: Int32Array
  readonly origin: Int32Array
  /** Gradients on the child and the parent. */
  readonly Ji: Float64Array
  readonly Jp: Float64Array
  /** Residual and softness, λ, its bounds [kg m, kg m²], and how far λ moves its bodies at most [1/kg, 1/(kg m²)]. */
  readonly r: Float64Array
  readonly a: Float64Array
  readonly lambda: Float64Array
  readonly lower: Float64Array
  readonly upper: Float64Array
  readonly inverseMassBound: Float64Array
  /** Of a limit, r at this end less r at the other; 0 where there is one end. */
  readonly range: Float64Array
  readonly state: Uint8Array
  /** Place in the system while active; dλ while held. */
  readonly at: Int32Array
  readonly change: Float64Array

  constructor(capacity: number) {
    this.edge = new Int32Array(capacity)
    this.joint = new Int32Array(capacity)
    this.origin = new Int32Array(capacity)
    this.Ji = new Float64Array(SIX * capacity)
    this.Jp = new Float64Array(SIX * capacity)
    this.r = new Float64Array(capacity)
    this.a = new Float64Array(capacity)
    this.lambda = new Float64Array(capacity)
    this.lower = new Float64Array(capacity)
    this.upper = new Float64Array(capacity)
    this.inverseMassBound = new Float64Array(capacity)
    this.range = new Float64Array(capacity)
    this.state = new Uint8Array(capacity)
    this.at = new Int32Array(capacity)
    this.change = new Float64Array(capacity)
  }
}

/** Sets a limit's row to the end that its λ pushes from. */
export function faceLoadedEnd(b: Bounded, k: number): void {
  const isTurned = b.lower[k] === 0 ? b.lambda[k] < 0 : b.upper[k] === 0 && b.lambda[k] > 0
  if (isTurned && b.range[k] !== 0) swapEnds(b, k)
}

/** First guess of what row k does, from λ and its residual. */
export function guessState(b: Bounded, k: number): void {
  const l = b.lambda[k]
  const r = b.r[k]
  if (l <= b.lower[k] && r >= 0) b.state[k] = HELD_LOWER
  else if (l >= b.upper[k] && r <= 0) b.state[k] = HELD_UPPER
  else b.state[k] = ACTIVE
  if (b.state[k] !== ACTIVE && isBeyondOtherEnd(b, k, r)) {
    swapEnds(b, k)
    b.state[k] = ACTIVE
  }
}

/** By how much row k is not met [m, rad]. */
export function gapOf(b: Bounded, k: number): number {
  const r = b.r[k]
  if (b.state[k] === ACTIVE) return Math.abs(r)
  // What is held beyond its bound, as a warm start of another substep leaves it, has to come back.
  const bound = b.state[k] === HELD_LOWER ? b.lower[k] : b.upper[k]
  const beyond = b.inverseMassBound[k] * Math.abs(b.lambda[k] - bound)
  return beyond > 0 ? beyond : 0
}

/** What a row that is held becomes at: the multiplier of its bound. */
export function heldAt(b: Bounded, k: number): number {
  return b.state[k] === HELD_LOWER ? b.lower[k] : b.upper[k]
}

/** What the pivots of one linearization have come to: see {@link beginPivots}. */
const PIVOTS = /* @__PURE__ */ new Int32Array(4)
const FEWEST = 0
const PATIENT = 1
const DONE = 2
const LAST = 3

/** Starts the pivots of one linearization. */
export function beginPivots(): void {
  PIVOTS[FEWEST] = 0x7fffffff
  PIVOTS[PATIENT] = PATIENCE
  PIVOTS[DONE] = 0
}

/** Outcomes of {@link pivot}. */
export const SOLVED = 0
export const CHANGED = 1
export const EXHAUSTED = 2

/**
 * Looks at every row after a solution (dX, dλ) and changes those on the wrong side. `dl` is by place in the system; `child` and
 * `parent` are the nodes of an edge.
 */
export function pivot(b: Bounded, child: Int32Array, parent: Int32Array, dX: Float64Array, dl: Float64Array): number {
  let wrong = 0
  for (let k = 0; k < b.count; k++) {
    if (nextState(b, k, child, parent, dX, dl) === b.state[k]) continue
    wrong++
    PIVOTS[LAST] = k
  }
  if (wrong === 0) return SOLVED
  if (++PIVOTS[DONE] > MOST) return EXHAUSTED
  if (wrong < PIVOTS[FEWEST]) {
    PIVOTS[FEWEST] = wrong
    PIVOTS[PATIENT] = PATIENCE
  } else if (PIVOTS[PATIENT] > 0) PIVOTS[PATIENT]--
  else {
    change(b, PIVOTS[LAST], child, parent, dX, dl)
    return CHANGED
  }
  for (let k = 0; k < b.count; k++) change(b, k, child, parent, dX, dl)
  return CHANGED
}

function change(
  b: Bounded,
  k: number,
  child: Int32Array,
  parent: Int32Array,
  dX: Float64Array,
  dl: Float64Array,
): void {
  const next = nextState(b, k, child, parent, dX, dl)
  if (next === b.state[k]) return
  if (next === ACTIVE && isBeyondOtherEnd(b, k, linearized(b, k, child, parent, dX))) swapEnds(b, k)
  b.state[k] = next
}

function nextState(
  b: Bounded,
  k: number,
  child: Int32Array,
  parent: Int32Array,
  dX: Float64Array,
  dl: Float64Array,
): number {
  if (b.state[k] !== ACTIVE) return staysHeld(b, k, child, parent, dX) ? b.state[k] : ACTIVE
  const l = b.lambda[k] + dl[b.at[k]]
  if (isWithinBounds(b, k, l)) return ACTIVE
  return l < b.lower[k] ? HELD_LOWER : HELD_UPPER
}

/** Whether multiplier l of row k is inside its bounds, but for the slack. */
export function isWithinBounds(b: Bounded, k: number, l: number): boolean {
  const slack = SLACK / b.inverseMassBound[k]
  return l >= b.lower[k] - slack && l <= b.upper[k] + slack
}

/** Whether row k, which is held, is on its side after a step dX, and a limit not beyond its other end. */
export function staysHeld(b: Bounded, k: number, child: Int32Array, parent: Int32Array, dX: Float64Array): boolean {
  const rho = linearized(b, k, child, parent, dX)
  if (isBeyondOtherEnd(b, k, rho)) return false
  return b.state[k] === HELD_LOWER ? rho >= -SLACK : rho <= SLACK
}

/** ρ of a row that is held. */
function linearized(b: Bounded, k: number, child: Int32Array, parent: Int32Array, dX: Float64Array): number {
  const { Ji, Jp } = b
  const u = SIX * k
  const i = SIX * child[b.edge[k]]
  let rho = b.r[k] + b.a[k] * b.change[k]
  rho +=
    Ji[u] * dX[i] +
    Ji[u + 1] * dX[i + 1] +
    Ji[u + 2] * dX[i + 2] +
    Ji[u + 3] * dX[i + 3] +
    Ji[u + 4] * dX[i + 4] +
    Ji[u + 5] * dX[i + 5]
  const up = parent[b.edge[k]]
  if (up < 0) return rho
  const p = SIX * up
  return (
    rho +
    Jp[u] * dX[p] +
    Jp[u + 1] * dX[p + 1] +
    Jp[u + 2] * dX[p + 2] +
    Jp[u + 3] * dX[p + 3] +
    Jp[u + 4] * dX[p + 4] +
    Jp[u + 5] * dX[p + 5]
  )
}

/** Whether a limit that does not push, with residual ρ at this end, is violated at its other end. */
function isBeyondOtherEnd(b: Bounded, k: number, rho: number): boolean {
  if (b.range[k] === 0) return false
  return b.lower[k] === 0 ? rho - b.range[k] > SLACK : rho - b.range[k] < -SLACK
}

/** Makes a limit's row that of its other end. */
function swapEnds(b: Bounded, k: number): void {
  b.r[k] -= b.range[k]
  b.range[k] = -b.range[k]
  const lower = b.lower[k]
  b.lower[k] = -b.upper[k]
  b.upper[k] = -lower
}
