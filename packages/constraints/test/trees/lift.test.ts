import { fc, test as property } from '@fast-check/vitest'
import { describe, expect, test } from 'vitest'
import { Random } from '../../../core/test/support/random.js'
import { chain, worst } from './support.js'

/**
 * Potential energy that a repair may leave above that of the start, as a share of m g L. None where it ends in one go; of 600 chains 10 with
 * masses of up to 1 : 1000 need more than one, and keep what the first has lifted, 0.23 % at most. Without lowering it is 0.6 % and more.
 */
const LIFTED = 4e-3
/** A joint that is met [m]. */
const MET = 1e-8

describe('a repair of a hung chain', () => {
  property.prop([fc.integer({ min: 1, max: 1e6 }), fc.constantFrom(0, 3), fc.constantFrom(1, 4)], { numRuns: 30 })(
    'lifts nothing: what was off its joints has no more energy than it was given',
    (seed, decades, substeps) => {
      const random = new Random(seed)
      const { world, bodies, joints } = chain({
        mass: () => 10 ** random.between(0, decades),
        options: { substeps },
      })
      for (const body of bodies) {
        const off = random.vector(0.3)
        body.setPosition([body.position[0] + off[0], body.position[1] + off[1], body.position[2] + off[2]])
      }
      const scale = bodies.reduce((sum, { mass }) => sum + mass, 0) * 9.81 * 4
      const start = world.energy().total
      world.step()
      expect(world.energy().total - start).toBeLessThan(LIFTED * scale)
      expect(worst(joints)).toBeLessThan(MET)
    },
  )

  test('where there is no way down the chain is only closed', () => {
    const { world, bodies, joints } = chain({ links: 3, hanging: true })
    for (const body of bodies) body.setPosition([0, body.position[1] - 0.1, 0])
    world.step()
    expect(worst(joints)).toBeLessThan(MET)
    for (const body of bodies) expect(Math.abs(body.velocity[0])).toBeLessThan(MET)
  })
})
