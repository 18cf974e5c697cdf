// Rows of one number between the centres of four bodies: two rows that share no body in the lanes of a vector, or one in both. What goes from one function to
// another is in scratch memory.

import { dot, firsts, recordOf, seconds } from './access'
import { IMMOVABLE, RUNAWAY } from './constants'

/** 2⁵²: as in access.ts. */
const CARRIER: f64 = 4503599627370496

/** What is where in the scratch memory [bytes]: edges from the first body to the others, inverse masses, gradients, addresses of the bodies of both rows. */
export const EDGES: usize = 0
const WEIGHTS: usize = 144
export const GRADIENTS: usize = 208
const PLACES: usize = 400
/** Where kernels may keep what is their own. */
export const OWN: usize = 432

/** Numbers of the bodies of a row, from its ids. */
function bodiesOf(ids: usize): v128 {
  const carrier = f64x2.splat(CARRIER)
  const low = f64x2.add(v128.load(ids), carrier)
  const high = f64x2.add(v128.load(ids, 16), carrier)
  return v128.shuffle<i32>(low, high, 0, 2, 4, 6)
}

/** Whether two rows have no body in common, from their ids. */
export function areApart(a: usize, b: usize): bool {
  const s = bodiesOf(a)
  const t = bodiesOf(b)
  const u = v128.shuffle<i32>(t, t, 1, 2, 3, 0)
  const same = v128.or(
    v128.or(i32x4.eq(s, t), i32x4.eq(s, u)),
    v128.or(i32x4.eq(s, v128.shuffle<i32>(t, t, 2, 3, 0, 1)), i32x4.eq(s, v128.shuffle<i32>(u, u, 2, 3, 0, 1))),
  )
  return !v128.any_true(same)
}

/** The numbers at two places. */
export function both(a: usize, b: usize): v128 {
  return v128.load64_lane(b, v128.load64_splat(a), 1)
}

/** Entries of two rows of a column that has one a row. */
export function pair(column: usize, a: usize, b: usize): v128 {
  return both(column + (a << 3), column + (b << 3))
}

/** Writes numbers to two places. */
export function storeBoth(a: usize, b: usize, value: v128): void {
  v128.store64_lane(a, value, 0)
  v128.store64_lane(b, value, 1)
}

/** Reads the bodies of two rows, from their ids: edges, inverse masses and addresses. */
export function gather(s: usize, position: usize, idsA: usize, idsB: usize): void {
  const a = position + recordOf(idsA)
  const b = position + recordOf(idsB)
  const low = v128.load(a)
  const high = v128.load(a, 16)
  const lowB = v128.load(b)
  const highB = v128.load(b, 16)
  store<u32>(s, a, PLACES)
  store<u32>(s, b, PLACES + 4)
  v128.store(s, seconds(high, highB), WEIGHTS)
  for (let k: usize = 1; k < 4; k++) {
    const p = position + recordOf(idsA + (k << 3))
    const q = position + recordOf(idsB + (k << 3))
    store<u32>(s + (k << 3), p, PLACES)
    store<u32>(s + (k << 3), q, PLACES + 4)
    const top = v128.load(p, 16)
    const topB = v128.load(q, 16)
    const xy = f64x2.sub(v128.load(p), low)
    const xyB = f64x2.sub(v128.load(q), lowB)
    v128.store(s + (k << 4), seconds(top, topB), WEIGHTS)
    const e = s + 48 * k - 48
    v128.store(e, firsts(xy, xyB), EDGES)
    v128.store(e, seconds(xy, xyB), EDGES + 16)
    v128.store(e, firsts(f64x2.sub(top, high), f64x2.sub(topB, highB)), EDGES + 32)
  }
}

/** The longest of the three edges, squared. */
export function longestOf(s: usize): v128 {
  return f64x2.max(f64x2.max(squareAt(s + EDGES), squareAt(s + EDGES + 48)), squareAt(s + EDGES + 96))
}

/** x² + y² + z² of the vectors at a place. */
function squareAt(e: usize): v128 {
  const x = v128.load(e)
  const y = v128.load(e, 16)
  const z = v128.load(e, 32)
  return dot(x, y, z, x, y, z)
}

/** The sum of the inverse masses. */
export function weights(s: usize): v128 {
  return f64x2.add(
    f64x2.add(f64x2.add(v128.load(s, WEIGHTS), v128.load(s, WEIGHTS + 16)), v128.load(s, WEIGHTS + 32)),
    v128.load(s, WEIGHTS + 48),
  )
}

/** What the gradient of body k moves by a unit of λ: its inverse mass times the square. */
export function responseOf(s: usize, k: usize): v128 {
  return f64x2.mul(v128.load(s + (k << 4), WEIGHTS), squareAt(s + GRADIENTS + 48 * k))
}

/** The sum of that over all bodies. */
export function response(s: usize): v128 {
  return f64x2.add(f64x2.add(f64x2.add(responseOf(s, 0), responseOf(s, 1)), responseOf(s, 2)), responseOf(s, 3))
}

