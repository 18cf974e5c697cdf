/** Definite blocks, against their eigenvalues. */

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { clip, isDefinite } from '../src/direct/definite.js'
import { SEED } from './support/seed.js'

/** Rotations, products and sums of numbers near 1. */
const ROUND_OFF = 1e-12
/** Eigenvalues nearer to 0 than this are on either side of it by rounding. */
const NEAR_ZERO = 1e-9

/** R diag(values) Rᵀ in rows of three, R from a unit quaternion. */
function turned([x, y, z, w]: number[], values: readonly number[]): number[] {
  const n = Math.hypot(x, y, z, w)
  const [a, b, c, d] = [x / n, y / n, z / n, w / n]
  const R = [
    [1 - 2 * (b * b + c * c), 2 * (a * b - d * c), 2 * (a * c + d * b)],
    [2 * (a * b + d * c), 1 - 2 * (a * a + c * c), 2 * (b * c - d * a)],
    [2 * (a * c - d * b), 2 * (b * c + d * a), 1 - 2 * (a * a + b * b)],
  ]
  return [0, 1, 2].flatMap((i) =>
    [0, 1, 2].map((j) => values.reduce((sum, value, k) => sum + R[i][k] * value * R[j][k], 0)),
  )
}

const quaternion = fc
  .array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 4, maxLength: 4 })
  .filter((q) => Math.hypot(...q) > 0.1)
const eigenvalues = fc.array(fc.double({ min: -2, max: 2, noNaN: true }), { minLength: 3, maxLength: 3 })

describe(`blocks of three, seed ${SEED}`, () => {
  test('s I + K is definite where all of its eigenvalues are positive', () => {
    fc.assert(
      fc.property(quaternion, eigenvalues, fc.double({ min: 0, max: 3, noNaN: true }), (q, values, s) => {
        fc.pre(values.every((value) => Math.abs(value + s) > NEAR_ZERO))
        const I = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1)
        const K = Float64Array.from(turned(q, values))
        expect(isDefinite(s, I, 0, K, 0, 3)).toBe(values.every((value) => value + s > 0))
      }),
      { seed: SEED },
    )
  })

  test('each diagonal decides, of I and of K', () => {
    for (let at = 0; at < 9; at += 4) {
      for (const [of, other] of [
        [1, 0],
        [0, 1],
      ]) {
        const I = Float64Array.of(of, 0, 0, 0, of, 0, 0, 0, of)
        const K = Float64Array.of(other, 0, 0, 0, other, 0, 0, 0, other)
        expect(isDefinite(1, I, 0, K, 0, 3)).toBe(true)
        K[at] = of === 1 ? -2 : -1
        expect(isDefinite(1, I, 0, K, 0, 3)).toBe(false)
      }
    }
  })

  test('clipped, what was negative is 0 and the rest as it was', () => {
    fc.assert(
      fc.property(quaternion, eigenvalues, (q, values) => {
        const K = Float64Array.from(turned(q, values))
        const wanted = turned(
          q,
          values.map((value) => Math.max(value, 0)),
        )
        clip(K, 0, 3)
        for (let i = 0; i < 3; i++) {
          for (let j = 0; j <= i; j++) expect(Math.abs(K[3 * i + j] - wanted[3 * i + j])).toBeLessThan(ROUND_OFF)
        }
      }),
      { seed: SEED },
    )
  })
})
