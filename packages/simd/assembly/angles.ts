// Angles from + − × ÷ alone (core: math/elementary.ts, atan2), of two points in the lanes.

const QUARTER_PI: f64 = Math.PI / 4
/** What π/4 has beyond that, and up to what twice a number does not overflow. */
const QUARTER_PI_REST: f64 = 3.061616997868383e-17
const HUGE: f64 = 8e307

/** atan t = t − A1 t³ − A2 t⁵ − …, as in TypeScript; below SHORT of t² the terms from A7 on do not count. */
const A1: f64 = 0.3333333333333299
const A2: f64 = -0.19999999999903795
const A3: f64 = 0.14285714276429753
const A4: f64 = -0.11111110660942909
const A5: f64 = 0.09090896264583832
const A6: f64 = -0.07692074047740645
const A7: f64 = 0.06663810418539
const A8: f64 = -0.05858288085972918
const A9: f64 = 0.05121919931716038
const A10: f64 = -0.04186168068181147
const A11: f64 = 0.027428163207135592
const A12: f64 = -0.010111210714265214
const SHORT: f64 = 1 / 256

/** Lanes whose angle `atan2` does not find: diagonals, the origin, and what is huge. */
export function isSpecial(y: v128, x: v128): v128 {
  const ax = f64x2.abs(x)
  const ay = f64x2.abs(y)
  return v128.or(f64x2.eq(ax, ay), f64x2.gt(f64x2.max(ax, ay), f64x2.splat(HUGE)))
}

/** Angles of the points (x, y) from the x axis, of lanes that are not special. */
export function atan2(y: v128, x: v128): v128 {
  const ax = f64x2.abs(x)
  const ay = f64x2.abs(y)
  const left = isNegative(x)
  const steep = f64x2.gt(ay, ax)
  const long = v128.bitselect(ay, ax, steep)
  const short = v128.bitselect(ax, ay, steep)
  const backwards = v128.xor(steep, left)
  const isDiagonal = f64x2.gt(f64x2.add(short, short), long)
  let t = f64x2.div(
    v128.bitselect(f64x2.sub(short, long), short, isDiagonal),
    v128.bitselect(f64x2.add(short, long), long, isDiagonal),
  )
  t = v128.bitselect(f64x2.neg(t), t, backwards)
  const one = v128.bitselect(f64x2.splat(-1), f64x2.splat(1), backwards)
  const axis = v128.bitselect(f64x2.splat(2), v128.and(f64x2.splat(4), left), steep)
  const j = f64x2.add(axis, v128.and(one, isDiagonal))
  const rest = f64x2.mul(j, f64x2.splat(QUARTER_PI_REST))
  const near = f64x2.sub(f64x2.sub(f64x2.mul(t, defect(f64x2.mul(t, t))), rest), t)
  const angle = f64x2.sub(f64x2.mul(j, f64x2.splat(QUARTER_PI)), near)
  return v128.bitselect(f64x2.neg(angle), angle, isNegative(y))
}

/** Lanes with a sign, of zeros too. */
function isNegative(x: v128): v128 {
  return i64x2.shr_s(x, 63)
}

/** 1 − atan(t)/t of z = t², for t² <= 1/4. */
function defect(z: v128): v128 {
  const w = f64x2.mul(z, z)
  const few = f64x2.add(
    f64x2.mul(z, term(A1, w, term(A3, w, f64x2.splat(A5)))),
    f64x2.mul(w, term(A2, w, term(A4, w, f64x2.splat(A6)))),
  )
  const isShort = f64x2.lt(z, f64x2.splat(SHORT))
  if (i64x2.all_true(isShort)) return few
  const odd = term(A1, w, term(A3, w, term(A5, w, term(A7, w, term(A9, w, f64x2.splat(A11))))))
  const even = term(A2, w, term(A4, w, term(A6, w, term(A8, w, term(A10, w, f64x2.splat(A12))))))
  return v128.bitselect(few, f64x2.add(f64x2.mul(z, odd), f64x2.mul(w, even)), isShort)
}

/** a + w b. */
function term(a: f64, w: v128, b: v128): v128 {
  return f64x2.add(f64x2.splat(a), f64x2.mul(w, b))
}
