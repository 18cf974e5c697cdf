// Bending of two triangles (constraints: isometric-bend.ts): x and y in the lanes of one vector, z in the first of another.

import { at, recordOf } from './access'
import { IMMOVABLE, RUNAWAY, UNBENT } from './constants'
import { displace, highs } from './planar'

/** Σ K (x_k − x_0) of three bodies, in this order: x and y, or z of `highs`. */
function sum(k1: f64, u: v128, k2: f64, r: v128, k3: f64, s: v128): v128 {
  return f64x2.add(
    f64x2.add(f64x2.mul(f64x2.splat(k1), u), f64x2.mul(f64x2.splat(k2), r)),
    f64x2.mul(f64x2.splat(k3), s),
  )
}

/** Rows `from` to `to`. */
export function sweepIsometricBends(
  position: usize,
  start: usize,
  body: usize,
  weight: usize,
  rest: usize,
  lambda: usize,
  softness: usize,
  gamma: usize,
  relaxation: usize,
  from: usize,
  to: usize,
): void {
  for (let row = from; row < to; row++) {
    const ids = body + (row << 5)
    const op = recordOf(ids)
    const ou = recordOf(ids + 8)
    const or = recordOf(ids + 16)
    const os = recordOf(ids + 24)
    const p = position + op
    const u = position + ou
    const r = position + or
    const s = position + os
    const k0 = at(weight, 4 * row)
    const k1 = at(weight, 4 * row + 1)
    const k2 = at(weight, 4 * row + 2)
    const k3 = at(weight, 4 * row + 3)
    const xp = v128.load(p)
    const bxy = sum(k1, f64x2.sub(v128.load(u), xp), k2, f64x2.sub(v128.load(r), xp), k3, f64x2.sub(v128.load(s), xp))
    const bz = sum(k1, highs(u, p), k2, highs(r, p), k3, highs(s, p))
    const restTurn = at(rest, row)
    const isCurved = restTurn != 0
    const l = lambda + 24 * row
    const a = at(softness, row)
    const g = at(gamma, row)
    let exy = f64x2.splat(0)
    let ez = f64x2.splat(0)
    let length: f64 = 1
    if (isCurved) {
      const x = f64x2.extract_lane(bxy, 0)
      const y = f64x2.extract_lane(bxy, 1)
      const z = f64x2.extract_lane(bz, 0)
      length = Math.sqrt(x * x + y * y + z * z)
      if (length <= UNBENT) continue
    } else {
      const aa = f64x2.splat(a)
      exy = f64x2.add(bxy, f64x2.mul(aa, v128.load(l)))
      ez = f64x2.add(bz, f64x2.mul(aa, v128.load64_zero(l, 16)))
    }
    const wp = load<f64>(p, 24)
    const wu = load<f64>(u, 24)
    const wr = load<f64>(r, 24)
    const ws = load<f64>(s, 24)
    let w = k0 * k0 * wp + k1 * k1 * wu + k2 * k2 * wr + k3 * k3 * ws
    if (g > 0) {
      const gg = f64x2.splat(g)
      const first = f64x2.splat(k0)
      const movedXY = f64x2.add(
        f64x2.add(
          f64x2.add(
            f64x2.mul(first, f64x2.sub(xp, v128.load(start + op))),
            f64x2.mul(f64x2.splat(k1), f64x2.sub(v128.load(u), v128.load(start + ou))),
          ),
          f64x2.mul(f64x2.splat(k2), f64x2.sub(v128.load(r), v128.load(start + or))),
        ),
        f64x2.mul(f64x2.splat(k3), f64x2.sub(v128.load(s), v128.load(start + os))),
      )
      const movedZ = f64x2.add(
        f64x2.add(
          f64x2.add(f64x2.mul(first, highs(p, start + op)), f64x2.mul(f64x2.splat(k1), highs(u, start + ou))),
          f64x2.mul(f64x2.splat(k2), highs(r, start + or)),
        ),
        f64x2.mul(f64x2.splat(k3), highs(s, start + os)),
      )
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
    const m0 = scale * k0 * wp
    const m1 = scale * k1 * wu
    const m2 = scale * k2 * wr
    const m3 = scale * k3 * ws
    if (m0 != 0) displace(p, m0, exy, ez)
    if (m1 != 0) displace(u, m1, exy, ez)
    if (m2 != 0) displace(r, m2, exy, ez)
    if (m3 != 0) displace(s, m3, exy, ez)
  }
}
