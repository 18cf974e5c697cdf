/** Kernels of contact manifolds give the bits of TypeScript, over random piles. */

import { box, Collisions, plane } from '@tautline/collision'
import { type Kernels, World } from '@tautline/core'
import { simd } from '@tautline/simd'
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { IS_THOROUGH, runs } from '../../core/test/support/runs.js'
import { SEED } from '../../core/test/support/seed.js'
import { Random } from '../../core/test/support/random.js'
import { expectSame, STEPS } from './support/same.js'
import { pileWorld } from './support/rigid.js'

const RUNS = 30
/** Worlds of what flies far take long in either. */
const FEW = 10
/** Steps in which a pile falls down and most of it comes to lie. */
const LONG = 40
const seeds = fc.integer({ min: 1, max: 1e6 })

/** A world in TypeScript and one on kernels, changed alike. */
function both(seed: number, change?: (world: World, random: Random) => void): [World, World] {
  const [plain, other] = [undefined, simd()].map((kernels) => {
    const world = pileWorld(new Random(seed), kernels)
    change?.(world, new Random(seed))
    return world
  })
  return [plain, other]
}

function pyramid(kernels?: Kernels): { world: World; collisions: Collisions } {
  const world = new World({ ...(kernels !== undefined && { kernels }) })
  const collisions = new Collisions(world)
  collisions.addCollider(null, { shape: plane([0, 1, 0]) })
  for (let row = 0; row < 6; row++) {
    for (let k = 0; k < 6 - row; k++) {
      collisions.addBody({ shape: box([0.5, 0.5, 0.5]), position: [1.1 * (k + row / 2), 0.5 + row, 0] })
    }
  }
  return { world, collisions }
}

describe('the bits of TypeScript', () => {
  test('piles of random bodies and chains', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        expectSame(...both(seed), LONG)
      }),
      { seed: SEED, numRuns: runs(RUNS) },
    )
  })

  test('piles that are torn at, thrown far away and not finite', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const [plain, other] = both(seed, (world, random) => {
          for (const body of world.bodies.all()) {
            if (body.type !== 'dynamic' || !random.chance(0.2)) continue
            const size = 10 ** random.between(0, 160)
            if (random.chance(0.3)) body.setPosition([random.between(-size, size), 0, 0])
            else if (random.chance(0.5)) body.setVelocity([0, random.between(-size, size), 0])
            else body.setAngularVelocity([0, random.between(-size, size), 1])
          }
        })
        expectSame(plain, other)
        expect(other.report.nonFinite.length).toBe(plain.report.nonFinite.length)
      }),
      { seed: SEED, numRuns: runs(FEW) },
    )
  })

  test('piles that are stepped on from a snapshot', () => {
    for (const seed of [1, 2, 3, 4, 5, 6]) {
      const [plain, other] = both(seed)
      expectSame(plain, other)
      const saved = [plain, other].map((world) => ({ world, snapshot: world.snapshot() }))
      expectSame(plain, other)
      for (const { world, snapshot } of saved) world.restore(snapshot)
      expectSame(plain, other, 2 * STEPS)
    }
  })

  test('bodies that come and go between steps', () => {
    const worlds = [undefined, simd()].map((kernels) => pyramid(kernels))
    const [plain, other] = worlds.map(({ world }) => world)
    for (let round = 0; round < (IS_THOROUGH ? 8 : 4); round++) {
      for (const { world, collisions } of worlds) {
        for (let k = 0; k < 10 * round; k++) {
          collisions.addBody({ shape: box([0.3, 0.3, 0.3]), position: [0.61 * k, 7, 0.3 * round], friction: 0.2 })
        }
        if (round > 2) world.bodies.remove(world.bodies.all()[round])
      }
      expectSame(plain, other, 4)
    }
  })
})

test('all passes over manifolds are compiled ones', () => {
  const { world } = pyramid(simd())
  // Where views lie is settled when a step begins.
  world.step()
  world.step()
  const batch = world.batches.find(({ type }) => type.name === 'manifold')
  expect(batch?.table.buffer).toBe(world.bodies.table.buffer)
  const { passes } = batch?.type as unknown as { passes: Record<string, () => void> }
  const spies = Object.keys(passes).map((name) => vi.spyOn(passes, name))
  for (let step = 0; step < STEPS; step++) world.step()
  for (const spy of spies) {
    expect(spy).not.toHaveBeenCalled()
    spy.mockRestore()
  }
})
