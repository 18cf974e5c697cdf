/** Rows that are free are part of a scene: what is added after it was read comes where it would have come. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fromJSON, World } from '../src/index.js'
import { SEED } from './support/seed.js'

test('bodies that are added later have the same rows in a world from JSON', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 9 }), { maxLength: 20 }), (edits) => {
      const world = new World()
      for (const edit of edits) {
        const bodies = world.bodies.all()
        if (edit < 5 || bodies.length === 0) world.addBody({ position: [edit, 0, 0] })
        else bodies[edit % bodies.length].remove()
      }
      const copy = fromJSON(JSON.stringify(world), [])
      for (const each of [world, copy]) {
        for (let k = 0; k < 3; k++) each.addBody({ position: [0, k, 0] })
        each.step()
      }
      expect(copy.hash()).toBe(world.hash())
      expect(copy.bodies.all().map(({ index }) => index)).toEqual(world.bodies.all().map(({ index }) => index))
    }),
    { seed: SEED },
  )
})

test.each([
  [[0], 'fromJSON: free[0] must be an integer >= 1, got 0'],
  [[2, 2], 'fromJSON: free[1] must be an integer >= 3, got 2'],
  [[4], 'fromJSON: free[0] must be <= 2, got 4'],
  [['x'], 'fromJSON: free[0] must be an integer, got "x"'],
  [{}, 'fromJSON: free must be an array, got an object'],
])('free rows that no world has are refused: %j', (free, message) => {
  const world = new World()
  world.addBody({})
  expect(() => fromJSON({ ...world.toJSON(), free } as never, [])).toThrow(message)
})

test('what is no snapshot is refused', () => {
  expect(() => new World().restore(null as never)).toThrow('restore: snapshot must be an object, got null')
})
