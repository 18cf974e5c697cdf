/** Softness that is computed from a definition can be saved and read, however large its numbers are. */

import { fromJSON, World } from '@tautline/core'
import { expect, test } from 'vitest'
import { distance } from '../src/index.js'

const RANGE = [5e-324, 1e-307, 1e-160, 1, 1e160, 1e308]
const DEFINITIONS = RANGE.flatMap((x) => [
  { stiffness: x },
  ...[0, ...RANGE].map((dampingRatio) => ({ frequency: x, dampingRatio })),
])

test.each(['static', 'dynamic'] as const)('extreme softness between %s bodies is saved and read', (type) => {
  for (const at of [1, -1e308]) {
    for (const softness of DEFINITIONS) {
      const world = new World()
      const a = world.addBody({ type })
      const b = world.addBody({ type, position: [at, 1, 0], inertia: 1 })
      const { def } = world.add(distance, { a, b, anchorB: [0, 0.5, 0], length: 1, ...softness })
      expect([def.compliance, def.damping].every(Number.isFinite), JSON.stringify(softness)).toBe(true)
      const copy = fromJSON(JSON.parse(JSON.stringify(world)), [distance])
      expect(copy.toJSON()).toEqual(world.toJSON())
    }
  }
})
