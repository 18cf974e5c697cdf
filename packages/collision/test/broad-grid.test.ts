import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../../core/test/support/runs.js'
import { Random } from '../../core/test/support/random.js'
import { SEED } from '../../core/test/support/seed.js'
import { ParticleGrid } from '../src/detect/broad/grid.js'
import { IntList } from '../src/detect/broad/int-list.js'
import { PairList } from '../src/detect/broad/pair-list.js'

const STRIDE = 4

interface Cloud {
  count: number
  position: Float64Array
  row: Int32Array
  radius: Float64Array
  margin: number
}

/** Particles at random, rows of the table in any order. */
function randomCloud(random: Random, count: number): Cloud {
  const row = Int32Array.from({ length: count }, (_, k) => k)
  for (let k = count - 1; k > 0; k--) {
    const j = random.below(k + 1)
    ;[row[k], row[j]] = [row[j], row[k]]
  }
  const size = random.chance(0.3) ? 1e6 : random.between(0.1, 2)
  const stretch = [0, 1, 2].map(() => (random.chance(0.3) ? random.between(0, 0.1) : 1))
  const offset = random.vector(random.chance(0.2) ? 1e7 : 3)
  const position = new Float64Array(STRIDE * count)
  for (let k = 0; k < count; k++) {
    // Some beside another: near pairs in a cloud of any size.
    const beside = random.chance(0.3) ? STRIDE * random.below(k + 1) : -1
    for (let c = 0; c < 3; c++) {
      const at =
        beside >= 0 && beside < STRIDE * k ? position[beside + c] : offset[c] + stretch[c] * random.vector(size)[c]
      position[STRIDE * k + c] = at + random.between(-0.05, 0.05)
    }
  }
  const radius = Float64Array.from({ length: count }, () => random.between(0, 0.1))
  return { count, position, row, radius, margin: random.chance(0.5) ? 0 : random.between(0, 0.05) }
}

const at = ({ position, row }: Cloud, k: number): number[] => [0, 1, 2].map((c) => position[STRIDE * row[k] + c])

function bruteForce(cloud: Cloud): string[] {
  const pairs: string[] = []
  for (let a = 0; a < cloud.count; a++) {
    for (let b = a + 1; b < cloud.count; b++) {
      const [p, q] = [at(cloud, a), at(cloud, b)]
      const square = (q[0] - p[0]) ** 2 + (q[1] - p[1]) ** 2 + (q[2] - p[2]) ** 2
      const near = cloud.radius[a] + cloud.radius[b] + cloud.margin
      // A pair at the limit, to rounding, may go either way.
      if (Math.abs(square - near * near) > 1e-12 * near * near && square < near * near) pairs.push(`${a}-${b}`)
    }
  }
  return pairs
}

function build(grid: ParticleGrid, { count, position, row, radius, margin }: Cloud): void {
  grid.build(count, position, STRIDE, row, radius, margin)
}

const list = (pairs: PairList): string[] =>
  Array.from({ length: pairs.count }, (_, k) => `${pairs.items[2 * k]}-${pairs.items[2 * k + 1]}`)

describe(`against all pairs (seed ${SEED})`, () => {
  test('near pairs: each once, in order', () => {
    const grid = new ParticleGrid()
    const pairs = new PairList()
    const property = fc.property(fc.integer(), fc.integer({ min: 0, max: 150 }), (seed, count) => {
      const cloud = randomCloud(new Random(seed), count)
      build(grid, cloud)
      grid.findPairs(pairs)
      expect(list(pairs)).toEqual(bruteForce(cloud))
    })
    fc.assert(property, { seed: SEED, numRuns: runs(400) })
  })

  test('particles near a box', () => {
    const grid = new ParticleGrid()
    const near = new IntList()
    const property = fc.property(fc.integer(), fc.integer({ min: 0, max: 150 }), (seed, count) => {
      const random = new Random(seed)
      const cloud = randomCloud(random, count)
      build(grid, cloud)
      for (let round = 0; round < 5; round++) {
        const low = count > 0 && random.chance(0.7) ? at(cloud, random.below(count)) : [...random.vector(3)]
        const half = random.between(0, random.chance(0.3) ? 5 : 0.3)
        const box = Float64Array.from([9, ...low.map((c) => c - half), ...low.map((c) => c + half)])
        near.clear()
        near.push(-1)
        grid.query(box, 1, near)
        const expected = Array.from({ length: count }, (_, k) => k).filter((k) => {
          const square = at(cloud, k).reduce((sum, c, i) => sum + Math.max(box[1 + i] - c, 0, c - box[4 + i]) ** 2, 0)
          return square <= (cloud.radius[k] + cloud.margin) ** 2
        })
        expect([...near.items.subarray(1, near.count)]).toEqual(expected)
      }
    })
    fc.assert(property, { seed: SEED, numRuns: runs(300) })
  })
})

describe('clouds that meet in few slots', () => {
  /** A layer of cells each, all over the table: rows share slots, and runs go over its end. */
  test.each([1, 7, 64, 1000, 123_457])('sparse lattice, %d cells apart', (apart) => {
    const n = 8
    const cloud: Cloud = {
      count: 2 * n ** 3,
      position: new Float64Array(STRIDE * 2 * n ** 3),
      row: Int32Array.from({ length: 2 * n ** 3 }, (_, k) => k),
      radius: new Float64Array(2 * n ** 3).fill(0.5),
      margin: 0,
    }
    for (let k = 0; k < n ** 3; k++) {
      const p = [k % n, Math.floor(k / n) % n, Math.floor(k / n ** 2)].map((c) => (c - n / 2) * (apart + 0.001))
      cloud.position.set(p, STRIDE * 2 * k)
      cloud.position.set([p[0] + 0.5, p[1] + 0.5, p[2] - 0.5], STRIDE * (2 * k + 1))
    }
    const grid = new ParticleGrid()
    const pairs = new PairList()
    build(grid, cloud)
    grid.findPairs(pairs)
    expect(list(pairs)).toEqual(bruteForce(cloud))
  })

  test('far out, and not a number', () => {
    const grid = new ParticleGrid()
    const pairs = new PairList()
    const cloud: Cloud = {
      count: 6,
      position: Float64Array.from(
        [
          [1e300, 0, 0, 1],
          [1e300, 0, 0, 1],
          [NaN, 0, 0, 1],
          [0, NaN, 0, 1],
          [0, 0, 0.1, 1],
          [0, 0, 0, 1],
        ].flat(),
      ),
      row: Int32Array.of(0, 1, 2, 3, 4, 5),
      radius: new Float64Array(6).fill(0.1),
      margin: 0,
    }
    build(grid, cloud)
    grid.findPairs(pairs)
    expect(list(pairs)).toEqual(['0-1', '4-5'])
    const near = new IntList()
    grid.query(Float64Array.of(-1, -1, -1, 1, 1, 1), 0, near)
    expect([...near.items.subarray(0, near.count)]).toEqual([4, 5])
  })

  test('points without margin are near nothing', () => {
    const grid = new ParticleGrid()
    const pairs = new PairList()
    build(grid, {
      count: 2,
      position: new Float64Array(2 * STRIDE),
      row: Int32Array.of(0, 1),
      radius: new Float64Array(2),
      margin: 0,
    })
    grid.findPairs(pairs)
    expect(pairs.count).toBe(0)
  })
})
