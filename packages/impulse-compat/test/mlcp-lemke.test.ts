import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../../core/test/support/runs.js'
import { Random } from '../../core/test/support/random.js'
import { SEED } from '../../core/test/support/seed.js'
import { solveDense } from '../src/mlcp/dense.js'
import { lemke } from '../src/mlcp/lemke.js'
import { pivot } from '../src/mlcp/pivoting.js'
import { complementarityResidual, mlcp, mlcpSlack } from '../src/mlcp/problem.js'
import { boxOnCorners, realSemidefinite, semidefinite } from './support/problems.js'

const INF = Infinity
/** Closed forms of a few terms: some roundings. */
const ROUND_OFF = 1e-14
/** The accuracy of a residual, as a share of the largest |λ|, 1 at least. */
const RESIDUAL = 1e-10

function expectSolved(problem: ReturnType<typeof mlcp>, expected?: readonly number[]): Float64Array {
  const { lambda, status, residual } = lemke(problem)
  expect(status).toBe('solved')
  const unit = Math.max(1, ...lambda.map(Math.abs))
  expect(residual).toBe(complementarityResidual(problem, lambda))
  expect(residual).toBeLessThanOrEqual(RESIDUAL * unit)
  expected?.forEach((l, i) => expect(Math.abs(lambda[i] - l)).toBeLessThanOrEqual(ROUND_OFF * unit))
  return lambda
}

