/** Manifolds of pairs whose relative pose hardly changes are kept; others are found anew. */

import { describe, expect, test } from 'vitest'
import { box, plane } from '../src/index.js'
import { run, scene, type Scene, weightless } from './support/scene.js'

/** Points of the only manifold in the frame of its first body, as they were found. */
const foundAt = ({ collisions }: Scene): number[] => [...collisions.batch.columns.anchorA.subarray(0, 12)]
const pointsOf = ({ collisions }: Scene): number => collisions.batch.columns.points[0]

describe('a manifold', () => {
  test('of a crate that rides on a platform is kept', () => {
    const s = scene()
    s.collisions.addBody({
      type: 'kinematic',
      shape: box([1, 0.1, 1]),
      velocity: [2, 0, 0],
      angularVelocity: [0, 0.5, 0],
    })
    const crate = s.collisions.addBody({ shape: box([0.2, 0.2, 0.2]), position: [0, 0.3, 0], velocity: [2, 0, 0] })
    run(s, 60)
    const before = foundAt(s)
    run(s, 60)
    expect(foundAt(s)).toEqual(before)
    expect(crate.position[0]).toBeCloseTo(4, 1)
  })

  test('of a crate that slides is found anew', () => {
    const s = scene()
    s.collisions.addCollider(null, { shape: plane([0, 1, 0]), friction: 0 })
    s.collisions.addBody({ shape: box([0.2, 0.2, 0.2]), position: [0, 0.2, 0], velocity: [1, 0, 0], friction: 0 })
    run(s, 10)
    const before = foundAt(s)
    run(s, 1)
    expect(foundAt(s)).not.toEqual(before)
  })

  test('of a crate that creeps is found anew once it has moved by half a millimetre', () => {
    const s = weightless()
    s.collisions.addCollider(null, { shape: plane([0, 1, 0]), friction: 0 })
    s.collisions.addBody({ shape: box([0.2, 0.2, 0.2]), position: [0, 0.2, 0], velocity: [0.0066, 0, 0], friction: 0 })
    run(s, 1)
    let changes = 0
    for (let k = 0; k < 60; k++) {
      const before = foundAt(s).join()
      s.world.step()
      if (foundAt(s).join() !== before) changes++
    }
    // 0.11 mm a step: beyond after five.
    expect(changes).toBe(12)
  })

  test('of a crate that tips onto a face gets the points of the face', () => {
    const s = scene()
    s.collisions.addCollider(null, { shape: plane([0, 1, 0]) })
    const angle = 0.2
    const crate = s.collisions.addBody({
      shape: box([0.2, 0.2, 0.2]),
      position: [0, 0.2 * (Math.cos(angle) + Math.sin(angle)), 0],
      orientation: [0, 0, Math.sin(0.5 * angle), Math.cos(0.5 * angle)],
    })
    run(s, 1)
    expect(pointsOf(s)).toBe(2)
    run(s, 120)
    expect(pointsOf(s)).toBe(4)
    expect(crate.position[1]).toBeCloseTo(0.2, 3)
  })
})
