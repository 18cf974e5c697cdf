/**
 * sin, cos, atan2, acos, asin from + − × ÷ √ only, so that a step gives the same bits on every engine: ECMAScript fixes
 * those to the last bit and leaves Math.sin and its kin to the implementation. Angles in radians.
 *
 *   sin, cos   x = n π/2 + r, |r| <= π/4, r as a sum of two doubles; then one polynomial by the parity of n.
 *              |x| <= 2¹⁷: π/2 in three parts (Cody and Waite, "Software Manual for the Elementary Functions", 1980);
 *              beyond: integers of 24 bits a number and 1152 bits of π/2, right for every double.
 *   atan2      j π/4 ± atan t, |t| <= 1/2, by octants; π/4 in two parts.
 *   asin       x R(x²), |x| <= 1/2; towards the poles from acos a = 2 asin √((1 − a)/2).
 *
 * Coefficients S, C, P, Q: fdlibm 5.3 (Sun Microsystems, 1993), k_sin.c, k_cos.c, e_asin.c. A: Remez's exchange, 12 terms.
 * Error against 320-bit integers, as test/elementary.test.ts holds it: sin, cos, acos, asin, wrapAngle < 1 ulp, beside
 * multiples of π/2 and for huge arguments too; atan2 < 1.5 ulp.
 */

import { reduceHuge } from './huge-angle.js'

const QUARTER_PI = Math.PI / 4
/** π/4 − QUARTER_PI. Multiples of both by 2, 3 and 4 are exact or correctly rounded. */
const QUARTER_PI_REST = 3.061616997868383e-17

/** Up to this, twice a number does not overflow. */
const HUGE = 8e307

/** Below this |x| sin x is x to the last bit, and the polynomial would lose the sign of −0. */
const SINE_IS_X = 1 / 0x8000000

/** Up to this |x| the products n HALF_PI_1 and n HALF_PI_2 are exact: |n| < 2¹⁷, and the parts have 36 bits. */
const THREE_PARTS = 131072
const TWO_OVER_PI = 0.6366197723675814
const HALF_PI_1 = 1.5707963267923333
const HALF_PI_2 = 2.5633441515839558e-12
const HALF_PI_3 = 1.0562999066987428e-23

/** sin r = r + S1 r³ + S2 r⁵ + …, |r| <= π/4. */
const S1 = -0.16666666666666632
const S2 = 0.00833333333332249
const S3 = -0.0001984126982985795
const S4 = 2.7557313707070068e-6
const S5 = -2.5050760253406863e-8
const S6 = 1.58969099521155e-10

/** cos r = 1 − r²/2 + C2 r⁴ + C3 r⁶ + …, |r| <= π/4. */
const C2 = 0.0416666666666666
const C3 = -0.001388888888887411
const C4 = 2.480158728947673e-5
const C5 = -2.7557314351390663e-7
const C6 = 2.087572321298175e-9
const C7 = -1.1359647557788195e-11

/** atan t = t − A1 t³ − A2 t⁵ − …, |t| <= 1/2; off by 2⁻⁵⁶ t at most. */
const A1 = 0.3333333333333299
const A2 = -0.19999999999903795
const A3 = 0.14285714276429753
const A4 = -0.11111110660942909
const A5 = 0.09090896264583832
const A6 = -0.07692074047740645
const A7 = 0.06663810418539
const A8 = -0.05858288085972918
const A9 = 0.05121919931716038
const A10 = -0.04186168068181147
const A11 = 0.027428163207135592
const A12 = -0.010111210714265214

/** Below this t² the terms from A7 on are less than 2⁻⁵⁹. */
const SHORT = 1 / 256

/** asin s = s + s (P1 s² + P2 s⁴ + …)/(1 + Q1 s² + Q2 s⁴ + …), |s| <= 1/2. */
const P1 = 0.16666666666666666
const P2 = -0.3255658186224009
const P3 = 0.20121253213486293
const P4 = -0.04005553450067941
const P5 = 0.0007915349942898145
const P6 = 3.479331075960212e-5
const Q1 = -2.403394911734414
const Q2 = 2.0209457602335057
const Q3 = -0.6882839716054533
const Q4 = 0.07703815055590194

/** What a helper hands back in two parts, the second far smaller than the first. */
const PARTS = /* @__PURE__ */ new Float64Array(2)
/** What `atan2` hands on. */
const POINT = /* @__PURE__ */ new Float64Array(2)

