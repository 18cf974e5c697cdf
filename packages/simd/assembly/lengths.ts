// Rows of a length between two centres (constraints: parts/length-row.ts, sweepCentres): two rows that share no body in the lanes of a vector.

import { at, dot, firsts, recordOf, seconds } from './access'
import { IMMOVABLE, RUNAWAY, TOO_SHORT } from './constants'

/** One row, whatever it holds. */
function sweepOne(
  position: usize,
  start: usize,
  body: usize,
  rest: usize,
  lower: usize,
  upper: usize,
  lambda: usize,
  softness: usize,
  gamma: usize,
  relaxation: usize,
  isDamped: bool,
  row: usize,
): void {
  const p = position + recordOf(body + (row << 4))
  const q = position + recordOf(body + (row << 4) + 8)
  const sp = start + (p - position)
  const sq = start + (q - position)
  let dx = load<f64>(p) - load<f64>(q)
  let dy = load<f64>(p, 8) - load<f64>(q, 8)
  let dz = load<f64>(p, 16) - load<f64>(q, 16)
  let length = Math.sqrt(dx * dx + dy * dy + dz * dz)
  if (length < TOO_SHORT) return
  let c = length - at(rest, row)
  if (c < 0) {
    const sx = load<f64>(sp) - load<f64>(sq)
    const sy = load<f64>(sp, 8) - load<f64>(sq, 8)
    const sz = load<f64>(sp, 16) - load<f64>(sq, 16)
    const along = dx * sx + dy * sy + dz * sz
    if (along < 0) {
      const before = Math.sqrt(sx * sx + sy * sy + sz * sz)
      if (before > TOO_SHORT) {
        length = before
        dx = sx
        dy = sy
        dz = sz
        c = along / before - at(rest, row)
      }
    }
  }
  const wp = load<f64>(p, 24)
  const wq = load<f64>(q, 24)
  const a = at(softness, row)
  const old = at(lambda, row)
  let error = c + a * old
  let w = wp + wq
  if (isDamped) {
    // Of a rope or strut that is slack, and was: it bears nothing.
    if (old == 0 && ((at(lower, row) == 0 && c >= 0) || (at(upper, row) == 0 && c <= 0))) return
    const g = at(gamma, row)
    const moved =
      (dx * (load<f64>(p) - load<f64>(sp) - load<f64>(q) + load<f64>(sq)) +
        dy * (load<f64>(p, 8) - load<f64>(sp, 8) - load<f64>(q, 8) + load<f64>(sq, 8)) +
        dz * (load<f64>(p, 16) - load<f64>(sp, 16) - load<f64>(q, 16) + load<f64>(sq, 16))) /
      length
    error += g * moved
    w *= 1 + g
  }
  if (w + a <= IMMOVABLE) return
  let fresh = old - (at(relaxation, row) * error) / (w + a)
  if (fresh < at(lower, row)) fresh = 0
  if (fresh > at(upper, row)) fresh = 0
  store<f64>(lambda + (row << 3), fresh)
  const s = (fresh - old) / length
  if (!(Math.abs(fresh) < RUNAWAY)) return
  if (wp != 0) {
    const m = s * wp
    store<f64>(p, load<f64>(p) + m * dx)
    store<f64>(p, load<f64>(p, 8) + m * dy, 8)
    store<f64>(p, load<f64>(p, 16) + m * dz, 16)
  }
  if (wq != 0) {
    const m = s * wq
    store<f64>(q, load<f64>(q) - m * dx)
    store<f64>(q, load<f64>(q, 8) - m * dy, 8)
    store<f64>(q, load<f64>(q, 16) - m * dz, 16)
  }
}

