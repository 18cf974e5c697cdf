/** A body that is lost takes nothing along that does not move. */

import { custom, World } from '@tautline/core'
import { expect, test } from 'vitest'
import { lineDistance } from '../src/index.js'

/** An error that is NaN where its bodies are more than 1.5 m apart. */
const lost = custom({
  name: 'lost',
  bodies: 2,
  error([p, q]) {
    const [x, y, z] = [0, 1, 2].map((k) => p.position[k] - q.position[k])
    const square = x * x + y * y + z * z
    return square > 2.25 ? NaN : square - 1
  },
})

test('a line never writes what does not move, also where its other end is not a number', () => {
  const world = new World({ gravity: [0, 10, 0], iterations: 3, tolerance: 0, warmStart: 0.5, energyGuard: false })
  const wall = world.addBody({ type: 'static', velocity: [-0.477, -2.55, 0.01] })
  const body = world.addBody({ position: [0, 0, 0.1], mass: 0.01 })
  world.add(lineDistance, { a: wall, b: body, mode: 'strut', length: 1, stiffness: 100 })
  world.add(lost, { bodies: [body, wall] } as never)
  world.step()
  expect(wall.position).toEqual([0, 0, 0])
})
