import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { acos, asin, atan2, cos, sin, wrapAngle } from '../src/math/elementary.js'
import {
  acosError,
  asinError,
  atan2Error,
  cosError,
  nearHalfPi,
  remainder,
  sinError,
  ulp,
  wrapError,
} from './support/exact.js'
import { runs } from './support/runs.js'
import { SEED } from './support/seed.js'

/** [ulp] sin, cos, acos, asin, wrapAngle: half for the last rounding, the rest for the one before it; 0.8 in 300 000 tries. */
const LIMIT = 1
/** [ulp] atan2: a quotient is rounded as well; 1.40 in 10⁶ tries. */
const LIMIT_ATAN2 = 1.5
/** [ulp] Between two approximations: ours, and an engine's, none of which is known to be off by more than 2. */
const LIMIT_ENGINE = 4
/** Below this the reference runs out of bits; x is the sine of x long before. */
const TINY = 2 ** -60

const check = <T>(arbitrary: fc.Arbitrary<T>, holds: (value: T) => void): void => {
  const property = fc.property(arbitrary, (value) => {
    holds(value)
  })
  fc.assert(property, { seed: SEED, numRuns: runs(2000) })
}

/** Every finite double, as likely small as large. */
const double = fc.double({ noNaN: true, noDefaultInfinity: true })
/** Spread evenly over (−1, 1) without 0, all 53 bits in use. */
const even = fc
  .tuple(fc.nat(2 ** 26 - 1), fc.nat(2 ** 27 - 1), fc.boolean())
  .map(([high, low, minus]) => (minus ? -1 : 1) * (high * 2 ** -26 + low * 2 ** -53))
  .filter((x) => x !== 0)
const upTo = (range: number): fc.Arbitrary<number> => even.map((x) => x * range)
/** Spread evenly over the powers of 2 between two of them, of either sign. */
const powers = (from: number, to: number): fc.Arbitrary<number> =>
  fc.tuple(even, even).map(([x, y]) => (y < 0 ? -1 : 1) * 2 ** (from + (to - from) * Math.abs(x)))

const SPECIAL = [0, 5e-324, 1e-300, 2 ** -27, 0.5, 1, 2, 3, 1e300, Number.MAX_VALUE, Infinity].flatMap((x) => [x, -x])
SPECIAL.push(NaN)

function expectNear(ours: number, theirs: number): void {
  if (!Number.isFinite(theirs) || theirs === 0) expect(ours).toBe(theirs)
  else expect(Math.abs(ours - theirs) / ulp(theirs)).toBeLessThanOrEqual(LIMIT_ENGINE)
}

describe(`sine and cosine (seed ${SEED})`, () => {
  const right = (x: number): void => {
    if (Math.abs(x) >= TINY) expect(Math.abs(sinError(sin(x), x))).toBeLessThan(LIMIT)
    else expect(sin(x)).toBe(x)
    expect(Math.abs(cosError(cos(x), x))).toBeLessThan(LIMIT)
  }

  test('are right without reduction', () => check(upTo(Math.PI / 4), right))
  test('are right within a turn', () => check(upTo(2 * Math.PI), right))
  test('are right where π/2 has three parts', () => check(upTo(131072), right))
  test('are right where π/2 has 1152 bits', () => check(powers(17, 1023.9), right))
  test('are right for any double', () => check(double, right))
  test('are right on either side of the limits between methods', () => {
    for (const limit of [2 ** -27, Math.PI / 4, 131072, 2 ** 53]) {
      for (const step of [-2, -1, 0, 1, 2]) right(limit + step * ulp(limit))
    }
  })

  test('keep their relative accuracy beside every multiple of π/2 up to 2¹⁷', () => {
    let worst = 0
    for (let n = 1; n <= 83443; n++) {
      const x = nearHalfPi(n)
      const r = remainder(x)
      const value = (n & 1) === 0 ? sin(x) : cos(x)
      const minus = (n & 3) === 1 || (n & 3) === 2
      worst = Math.max(worst, Math.abs((minus ? -value : value) - r) / ulp(r))
    }
    expect(worst).toBeLessThan(LIMIT)
  })

  test('keep their relative accuracy beside large multiples of π/2', () => {
    check(fc.tuple(fc.maxSafeNat(), fc.integer({ min: -1, max: 1 })), ([n, step]) => {
      const x = nearHalfPi(n + 1)
      right(x + step * ulp(x))
    })
    // The double nearest to a multiple of π/2 of all: Muller, "Elementary Functions", 3rd ed. (2016), section 11.3.
    right(6381956970095103 * 2 ** 797)
  })

  test('agree with Math', () => {
    check(double, (x) => {
      expectNear(sin(x), Math.sin(x))
      expectNear(cos(x), Math.cos(x))
    })
  })

  test('are odd and even to the last bit', () => {
    check(fc.oneof(double, upTo(100)), (x) => {
      expect(sin(-x)).toBe(-sin(x))
      expect(cos(-x)).toBe(cos(x))
    })
  })

  test('treat zeros, infinities and NaN as Math does', () => {
    for (const x of SPECIAL) {
      expectNear(sin(x), Math.sin(x))
      expectNear(cos(x), Math.cos(x))
    }
  })
})