/** Rows `from` to `to`. */
export function sweepLengths(
  position: usize,
  start: usize,
  body: usize,
  rest: usize,
  lower: usize,
  upper: usize,
  lambda: usize,
  softness: usize,
  gamma: usize,
  relaxation: usize,
  isDamped: bool,
  from: usize,
  to: usize,
): void {
  const zero = f64x2.splat(0)
  let row = from
  while (row < to) {
    const ids = body + (row << 4)
    const oa = recordOf(ids)
    const ob = recordOf(ids + 8)
    // Of a last row by itself what is read here is the next column's, and not used.
    const oc = recordOf(ids + 16)
    const od = recordOf(ids + 24)
    if (isDamped || row + 1 == to || oa == oc || oa == od || ob == oc || ob == od) {
      sweepOne(position, start, body, rest, lower, upper, lambda, softness, gamma, relaxation, isDamped, row)
      row++
      continue
    }
    const a = position + oa
    const b = position + ob
    const c = position + oc
    const d = position + od
    const a0 = v128.load(a)
    const a1 = v128.load(a, 16)
    const b0 = v128.load(b)
    const b1 = v128.load(b, 16)
    const c0 = v128.load(c)
    const c1 = v128.load(c, 16)
    const d0 = v128.load(d)
    const d1 = v128.load(d, 16)
    const px = firsts(a0, c0)
    const py = seconds(a0, c0)
    const pz = firsts(a1, c1)
    const wp = seconds(a1, c1)
    const qx = firsts(b0, d0)
    const qy = seconds(b0, d0)
    const qz = firsts(b1, d1)
    const wq = seconds(b1, d1)
    const dx = f64x2.sub(px, qx)
    const dy = f64x2.sub(py, qy)
    const dz = f64x2.sub(pz, qz)
    const length = f64x2.sqrt(dot(dx, dy, dz, dx, dy, dz))
    const r = row << 3
    const error = f64x2.sub(length, v128.load(rest + r))
    const soft = v128.load(softness + r)
    const w = f64x2.add(f64x2.add(wp, wq), soft)
    // What is out of the ordinary goes row by row.
    let odd = v128.or(f64x2.lt(length, f64x2.splat(TOO_SHORT)), f64x2.le(w, f64x2.splat(IMMOVABLE)))
    const isPressed = f64x2.lt(error, zero)
    if (v128.any_true(isPressed)) {
      const a2 = v128.load(start + oa)
      const a3 = v128.load(start + oa, 16)
      const b2 = v128.load(start + ob)
      const b3 = v128.load(start + ob, 16)
      const c2 = v128.load(start + oc)
      const c3 = v128.load(start + oc, 16)
      const d2 = v128.load(start + od)
      const d3 = v128.load(start + od, 16)
      const near = f64x2.sub(a2, b2)
      const far = f64x2.sub(c2, d2)
      const along = dot(dx, dy, dz, firsts(near, far), seconds(near, far), firsts(f64x2.sub(a3, b3), f64x2.sub(c3, d3)))
      odd = v128.or(odd, v128.and(isPressed, f64x2.lt(along, zero)))
    }
    const old = v128.load(lambda + r)
    const free = f64x2.sub(
      old,
      f64x2.div(f64x2.mul(v128.load(relaxation + r), f64x2.add(error, f64x2.mul(soft, old))), w),
    )
    const isBeyond = v128.or(f64x2.lt(free, v128.load(lower + r)), f64x2.gt(free, v128.load(upper + r)))
    const fresh = v128.andnot(free, isBeyond)
    odd = v128.or(odd, v128.not(f64x2.lt(f64x2.abs(fresh), f64x2.splat(RUNAWAY))))
    if (v128.any_true(odd)) {
      sweepOne(position, start, body, rest, lower, upper, lambda, softness, gamma, relaxation, isDamped, row)
      sweepOne(position, start, body, rest, lower, upper, lambda, softness, gamma, relaxation, isDamped, row + 1)
      row += 2
      continue
    }
    v128.store(lambda + r, fresh)
    const s = f64x2.div(f64x2.sub(fresh, old), length)
    const mp = f64x2.mul(s, wp)
    const mq = f64x2.mul(s, wq)
    // What does not move keeps its bits: −0 + 0 is another zero.
    const movesP = f64x2.ne(wp, zero)
    const movesQ = f64x2.ne(wq, zero)
    const ux = v128.bitselect(f64x2.add(px, f64x2.mul(mp, dx)), px, movesP)
    const uy = v128.bitselect(f64x2.add(py, f64x2.mul(mp, dy)), py, movesP)
    const uz = v128.bitselect(f64x2.add(pz, f64x2.mul(mp, dz)), pz, movesP)
    const vx = v128.bitselect(f64x2.sub(qx, f64x2.mul(mq, dx)), qx, movesQ)
    const vy = v128.bitselect(f64x2.sub(qy, f64x2.mul(mq, dy)), qy, movesQ)
    const vz = v128.bitselect(f64x2.sub(qz, f64x2.mul(mq, dz)), qz, movesQ)
    v128.store(a, firsts(ux, uy))
    v128.store(a, firsts(uz, wp), 16)
    v128.store(c, seconds(ux, uy))
    v128.store(c, seconds(uz, wp), 16)
    v128.store(b, firsts(vx, vy))
    v128.store(b, firsts(vz, wq), 16)
    v128.store(d, seconds(vx, vy))
    v128.store(d, seconds(vz, wq), 16)
    row += 2
  }
}
