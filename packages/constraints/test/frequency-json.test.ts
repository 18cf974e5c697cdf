/** Softness that is given as a frequency can be saved and read, however slow it is. */

import { fromJSON, World } from '@tautline/core'
import { expect, test } from 'vitest'
import { distance } from '../src/index.js'

test('the slowest frequency, between bodies that move and between bodies that do not', () => {
  for (const type of ['static', 'dynamic'] as const) {
    const world = new World()
    const [a, b] = [0, 1].map((x) => world.addBody({ position: [x, 0, 0], type }))
    const spring = world.add(distance, { a, b, frequency: 1e-307, dampingRatio: 1 })
    expect(Number.isFinite(spring.def.compliance)).toBe(true)
    const copy = fromJSON(JSON.parse(JSON.stringify(world)), [distance])
    expect(copy.toJSON()).toEqual(world.toJSON())
  }
})
