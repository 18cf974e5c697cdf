import { expect, it } from 'vitest'
import { rope } from '@tautline/assemblies'
import { World } from '@tautline/core'

/** Lengths at rest whose segments, added up, miss the whole by round-off in some. */
const LENGTHS = Array.from({ length: 40 }, (_, k) => 0.8 + 0.0371 * k)

it('a rope whose winch stands is set anew in no substep, or the guard would leave it alone', () => {
  for (const length of LENGTHS) {
    const world = new World()
    const line = rope(world, { from: [0, 0, 0], to: [length, 0, 0], segments: 10, start: 'world' })
    const before = line.constraints.map((constraint) => constraint.def)
    for (let k = 0; k < 10; k++) world.step()
    line.constraints.forEach((constraint, k) => expect(constraint.def).toBe(before[k]))
  }
})
