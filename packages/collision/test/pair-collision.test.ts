/** Pairs of bodies that were told to pass through each other. */

import { type Body, fromJSON, World } from '@tautline/core'
import { describe, expect, it } from 'vitest'
import { box, Collisions, collisionsFromJSON, pairCollides, plane, setPairCollision } from '../src/index.js'

/** Two boxes on a floor, the upper one in the lower one's middle. */
function overlapping(): { world: World; collisions: Collisions; a: Body; b: Body } {
  const world = new World()
  const collisions = new Collisions(world)
  collisions.addCollider(null, { shape: plane([0, 1, 0], 0) })
  const shape = box([0.5, 0.5, 0.5])
  const a = collisions.addBody({ shape, position: [0, 0.5, 0], mass: 1 })
  const b = collisions.addBody({ shape, position: [0, 1.2, 0], mass: 1 })
  return { world, collisions, a, b }
}

describe('setPairCollision', () => {
  it('has two bodies pass through each other, and the floor still holds them', () => {
    const { world, collisions, a, b } = overlapping()
    setPairCollision(collisions, a, b, false)
    for (let k = 0; k < 90; k++) world.step()
    expect(pairCollides(collisions, b, a)).toBe(false)
    expect(b.position[1]).toBeCloseTo(0.5, 2)
    setPairCollision(collisions, a, b, true)
    for (let k = 0; k < 90; k++) world.step()
    const apart = Math.max(...[0, 1, 2].map((k) => Math.abs(a.position[k] - b.position[k])))
    expect(apart).toBeGreaterThan(0.9)
  })

  it('is kept by snapshots and JSON, and goes with its bodies', () => {
    const { world, collisions, a, b } = overlapping()
    setPairCollision(collisions, a, b, false)
    const before = world.snapshot()
    const json: unknown = JSON.parse(JSON.stringify(world.toJSON()))
    const read = fromJSON(json, [], { collisions: collisionsFromJSON })
    const [c, d] = [a, b].map(({ index }) => read.bodies.handle(index) as Body)
    expect(pairCollides(Collisions.of(read) as Collisions, c, d)).toBe(false)
    setPairCollision(collisions, a, b, true)
    world.restore(before)
    expect(pairCollides(collisions, a, b)).toBe(false)
    for (let k = 0; k < 5; k++) {
      world.step()
      read.step()
    }
    expect(read.hash()).toBe(world.hash())
    b.remove()
    const c2 = collisions.addBody({ shape: box([0.5, 0.5, 0.5]), position: [0, 3, 0], mass: 1 })
    expect(pairCollides(collisions, a, c2)).toBe(true)
  })

  it('refuses what is no pair of bodies', () => {
    const { collisions, a } = overlapping()
    expect(() => setPairCollision(collisions, a, a, false)).toThrow(/a and b must be two bodies/)
    expect(() => setPairCollision(collisions, a, 3 as unknown as Body, false)).toThrow(/b must be a body, got 3/)
  })
})
