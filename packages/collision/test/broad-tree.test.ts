import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../../core/test/support/runs.js'
import { Random } from '../../core/test/support/random.js'
import { SEED } from '../../core/test/support/seed.js'
import { IntList } from '../src/detect/broad/int-list.js'
import { PairFinder } from '../src/detect/broad/pairs.js'
import { BoxTree } from '../src/detect/broad/tree.js'

type Box = number[]

/** Searches so far: each may be for other active proxies. */
let calls = 0

const SPACE: Box = [-Infinity, -Infinity, -Infinity, Infinity, Infinity, Infinity]
const NOWHERE: Box = [NaN, NaN, NaN, NaN, NaN, NaN]

const touch = (a: Box, b: Box): boolean => [0, 1, 2].every((k) => a[k] <= b[k + 3] && b[k] <= a[k + 3])

/** Boxes of a reference beside a tree of the same proxies. */
class Pair {
  readonly tree = new BoxTree()
  readonly boxes = new Map<number, Box>()
  readonly fixed = new Map<number, boolean>()

  insert(id: number, box: Box, fixed = false): void {
    this.tree.insert(id, Float64Array.from([9, ...box]), 1, fixed)
    this.boxes.set(id, box)
    this.fixed.set(id, fixed)
  }

  remove(id: number): void {
    this.tree.remove(id)
    this.boxes.delete(id)
  }

  move(id: number, box: Box): boolean {
    this.boxes.set(id, box)
    return this.tree.move(id, Float64Array.from(box), 0)
  }

  touching(box: Box): number[] {
    return [...this.boxes].filter(([, other]) => touch(box, other)).map(([id]) => id)
  }

  query(box: Box): number[] {
    const out = new IntList()
    this.tree.query(Float64Array.from(box), 0, out)
    return [...out.items.subarray(0, out.count)]
  }

  /** All pairs that should be found, in order. */
  pairs(active: Uint8Array): string[] {
    const ids = [...this.boxes.keys()].sort((a, b) => a - b)
    return ids.flatMap((a) =>
      ids
        .filter((b) => a < b && (active[a] | active[b]) !== 0 && !(this.fixed.get(a) && this.fixed.get(b)))
        .filter((b) => touch(this.boxes.get(a)!, this.boxes.get(b)!))
        .map((b) => `${a}-${b}`),
    )
  }
}

const found = (finder: PairFinder): string[] =>
  Array.from({ length: finder.pairs.count }, (_, k) => `${finder.pairs.items[2 * k]}-${finder.pairs.items[2 * k + 1]}`)

const sorted = (ids: number[]): number[] => [...ids].sort((a, b) => a - b)

function randomBox(random: Random, size = 5): Box {
  if (random.chance(0.02)) return SPACE
  if (random.chance(0.02)) return [-Infinity, -Infinity, -Infinity, Infinity, random.between(-size, size), Infinity]
  const low = random.vector(size)
  // Flat ones, points, and rods among them.
  const side = (): number => (random.chance(0.1) ? 0 : random.chance(0.1) ? 3 : random.between(0, 1))
  return [...low, low[0] + side(), low[1] + side(), low[2] + side()]
}

/** Levels below the root. */
function depth({ children }: BoxTree, root: number): number {
  const open = [[root, 0]]
  let most = 0
  while (open.length > 0) {
    const [node, level] = open.pop()!
    most = Math.max(most, level)
    if (node > 0 && (node & 1) !== 0) open.push([children[2 * node], level + 1], [children[2 * node + 1], level + 1])
  }
  return most
}

/** Whether the box of each inner node is that around its children's. */
function fits(tree: BoxTree, node: number): boolean {
  const { boxes, children } = tree
  if (node < 0 || (node & 1) === 0) return true
  const [left, right] = [children[2 * node], children[2 * node + 1]]
  for (let k = 0; k < 3; k++) {
    if (boxes[6 * node + k] !== Math.min(boxes[6 * left + k], boxes[6 * right + k])) return false
    if (boxes[6 * node + k + 3] !== Math.max(boxes[6 * left + k + 3], boxes[6 * right + k + 3])) return false
  }
  return fits(tree, left) && fits(tree, right)
}

