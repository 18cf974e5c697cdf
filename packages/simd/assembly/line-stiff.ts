// The solve of lines where the turning of the tension counts (constraints: parts/line-stiff.ts): blocks of three by three, forth and back, two lines at once.

import { dot } from './access'
import { LEAST_PIVOT, STIFF } from './constants'
import {
  BEFORE,
  DISTANCE,
  ERROR,
  FX,
  FY,
  FZ,
  NX,
  NY,
  NZ,
  pair,
  putBodies,
  putPair,
  Q,
  RECORD,
  S,
  SOFT,
  STEP,
  turnsLittle,
  W,
  X0,
  Y0,
  Z0,
} from './line-record'
import * as hand from './line-record'

/** Share of the last tension below which a row's turning is that of its present one; solves until none is. */
const EASED: f64 = 0.25
const EASINGS: i32 = 3

/** Both ways until no row bears much less than it bore. A line that has settled is solved again with the other one, to the same bits. */
export function solveStiff(): void {
  for (let round = 0; round < EASINGS; round++) {
    goForth()
    goBack()
    if (!ease()) return
  }
  goForth()
  goBack()
}

/** What rows bear takes the place of what they bore, where it is less than a quarter of that; whether any did. */
function ease(): bool {
  const zero = f64x2.splat(0)
  let eased = zero
  let o = hand.scratch
  for (let k: usize = 0; k < hand.count; k++) {
    const bore = pair(hand.reference, hand.baseA + k, hand.baseB + k)
    const bears = f64x2.add(v128.load(o, BEFORE), v128.load(o, STEP))
    const isEased = v128.andnot(f64x2.lt(bore, zero), f64x2.le(bears, f64x2.mul(f64x2.splat(EASED), bore)))
    const left = v128.and(bears, f64x2.lt(bears, zero))
    putPair(hand.reference, hand.baseA + k, hand.baseB + k, v128.bitselect(left, bore, isEased))
    eased = v128.or(eased, isEased)
    o += RECORD
  }
  return v128.any_true(eased)
}

/** The way forth: Q and s of each row. */
function goForth(): void {
  const reference = hand.reference
  const baseA = hand.baseA
  const baseB = hand.baseB
  const count = hand.count
  const zero = f64x2.splat(0)
  const one = f64x2.splat(1)
  let o = hand.scratch
  let wp = v128.load(o, W)
  let w00 = wp
  let w01 = zero
  let w02 = zero
  let w11 = wp
  let w12 = zero
  let w22 = wp
  let ux = zero
  let uy = zero
  let uz = zero
  for (let k: usize = 0; k < count; k++) {
    const w = v128.load(o + RECORD, W)
    const mx = v128.load(o, NX)
    const my = v128.load(o, NY)
    const mz = v128.load(o, NZ)
    const soft = v128.load(o, SOFT)
    const error = v128.load(o, ERROR)
    const distance = v128.load(o, DISTANCE)
    // Between bodies that do not move nothing may give way at all.
    const a = v128.bitselect(soft, f64x2.add(soft, f64x2.mul(f64x2.splat(LEAST_PIVOT), wp)), f64x2.gt(w, zero))
    const tx = f64x2.add(ux, f64x2.mul(mx, error))
    const ty = f64x2.add(uy, f64x2.mul(my, error))
    const tz = f64x2.add(uz, f64x2.mul(mz, error))
    const tension = f64x2.neg(pair(reference, baseA + k, baseB + k))
    const turns = f64x2.gt(f64x2.mul(tension, f64x2.add(wp, w)), f64x2.mul(f64x2.splat(STIFF), distance))
    let c00 = zero
    let c01 = zero
    let c02 = zero
    let c11 = zero
    let c12 = zero
    let c22 = zero
    if (v128.any_true(turns)) {
      const across = f64x2.div(distance, tension)
      const g = f64x2.sub(a, across)
      const gx = f64x2.mul(g, mx)
      const gy = f64x2.mul(g, my)
      const b00 = f64x2.add(f64x2.add(f64x2.add(w00, w), across), f64x2.mul(gx, mx))
      const b01 = f64x2.add(w01, f64x2.mul(gx, my))
      const b02 = f64x2.add(w02, f64x2.mul(gx, mz))
      const b11 = f64x2.add(f64x2.add(f64x2.add(w11, w), across), f64x2.mul(gy, my))
      const b12 = f64x2.add(w12, f64x2.mul(gy, mz))
      const b22 = f64x2.add(f64x2.add(f64x2.add(w22, w), across), f64x2.mul(f64x2.mul(g, mz), mz))
      c00 = f64x2.sub(f64x2.mul(b11, b22), f64x2.mul(b12, b12))
      c01 = f64x2.sub(f64x2.mul(b02, b12), f64x2.mul(b01, b22))
      c02 = f64x2.sub(f64x2.mul(b01, b12), f64x2.mul(b02, b11))
      c11 = f64x2.sub(f64x2.mul(b00, b22), f64x2.mul(b02, b02))
      c12 = f64x2.sub(f64x2.mul(b01, b02), f64x2.mul(b00, b12))
      c22 = f64x2.sub(f64x2.mul(b00, b11), f64x2.mul(b01, b01))
      const inverse = f64x2.div(one, dot(b00, b01, b02, c00, c01, c02))
      c00 = f64x2.mul(c00, inverse)
      c01 = f64x2.mul(c01, inverse)
      c02 = f64x2.mul(c02, inverse)
      c11 = f64x2.mul(c11, inverse)
      c12 = f64x2.mul(c12, inverse)
      c22 = f64x2.mul(c22, inverse)
    }
    if (!i64x2.all_true(turns)) {
      const along = f64x2.add(
        f64x2.add(f64x2.mul(mx, dot(w00, w01, w02, mx, my, mz)), f64x2.mul(my, dot(w01, w11, w12, mx, my, mz))),
        f64x2.mul(mz, dot(w02, w12, w22, mx, my, mz)),
      )
      const inverse = f64x2.div(one, f64x2.add(f64x2.add(along, a), w))
      const ix = f64x2.mul(inverse, mx)
      const iy = f64x2.mul(inverse, my)
      c00 = v128.bitselect(c00, f64x2.mul(ix, mx), turns)
      c01 = v128.bitselect(c01, f64x2.mul(ix, my), turns)
      c02 = v128.bitselect(c02, f64x2.mul(ix, mz), turns)
      c11 = v128.bitselect(c11, f64x2.mul(iy, my), turns)
      c12 = v128.bitselect(c12, f64x2.mul(iy, mz), turns)
      c22 = v128.bitselect(c22, f64x2.mul(f64x2.mul(inverse, mz), mz), turns)
    }
    v128.store(o, c00, Q)
    v128.store(o, c01, Q + 16)
    v128.store(o, c02, Q + 32)
    v128.store(o, c11, Q + 48)
    v128.store(o, c12, Q + 64)
    v128.store(o, c22, Q + 80)
    v128.store(o, tx, S)
    v128.store(o, ty, S + 16)
    v128.store(o, tz, S + 32)
    ux = f64x2.mul(w, dot(c00, c01, c02, tx, ty, tz))
    uy = f64x2.mul(w, dot(c01, c11, c12, tx, ty, tz))
    uz = f64x2.mul(w, dot(c02, c12, c22, tx, ty, tz))
    const ww = f64x2.mul(w, w)
    const minus = f64x2.neg(ww)
    w00 = f64x2.sub(w, f64x2.mul(ww, c00))
    w01 = f64x2.mul(minus, c01)
    w02 = f64x2.mul(minus, c02)
    w11 = f64x2.sub(w, f64x2.mul(ww, c11))
    w12 = f64x2.mul(minus, c12)
    w22 = f64x2.sub(w, f64x2.mul(ww, c22))
    wp = w
    o += RECORD
  }
}

