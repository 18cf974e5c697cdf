/** A body that is lost takes nothing along that does not move. */

import { World } from '@tautline/core'
import { expect, test } from 'vitest'
import { lineDistance } from '../src/index.js'

test('a line never writes what does not move, also where its other end is not a number', () => {
  const world = new World({ iterations: 3, tolerance: 0, energyGuard: false })
  const wall = world.addBody({ type: 'static', velocity: [-0.477, -2.55, 0.01] })
  const body = world.addBody({ position: [0, 0, 0.1], mass: 0.01 })
  world.add(lineDistance, { a: wall, b: body, mode: 'strut', length: 1, stiffness: 100 })
  world.use({
    name: 'loses it',
    beforeSubstep: () => world.bodies.columns.position.fill(NaN, 4 * body.index, 4 * body.index + 3),
  })
  world.step()
  expect(wall.position).toEqual([0, 0, 0])
  expect(world.report.nonFinite.length).toBeGreaterThan(0)
})
