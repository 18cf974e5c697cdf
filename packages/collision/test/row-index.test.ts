/** The hash table of manifolds against a search. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Random } from '../../core/test/support/random.js'
import { SEED } from '../../core/test/support/seed.js'
import { RowIndex } from '../src/contact/row-index.js'
import type { Manifolds } from '../src/contact/manifold-columns.js'

/** Rows as the table sees them. Slots are not rows. */
function rows(random: Random, count: number): Manifolds {
  const pair = new Float64Array(3 * count)
  const seen = new Set<string>()
  for (let row = 0; row < count; row++) {
    let key: number[]
    do key = [random.below(40), random.below(40), random.below(6) - 2]
    while (seen.has(key.join()))
    seen.add(key.join())
    pair.set(key, 3 * row)
  }
  const slot = Float64Array.from({ length: count }, (_, row) => count - 1 - row)
  const slotRow = Array.from({ length: count }, (_, k) => count - 1 - k)
  return { count, columns: { pair, slot }, slotRow } as unknown as Manifolds
}

test(`finds each patch and no other, however full it gets (seed ${SEED})`, () => {
  fc.assert(
    fc.property(fc.integer(), fc.integer({ min: 1, max: 400 }), (seed, count) => {
      const random = new Random(seed)
      const batch = rows(random, count)
      const { pair } = batch.columns
      const index = new RowIndex()
      // Some by a rebuild, the others one by one; until it is full it is not rebuilt.
      const first = random.below(count + 1)
      index.rebuild({ ...batch, count: first } as Manifolds)
      for (let row = first; row < count; row++) index.add({ ...batch, count: row + 1 } as Manifolds, row)
      for (let row = 0; row < count; row++) {
        expect(index.find(batch, pair[3 * row], pair[3 * row + 1], pair[3 * row + 2])).toBe(row)
      }
      expect(index.find(batch, 41, 0, 0)).toBe(-1)
    }),
    { seed: SEED, numRuns: 60 },
  )
})
