/**
 * The circular functions in integers, right to about 300 bits: what core/src/math is measured against.
 *
 * Numbers are bigints in units of 2⁻ᵇⁱᵗˢ. Each `…Error` is (approximation − truth) in units in the last place (ulp) of
 * the approximation.
 */

/** Bits after the point of sines and cosines. */
const BITS = 320
/** Bits after the point of an argument before whole quarter turns are taken off: it may be as large as 2¹⁰²⁴. */
const ARGUMENT_BITS = 1400

const HALF_PI = machin(ARGUMENT_BITS + 32) >> 33n

/** The double x in units of 2⁻ᵇⁱᵗˢ, cut off below. */
export function fixed(x: number, bits: number): bigint {
  const { mantissa, exponent } = decode(x)
  const shift = BigInt(exponent + bits)
  return shift >= 0n ? mantissa << shift : mantissa >> -shift
}

/** Distance between doubles at x. */
export function ulp(x: number): number {
  return 2 ** decode(x).exponent
}

/** The double nearest to n π/2. */
export function nearHalfPi(n: number): number {
  return Number((BigInt(n) * HALF_PI) >> BigInt(ARGUMENT_BITS - 900)) * 2 ** -900
}

/** r of x = n π/2 + r, |r| <= π/4, as a double with all its bits right. */
export function remainder(x: number): number {
  return Number(reduce(x, HALF_PI).rest >> BigInt(ARGUMENT_BITS - 200)) * 2 ** -200
}

/** Error [ulp] of `value` as sin x, |x| >= 2⁻⁶⁰. */
export function sinError(value: number, x: number): number {
  return difference(value, sinCos(x).s)
}

/** Error [ulp] of `value` as cos x. */
export function cosError(value: number, x: number): number {
  return difference(value, sinCos(x).c)
}

/** Error [ulp] of `angle` as atan2(y, x); |angle| >= 2⁻⁶⁰. */
export function atan2Error(angle: number, y: number, x: number): number {
  const scale = BITS - Math.max(decode(x).exponent, decode(y).exponent)
  return angleError(angle, fixed(y, scale), fixed(x, scale))
}

/** Error [ulp] of `angle` as acos x; |angle| >= 2⁻⁶⁰. */
export function acosError(angle: number, x: number): number {
  return angleError(angle, otherLeg(x), fixed(x, BITS))
}

/** Error [ulp] of `angle` as asin x; |angle| >= 2⁻⁶⁰. */
export function asinError(angle: number, x: number): number {
  return angleError(angle, fixed(x, BITS), otherLeg(x))
}

/** Error [ulp] of `angle` as x less whole turns, |angle| >= 2⁻⁶⁰. */
export function wrapError(angle: number, x: number): number {
  return difference(angle, reduce(x, 4n * HALF_PI).rest >> BigInt(ARGUMENT_BITS - BITS))
}

function decode(x: number): { mantissa: bigint; exponent: number } {
  const bits = new BigUint64Array(Float64Array.of(x).buffer)[0]
  const biased = Number((bits >> 52n) & 0x7ffn)
  const fraction = bits & 0xfffffffffffffn
  const mantissa = biased === 0 ? fraction : fraction | 0x10000000000000n
  return { mantissa: x < 0 ? -mantissa : mantissa, exponent: Math.max(biased, 1) - 1075 }
}

function difference(value: number, exact: bigint): number {
  const unit = fixed(ulp(value), BITS)
  return Number(((fixed(value, BITS) - exact) << 40n) / unit) / 2 ** 40
}

/** With a = the angle: (y cos a − x sin a) / (x cos a + y sin a) = tan(truth − a), and that is so small that it is an arc. */
function angleError(angle: number, y: bigint, x: bigint): number {
  const { s, c } = sinCos(angle)
  const cross = y * c - x * s
  const dot = x * c + y * s
  return -Number((cross << BigInt(BITS)) / dot / (fixed(ulp(angle), BITS) >> 40n)) / 2 ** 40
}

function otherLeg(x: number): bigint {
  const X = fixed(x, BITS)
  return squareRoot((1n << BigInt(2 * BITS)) - X * X)
}

/** x = n period + rest, |rest| <= period/2. */
function reduce(x: number, period: bigint): { n: bigint; rest: bigint } {
  const X = fixed(x, ARGUMENT_BITS)
  const twice = 2n * X + period
  let n = twice / (2n * period)
  if (twice < 0n) n -= 1n
  return { n, rest: X - n * period }
}

function sinCos(x: number): { s: bigint; c: bigint } {
  const { n, rest } = reduce(x, HALF_PI)
  const r = rest >> BigInt(ARGUMENT_BITS - BITS)
  const s = series(r, r, 1n)
  const c = series(1n << BigInt(BITS), r, 0n)
  switch (n & 3n) {
    case 0n:
      return { s, c }
    case 1n:
      return { s: c, c: -s }
    case 2n:
      return { s: -s, c: -c }
    default:
      return { s: -c, c: s }
  }
}

/** first − first r²/((k+1)(k+2)) + … */
function series(first: bigint, r: bigint, k: bigint): bigint {
  const square = (r * r) >> BigInt(BITS)
  let sum = 0n
  for (let term = first; term !== 0n && term !== -1n; k += 2n) {
    sum += term
    term = -((term * square) >> BigInt(BITS)) / ((k + 1n) * (k + 2n))
  }
  return sum
}

/** π = 16 atan(1/5) − 4 atan(1/239). */
function machin(bits: number): bigint {
  const one = 1n << BigInt(bits)
  const arctan = (d: bigint): bigint => {
    let sum = 0n
    let power = one / d
    for (let k = 1n; power !== 0n; k += 2n) {
      sum += (k & 2n) === 0n ? power / k : -power / k
      power /= d * d
    }
    return sum
  }
  return 16n * arctan(5n) - 4n * arctan(239n)
}

/** Newton's iteration from above. */
function squareRoot(x: bigint): bigint {
  let root = 1n << BigInt((x.toString(2).length + 1) >> 1)
  for (let next = (root + x / root) >> 1n; next < root; next = (root + x / root) >> 1n) root = next
  return root
}