/** The way back: F and Δλ. */
function goBack(): void {
  const zero = f64x2.splat(0)
  let o = hand.scratch + RECORD * hand.count
  v128.store(o, zero, FX)
  v128.store(o, zero, FY)
  v128.store(o, zero, FZ)
  let gx = zero
  let gy = zero
  let gz = zero
  for (let k = hand.count; k > 0; k--) {
    const w = v128.load(o, W)
    o -= RECORD
    const tx = f64x2.sub(f64x2.mul(w, gx), v128.load(o, S))
    const ty = f64x2.sub(f64x2.mul(w, gy), v128.load(o, S + 16))
    const tz = f64x2.sub(f64x2.mul(w, gz), v128.load(o, S + 32))
    const c01 = v128.load(o, Q + 16)
    const c02 = v128.load(o, Q + 32)
    const c12 = v128.load(o, Q + 64)
    gx = dot(v128.load(o, Q), c01, c02, tx, ty, tz)
    gy = dot(c01, v128.load(o, Q + 48), c12, tx, ty, tz)
    gz = dot(c02, c12, v128.load(o, Q + 80), tx, ty, tz)
    v128.store(o, gx, FX)
    v128.store(o, gy, FY)
    v128.store(o, gz, FZ)
    v128.store(o, dot(gx, gy, gz, v128.load(o, NX), v128.load(o, NY), v128.load(o, NZ)), STEP)
  }
}

/** λ and dX = w (F_k − F_{k−1}); whether no row turns too far. */
export function displaceStiff(): bool {
  const zero = f64x2.splat(0)
  let tx = zero
  let ty = zero
  let tz = zero
  let ex = zero
  let ey = zero
  let ez = zero
  let isNear = f64x2.eq(zero, zero)
  let o = hand.scratch
  for (let k: usize = 0; k <= hand.count; k++) {
    const w = v128.load(o, W)
    const ux = v128.load(o, FX)
    const uy = v128.load(o, FY)
    const uz = v128.load(o, FZ)
    const sx = f64x2.mul(w, f64x2.sub(ux, tx))
    const sy = f64x2.mul(w, f64x2.sub(uy, ty))
    const sz = f64x2.mul(w, f64x2.sub(uz, tz))
    const x = v128.load(o, X0)
    const y = v128.load(o, Y0)
    const z = v128.load(o, Z0)
    // What does not move keeps its bits.
    const moves = f64x2.ne(w, zero)
    putBodies(
      k,
      v128.bitselect(f64x2.add(x, sx), x, moves),
      v128.bitselect(f64x2.add(y, sy), y, moves),
      v128.bitselect(f64x2.add(z, sz), z, moves),
    )
    if (k > 0) {
      const b = o - RECORD
      putPair(hand.lambda, hand.baseA + k - 1, hand.baseB + k - 1, f64x2.add(v128.load(b, BEFORE), v128.load(b, STEP)))
      isNear = v128.and(isNear, turnsLittle(b, f64x2.sub(ex, sx), f64x2.sub(ey, sy), f64x2.sub(ez, sz)))
    }
    ex = sx
    ey = sy
    ez = sz
    tx = ux
    ty = uy
    tz = uz
    o += RECORD
  }
  return i64x2.all_true(isNear)
}