/** Sine of x [rad]; NaN for ±Infinity. */
export function sin(x: number): number {
  const a = Math.abs(x)
  if (a <= QUARTER_PI) return a < SINE_IS_X ? x : sinNear(x, 0)
  if (!(a < Infinity)) return NaN
  return sinAtQuarter(a <= THREE_PARTS ? reduce(x) : reduceExactly(x))
}

/** Cosine of x [rad]; NaN for ±Infinity. */
export function cos(x: number): number {
  const a = Math.abs(x)
  if (a <= QUARTER_PI) return cosNear(x, 0)
  if (!(a < Infinity)) return NaN
  return sinAtQuarter((a <= THREE_PARTS ? reduce(x) : reduceExactly(x)) + 1)
}

/**
 * Sine and cosine of the angle at x[o], into out[k] and out[k + 1]: `sin` and `cos` to the bit, but once reduced, and from array
 * to array. Numbers that are handed to a function or come back from it are boxed where the compiler does not inline it.
 */
export function sinCos(x: Float64Array, o: number, out: Float64Array, k: number): void {
  const a = Math.abs(x[o])
  let n = 0
  PARTS[0] = x[o]
  PARTS[1] = 0
  if (!(a <= QUARTER_PI)) {
    if (!(a < Infinity)) {
      out[k] = out[k + 1] = NaN
      return
    }
    n = a <= THREE_PARTS ? reduceFirst() : reduceExactly(x[o])
  }
  const r = PARTS[0]
  const rest = PARTS[1]
  // sinNear and cosNear, side by side.
  const z = r * r
  const cube = r * z
  const p = S2 + z * (S3 + z * (S4 + z * (S5 + z * S6)))
  const s = a < SINE_IS_X ? r : r + (cube * S1 + (rest + z * (cube * p - 0.5 * rest)))
  const q = C2 + z * (C3 + z * (C4 + z * (C5 + z * (C6 + z * C7))))
  const half = 0.5 * z
  const w = 1 - half
  const c = w + (1 - w - half + (z * z * q - r * rest))
  const isOdd = (n & 1) !== 0
  out[k] = (n & 2) === 0 ? (isOdd ? c : s) : isOdd ? -c : -s
  out[k + 1] = ((n + 1) & 2) === 0 ? (isOdd ? s : c) : isOdd ? -s : -c
}

/** Angle [rad] of the point (x, y) from the x axis, in [−π, π]; signed zeros and infinities as Math.atan2 has them. */
export function atan2(y: number, x: number): number {
  POINT[0] = y
  POINT[1] = x
  atan2At(POINT, 0)
  return POINT[0]
}

/** p[o] = atan2(p[o], p[o + 1]), from array to array as `sinCos`. */
export function atan2At(p: Float64Array, o: number): void {
  const y = p[o]
  const x = p[o + 1]
  const ax = Math.abs(x)
  const ay = Math.abs(y)
  const left = x < 0 || (x === 0 && 1 / x < 0)
  const steep = ay > ax
  let long = steep ? ay : ax
  let short = steep ? ax : ay
  if (short === long) {
    // A diagonal, or the origin; this also spares 0/0 and ∞/∞.
    short = long === 0 ? 0 : 1
    long = 1
  } else if (long > HUGE) {
    // The sum below would overflow.
    short *= 0.25
    long *= 0.25
  }
  // Nearest axis: 0, π/2 or π, from which the angle turns by atan(short/long), forwards or backwards.
  let j = steep ? 2 : left ? 4 : 0
  const forwards = steep === left
  let t: number
  // Not short > long / 2: half a subnormal may round.
  if (2 * short > long) {
    t = (short - long) / (short + long) // the difference is exact
    j += forwards ? 1 : -1
  } else {
    t = short / long
  }
  if (!forwards) t = -t
  p[o] = t * t
  atanDefectAt(p, o)
  const angle = j * QUARTER_PI - (t * p[o] - j * QUARTER_PI_REST - t)
  p[o] = y < 0 || (y === 0 && 1 / y < 0) ? -angle : angle
}

/** Angle [rad] in [0, π] whose cosine is x; NaN outside [−1, 1]. */
export function acos(x: number): number {
  const a = Math.abs(x)
  if (a < 0.5) return 2 * QUARTER_PI - (x - (2 * QUARTER_PI_REST - x * asinExcess(x * x)))
  arcFromPole(a)
  if (x > 0) return PARTS[0] + PARTS[1]
  return 4 * QUARTER_PI - PARTS[0] - (PARTS[1] - 4 * QUARTER_PI_REST)
}

/** Angle [rad] in [−π/2, π/2] whose sine is x; NaN outside [−1, 1]. */
export function asin(x: number): number {
  const a = Math.abs(x)
  if (a < 0.5) return x + x * asinExcess(x * x)
  arcFromPole(a)
  const angle = 2 * QUARTER_PI - PARTS[0] - (PARTS[1] - 2 * QUARTER_PI_REST)
  return x < 0 ? -angle : angle
}

