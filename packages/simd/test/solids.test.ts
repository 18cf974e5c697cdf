/** Kernels of rows of four bodies give the bits of TypeScript, over random solids. */

import type { World } from '@tautline/core'
import { simd } from '@tautline/simd'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { SEED } from '../../core/test/support/seed.js'
import { Random } from '../../core/test/support/random.js'
import { expectSame } from './support/same.js'
import { solidWorld } from './support/solid.js'

const RUNS = 40
const seeds = fc.integer({ min: 1, max: 1e6 })

/** A world in TypeScript and one on kernels, changed alike. */
function both(seed: number, change?: (world: World, random: Random) => void): [World, World] {
  const [plain, other] = [undefined, simd()].map((kernels) => {
    const world = solidWorld(new Random(seed), kernels)
    change?.(world, new Random(seed))
    return world
  })
  return [plain, other]
}

describe('the bits of TypeScript', () => {
  test('solids of random rows, squeezed, flattened and turned inside out', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        expectSame(...both(seed))
      }),
      { seed: SEED, numRuns: RUNS },
    )
  })

  test('solids that are torn at, thrown far away and not finite', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const [plain, other] = both(seed, (world, random) => {
          for (const body of world.bodies.all()) {
            if (body.type !== 'dynamic' || !random.chance(0.1)) continue
            const size = 10 ** random.between(0, 160)
            if (random.chance(0.5)) body.setPosition([random.between(-size, size), 0, 0])
            else body.setVelocity([0, random.between(-size, size), 0])
          }
        })
        expectSame(plain, other)
        expect(other.report.nonFinite.length).toBe(plain.report.nonFinite.length)
      }),
      { seed: SEED, numRuns: RUNS },
    )
  })

  test('solids in one place, or along a line, where no row has a gradient', () => {
    for (const along of [0, 1]) {
      const [plain, other] = both(7, (world) => {
        for (const body of world.bodies.all()) {
          if (body.type === 'dynamic') body.setPosition([along * body.position[0], 0, 0])
        }
      })
      expectSame(plain, other)
    }
  })
})
