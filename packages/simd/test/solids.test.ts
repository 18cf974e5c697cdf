/** Kernels of rows of four bodies give the bits of TypeScript, over random solids. */

import { dihedralBend } from '@tautline/constraints'
import { World } from '@tautline/core'
import { simd } from '@tautline/simd'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../../core/test/support/runs.js'
import { SEED } from '../../core/test/support/seed.js'
import { Random } from '../../core/test/support/random.js'
import { expectSame } from './support/same.js'
import { solidWorld } from './support/solid.js'

const RUNS = 15
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
      { seed: SEED, numRuns: runs(RUNS) },
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
      { seed: SEED, numRuns: runs(RUNS) },
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

  test('folds of every angle, flat, square and closed ones too', () => {
    const [plain, other] = [undefined, simd()].map((kernels) => {
      const world = new World({ substeps: 2, gravity: [0, 0, 0], ...(kernels !== undefined && { kernels }) })
      const random = new Random(3)
      for (let k = 0; k <= 400; k++) {
        const angle = (Math.PI * (k - 200)) / 200
        const wing = k % 100 === 0 ? Math.round(Math.cos(angle)) : Math.cos(angle)
        const rise = k % 100 === 0 ? Math.round(Math.sin(angle)) : k % 100 === 50 ? Math.abs(wing) : Math.sin(angle)
        const size = 10 ** random.between(-2, 2)
        const bodies = [
          [0, 0, 0],
          [0, 1, 0],
          [-1, random.next(), 0],
          [wing, random.next(), rise],
        ].map((position) => world.addParticle({ position: position.map((x) => size * x) as [number, number, number] }))
        const compliance = random.chance(0.2) ? 0 : 10 ** random.between(-4, 0)
        world.add(dihedralBend, { bodies, angle: random.between(-Math.PI, Math.PI), compliance })
      }
      return world
    })
    expectSame(plain, other, 4)
  })
})
