import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { SEED } from '../../../core/test/support/seed.js'
import { BlockCholesky } from '../../src/parts/elastic/cholesky.js'
import { dissect, type Graph } from '../../src/parts/elastic/dissection.js'

/** Round-off of a solution, beside its size: matrices are well conditioned here. */
const ROUND_OFF = 1e-10

/** A graph of `count` nodes with these edges. */
function graphOf(count: number, edges: readonly (readonly [number, number])[]): Graph {
  const around = Array.from({ length: count }, () => new Set<number>())
  for (const [v, w] of edges) {
    if (v === w) continue
    around[v].add(w)
    around[w].add(v)
  }
  const first = new Int32Array(count + 1)
  around.forEach((set, v) => (first[v + 1] = first[v] + set.size))
  return { first, neighbour: Int32Array.from(around.flatMap((set) => [...set])) }
}

/** A lattice of n³ nodes, each joined to those next to it. */
function lattice(n: number): [number, number][] {
  const edges: [number, number][] = []
  for (let v = 0; v < n ** 3; v++) {
    if (v % n < n - 1) edges.push([v, v + 1])
    if (Math.floor(v / n) % n < n - 1) edges.push([v, v + n])
    if (v < n ** 3 - n * n) edges.push([v, v + n * n])
  }
  return edges
}

const graphs = fc.integer({ min: 1, max: 40 }).chain((count) => {
  const node = fc.integer({ min: 0, max: count - 1 })
  return fc.record({ count: fc.constant(count), edges: fc.array(fc.tuple(node, node), { maxLength: 3 * count }) })
})

const numbers = fc.infiniteStream(fc.double({ min: -1, max: 1, noNaN: true }))

/** The same graph with its nodes numbered by their place in `order`. */
function renumbered(count: number, edges: readonly (readonly [number, number])[], order: Int32Array): Graph {
  const place = new Int32Array(count)
  order.forEach((v, k) => (place[v] = k))
  return graphOf(
    count,
    edges.map(([v, w]) => [place[v], place[w]] as const),
  )
}

describe(`dissection (seed ${SEED})`, () => {
  test('an order has each node once, whatever the graph', () => {
    fc.assert(
      fc.property(graphs, ({ count, edges }) => {
        const order = dissect(graphOf(count, edges))
        expect([...order].sort((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, v) => v))
      }),
      { seed: SEED },
    )
  })

  test('a chain is separated in its middle first', () => {
    const count = 41
    const edges = Array.from({ length: count - 1 }, (_, v) => [v, v + 1] as const)
    const order = dissect(graphOf(count, edges))
    expect(Math.abs(order[count - 1] - 20)).toBeLessThanOrEqual(1)
  })

  test('a lattice of 1000 nodes fills in less than half of what it does row by row', () => {
    const [count, edges] = [1000, lattice(10)]
    const filled = (order: Int32Array): number => new BlockCholesky(renumbered(count, edges, order)).row.length
    const natural = filled(Int32Array.from({ length: count }, (_, v) => v))
    expect(filled(dissect(graphOf(count, edges)))).toBeLessThan(0.5 * natural)
  })
})

describe(`block Cholesky (seed ${SEED})`, () => {
  test('solves what a dense matrix of the same numbers says, and blocks of its inverse are what it solves', () => {
    fc.assert(
      fc.property(graphs, numbers, ({ count, edges }, stream) => {
        const next = (): number => stream.next().value as number
        const graph = renumbered(count, edges, dissect(graphOf(count, edges)))
        const factor = new BlockCholesky(graph)
        const dense = Array.from({ length: 3 * count }, () => new Float64Array(3 * count))
        // Σ of squares of random differences along edges, on a diagonal of its own: definite.
        for (let v = 0; v < 3 * count; v++) dense[v][v] = 1
        for (let v = 0; v < count; v++) {
          for (let k = graph.first[v]; k < graph.first[v + 1]; k++) {
            const w = graph.neighbour[k]
            if (w > v) addSquare(dense, [v, w], [next(), next(), next(), next(), next(), next()])
          }
        }
        for (let v = 0; v < count; v++) {
          for (let k = 0; k < 9; k++) factor.diagonal[9 * v + k] = dense[3 * v + Math.floor(k / 3)][3 * v + (k % 3)]
          for (let b = factor.first[v]; b < factor.first[v + 1]; b++) {
            const w = factor.row[b]
            for (let k = 0; k < 9; k++) factor.block[9 * b + k] = dense[3 * w + Math.floor(k / 3)][3 * v + (k % 3)]
          }
        }
        const wanted = Float64Array.from({ length: 3 * count }, next)
        const x = Float64Array.from(dense, (line) => line.reduce((sum, a, k) => sum + a * wanted[k], 0))
        expect(factor.factorise()).toBe(true)
        factor.solveLower(x)
        factor.solveUpper(x)
        for (let k = 0; k < x.length; k++) expect(Math.abs(x[k] - wanted[k])).toBeLessThan(ROUND_OFF)
        expect(errorOfInverse(factor)).toBeLessThan(ROUND_OFF)
      }),
      { seed: SEED },
    )
  })

  test.each([
    ['0', 0],
    ['below 0', -1],
    ['no number', NaN],
  ])('says where a pivot is %s', (_, pivot) => {
    const factor = new BlockCholesky(graphOf(1, []))
    factor.diagonal.set([1, 0, 0, 0, pivot, 0, 0, 0, 1])
    expect(factor.factorise()).toBe(false)
  })
})

/** How far blocks of the inverse are from what the factor makes of the unit vectors; the factor is gone then. */
function errorOfInverse(factor: BlockCholesky): number {
  const count = factor.first.length - 1
  const columns = Array.from({ length: 3 * count }, (_, c) => {
    const x = new Float64Array(3 * count)
    x[c] = 1
    factor.solveLower(x)
    factor.solveUpper(x)
    return x
  })
  factor.invert()
  let worst = 0
  const compare = (block: Float64Array, o: number, i: number, j: number): void => {
    for (let k = 0; k < 9; k++) {
      const wanted = columns[3 * j + (k % 3)][3 * i + Math.floor(k / 3)]
      worst = Math.max(worst, Math.abs(block[o + k] - wanted))
    }
  }
  for (let j = 0; j < count; j++) {
    compare(factor.diagonal, 9 * j, j, j)
    for (let b = factor.first[j]; b < factor.first[j + 1]; b++) compare(factor.block, 9 * b, factor.row[b], j)
  }
  return worst
}

/** Adds u uᵀ, u three numbers at each of two nodes. */
function addSquare(dense: Float64Array[], [v, w]: [number, number], u: readonly number[]): void {
  const place = (k: number): number => (k < 3 ? 3 * v + k : 3 * w + k - 3)
  for (let i = 0; i < 6; i++) for (let j = 0; j < 6; j++) dense[place(i)][place(j)] += u[i] * u[j]
}