describe(`atan2 (seed ${SEED})`, () => {
  const right = ([y, x]: [number, number]): void =>
    expect(Math.abs(atan2Error(atan2(y, x), y, x))).toBeLessThan(LIMIT_ATAN2)

  test('is right in every direction', () => check(fc.tuple(even, even), right))
  test('is right near the axes and the diagonals', () => {
    const near = fc.tuple(fc.constantFrom(0, 1, -1), powers(-50, 0)).map(([at, by]) => at + by)
    check(fc.tuple(near, fc.constantFrom(1, -1), fc.boolean()), ([a, b, swap]) => right(swap ? [b, a] : [a, b]))
  })
  test('is right where the octants change method', () => {
    for (const y of [0.5, 1, 2]) {
      for (const step of [-2, -1, 0, 1, 2]) right([y + step * ulp(y), -1])
    }
  })
  test('is right for subnormal numbers', () => {
    const few = fc.integer({ min: 1, max: 50 }).map((n) => n * Number.MIN_VALUE)
    check(fc.tuple(few, few), ([y, x]) => right([y, -x]))
  })
  test('is right where a sum would overflow', () => check(fc.tuple(powers(1021, 1023.9), powers(1021, 1023.9)), right))
  test('agrees with Math for any two doubles', () => {
    check(fc.tuple(double, double), ([y, x]) => expectNear(atan2(y, x), Math.atan2(y, x)))
  })
  test('treats zeros, infinities and NaN as Math does', () => {
    for (const y of SPECIAL) for (const x of SPECIAL) expectNear(atan2(y, x), Math.atan2(y, x))
  })
})

describe(`acos and asin (seed ${SEED})`, () => {
  const right = (x: number): void => {
    if (Math.abs(x) < 1) expect(Math.abs(acosError(acos(x), x))).toBeLessThan(LIMIT)
    if (Math.abs(x) >= TINY) expect(Math.abs(asinError(asin(x), x))).toBeLessThan(LIMIT)
  }

  test('are right between the poles', () => check(upTo(1), right))
  test('are right near 0', () => check(powers(-50, -1), right))
  test('are right near the poles', () => {
    check(powers(-52, -1), (d) => {
      right(1 - Math.abs(d))
      right(Math.abs(d) - 1)
    })
  })
  test('are right where they change method', () => {
    for (const step of [-2, -1, 0, 1, 2]) {
      right(0.5 + step * 2 ** -53)
      right(-0.5 - step * 2 ** -53)
    }
  })
  test('agree with Math, NaN outside [-1, 1] included', () => {
    check(fc.oneof(double, upTo(1.1), fc.constantFrom(...SPECIAL)), (x) => {
      expectNear(acos(x), Math.acos(x))
      expectNear(asin(x), Math.asin(x))
    })
  })
})

describe(`wrapAngle (seed ${SEED})`, () => {
  test('leaves what lies within half a turn', () => {
    check(upTo(Math.PI), (x) => expect(wrapAngle(x)).toBe(x))
    for (const x of [0, -0, Math.PI, -Math.PI]) expect(wrapAngle(x)).toBe(x)
  })
  test('takes off whole turns', () => {
    check(fc.oneof(upTo(20), upTo(2 ** 18), double), (x) => {
      const wrapped = wrapAngle(x)
      expect(Math.abs(wrapped)).toBeLessThanOrEqual(Math.PI)
      if (Math.abs(x) >= TINY) expect(Math.abs(wrapError(wrapped, x))).toBeLessThan(LIMIT)
    })
  })
  test('keeps its relative accuracy beside whole turns', () => {
    check(fc.integer({ min: 1, max: 2 ** 40 }), (turns) => {
      const x = nearHalfPi(4 * turns)
      expect(wrapAngle(x)).toBe(remainder(x))
      expect(wrapAngle(-x)).toBe(-remainder(x))
    })
  })
  test('changes sides at half a turn', () => {
    expect(wrapAngle(Math.PI + ulp(Math.PI))).toBe(-Math.PI)
    expect(wrapAngle(-Math.PI - ulp(Math.PI))).toBe(Math.PI)
  })
  test('gives NaN where there is no angle', () => {
    for (const x of [NaN, Infinity, -Infinity]) expect(wrapAngle(x)).toBe(NaN)
  })
})

test('the five functions and wrapAngle give these bits on every engine', () => {
  let state = 1
  const next = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0
    return state / 2 ** 31
  }
  let hash = 0x811c9dc5
  const take = (value: number): void => {
    for (const word of new Uint32Array(Float64Array.of(value).buffer)) hash = Math.imul(hash ^ word, 0x01000193)
  }
  for (let i = 0; i < 1000; i++) {
    const x = next()
    const y = next()
    take(sin(10 * x))
    take(cos(1e4 * x))
    take(sin(1e9 * x))
    take(atan2(x, y))
    take(acos(x))
    take(asin(y))
    take(wrapAngle(100 * y))
  }
  expect(hash >>> 0).toBe(1922205198)
})