describe(`against all boxes one by one (seed ${SEED})`, () => {
  test('queries and pairs after any inserts, moves and removes', () => {
    const property = fc.property(fc.integer(), fc.integer({ min: 0, max: 60 }), (seed, n) => {
      const random = new Random(seed)
      const pair = new Pair()
      const finder = new PairFinder(pair.tree)
      for (let round = 0; round < 12; round++) {
        for (let k = 0; k < n / 3; k++) {
          const id = random.below(n)
          const box = pair.boxes.get(id)
          if (box === undefined) pair.insert(id, randomBox(random), random.chance(0.3))
          else if (random.chance(0.2)) pair.remove(id)
          else if (random.chance(0.3)) pair.move(id, random.chance(0.1) ? NOWHERE : randomBox(random))
          else {
            const by = random.vector(0.3)
            pair.move(
              id,
              box.map((c, i) => c + by[i % 3]),
            )
          }
        }
        const active = Uint8Array.from({ length: n + 1 }, () => (random.chance(0.6) ? 1 : 0))
        finder.find(active, ++calls)
        expect(found(finder)).toEqual(pair.pairs(active))
        const box = randomBox(random)
        expect(sorted(pair.query(box))).toEqual(sorted(pair.touching(box)))
        expect(pair.tree.count).toBe(pair.boxes.size)
        expect(fits(pair.tree, pair.tree.root)).toBe(true)
      }
    })
    fc.assert(property, { seed: SEED, numRuns: runs(200) })
  })

  test('pairs depend on numbers and boxes alone, not on what the tree has been through', () => {
    const property = fc.property(fc.integer(), fc.integer({ min: 2, max: 50 }), (seed, n) => {
      const random = new Random(seed)
      const used = new Pair()
      const finder = new PairFinder(used.tree)
      const active = new Uint8Array(n).fill(1)
      for (let id = n - 1; id >= 0; id--) used.insert(id, randomBox(random))
      for (let k = 0; k < 5 * n; k++) {
        const id = random.below(n)
        if (random.chance(0.3)) {
          used.remove(id)
          used.insert(id, randomBox(random))
        } else used.move(id, randomBox(random))
        if (random.chance(0.1)) finder.find(active, ++calls)
      }
      const fresh = new Pair()
      for (const [id, box] of [...used.boxes].sort(([a], [b]) => a - b)) fresh.insert(id, box)
      const other = new PairFinder(fresh.tree)
      finder.find(active, ++calls)
      other.find(active, ++calls)
      expect(found(finder)).toEqual(found(other))
    })
    fc.assert(property, { seed: SEED, numRuns: runs(100) })
  })
})

