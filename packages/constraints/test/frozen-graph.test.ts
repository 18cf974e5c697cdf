/** Bodies that are frozen within a step join nothing from then on, whether the components were found before it or after. */

import { type Body, solidBox, World } from '@tautline/core'
import { expect, test } from 'vitest'
import { fixed } from '../src/index.js'

/** A free chain of five boxes whose second body is thrown out of the numbers. */
function thrown(): { world: World; bodies: Body[] } {
  const world = new World({ gravity: [0, 0, 0], jacobians: 'frozen', substeps: 1 })
  const bodies = Array.from({ length: 5 }, (_, k) =>
    world.addBody({
      position: [0.5 * k + 0.25, 0, 0],
      velocity: [k, 1 - k, 0.5 * k],
      angularVelocity: [0, 0, 1 - k],
      mass: 1,
      inertia: solidBox(1, [0.5, 0.2, 0.2]),
    }),
  )
  for (let k = 1; k < bodies.length; k++) world.add(fixed, { a: bodies[k - 1], b: bodies[k], point: [0.5 * k, 0, 0] })
  return { world, bodies }
}

test('a world goes on the same after restore where a body is frozen in the next step', () => {
  const { world, bodies } = thrown()
  for (let step = 0; step < 8; step++) world.step()
  const snapshot = world.snapshot()
  const go = (): string[] => {
    bodies[1].setVelocity([0, 0, 1e200])
    return Array.from({ length: 4 }, () => {
      world.step()
      return world.hash()
    })
  }
  const first = go()
  expect(bodies[1].frozen).toBe(true)
  world.restore(snapshot)
  expect(go()).toEqual(first)
})
