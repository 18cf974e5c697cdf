import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../../core/test/support/runs.js'
import { Random } from '../../core/test/support/random.js'
import { SEED } from '../../core/test/support/seed.js'
import { gaussSeidel, jacobi, projectedGaussSeidel } from '../src/mlcp/iterate.js'
import { lemke } from '../src/mlcp/lemke.js'
import { mlcp, type Mlcp, type MlcpSolution } from '../src/mlcp/problem.js'
import { isDiagonallyDominant, isPositiveDefinite, spectralRadius } from '../src/mlcp/theory.js'
import { uniqueProblem } from './support/problems.js'

const INF = Infinity
/** What an iteration is stopped at, |λ| being about 1. */
const TOLERANCE = 1e-10
/** Enough to lose or gain ten digits at a spectral radius 1 % from 1, twice over. */
const ENOUGH = 5000
/** Spectral radii nearer to 1 are left out: neither kind would show within ENOUGH sweeps. */
const UNDECIDED = 0.01
/** Least number of each kind in a test; some 50 and more are usual. */
const BOTH = 10
/** Spectral radii against closed forms. */
const ROUND_OFF = 1e-12

/** (1 − c) 1 + c (all ones): positive definite for 0 ≤ c < 1; Jacobi has the radius (n − 1) c. */
function nearOnes(n: number, c: number): Mlcp {
  const A = Float64Array.from({ length: n * n }, (_, k) => (k % (n + 1) === 0 ? 1 : c))
  return mlcp(
    A,
    Float64Array.from({ length: n }, (_, i) => 1 + i),
  )
}

const unbounded = ({ A, b }: Mlcp): Mlcp => mlcp(A, b)

const METHODS = { gaussSeidel, projectedGaussSeidel, jacobi }

describe.each(Object.entries(METHODS))('%s', (name, solve) => {
  const problem = mlcp([4, 1, 1, 3], [6, 7])

  test('solves, and says how', () => {
    const { lambda, status, residual, iterations } = solve(problem, { tolerance: 1e-12 })
    expect(status).toBe('solved')
    expect(residual).toBeLessThanOrEqual(1e-12)
    expect(iterations).toBeLessThan(60)
    expect(lambda[0]).toBeCloseTo(1, 11)
    expect(lambda[1]).toBeCloseTo(2, 11)
  })

  test('by count, 100 unless told; from a start', () => {
    expect(solve(nearOnes(2, 0.999)).iterations).toBe(100)
    const { iterations, status, residual } = solve(problem, { iterations: 3 })
    expect([iterations, status]).toEqual([3, 'limit'])
    const further = solve(problem, { iterations: 3, start: solve(problem, { iterations: 3 }).lambda })
    expect(further.residual).toBeLessThan(residual)
    expect([...further.lambda]).toEqual([...solve(problem, { iterations: 6 }).lambda])
    expect(solve(problem, { start: [1, 2] })).toMatchObject({ iterations: 1, status: 'solved', residual: 0 })
  })

  test('relaxation moves by a share', () => {
    const [one] = solve(problem, { iterations: 1, relaxation: 0.5 }).lambda
    expect(one).toBe(0.75)
  })

  test('no rows', () => {
    expect(solve(mlcp([], []))).toMatchObject({ status: 'solved', residual: 0 })
  })

  test.each([
    [{ iterations: 0 }, 'iterations must be an integer >= 1, got 0'],
    [{ iterations: -3 }, 'iterations must be an integer >= 1, got -3'],
    [{ iterations: 1.5 }, 'iterations must be an integer >= 1, got 1.5'],
    [{ iterations: NaN }, 'iterations must be an integer >= 1, got NaN'],
    [{ relaxation: 0 }, 'relaxation must be between 0 and 2, both excluded, got 0'],
    [{ relaxation: 2 }, 'relaxation must be between 0 and 2, both excluded, got 2'],
    [{ relaxation: NaN }, 'relaxation must be between 0 and 2, both excluded, got NaN'],
    [{ tolerance: -1 }, 'tolerance must be >= 0 and finite, got -1'],
    [{ start: [1] }, 'start must be an array of 2 numbers, got 1 entries'],
    [{ start: [1, NaN] }, 'start[1] must be finite, got NaN'],
  ])('refuses %o', (options, message) => {
    expect(() => solve(problem, options)).toThrow(RangeError)
    expect(() => solve(problem, options)).toThrow(`${name}: ${message}`)
  })

  test.each([0, -2])('refuses a diagonal of %f, with what to do', (diagonal) => {
    expect(() => solve(mlcp([1, 0, 0, diagonal], [1, 1]))).toThrow(
      `${name}: row 1: A must have a positive diagonal, got ${diagonal}; give the constraint a compliance or regularization`,
    )
  })
})