/** The inverse mass of body k. */
export function weightOf(s: usize, k: usize): v128 {
  return v128.load(s + (k << 4), WEIGHTS)
}

/** Writes the gradient of the first body: minus the sum of the others. */
export function closeGradients(s: usize): void {
  for (let k: usize = 0; k < 48; k += 16) {
    const g = s + k + GRADIENTS
    v128.store(g, f64x2.neg(f64x2.add(f64x2.add(v128.load(g, 48), v128.load(g, 96)), v128.load(g, 144))))
  }
}

/** Gradients times ways since the start of the substep, `away` [bytes] from the positions. */
export function moved(s: usize, away: usize): v128 {
  let sum = f64x2.splat(0)
  for (let k: usize = 0; k < 4; k++) {
    const p = <usize>load<u32>(s + (k << 3), PLACES)
    const q = <usize>load<u32>(s + (k << 3), PLACES + 4)
    const g = s + 48 * k + GRADIENTS
    const xy = f64x2.sub(v128.load(p), v128.load(p + away))
    const xyB = f64x2.sub(v128.load(q), v128.load(q + away))
    const z = f64x2.sub(v128.load(p, 16), v128.load(p + away, 16))
    const zB = f64x2.sub(v128.load(q, 16), v128.load(q + away, 16))
    const first = f64x2.mul(v128.load(g), firsts(xy, xyB))
    // 0 + −0 is another zero.
    sum = k == 0 ? first : f64x2.add(sum, first)
    sum = f64x2.add(sum, f64x2.mul(v128.load(g, 16), seconds(xy, xyB)))
    sum = f64x2.add(sum, f64x2.mul(v128.load(g, 32), firsts(z, zB)))
  }
  return sum
}

/** x += step w g of all bodies, in lanes that are `kept`. What does not move keeps its bits: where the way is 0, or, `byMass`, the inverse mass. */
export function displaceAll(s: usize, step: v128, kept: v128, byMass: bool): void {
  const zero = f64x2.splat(0)
  for (let k: usize = 0; k < 4; k++) {
    const w = v128.load(s + (k << 4), WEIGHTS)
    const m = f64x2.mul(step, w)
    const moves = v128.and(kept, f64x2.ne(byMass ? w : m, zero))
    const p = <usize>load<u32>(s + (k << 3), PLACES)
    const q = <usize>load<u32>(s + (k << 3), PLACES + 4)
    const g = s + 48 * k + GRADIENTS
    const low = v128.load(p)
    const lowB = v128.load(q)
    const x = firsts(low, lowB)
    const y = seconds(low, lowB)
    const z = both(p + 16, q + 16)
    const ux = v128.bitselect(f64x2.add(x, f64x2.mul(m, v128.load(g))), x, moves)
    const uy = v128.bitselect(f64x2.add(y, f64x2.mul(m, v128.load(g, 16))), y, moves)
    const uz = v128.bitselect(f64x2.add(z, f64x2.mul(m, v128.load(g, 32))), z, moves)
    v128.store(p, firsts(ux, uy))
    v128.store(q, seconds(ux, uy))
    storeBoth(p + 16, q + 16, uz)
  }
}

/**
 * One update of two rows with errors `c` and responses `w`, in lanes that are `on`. Where `most` is above 0, a pass takes back so much of the error and no
 * more. `away` is how far starts of the substep are from positions [bytes].
 */
export function solveRows(
  s: usize,
  away: usize,
  c: v128,
  w: v128,
  on: v128,
  most: v128,
  lambda: usize,
  softness: usize,
  gamma: usize,
  relaxation: usize,
  a: usize,
  b: usize,
): void {
  const zero = f64x2.splat(0)
  const soft = pair(softness, a, b)
  const old = pair(lambda, a, b)
  const g = pair(gamma, a, b)
  let error = f64x2.add(c, f64x2.mul(soft, old))
  const isDamped = f64x2.gt(g, zero)
  if (v128.any_true(isDamped)) {
    error = v128.bitselect(f64x2.add(error, f64x2.mul(g, moved(s, away))), error, isDamped)
    w = v128.bitselect(f64x2.mul(w, f64x2.add(f64x2.splat(1), g)), w, isDamped)
  }
  const divisor = f64x2.add(w, soft)
  const moves = v128.andnot(on, f64x2.le(divisor, f64x2.splat(IMMOVABLE)))
  let step = f64x2.div(f64x2.mul(f64x2.neg(pair(relaxation, a, b)), error), divisor)
  const way = f64x2.mul(step, w)
  const isFar = v128.and(f64x2.gt(f64x2.abs(way), most), f64x2.gt(most, zero))
  if (v128.any_true(isFar)) {
    const limit = f64x2.div(v128.bitselect(most, f64x2.neg(most), f64x2.gt(way, zero)), w)
    step = v128.bitselect(limit, step, isFar)
  }
  storeBoth(lambda + (a << 3), lambda + (b << 3), v128.bitselect(f64x2.add(old, step), old, moves))
  displaceAll(s, step, v128.and(moves, f64x2.lt(f64x2.abs(step), f64x2.splat(RUNAWAY))), false)
}
