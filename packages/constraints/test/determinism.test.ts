import { solidBox, World } from '@tautline/core'
import { expect, test } from 'vitest'
import { ballSocket, pointContact, distance, hinge, ropeLength, spring, swingTwist, tetraVolume } from '../src/index.js'

/**
 * State of the world below after 300 steps. It is the same on every engine; a change of it is a change of what users get,
 * to be made on purpose and told in the changelog.
 */
const HASH = 'ab1b1a494023cd97'

function world(): World {
  const world = new World({ substeps: 4 })
  const inertia = solidBox(1, [0.4, 0.2, 0.1])
  const boxes = [1, 2, 3].map((k) => world.addBody({ position: [0.5 * k, 2, 0], inertia, angularVelocity: [k, 1, 2] }))
  world.add(hinge, {
    b: boxes[0],
    point: [0.25, 2, 0],
    axis: [0, 0, 1],
    limits: { min: -1, max: 1 },
    frictionTorque: 0.1,
  })
  const range = { min: -0.3, max: 0.5 }
  world.add(swingTwist, { a: boxes[0], b: boxes[1], point: [0.75, 2, 0], swing: { y: range, z: range }, twist: range })
  world.add(ballSocket, { a: boxes[1], b: boxes[2], point: [1.25, 2, 0] })
  const touch = { pointA: [1.5, 1.9, 0], pointB: [0, 0.6, 0], normal: [0, 1, 0], dynamicFriction: 0.4 } as const
  world.add(pointContact, { a: boxes[2], restitution: 0.3, ...touch })
  const beads = [0, 1, 2, 3].map((k) => world.addParticle({ position: [1.5 + 0.1 * k, 2, 0.1 * (k % 2)], mass: 0.2 }))
  beads.slice(1).forEach((b, k) => world.add(distance, { a: beads[k], b, compliance: 1e-5, damping: 10 }))
  world.add(ropeLength, { bodies: beads })
  world.add(spring, { a: boxes[2], b: beads[0], stiffness: 50, damping: 0.5, length: 0 })
  const corners = [0, 1, 2, 3].map((k) => world.addParticle({ position: [k & 1, 3 + (k >> 1), k === 3 ? 1 : 0] }))
  world.add(tetraVolume, { bodies: corners, volume: 0.1 })
  return world
}

test('the same bits, whatever runs them', () => {
  const scene = world()
  for (let step = 0; step < 300; step++) scene.step(1 / 60)
  expect(scene.report.nonFinite).toHaveLength(0)
  expect(scene.hash()).toBe(HASH)
})