describe('Lemke, closed forms', () => {
  // 2 λ = 4
  test.each([
    [-INF, INF, 2],
    [0, INF, 2],
    [-INF, 1, 1],
    [-INF, 3, 2],
    [3, INF, 3],
    [0, 1, 1],
    [0, 5, 2],
    [-5, -1, -1],
    [3, 4, 3],
    [7, 7, 7],
    [2, 5, 2],
    [-3, 2, 2],
  ])('one row in [%f, %f]', (lower, upper, expected) => {
    expectSolved(mlcp([2], [4], [lower], [upper]), [expected])
    // The same mirrored: −λ in [−upper, −lower].
    expectSolved(mlcp([2], [-4], [-upper], [-lower]), [-expected])
  })

  // 2 λ₁ + λ₂ = 5, λ₁ + 3 λ₂ = 5: (2, 1). With λ₁ = l the second is (5 − l)/3; with λ₂ = l the first is (5 − l)/2.
  test.each([
    ['none active', [-INF, -INF], [INF, INF], [2, 1]],
    ['none active, boxes', [0, 0], [3, 3], [2, 1]],
    ['first at its lower', [2.6, -INF], [INF, INF], [2.6, 0.8]],
    ['first at its upper', [-INF, -INF], [0.5, INF], [0.5, 1.5]],
    ['second at its lower', [-INF, 2], [INF, INF], [1.5, 2]],
    ['second at its upper', [0, 0], [INF, 0.5], [2.25, 0.5]],
    ['both at their upper', [0, 0], [1, 0.5], [1, 0.5]],
    ['lower and upper', [3, 0], [INF, 0.5], [3, 0.5]],
    ['one prescribed, one bounded by it', [-1, 0], [-1, 1], [-1, 1]],
    ['degenerate: the solution is a corner', [2, 1], [INF, 4], [2, 1]],
  ])('two rows, %s', (_, lower, upper, expected) => {
    expectSolved(mlcp([2, 1, 1, 3], [5, 5], lower, upper), expected)
  })

  test('an equality that holds only through an inequality: 0 diagonal, saddle', () => {
    // w₁ = λ₁ + λ₂ − 3 = 0, w₂ = −λ₁ + 2 ≥ 0 ⟂ λ₂ ≥ 0: the first alone would give 3.
    expectSolved(mlcp([1, 1, -1, 0], [3, -2], [-INF, 0]), [2, 1])
  })

  test('a triangular matrix: M = (1 0 0; 2 1 0; 2 2 1), q = (−8, −12, −14)', () => {
    // From the first row down: z₁ = 8, then 2·8 > 12 and 2·8 > 14.
    expectSolved(mlcp([1, 0, 0, 2, 1, 0, 2, 2, 1], [8, 12, 14], [0, 0, 0]), [8, 0, 0])
  })

  test('Murty’s exponential example is solved at every size', () => {
    for (let n = 1; n <= 12; n++) {
      const M = Float64Array.from({ length: n * n }, (_, k) => {
        const [i, j] = [Math.floor(k / n), k % n]
        return i === j ? 1 : j > i ? 2 : 0
      })
      // From the last row up: λₙ = 1 makes all rows above 2 − 1 > 0.
      expectSolved(mlcp(M, new Float64Array(n).fill(1), new Float64Array(n)), [...new Array(n - 1).fill(0), 1])
    }
  })

  test('a box at rest on its four corners: the contacts share the weight, in whatever way, and nothing moves', () => {
    const problem = boxOnCorners(1)
    const lambda = expectSolved(problem)
    expect(lambda.reduce((a, b) => a + b)).toBeCloseTo(1, 13)
    for (const w of mlcpSlack(problem, lambda)) expect(Math.abs(w)).toBeLessThanOrEqual(ROUND_OFF)
    // Moments about both horizontal axes: the pressure's centre is below the box's.
    expect(Math.abs(lambda[0] + lambda[1] - lambda[2] - lambda[3])).toBeLessThanOrEqual(ROUND_OFF)
    expect(Math.abs(lambda[0] + lambda[2] - lambda[1] - lambda[3])).toBeLessThanOrEqual(ROUND_OFF)
  })

  test('each contact four times over', () => {
    const lambda = expectSolved(boxOnCorners(4))
    expect(lambda.reduce((a, b) => a + b)).toBeCloseTo(1, 13)
  })

  test('nothing to do, and no rows', () => {
    expectSolved(mlcp([1, 0, 0, 1], [0, 0], [0, 0]), [0, 0])
    expectSolved(mlcp([], []), [])
  })

  test('bounds far beyond λ, which cost the pivots their digits', () => {
    for (const far of [1e6, 1e12, 1e30]) {
      expectSolved(mlcp([2, 1, 1, 3], [5, 5], [-far, -far], [far, far]), [2, 1])
      expectSolved(mlcp([2, 1, 1, 3], [5, 5], [-far, 0], [far, 0.5]), [2.25, 0.5])
    }
  })

  test('rows in units that differ by 1e12', () => {
    // (2 1; 1 3) λ = (5, 5), the second row and column in units of 1e-12.
    expectSolved(mlcp([2, 1e-12, 1e-12, 3e-24], [5, 5e-12], [0, 0]), [2, 1e12])
  })
})

