/** Two worlds, stepped side by side. */

import type { World } from '@tautline/core'
import { expect } from 'vitest'

/** Steps of a comparison, where nothing else is said. */
export const STEPS = 12

/** Steps both worlds, and compares their hashes after every step. */
export function expectSame(plain: World, other: World, steps = STEPS, dt = plain.settings.dt): void {
  for (let step = 0; step < steps; step++) {
    plain.step(dt)
    other.step(dt)
    if (plain.hash() !== other.hash()) expect.fail(`other bits after step ${step + 1}`)
  }
}
