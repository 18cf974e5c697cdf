/**
 * Reduction of large angles by n π/2, exactly: integers as lists of limbs of 24 bits, the least first, which every engine has.
 *
 * A double is no closer than 2⁻⁶² to n π/2, n < 2¹⁰²⁴. Of the 1152 bits of π/2 below, 66 good ones are left of the worst.
 */

/** π/2 in units of 2⁻¹¹⁵². */
const HALF_PI_HEX =
  '1921fb54442d18469898cc51701b839a252049c1114cf98e804177d4c76273644a29410f31c6809bbdf2a33679a74863' +
  '6605614dbe4be286e9fc26adadaa3848bc90b6aecc4bcfd8de89885d34c6fdad617feb96de80d6fdbdc70d7f6b5133f4' +
  'b5d3e4822f8963fcc9250cca3d9c8b67b8400f97142c77e0b31b4906c38aba734d22c7f51fa499ebf06caba47b9475b2' +
  'c'

const LIMB = 0x1000000
const LIMB_DIGITS = 6
/** Limbs of the fraction; two more hold the whole part. */
const WHOLE = 48
const LIMBS = WHOLE + 2
/** 2⁻²⁴ and 2⁻⁴⁸. */
const UNIT = 1 / LIMB

let halfPi: Float64Array | undefined
let turn: Float64Array | undefined
let value: Float64Array | undefined
/** 2²⁴ᵏ modulo 2π, by k: what a limb of the whole part stands for. Made up to the largest that was asked for. */
const powers: Float64Array[] = []

/** n modulo 4 and, in out[0] + out[1], r of a = n π/2 + r, for a finite a >= 1. */
export function reduceHuge(a: number, out: Float64Array): number {
  halfPi ??= parse()
  turn ??= times4(halfPi)
  value ??= new Float64Array(LIMBS)
  value.fill(0)
  // The whole part of a, 24 bits at a time from the first, each times its power of 2²⁴ modulo 2π.
  let unit = 1
  let k = 0
  for (; LIMB * unit <= a; k++) unit *= LIMB
  makePowers(k, turn)
  let rest = a
  for (; unit >= 1; unit /= LIMB, k--) {
    const bits = Math.floor(rest / unit)
    rest -= bits * unit
    if (bits > 0) addTimes(value, bits, powers[k], turn)
  }
  // The fraction: of a double that is larger than 2¹⁷ not more than 36 bits.
  for (k = WHOLE - 1; rest > 0; k--) {
    rest *= LIMB
    value[k] += Math.floor(rest)
    rest -= Math.floor(rest)
  }
  carryOn(value)
  while (!isLess(value, turn)) subtract(value, turn)
  let n = 0
  let isNegative = false
  // r lies in [−π/4, π/4): quarters are taken off while twice the rest is one or more.
  while (!isNegative && !isHalfLess(value, halfPi)) {
    isNegative = isLess(value, halfPi)
    if (isNegative) negate(value, halfPi)
    else subtract(value, halfPi)
    n++
  }
  readFirst(value, isNegative ? -1 : 1, out)
  return n & 3
}

function parse(): Float64Array {
  const limbs = new Float64Array(LIMBS)
  for (let k = 0; k < LIMBS; k++) {
    const end = HALF_PI_HEX.length - LIMB_DIGITS * k
    if (end > 0) limbs[k] = parseInt(HALF_PI_HEX.slice(Math.max(0, end - LIMB_DIGITS), end), 16)
  }
  return limbs
}

function times4(limbs: Float64Array): Float64Array {
  const product = limbs.slice()
  double(product)
  double(product)
  return product
}

/** Makes 2²⁴ᵏ modulo 2π up to `most`. */
function makePowers(most: number, w: Float64Array): void {
  while (powers.length <= most) {
    const next = new Float64Array(LIMBS)
    if (powers.length === 0) next[WHOLE] = 1
    else next.set(powers[powers.length - 1].subarray(0, LIMBS - 1), 1)
    takeTurns(next, w)
    powers.push(next)
  }
}

