/** A tower in which a joint holds two bodies is written and read: its manifolds are marked by −1. */

import { expect, test } from 'vitest'
import { fromJSON, World } from '@tautline/core'
import { type AnyType } from '@tautline/core/kernel'
import { link } from '../../core/test/support/link.js'
import { box, Collisions, collisionsFromJSON, plane } from '../src/index.js'

/** Boxes, high enough to lean, and steps until they have been seen to bear too much. */
const BOXES = 30
const STEPS = 240

test('a world with a tower and a joint in it comes back from JSON', () => {
  const world = new World()
  const collisions = new Collisions(world)
  collisions.addCollider(null, { shape: plane([0, 1, 0]) })
  const boxes = Array.from({ length: BOXES }, (_, k) =>
    collisions.addBody({ shape: box([0.2, 0.2, 0.2]), position: [0, 0.2 + 0.4 * k, 0] }),
  )
  const stay = collisions.addBody({ shape: box([0.2, 0.2, 0.2]), position: [0.5, 0.2, 0] })
  world.add(link, { a: boxes[0], b: stay, length: 0.5 } as never)
  let marked = 0
  for (let step = 0; step < STEPS && marked === 0; step++) {
    world.step()
    for (const batch of world.batches) {
      const { tower } = batch.columns as Record<string, Float64Array | undefined>
      if (tower?.subarray(0, batch.count).includes(-1)) marked++
    }
  }
  expect(marked).toBeGreaterThan(0)
  const again = fromJSON(JSON.stringify(world), [link] as unknown as AnyType[], { collisions: collisionsFromJSON })
  expect(again.hash()).toBe(world.hash())
})