describe('shape of the tree', () => {
  /** Levels per halving: a tree of little area is not the shallowest, least of all over things ever farther apart. */
  const LEVELS = 4

  test.each([
    ['a line in order', (k: number) => [k, 0, 0]],
    ['all in one place', () => [0, 0, 0]],
    ['ever farther apart', (k: number) => [1.01 ** k, 0, 0]],
    ['a plane', (k: number) => [k % 50, 0, Math.floor(k / 50)]],
  ])('%s', (_, place) => {
    const pair = new Pair()
    const n = 2000
    for (let id = 0; id < n; id++) {
      const [x, y, z] = place(id)
      pair.insert(id, [x, y, z, x + 0.5, y + 0.5, z + 0.5])
    }
    expect(depth(pair.tree, pair.tree.root)).toBeLessThan(LEVELS * Math.log2(n))
  })

  test('stays as cheap as a fresh one while all move', () => {
    const random = new Random(1)
    const pair = new Pair()
    const n = 500
    for (let id = 0; id < n; id++) {
      const p = random.vector(5)
      pair.insert(id, [...p, p[0] + 0.5, p[1] + 0.5, p[2] + 0.5])
    }
    for (let step = 0; step < 200; step++) {
      for (let id = 0; id < n; id++) {
        const by = random.vector(0.1)
        pair.move(
          id,
          pair.boxes.get(id)!.map((c, i) => c + by[i % 3]),
        )
      }
    }
    const { tree } = pair
    const fresh = new BoxTree()
    for (let id = 0; id < n; id++) fresh.insert(id, tree.boxes, 12 * id, false)
    expect(cost(tree)).toBeLessThan(1.2 * cost(fresh))
  })

  /** Sum of the areas of the inner boxes. */
  function cost(tree: BoxTree, node = tree.root): number {
    if ((node & 1) === 0) return 0
    const [x, y, z] = [0, 1, 2].map((k) => tree.boxes[6 * node + k + 3] - tree.boxes[6 * node + k])
    return x * y + y * z + z * x + cost(tree, tree.children[2 * node]) + cost(tree, tree.children[2 * node + 1])
  }
})

describe('details', () => {
  test('a small move leaves the tree as it is, once the box is fat', () => {
    const pair = new Pair()
    pair.insert(0, [0, 0, 0, 1, 1, 1])
    expect(pair.move(0, [0.01, 0, 0, 1.01, 1, 1])).toBe(true)
    expect(pair.move(0, [0.02, 0, 0, 1.02, 1, 1])).toBe(false)
    expect(pair.move(0, [0.02, 3, 0, 1.02, 4, 1])).toBe(true)
  })

  test('two fixed proxies are no pair, even where one is said to be active', () => {
    const pair = new Pair()
    for (let id = 0; id < 3; id++) pair.insert(id, [0, 0, 0, 1, 1, 1], id < 2)
    const finder = new PairFinder(pair.tree)
    finder.find(Uint8Array.of(1, 1, 1), ++calls)
    expect(found(finder)).toEqual(['0-2', '1-2'])
  })

  test('no pair of two that sleep, and the same candidates when one wakes', () => {
    const pair = new Pair()
    for (let id = 0; id < 3; id++) pair.insert(id, [id, 0, 0, id + 1, 1, 1])
    const finder = new PairFinder(pair.tree)
    finder.find(Uint8Array.of(0, 0, 0), ++calls)
    expect(found(finder)).toEqual([])
    finder.find(Uint8Array.of(1, 0, 0), ++calls)
    expect(found(finder)).toEqual(['0-1'])
    finder.find(Uint8Array.of(0, 1, 0), ++calls)
    expect(found(finder)).toEqual(['0-1', '1-2'])
  })

  test('an empty tree has no pairs and answers queries', () => {
    const pair = new Pair()
    const finder = new PairFinder(pair.tree)
    finder.find(new Uint8Array(0), ++calls)
    expect(finder.pairs.count).toBe(0)
    expect(pair.query(SPACE)).toEqual([])
    pair.insert(7, [0, 0, 0, 1, 1, 1])
    expect(pair.tree.has(6)).toBe(false)
    expect(pair.query(SPACE)).toEqual([7])
    pair.remove(7)
    expect(pair.tree.has(7)).toBe(false)
    expect(pair.query(SPACE)).toEqual([])
  })

  test('boxes too large for areas are kept beside the tree', () => {
    const pair = new Pair()
    pair.insert(0, [-1e200, 0, 0, 1e200, 1, 1])
    for (let id = 1; id < 20; id++) pair.insert(id, [id, 0, 0, id + 0.5, 1, 1])
    expect(pair.tree.unbounded.count).toBe(1)
    expect(sorted(pair.query([5.2, 0, 0, 5.3, 1, 1]))).toEqual([0, 5])
    pair.move(0, [0, 0, 0, 1, 1, 1])
    expect(pair.tree.unbounded.count).toBe(0)
  })
})
