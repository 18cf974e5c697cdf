import { describe, expect, test } from 'vitest'
import { complementarityResidual, mlcp, mlcpSlack } from '../src/mlcp/problem.js'

const INF = Infinity

describe('mlcp', () => {
  test('copies what it is given; without bounds it is a linear system', () => {
    const A = [2, 1, 1, 3]
    const problem = mlcp(A, new Float32Array([1, 2]))
    A[0] = 9
    expect([...problem.A]).toEqual([2, 1, 1, 3])
    expect([...problem.lower, ...problem.upper]).toEqual([-INF, -INF, INF, INF])
    expect(problem.size).toBe(2)
  })

  test('of no rows', () => {
    expect(complementarityResidual(mlcp([], []), [])).toBe(0)
  })

  test.each([
    [() => mlcp([1, 2, 3], [1, 2]), RangeError, 'mlcp: A must be an array of 2 x 2 numbers, got 3 entries'],
    [() => mlcp([1, 0, NaN, 1], [1, 2]), RangeError, 'mlcp: A[row 1, column 0] must be finite, got NaN'],
    [() => mlcp([1, 0, 0, 1], [1, INF]), RangeError, 'mlcp: b[1] must be finite, got Infinity'],
    [() => mlcp([1], ['1' as never]), TypeError, 'mlcp: b[0] must be a finite number, got "1"'],
    [() => mlcp([1], undefined as never), TypeError, 'mlcp: b must be an array of numbers, got undefined'],
    [() => mlcp(7 as never, [1]), TypeError, 'mlcp: A must be an array of numbers, got 7'],
    [() => mlcp([1], [1], [0, 0]), RangeError, 'mlcp: lower must have 1 entries, as b, got 2'],
    [() => mlcp([1], [1], [0], null as never), TypeError, 'mlcp: upper must be an array of numbers, got null'],
    [() => mlcp([1], [1], [NaN]), RangeError, 'mlcp: lower[0] must be finite, got NaN'],
    [() => mlcp([1], [1], [INF]), RangeError, 'mlcp: lower[0] must be finite, got Infinity'],
    [() => mlcp([1], [1], [0], [-INF]), RangeError, 'mlcp: upper[0] must be finite, got -Infinity'],
    [() => mlcp([1], [1], [2], [1]), RangeError, 'mlcp: lower[0] must be <= upper[0] = 1, got 2'],
    [
      () => complementarityResidual(mlcp([1], [1]), [1, 2]),
      RangeError,
      'complementarityResidual: lambda must have 1 entries, got 2',
    ],
  ])('refuses bad input: case %#', (make, kind, message) => {
    expect(make).toThrow(kind)
    expect(make).toThrow(message)
  })
})

describe('complementarityResidual', () => {
  // w = 2 λ − 4: zero at λ = 2.
  const row = (lower: number, upper: number) => mlcp([2], [4], [lower], [upper])

  test.each([
    ['solved between the bounds', row(0, 5), 2, 0],
    ['solved at the upper bound, w = −2', row(0, 1), 1, 0],
    ['solved at the lower bound, w = 2', row(3, 5), 3, 0],
    ['w of the wrong sign at the upper bound: as far as λ could move', row(0, 3), 3, 1],
    ['w of the wrong sign at the lower bound', row(0, 5), 0, 2],
    ['w where there should be none', row(0, 5), 1.5, 0.5],
    ['above its bound, however right w is', row(0, 1), 1.25, 0.25],
    ['below its bound', row(3, 5), 2, 1],
    ['prescribed', row(7, 7), 7, 0],
    ['not finite', row(0, 5), NaN, INF],
    ['not finite where a bound would hide it', row(0, 5), INF, INF],
  ])('%s', (_, problem, lambda, residual) => {
    expect(complementarityResidual(problem, [lambda])).toBe(residual)
  })

  test('is in units of λ: it does not change with the units of w', () => {
    const lambda = [0.3, 0.4]
    const inMetres = mlcp([2, 1, 1, 3], [1, 2], [0, 0])
    const inMillimetres = mlcp([2000, 1000, 1000, 3000], [1000, 2000], [0, 0])
    expect(complementarityResidual(inMillimetres, lambda)).toBeCloseTo(complementarityResidual(inMetres, lambda), 15)
  })

  test('a row without a diagonal takes the largest entry of the row, and a row of zeros 1', () => {
    expect(complementarityResidual(mlcp([1, 4, -4, 0], [0, 2]), [0, 0])).toBe(0.5)
    expect(complementarityResidual(mlcp([0], [3]), [0])).toBe(3)
  })

  test('mlcpSlack is w = A λ − b', () => {
    expect([...mlcpSlack(mlcp([2, 1, 1, 3], [1, 2]), [1, -1])]).toEqual([0, -4])
  })
})