describe('bounds', () => {
  test('gaussSeidel takes none, and says which row has one', () => {
    expect(() => gaussSeidel(mlcp([1, 0, 0, 1], [1, 1], [-INF, 0]))).toThrow(
      'gaussSeidel: row 1 must have no bounds, got 0',
    )
    expect(() => gaussSeidel(mlcp([1], [1], [-INF], [3]))).toThrow('gaussSeidel: row 0 must have no bounds, got 3')
  })

  test.each([['projectedGaussSeidel', projectedGaussSeidel] as const, ['jacobi', jacobi] as const])(
    '%s keeps them, from a start outside too, and takes a prescribed row without a diagonal',
    (_, solve) => {
      const problem = mlcp([2, 1, 1, 1, 3, 0, 1, 0, 0], [5, 5, 0], [0, 0, 0.5], [INF, 0.5, 0.5])
      const { lambda, status } = solve(problem, { start: [-5, 9, 9], tolerance: 1e-14 })
      expect(status).toBe('solved')
      expect([...lambda]).toEqual([2, 0.5, 0.5])
    },
  )
})

describe('spectralRadius', () => {
  test('two rows: ρ(Jacobi)² = a₁₂ a₂₁ / (a₁₁ a₂₂) = ρ(Gauss–Seidel)', () => {
    const problem = mlcp([2, 1, 0.5, 4], [1, 1])
    expect(spectralRadius(problem, 'jacobi')).toBeCloseTo(0.25, 14)
    expect(spectralRadius(problem, 'gaussSeidel')).toBeCloseTo(1 / 16, 14)
  })

  test('a complex pair', () => {
    expect(spectralRadius(mlcp([1, 2, -2, 1], [1, 1]), 'jacobi')).toBeCloseTo(2, 13)
    expect(spectralRadius(mlcp([1, 2, -2, 1], [1, 1]), 'gaussSeidel')).toBeCloseTo(4, 13)
  })

  test('near ones: (n − 1) c', () => {
    const cases = [
      [3, 0.5],
      [5, 0.9],
      [16, 0.01],
    ]
    for (const [n, c] of cases) {
      expect(Math.abs(spectralRadius(nearOnes(n, c), 'jacobi') - (n - 1) * c)).toBeLessThan(ROUND_OFF)
    }
  })

  test('a chain, (−1 2 −1): cos π/(n + 1), its square, and the best over-relaxation (Young 1950)', () => {
    for (const n of [3, 10, 30]) {
      const A = new Float64Array(n * n)
      for (let i = 0; i < n; i++) {
        A[i * n + i] = 2
        if (i > 0) A[i * n + i - 1] = A[(i - 1) * n + i] = -1
      }
      const chain = mlcp(A, new Float64Array(n))
      const rho = Math.cos(Math.PI / (n + 1))
      expect(Math.abs(spectralRadius(chain, 'jacobi') - rho)).toBeLessThan(ROUND_OFF)
      expect(Math.abs(spectralRadius(chain, 'gaussSeidel') - rho * rho)).toBeLessThan(ROUND_OFF)
      expect(Math.abs(spectralRadius(chain, 'jacobi', 0.5) - (1 + rho) / 2)).toBeLessThan(ROUND_OFF)
      const best = 2 / (1 + Math.sqrt(1 - rho * rho))
      // A double eigenvalue of one vector: round-off enters by its square root.
      expect(Math.abs(spectralRadius(chain, 'gaussSeidel', best) - (best - 1))).toBeLessThan(1e-6)
    }
  })

  test('nilpotent: exact after one sweep', () => {
    expect(spectralRadius(mlcp([1, 0, 5, 1], [1, 1]), 'gaussSeidel')).toBe(0)
    expect(spectralRadius(mlcp([1, 0, 5, 1], [1, 1]), 'jacobi')).toBe(0)
  })

  test('needs a diagonal', () => {
    expect(() => spectralRadius(mlcp([1, 0, 0, 0], [1, 1]), 'jacobi')).toThrow('spectralRadius: row 1: A must have')
    expect(() => spectralRadius(mlcp([0], [1]), 'gaussSeidel')).toThrow('spectralRadius: row 0: A must have')
  })
})

describe('isPositiveDefinite, isDiagonallyDominant', () => {
  test.each([
    ['definite', [2, 1, 1, 2], true, true],
    ['definite, not dominant', [1, 0.9, 0.9, 0.9], true, false],
    ['indefinite', [1, 2, 2, 1], false, false],
    ['semidefinite', [1, 1, 1, 1], false, false],
    ['semidefinite to round-off', [0.01, 0.03, 0.03, 0.09], false, false],
    ['not symmetric', [2, 1, 0, 2], false, true],
    ['symmetric to round-off', [2, 1, 1 + 1e-15, 2], true, true],
    ['negative', [-2, 0, 0, 1], false, true],
    ['zero', [0, 0, 0, 1], false, false],
  ])('%s', (_, A, definite, dominant) => {
    expect(isPositiveDefinite(mlcp(A, [0, 0]))).toBe(definite)
    expect(isDiagonallyDominant(mlcp(A, [0, 0]))).toBe(dominant)
  })

  test('rows in units that differ by 1e8', () => {
    expect(isPositiveDefinite(mlcp([1, 0.5e-8, 0.5e-8, 1e-16], [0, 0]))).toBe(true)
  })
})

