// Bending of lines at a body (constraints: line-bend.ts): x and y in the lanes of one vector, z in the first of another.

import { at, recordOf } from './access'
import { IMMOVABLE, RUNAWAY, UNBENT } from './constants'
import { displace, highs } from './planar'

/** Rows `from` to `to`. */
export function sweepLineBends(
  position: usize,
  start: usize,
  body: usize,
  inverse: usize,
  rest: usize,
  lambda: usize,
  softness: usize,
  gamma: usize,
  relaxation: usize,
  from: usize,
  to: usize,
): void {
  for (let row = from; row < to; row++) {
    const ids = body + 24 * row
    const op = recordOf(ids)
    const oq = recordOf(ids + 8)
    const or = recordOf(ids + 16)
    const p = position + op
    const q = position + oq
    const r = position + or
    const before = at(inverse, 2 * row)
    const after = at(inverse, 2 * row + 1)
    const b2 = f64x2.splat(before)
    const a2 = f64x2.splat(after)
    const wp = load<f64>(p, 24)
    const wq = load<f64>(q, 24)
    const wr = load<f64>(r, 24)
    const whole = before + after
    const xq = v128.load(q)
    const bxy = f64x2.sub(f64x2.mul(a2, f64x2.sub(v128.load(r), xq)), f64x2.mul(b2, f64x2.sub(xq, v128.load(p))))
    const bz = f64x2.sub(f64x2.mul(a2, highs(r, q)), f64x2.mul(b2, highs(q, p)))
    const restTurn = at(rest, row)
    const isCurved = restTurn != 0
    const l = lambda + 24 * row
    const a = at(softness, row)
    const g = at(gamma, row)
    let exy: v128
    let ez: v128
    let length: f64 = 1
    if (isCurved) {
      const x = f64x2.extract_lane(bxy, 0)
      const y = f64x2.extract_lane(bxy, 1)
      const z = f64x2.extract_lane(bz, 0)
      length = Math.sqrt(x * x + y * y + z * z)
      if (length <= UNBENT) continue
      exy = f64x2.splat(0)
      ez = f64x2.splat(0)
    } else {
      const aa = f64x2.splat(a)
      exy = f64x2.add(bxy, f64x2.mul(aa, v128.load(l)))
      ez = f64x2.add(bz, f64x2.mul(aa, v128.load64_zero(l, 16)))
    }
    let w = before * before * wp + whole * whole * wq + after * after * wr
    if (g > 0) {
      const sp = start + op
      const sq = start + oq
      const sr = start + or
      const gg = f64x2.splat(g)
      const s = v128.load(sq)
      const movedXY = f64x2.add(
        f64x2.sub(bxy, f64x2.mul(a2, f64x2.sub(v128.load(sr), s))),
        f64x2.mul(b2, f64x2.sub(s, v128.load(sp))),
      )
      const movedZ = f64x2.add(f64x2.sub(bz, f64x2.mul(a2, highs(sr, sq))), f64x2.mul(b2, highs(sq, sp)))
      exy = f64x2.add(exy, f64x2.mul(gg, movedXY))
      ez = f64x2.add(ez, f64x2.mul(gg, movedZ))
      w *= 1 + g
    }
    if (w + a <= IMMOVABLE) continue
    const scale = -at(relaxation, row) / (w + a)
    if (isCurved) {
      const along =
        f64x2.extract_lane(exy, 0) * f64x2.extract_lane(bxy, 0) +
        f64x2.extract_lane(exy, 1) * f64x2.extract_lane(bxy, 1) +
        f64x2.extract_lane(ez, 0) * f64x2.extract_lane(bz, 0)
      const e = length - restTurn + a * load<f64>(l) + along / length
      store<f64>(l, load<f64>(l) + scale * e)
      const ee = f64x2.splat(e)
      const ll = f64x2.splat(length)
      exy = f64x2.div(f64x2.mul(ee, bxy), ll)
      ez = f64x2.div(f64x2.mul(ee, bz), ll)
    } else {
      v128.store(l, f64x2.add(v128.load(l), f64x2.mul(f64x2.splat(scale), exy)))
      store<f64>(l, load<f64>(l, 16) + scale * f64x2.extract_lane(ez, 0), 16)
    }
    const size =
      Math.abs(f64x2.extract_lane(exy, 0)) + Math.abs(f64x2.extract_lane(exy, 1)) + Math.abs(f64x2.extract_lane(ez, 0))
    if (!(Math.abs(scale) * size < RUNAWAY)) continue
    if (wp != 0) displace(p, scale * before * wp, exy, ez)
    if (wq != 0) displace(q, -scale * whole * wq, exy, ez)
    if (wr != 0) displace(r, scale * after * wr, exy, ez)
  }
}
