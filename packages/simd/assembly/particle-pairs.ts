// Preparation of contacts of two particles (collision: particles/pair-contact.ts): two rows in the lanes of a vector, as no row writes what another reads.

import { dot, firsts, recordOf, seconds } from './access'

/** Bytes of a row's record, and what is where in it (collision: particles/pair-columns.ts). */
const RECORD: usize = 88
const N: usize = 0
const APART: usize = 24
const APPROACH: usize = 64
const NEAR: usize = 72
const TAKEN: usize = 80

/** Way in a substep, squared, as a share of d², from which the first touch is sought. */
const SLOW: f64 = 0.25 * 0.25
/** How much nearer than predicted other rows may bring two: as a share of their squared way, and of d. */
const FARTHER: f64 = 2 * 2
const ASIDE: f64 = 0.25

/** Rows `from` to `to`, over h [s]. */
export function preparePairs(
  position: usize,
  start: usize,
  body: usize,
  record: usize,
  from: usize,
  to: usize,
  h: f64,
): void {
  for (let row = from; row < to; row += 2) {
    // A last row by itself is taken twice.
    const other = row + 1 < to ? row + 1 : row
    prepareTwo(
      position,
      start,
      body + (row << 4),
      body + (other << 4),
      record + RECORD * row,
      record + RECORD * other,
      h,
    )
  }
}

function prepareTwo(position: usize, start: usize, idsA: usize, idsB: usize, r: usize, q: usize, h: f64): void {
  const zero = f64x2.splat(0)
  const one = f64x2.splat(1)
  const ia = recordOf(idsA)
  const ja = recordOf(idsA + 8)
  const ib = recordOf(idsB)
  const jb = recordOf(idsB + 8)
  const d = f64x2.replace_lane(f64x2.splat(load<f64>(r, APART)), 1, load<f64>(q, APART))
  const startA = f64x2.sub(v128.load(start + ia), v128.load(start + ja))
  const startB = f64x2.sub(v128.load(start + ib), v128.load(start + jb))
  const highA = f64x2.sub(v128.load(start + ia, 16), v128.load(start + ja, 16))
  const highB = f64x2.sub(v128.load(start + ib, 16), v128.load(start + jb, 16))
  const sx = firsts(startA, startB)
  const sy = seconds(startA, startB)
  const sz = firsts(highA, highB)
  const nowA = f64x2.sub(v128.load(position + ia), v128.load(position + ja))
  const nowB = f64x2.sub(v128.load(position + ib), v128.load(position + jb))
  const topA = v128.load(position + ia, 16)
  const topB = v128.load(position + ib, 16)
  const lowA = v128.load(position + ja, 16)
  const lowB = v128.load(position + jb, 16)
  const wx = f64x2.sub(firsts(nowA, nowB), sx)
  const wy = f64x2.sub(seconds(nowA, nowB), sy)
  const wz = f64x2.sub(firsts(f64x2.sub(topA, lowA), f64x2.sub(topB, lowB)), sz)
  const w = seconds(f64x2.add(topA, lowA), f64x2.add(topB, lowB))
  const square = dot(sx, sy, sz, sx, sy, sz)
  const way = dot(wx, wy, wz, wx, wy, wz)
  const wide = f64x2.mul(f64x2.splat(1 + ASIDE), d)
  const most = f64x2.mul(f64x2.splat(2), f64x2.add(f64x2.mul(wide, wide), f64x2.mul(f64x2.splat(FARTHER), way)))
  let isNear = v128.and(f64x2.le(square, most), f64x2.ne(w, zero))
  let nx = sx
  let ny = sy
  let nz = sz
  let length = f64x2.sqrt(square)
  const slow = f64x2.mul(f64x2.mul(f64x2.splat(SLOW), d), d)
  const isFast = v128.and(v128.and(f64x2.gt(length, d), f64x2.gt(way, slow)), isNear)
  if (v128.any_true(isFast)) {
    // |s + t w| = d, at its first t in [0, 1].
    const half = dot(sx, sy, sz, wx, wy, wz)
    const under = f64x2.sub(f64x2.mul(half, half), f64x2.mul(way, f64x2.sub(square, f64x2.mul(d, d))))
    const isMissed = v128.and(isFast, v128.or(f64x2.lt(under, zero), f64x2.ge(half, zero)))
    isNear = v128.andnot(isNear, isMissed)
    const t = f64x2.div(f64x2.sub(f64x2.neg(half), f64x2.sqrt(under)), way)
    const touches = v128.and(isFast, f64x2.lt(t, one))
    nx = v128.bitselect(f64x2.add(nx, f64x2.mul(t, wx)), nx, touches)
    ny = v128.bitselect(f64x2.add(ny, f64x2.mul(t, wy)), ny, touches)
    nz = v128.bitselect(f64x2.add(nz, f64x2.mul(t, wz)), nz, touches)
    length = v128.bitselect(d, length, touches)
  }
  const isLong = f64x2.gt(length, zero)
  nx = f64x2.div(v128.bitselect(nx, one, isLong), v128.bitselect(length, one, isLong))
  length = v128.bitselect(length, one, isLong)
  ny = f64x2.div(ny, length)
  nz = f64x2.div(nz, length)
  const approach = f64x2.div(dot(nx, ny, nz, wx, wy, wz), f64x2.splat(h))
  if (i64x2.extract_lane(isNear, 0) != 0) {
    v128.store(r, firsts(nx, ny), N)
    v128.store64_lane(r, nz, 0, N + 16)
    v128.store64_lane(r, approach, 0, APPROACH)
    store<f64>(r, 1, NEAR)
    store<f64>(r, 0, TAKEN)
  } else store<f64>(r, 0, NEAR)
  if (i64x2.extract_lane(isNear, 1) != 0) {
    v128.store(q, seconds(nx, ny), N)
    v128.store64_lane(q, nz, 1, N + 16)
    v128.store64_lane(q, approach, 1, APPROACH)
    store<f64>(q, 1, NEAR)
    store<f64>(q, 0, TAKEN)
  } else store<f64>(q, 0, NEAR)
}