/** v ← v + n p modulo w, for n < 2²⁴. */
function addTimes(v: Float64Array, n: number, p: Float64Array, w: Float64Array): void {
  for (let k = 0; k < LIMBS; k++) v[k] += n * p[k]
  carryOn(v)
  takeTurns(v, w)
}

/** Brings limbs that are too large back below 2²⁴. */
function carryOn(v: Float64Array): void {
  for (let k = 0; k + 1 < LIMBS; k++) {
    const carry = Math.floor(v[k] * UNIT)
    v[k] -= carry * LIMB
    v[k + 1] += carry
  }
}

/** v ← v modulo w. The quotient is estimated from the first limbs, not more than one too small. */
function takeTurns(v: Float64Array, w: Float64Array): void {
  const first = v[WHOLE + 1] * LIMB + v[WHOLE] + v[WHOLE - 1] * UNIT
  const q = Math.max(0, Math.floor(first / (w[WHOLE] + w[WHOLE - 1] * UNIT + UNIT)))
  let carry = 0
  for (let k = 0; k < LIMBS; k++) {
    const difference = v[k] - q * w[k] + carry
    carry = Math.floor(difference * UNIT)
    v[k] = difference - carry * LIMB
  }
  while (!isLess(v, w)) subtract(v, w)
}

function double(v: Float64Array): void {
  let carry = 0
  for (let k = 0; k < LIMBS; k++) {
    const twice = 2 * v[k] + carry
    carry = twice >= LIMB ? 1 : 0
    v[k] = twice - carry * LIMB
  }
}

function isLess(v: Float64Array, w: Float64Array): boolean {
  for (let k = LIMBS - 1; k >= 0; k--) if (v[k] !== w[k]) return v[k] < w[k]
  return false
}

/** Whether 2 v < w. */
function isHalfLess(v: Float64Array, w: Float64Array): boolean {
  for (let k = LIMBS - 1; k >= 0; k--) {
    const carry = k > 0 && v[k - 1] >= LIMB / 2 ? 1 : 0
    const twice = ((2 * v[k]) % LIMB) + carry
    // What is doubled may be one limb longer.
    if (k === LIMBS - 1 && v[k] >= LIMB / 2) return false
    if (twice !== w[k]) return twice < w[k]
  }
  return false
}

/** v ← v − w, for v >= w. */
function subtract(v: Float64Array, w: Float64Array): void {
  let borrow = 0
  for (let k = 0; k < LIMBS; k++) {
    const difference = v[k] - w[k] - borrow
    borrow = difference < 0 ? 1 : 0
    v[k] = difference + borrow * LIMB
  }
}

/** v ← w − v, for w > v. */
function negate(v: Float64Array, w: Float64Array): void {
  let borrow = 0
  for (let k = 0; k < LIMBS; k++) {
    const difference = w[k] - v[k] - borrow
    borrow = difference < 0 ? 1 : 0
    v[k] = difference + borrow * LIMB
  }
}

/** The first 120 bits and more of v, with a sign, as the sum of out[0] and out[1], of which the first is the sum rounded. */
function readFirst(v: Float64Array, sign: number, out: Float64Array): void {
  let top = LIMBS - 1
  while (top > 5 && v[top] === 0) top--
  // Two limbs are exact in a double.
  let scale = 1
  for (let k = WHOLE; k < top; k++) scale *= LIMB
  for (let k = WHOLE; k > top; k--) scale *= UNIT
  const first = (v[top] + v[top - 1] * UNIT) * scale
  const second = (v[top - 2] + v[top - 3] * UNIT) * scale * UNIT * UNIT
  const third = (v[top - 4] + v[top - 5] * UNIT) * scale * UNIT * UNIT * UNIT * UNIT
  const sum = first + second
  const tail = second - (sum - first) + third
  const r = sum + tail
  out[0] = sign * r
  out[1] = sign * (tail - (r - sum))
}