describe(`what theory says, the solvers do, seed ${SEED}`, () => {
  const size = fc.integer({ min: 1, max: 12 })
  const options = { iterations: ENOUGH, tolerance: TOLERANCE }

  /** Compares statuses where the radius decides, and counts them: a test must have seen both. */
  class Seen {
    solved = 0
    diverged = 0

    compare(radius: number, { status }: MlcpSolution): void {
      if (Math.abs(radius - 1) <= UNDECIDED) return
      const theory = radius < 1 ? 'solved' : 'diverged'
      expect(status).toBe(theory)
      this[theory]++
    }

    expectBoth(): void {
      expect(this.solved).toBeGreaterThanOrEqual(runs(BOTH))
      expect(this.diverged).toBeGreaterThanOrEqual(runs(BOTH))
    }
  }

  test('near ones: Jacobi converges exactly for (n − 1) c < 1, Gauss–Seidel always', () => {
    const seen = new Seen()
    const run = fc.property(fc.integer({ min: 3, max: 12 }), fc.double({ min: 0, max: 0.95, noNaN: true }), (n, c) => {
      const problem = nearOnes(n, c)
      expect(isPositiveDefinite(problem)).toBe(true)
      expect(gaussSeidel(problem, options).status).toBe('solved')
      seen.compare((n - 1) * c, jacobi(problem, options))
    })
    fc.assert(run, { seed: SEED, numRuns: runs(200) })
    seen.expectBoth()
  })

  test('A = J M⁻¹ Jᵀ: Gauss–Seidel converges, Jacobi as its radius says', () => {
    const seen = new Seen()
    const run = fc.property(fc.integer(), size, (seed, n) => {
      const problem = unbounded(uniqueProblem('physical', n, seed))
      const radius = spectralRadius(problem, 'gaussSeidel')
      expect(isPositiveDefinite(problem)).toBe(true)
      expect(radius).toBeLessThan(1)
      // A start at random: from zero, bodies that b leaves alone would stay at their solution, unstable or not.
      const random = new Random(seed)
      const given = { ...options, start: Float64Array.from(problem.b, () => random.between(-1, 1)) }
      seen.compare(radius, gaussSeidel(problem, given))
      seen.compare(spectralRadius(problem, 'jacobi'), jacobi(problem, given))
    })
    fc.assert(run, { seed: SEED, numRuns: runs(400) })
    seen.expectBoth()
  })

  test('A dominant: both converge, whatever the bounds', () => {
    const run = fc.property(fc.integer(), size, fc.boolean(), (seed, n, symmetric) => {
      const problem = uniqueProblem(symmetric ? 'dominant' : 'asymmetric', n, seed)
      expect(isDiagonallyDominant(problem)).toBe(true)
      expect(spectralRadius(problem, 'jacobi')).toBeLessThan(1)
      expect(projectedGaussSeidel(problem, options).status).toBe('solved')
      expect(jacobi(problem, options).status).toBe('solved')
    })
    fc.assert(run, { seed: SEED, numRuns: runs(400) })
  })

  test('any A with a positive diagonal: both as their radius says, and relaxed too', () => {
    const seen = new Seen()
    const run = fc.property(fc.integer(), size, (seed, n) => {
      const random = new Random(seed)
      const A = Float64Array.from({ length: n * n }, (_, k) => random.between(-1, 1) + (k % (n + 1) === 0 ? 2 : 0))
      const problem = mlcp(
        A,
        Float64Array.from({ length: n }, () => random.between(-1, 1)),
      )
      const relaxation = random.between(0.3, 1.5)
      const relaxed = { ...options, relaxation }
      seen.compare(spectralRadius(problem, 'gaussSeidel', relaxation), gaussSeidel(problem, relaxed))
      seen.compare(spectralRadius(problem, 'jacobi', relaxation), jacobi(problem, relaxed))
    })
    fc.assert(run, { seed: SEED, numRuns: runs(400) })
    seen.expectBoth()
  })

  test('symmetric with a positive diagonal, but indefinite: Gauss–Seidel diverges (Reich 1949)', () => {
    const result = gaussSeidel(mlcp([1, 2, 2, 1], [1, 1]))
    expect(result.status).toBe('diverged')
    expect(result.iterations).toBeLessThan(100)
    expect(result.residual).toBeGreaterThan(1e6)
    expect(lemke(mlcp([1, 2, 2, 1], [1, 1])).lambda[0]).toBeCloseTo(1 / 3, 14)
  })

  test('no solution, A singular: the limit is reached with a residual that says so', () => {
    const { status, residual } = gaussSeidel(mlcp([1, 1, 1, 1], [1, 2]), { iterations: 1000, tolerance: TOLERANCE })
    expect([status, residual]).toEqual(['limit', 1])
  })

  test('bounded iterates that go on for ever reach the limit', () => {
    const { status, residual } = jacobi(mlcp([1, 2, 2, 1], [1, 1], [-1, -1], [1, 1]), { tolerance: TOLERANCE })
    expect(status).toBe('limit')
    expect(residual).toBeGreaterThan(0.1)
  })
})
