import { World } from '@tautline/core'
import { describe, expect, test } from 'vitest'
import { hinge } from '../../src/index.js'

/** ω after thousands of turns: a rounding a step. */
const ROUNDED = 1e-12
/** Share of ω that a wobble may reach: what is read from poses once it is 1e-9 rad. */
const WOBBLE = 1e-8

describe('a wheel on a hinge through its centre', () => {
  test.each([10, 50, 70, 80, 94, 100, 120, 150, 180, 200, 400, 1000])(
    'keeps its speed at one substep: %i rad/s',
    (speed) => {
      const world = new World({ substeps: 1 })
      const b = world.addBody({ inertia: [0.1, 0.2, 0.1], angularVelocity: [0, speed, 0] })
      world.add(hinge, { a: null, b, point: [0, 0, 0], axis: [0, 1, 0] })
      for (let step = 0; step < 300; step++) world.step(1 / 60)
      expect(Math.abs(b.angularVelocity[1] / speed - 1)).toBeLessThan(ROUNDED)
      // A wobble that began as round-off grew by up to a third a substep between 70 and 188 rad/s.
      expect(Math.hypot(b.angularVelocity[0], b.angularVelocity[2])).toBeLessThan(WOBBLE * speed)
    },
  )
})
