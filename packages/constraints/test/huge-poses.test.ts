/** What a definition takes from the present pose is finite, or refused: else a saved world could not be read. */

import { fromJSON, World } from '@tautline/core'
import { describe, expect, test } from 'vitest'
import { Random } from '../../core/test/support/random.js'
import { SEED } from '../../core/test/support/seed.js'
import { TABLE } from './support/table.js'

/** Sizes [m] at which a square, a cube or a fourth power leaves the doubles, above and below. */
const SIZES = [1e-320, 1e-160, 1e-103, 1e78, 1e103, 1e154, 1e300]
/** Volumes are infinite from about (10³⁰⁸)^⅓ m on. */
const TOO_LARGE = 1e104

describe(`poses of any size (seed ${SEED})`, () => {
  test.each(TABLE)('$name: what was taken can be read back', (entry) => {
    const random = new Random(SEED)
    for (const size of SIZES) {
      const world = new World()
      const bodies = entry.places.map(([x, y, z]) =>
        world.addBody({ position: [x * size, y * size, z * size], mass: 1, inertia: [1, 1, 1] }),
      )
      const def = entry.def(random, bodies)
      const isPair = entry.many !== true && bodies.length === 2
      const joined = isPair ? { a: bodies[0], b: bodies[1], ...def } : { bodies, ...def }
      try {
        world.add(entry.type, joined)
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError)
      }
      const json = JSON.stringify(world)
      expect(() => fromJSON(json, [entry.type]), `${size} m`).not.toThrow()
    }
  })

  test.each(TABLE.filter(({ name }) => name === 'tetraVolume' || name === 'enclosedVolume'))(
    '$name: a volume that is no number is refused, and nothing is added',
    ({ type, places, def }) => {
      const world = new World()
      const bodies = places.map((place) =>
        world.addParticle({ position: place.map((x) => x * TOO_LARGE) as [number, number, number], mass: 1 }),
      )
      const fields = def(new Random(SEED), bodies)
      expect(() => world.add(type, { bodies, ...fields })).toThrow(/volume of the present pose must be finite/)
      expect(world.batches.every(({ count }) => count === 0)).toBe(true)
    },
  )
})
