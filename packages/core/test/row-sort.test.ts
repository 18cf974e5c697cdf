/** Rows sorted by counting stand as sorted by comparison. */

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { RowSort } from '../src/state/row-sort.js'
import { SEED } from './support/seed.js'

/** Longer than what is sorted by comparison. */
const LENGTH = 700

const lists = (entry: fc.Arbitrary<number>): fc.Arbitrary<number[]> =>
  fc.oneof(fc.array(entry, { maxLength: 40 }), fc.array(entry, { minLength: LENGTH, maxLength: LENGTH }))

/** Rows in some order that is not their own. */
const shuffled = (count: number): Int32Array => Int32Array.from({ length: count }, (_, k) => count - 1 - k)

describe(`rows (seed ${SEED})`, () => {
  const sorting = new RowSort()

  test('by integers of any size: those of one stay in their order', () => {
    const key = fc.oneof(fc.nat(3), fc.nat(5000), fc.nat(0x7fffffff), fc.constantFrom(0x40000000, 0x7ffffffe))
    fc.assert(
      fc.property(lists(key), (keys) => {
        const rows = shuffled(keys.length)
        sorting.byKey(rows, Int32Array.from(keys))
        expect(Array.from(rows)).toEqual(Array.from(shuffled(keys.length)).sort((r, s) => keys[r] - keys[s]))
      }),
      { seed: SEED, numRuns: 60 },
    )
  })

  test('by age, whose numbers may be far apart', () => {
    const wide = fc.nat().map((n) => 4 * n)
    fc.assert(
      fc.property(fc.oneof(lists(fc.nat(5000)), lists(wide), lists(fc.maxSafeNat())), (ages) => {
        const rows = shuffled(ages.length)
        sorting.byAge(rows, Float64Array.from(ages))
        expect(Array.from(rows)).toEqual(Array.from(shuffled(ages.length)).sort((r, s) => ages[r] - ages[s]))
      }),
      { seed: SEED, numRuns: 60 },
    )
  })

  test('by colour, from one place to another', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(30), { minLength: 2, maxLength: 60 }), fc.nat(20), (colours, from) => {
        const first = Math.min(from, colours.length - 1)
        const rows = shuffled(colours.length)
        sorting.byColour(rows, first, rows.length, Int32Array.from(colours), 31)
        const before = Array.from(shuffled(colours.length))
        const sorted = before.slice(first).sort((r, s) => colours[r] - colours[s])
        expect(Array.from(rows)).toEqual([...before.slice(0, first), ...sorted])
      }),
      { seed: SEED, numRuns: 100 },
    )
  })
})
