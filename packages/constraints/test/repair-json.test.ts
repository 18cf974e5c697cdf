/** Repairs of poses that were set, in worlds that keep gradients. */

import { fromJSON, World } from '@tautline/core'
import { type AnyType } from '@tautline/core/kernel'
import { expect, test } from 'vitest'
import { distance } from '../src/index.js'

test('a repair before a substep takes gradients of the present pose, which JSON has', () => {
  const world = new World({ jacobians: 'frozen', solver: 'direct' })
  const body = world.addBody({ position: [0, 1, 0], inertia: [0.01, 0.02, 0.02] })
  world.add(distance, { a: null, b: body, anchorA: [0, 0, 0], anchorB: [0.5, 0, 0] })
  for (let step = 0; step < 3; step++) world.step()
  const copy = fromJSON(JSON.stringify(world), [distance] as unknown as AnyType[])
  for (const each of [world, copy]) {
    each.bodies.all()[0].setOrientation([0, 0, 0.6, 0.8])
    for (let step = 0; step < 3; step++) each.step()
  }
  expect(copy.hash()).toBe(world.hash())
})
