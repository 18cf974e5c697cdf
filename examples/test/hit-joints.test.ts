/** Two bodies of unlike mass on one joint that is solved directly, thrown at a wall that gives nothing back, without the guard. */

import { box, Collisions } from '@tautline/collision'
import { hinge } from '@tautline/constraints'
import { World } from '@tautline/core'
import { describe, expect, test } from 'vitest'

/** Share of the energy at the start that may come back after the lowest: contacts and joint end by turns. Before, up to all of it did. */
const REGAINED = 0.05
/** Steps a second, and seconds. */
const RATES = [30, 60, 144]
const SECONDS = 0.7

function thrown(rate: number, soft: object): { peak: number; regained: number } {
  const world = new World({ dt: 1 / rate, gravity: [0, 0, 0], energyGuard: false })
  const collisions = new Collisions(world)
  collisions.addCollider(null, { shape: box([0.1, 5, 5]), position: [2, 2.5, 0] })
  const velocity = [12, 0, 1] as const
  const shape = box([0.15, 0.08, 0.06])
  const a = collisions.addBody({ shape, mass: 60, position: [0, 2.03, 0], velocity })
  const b = collisions.addBody({ shape, mass: 2, position: [0.32, 2.01, 0], velocity })
  world.add(hinge, { a, b, point: [0.16, 2.02, 0], axis: [0, 0, 1], limits: { min: -0.6, max: 0.6 }, ...soft })
  const start = world.energy().total
  let [least, peak, regained] = [start, start, 0]
  for (let step = 0; step < SECONDS * rate; step++) {
    world.step()
    const { total } = world.energy()
    least = Math.min(least, total)
    peak = Math.max(peak, total)
    regained = Math.max(regained, total - least)
  }
  return { peak: peak / start, regained: regained / start }
}

describe('two bodies on one hinge hit a wall', () => {
  for (const [name, soft] of Object.entries({
    rigid: {},
    soft: { compliance: 1e-6, angularCompliance: 1e-5 },
  })) {
    test.each(RATES)(`${name}, %i steps a second: no energy comes back`, (rate) => {
      const { peak, regained } = thrown(rate, soft)
      expect(peak).toBeLessThanOrEqual(1 + 1e-3)
      expect(regained).toBeLessThanOrEqual(REGAINED)
    })
  }
})