describe('Lemke, what has no solution', () => {
  test('contradicting contacts end on a ray', () => {
    // λ₁ − λ₂ ≥ 1 and λ₂ − λ₁ ≥ 1
    const { status, residual, lambda } = lemke(mlcp([1, -1, -1, 1], [1, 1], [0, 0]))
    expect(status).toBe('ray')
    expect(residual).toBeGreaterThan(0.5)
    expect(lambda.every(Number.isFinite)).toBe(true)
  })

  test('a row that nothing moves', () => {
    expect(lemke(mlcp([0], [1], [0])).status).toBe('ray')
    expectSolved(mlcp([0], [-1], [0]), [0])
    expectSolved(mlcp([0], [1], [0], [3]), [3])
  })

  test('dependent rows without bounds are refused, by the row, with what to do', () => {
    const twice = [1, 1, 1, 1]
    expect(() => lemke(mlcp(twice, [1, 1]))).toThrow(RangeError)
    expect(() => lemke(mlcp(twice, [1, 1]))).toThrow(/^lemke: row 1 must not depend .* compliance or regularization$/)
    expect(() => lemke(mlcp([1, 0, 0, 0], [1, 1]))).toThrow('lemke: row 1 must not depend')
    expectSolved(mlcp([1 + 1e-9, 1, 1, 1 + 1e-9], [1, 1]))
  })

  test(`a ray is the end exactly where there is no solution, seed ${SEED}`, () => {
    // Softened by ε, λ stays as it is for ε → 0 if there is a solution, and grows as 1/ε if there is none.
    const [soft, softer] = [1e-8, 1e-9]
    const run = fc.property(fc.integer(), fc.integer({ min: 1, max: 6 }), (seed, size) => {
      const [largest, larger] = [soft, softer].map((e) => Math.max(...lemke(semidefinite(size, seed, e)).lambda))
      expect(lemke(semidefinite(size, seed, 0)).status).toBe(larger > 5 * largest ? 'ray' : 'solved')
    })
    fc.assert(run, { seed: SEED, numRuns: runs(300) })
  })

  test('λ that grows without end is no solution, small as the residual may be beside it', () => {
    for (let seed = 0; seed < 1000; seed++) {
      const { status, residual } = lemke(realSemidefinite(seed))
      if (status === 'solved') expect(residual).toBeLessThan(1e-6)
      else expect(status).toBe('ray')
    }
  })

  test(`with boxes in all rows any A whatever is solved, seed ${SEED}`, () => {
    const run = fc.property(fc.integer(), fc.integer({ min: 1, max: 10 }), (seed, size) => {
      const random = new Random(seed)
      const A = Float64Array.from({ length: size * size }, () => random.between(-1, 1))
      const b = random.chance(0.8) ? A.slice(0, size) : new Float64Array(size)
      const lower = Float64Array.from(b, () => random.between(-2, 1))
      expectSolved(
        mlcp(
          A,
          b,
          lower,
          lower.map((l) => l + random.between(0.01, 2)),
        ),
      )
    })
    fc.assert(run, { seed: SEED, numRuns: runs(300) })
  })
})

describe('pivoting', () => {
  // Found by search: taking the first of tied rows goes round for ever.
  test.each([
    [
      [2, 0, 3, -2, 1, -2, 3, 3, 2],
      [-1, -1, -1],
    ],
    [
      [2, 0, 3, 0, 1, 1, -3, 2, 3, 2, 2, -3, 0, 0, 0, 2],
      [-1, -1, -1, 0],
    ],
    [
      [2, -4, 1, 2, 0, 4, 1, 3, 2, 1, -1, -3, 1, 4, -2, -2, -2, -4, 1, 3, 0, -1, 2, -3, 2],
      [-1, -1, -1, -1, -1],
    ],
  ])('does not cycle: %j, %j', (M, q) => {
    const { ended, pivots } = pivot(Float64Array.from(M), Float64Array.from(q), new Float64Array(q.length).fill(1))
    expect(ended).toBe('solved')
    expect(pivots).toBeLessThan(10)
  })
})

describe('solveDense', () => {
  test('needs exchanges of rows', () => {
    expect([...solveDense(Float64Array.of(0, 2, 0, 0, 0, 4, 8, 0, 0), Float64Array.of(2, 4, 8))!]).toEqual([1, 1, 1])
  })

  test('Wilkinson’s matrix, on which L U loses 2ⁿ⁻¹: refinement gives it back', () => {
    const n = 40
    const A = Float64Array.from({ length: n * n }, (_, k) => {
      const [i, j] = [Math.floor(k / n), k % n]
      return i === j || j === n - 1 ? 1 : j < i ? -1 : 0
    })
    const x = Float64Array.from({ length: n }, (_, i) => 1 / (i + 1))
    const b = x.map((_, i) => x.reduce((sum, value, j) => sum + A[i * n + j] * value, 0))
    solveDense(A, b)!.forEach((value, i) => expect(Math.abs(value - x[i])).toBeLessThan(1e-13))
  })

  test('singular: undefined', () => {
    expect(solveDense(Float64Array.of(1, 2, 2, 4), Float64Array.of(1, 1))).toBeUndefined()
    expect(solveDense(Float64Array.of(1, 1, 1, 1 / 3, 1 / 3, 1 / 3, 1, 2, 3), Float64Array.of(1, 1, 1))).toBeUndefined()
  })
})
