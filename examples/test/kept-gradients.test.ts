import { box, Collisions } from '@tautline/collision'
import { distance } from '@tautline/constraints'
import { World } from '@tautline/core'
import { expect, test } from 'vitest'

test.each(['frozen', 'start'] as const)(
  'jacobians %s: rows that come and go keep their own gradients, and a restored world goes on the same',
  (jacobians) => {
    const world = new World({ jacobians })
    const collisions = new Collisions(world)
    collisions.addCollider(null, { shape: box([5, 0.5, 5]), position: [0, -0.5, 0] })
    // Spinning boxes: friction about the normal has no row while nothing presses.
    for (let k = 0; k < 3; k++) {
      collisions.addBody({
        shape: box([0.3, 0.3, 0.3]),
        position: [0.1 * k, 1 + k, 0],
        angularVelocity: [0.3, 9, 0.2],
      })
    }
    // Particles at one place: their distance has no direction.
    const [p, q] = [0, 1].map(() => world.addParticle({ position: [3, 1, 0] }))
    world.add(distance, { a: p, b: q, length: 0.2, solver: 'sweep' })
    for (let k = 0; k < 20; k++) world.step()
    const snapshot = world.snapshot()
    const hashes = [0, 1].map(() => {
      world.restore(snapshot)
      for (let k = 0; k < 30; k++) {
        if (k === 10) p.setPosition(q.position)
        world.step()
      }
      return world.hash()
    })
    expect(hashes[0]).toBe(hashes[1])
  },
)