/**
 * The angle x [rad] less whole turns, in (−π, π].
 *
 * What is there already comes back unchanged, −Math.PI included: that double lies just inside −π.
 */
export function wrapAngle(x: number): number {
  const a = Math.abs(x)
  if (a <= Math.PI) return x
  if (!(a < Infinity)) return NaN
  const n = (a <= THREE_PARTS ? reduce(x) : reduceExactly(x)) & 3
  const j = n === 3 || (n === 2 && PARTS[0] > 0) ? n - 4 : n
  return 2 * j * QUARTER_PI + (PARTS[0] + (PARTS[1] + 2 * j * QUARTER_PI_REST))
}

/** p[o] = 1 − atan(t)/t of p[o] = t², for t² <= 1/4; from array to array as `sinCos`. */
export function atanDefectAt(p: Float64Array, o: number): void {
  const z = p[o]
  const w = z * z
  if (z < SHORT) {
    p[o] = z * (A1 + w * (A3 + w * A5)) + w * (A2 + w * (A4 + w * A6))
    return
  }
  const odd = A1 + w * (A3 + w * (A5 + w * (A7 + w * (A9 + w * A11))))
  const even = A2 + w * (A4 + w * (A6 + w * (A8 + w * (A10 + w * A12))))
  p[o] = z * odd + w * even
}

/** asin(s)/s − 1 as a function of z = s², for |s| <= 1/2. */
function asinExcess(z: number): number {
  const p = z * (P1 + z * (P2 + z * (P3 + z * (P4 + z * (P5 + z * P6)))))
  return p / (1 + z * (Q1 + z * (Q2 + z * (Q3 + z * Q4))))
}

/** acos(a) = 2 asin √((1 − a)/2) for a >= 1/2, into PARTS: of 24 bits, and the rest. */
function arcFromPole(a: number): void {
  const z = 0.5 * (1 - a)
  const s = Math.sqrt(z)
  const head = Math.fround(s)
  // √z − head without cancellation, as head² is exact; 0/0 at the pole itself.
  const tail = z === 0 ? 0 : (z - head * head) / (s + head)
  PARTS[0] = 2 * head
  PARTS[1] = 2 * (s * asinExcess(z) + tail)
}

/** n and, in PARTS, r of x = n π/2 + r, for |x| <= THREE_PARTS. */
function reduce(x: number): number {
  PARTS[0] = x
  return reduceFirst()
}

/** As `reduce`, of the first of PARTS. */
function reduceFirst(): number {
  const x = PARTS[0]
  const n = Math.round(x * TWO_OVER_PI)
  // a and b are exact; a − b is hi + lo exactly (Knuth's sum): beside a multiple of π/2 it cancels.
  const a = x - n * HALF_PI_1
  const b = n * HALF_PI_2
  const hi = a - b
  const v = hi - a
  const lo = a - (hi - v) - (b + v) - n * HALF_PI_3
  const r = hi + lo
  PARTS[0] = r
  PARTS[1] = hi - r + lo
  return n
}

/** As `reduce`, for any finite |x| >= THREE_PARTS; n is taken modulo 4. */
function reduceExactly(x: number): number {
  const sign = x < 0 ? -1 : 1
  const n = reduceHuge(sign * x, PARTS)
  PARTS[0] *= sign
  PARTS[1] *= sign
  return sign * n
}

/** sin(n π/2 + r) of the last reduction. */
function sinAtQuarter(n: number): number {
  const s = (n & 1) === 0 ? sinNear(PARTS[0], PARTS[1]) : cosNear(PARTS[0], PARTS[1])
  return (n & 2) === 0 ? s : -s
}

/** sin(r + rest), |r| <= π/4, |rest| <= ½ ulp of r. */
function sinNear(r: number, rest: number): number {
  const z = r * r
  const cube = r * z
  const p = S2 + z * (S3 + z * (S4 + z * (S5 + z * S6)))
  return r + (cube * S1 + (rest + z * (cube * p - 0.5 * rest)))
}

/** cos(r + rest), likewise. */
function cosNear(r: number, rest: number): number {
  const z = r * r
  const p = C2 + z * (C3 + z * (C4 + z * (C5 + z * (C6 + z * C7))))
  // 1 − z/2 rounds; what it loses goes back in with the small terms.
  const half = 0.5 * z
  const w = 1 - half
  return w + (1 - w - half + (z * z * p - r * rest))
}
