/** The pulley, tested as the built-in types are, and a game that uses it. */

import { World } from '@tautline/core'
import { bodies, conformance, real, record, replays, staysMet, vector } from '@tautline/fast-check'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { pulley } from './pulley.js'

// Wheels are at most two metres from anything: a cord of four can always be taut.
const params = record({ wheels: fc.tuple(vector(), vector()), length: real(4, 6, 5) })
conformance(pulley, record({ params }), { describe, test, worldFrame: true, module: './pulley.js' })

test('a hoist replays, and its cord does not stretch', () => {
  const load = bodies({ reach: 0.2, massRatio: 10 })
  const hoist = fc.property(load, load, (left, right) => {
    const make = (): World => {
      const world = new World()
      const pair = [world.addBody(left), world.addBody(right)]
      world.add(pulley, { bodies: pair, params: { wheels: [[-1, 2, 0], [1, 2, 0]], length: 6 } }) // prettier-ignore
      return world
    }
    replays(make)
    staysMet(make, { linear: 1e-3 })
  })
  fc.assert(hoist, { numRuns: 20 })
})
