/** The matrix of an island against a full one. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from '../../core/test/support/runs.js'
import { Random } from '../../core/test/support/random.js'
import { SEED } from '../../core/test/support/seed.js'
import { BlockMatrix, DOF, MOST_BODIES } from '../src/contact/block-matrix.js'

/** Of solutions near 1 of up to 384 unknowns, whose matrices have condition 1e3. */
const ROUND_OFF = 1e-9
/** Most matrices are small; some have as many bodies as there may be. */
const FEW_BODIES = 7
/** A body that has no block. */
const FIXED = -1

interface Row {
  readonly scale: number
  readonly bodies: readonly [number, number]
  readonly gradient: readonly number[]
}

function draw(random: Random): { count: number; rows: Row[] } {
  const count = random.below(4) === 0 ? 1 + random.below(MOST_BODIES) : 1 + random.below(FEW_BODIES)
  const rows = Array.from({ length: random.below(2 * count) }, (): Row => {
    const a = random.below(count + 1) - 1
    const b = random.below(count + 1) - 1
    const gradient = Array.from({ length: 2 * DOF }, () => (random.below(4) === 0 ? 0 : random.between(-1, 1)))
    return { scale: random.between(0.1, 3), bodies: a === b ? [a, FIXED] : [a, b], gradient }
  })
  return { count, rows }
}

/** 1 + Σ s b bᵀ times x. */
function times({ rows }: { rows: readonly Row[] }, x: readonly number[]): number[] {
  const y = x.slice()
  for (const { scale, bodies, gradient } of rows) {
    const place = (k: number): number => bodies[Math.floor(k / DOF)] * DOF + (k % DOF)
    const isThere = (k: number): boolean => bodies[Math.floor(k / DOF)] !== FIXED
    const along = gradient.reduce((sum, g, k) => (isThere(k) ? sum + g * x[place(k)] : sum), 0)
    gradient.forEach((g, k) => {
      if (isThere(k)) y[place(k)] += scale * along * g
    })
  }
  return y
}

test(`solves what a full matrix says, whatever it held before (seed ${SEED})`, () => {
  const matrix = new BlockMatrix()
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1e6 }), (seed) => {
      const random = new Random(seed)
      const problem = draw(random)
      const { count, rows } = problem
      matrix.begin(count)
      for (const { bodies } of rows) if (bodies[0] >= 0 && bodies[1] >= 0) matrix.link(...bodies)
      matrix.end()
      for (let again = 0; again < 2; again++) {
        matrix.setUnit()
        for (const { scale, bodies, gradient } of rows) {
          matrix.addRow(Float64Array.of(NaN, scale), 1, Float64Array.of(NaN, ...gradient), 1, bodies[0], bodies[1])
        }
        expect(matrix.factor()).toBe(true)
        const x = Array.from({ length: DOF * count }, () => random.between(-1, 1))
        const y = Float64Array.from(times(problem, x))
        matrix.solve(y)
        x.forEach((expected, i) => expect(Math.abs(y[i] - expected)).toBeLessThan(ROUND_OFF))
      }
    }),
    { seed: SEED, numRuns: runs(60) },
  )
})

test('what is not definite is said to be', () => {
  const matrix = new BlockMatrix()
  matrix.begin(2)
  matrix.link(0, 1)
  matrix.end()
  for (let k = 0; k < 2 * DOF; k++) {
    const gradient = Float64Array.from({ length: 2 * DOF }, (_, i) => (i === k ? 1 : 0))
    for (const [scale, isDefinite] of [
      [-0.9, true],
      [-1.1, false],
    ] as const) {
      matrix.setUnit()
      matrix.addRow(Float64Array.of(scale), 0, gradient, 0, 0, 1)
      expect(matrix.factor()).toBe(isDefinite)
    }
  }
})
