/**
 * Projected Gauss–Seidel and Lemke's method share only w = A λ − b, and agree on random problems:
 * 15 000 in a run, new each time.
 */

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../../core/test/support/runs.js'
import { SEED } from '../../core/test/support/seed.js'
import { projectedGaussSeidel } from '../src/mlcp/iterate.js'
import { lemke } from '../src/mlcp/lemke.js'
import { mlcpSlack } from '../src/mlcp/problem.js'
import { overdetermined, UNIQUE, uniqueProblem } from './support/problems.js'

const RUNS = 3000
/** All relative to the largest |λ| (or |w|), 1 at least. */
const AGREE = 1e-8
const RESIDUAL = 1e-10
/**
 * Projected Gauss–Seidel goes on until the residual is below this share: the error is larger by up to the condition of
 * A.
 */
const CONVERGED = 1e-13
/** The worst of half a million problems took 19 000. */
const SWEEPS = 200_000

const size = fc.integer({ min: 1, max: 16 })

const largest = (x: Float64Array): number => x.reduce((most, value) => Math.max(most, Math.abs(value)), 1)

function solveBoth(problem: ReturnType<typeof uniqueProblem>): { exact: Float64Array; iterated: Float64Array } {
  const a = lemke(problem)
  const unit = largest(a.lambda)
  const b = projectedGaussSeidel(problem, { iterations: SWEEPS, tolerance: CONVERGED * unit })
  expect([a.status, b.status]).toEqual(['solved', 'solved'])
  expect(a.residual).toBeLessThanOrEqual(RESIDUAL * unit)
  expect(b.residual).toBeLessThanOrEqual(RESIDUAL * unit)
  return { exact: a.lambda, iterated: b.lambda }
}

function expectEqual(x: Float64Array, y: Float64Array): void {
  const off = largest(x) * AGREE
  for (let i = 0; i < x.length; i++) if (!(Math.abs(x[i] - y[i]) <= off)) expect.fail(`row ${i}: ${x[i]} and ${y[i]}`)
}

describe(`projected Gauss–Seidel agrees with Lemke, seed ${SEED}`, () => {
  test.each(UNIQUE)('%s: in λ', (kind) => {
    const run = fc.property(fc.integer(), size, (seed, n) => {
      const { exact, iterated } = solveBoth(uniqueProblem(kind, n, seed))
      expectEqual(exact, iterated)
    })
    fc.assert(run, { seed: SEED, numRuns: runs(RUNS) })
  })

  test('overdetermined, A of deficient rank: in w', () => {
    const run = fc.property(fc.integer(), size, (seed, n) => {
      const problem = overdetermined(n, seed)
      const { exact, iterated } = solveBoth(problem)
      expectEqual(mlcpSlack(problem, exact), mlcpSlack(problem, iterated))
    })
    fc.assert(run, { seed: SEED, numRuns: runs(RUNS) })
  })
})
