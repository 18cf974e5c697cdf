/** The other engines of scenes of bodies, at the settings that they come with, and at more work for the plot of error against time. */

import type { Contender } from '../harness/scene.js'

const USUAL: readonly Contender[] = [
  { engine: 'crashcat', usual: [10], others: [20, 40, 80] },
  { engine: 'cannon-es', usual: [10], others: [40] },
  { engine: 'jolt', usual: [1], others: [2, 4, 8] },
  { engine: 'rapier', usual: [4] },
  { engine: 'rapier-simd', usual: [4], others: [8, 16, 32, 80] },
  { engine: 'havok', usual: [1], others: [2, 4, 8] },
]

/** All of them, or all but some. `more`: whether they are also tried with more work. */
export function others({
  more = false,
  without = [],
}: { more?: boolean; without?: readonly string[] } = {}): Contender[] {
  return USUAL.filter(({ engine }) => !without.includes(engine)).map(({ engine, usual, others }) => ({
    engine,
    usual,
    ...(more && others !== undefined && { others }),
  }))
}
