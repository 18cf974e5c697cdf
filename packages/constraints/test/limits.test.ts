import { solidBox, World } from '@tautline/core'
import { describe, expect, test } from 'vitest'
import { angleOf, pointContact, hinge, spring } from '../src/index.js'

/** [rad] What one sweep of twenty substeps leaves of a hard stop under a weight of 10 N on a half-metre arm. */
const STOP = 1e-4

describe('open limits', () => {
  test('an angle may be bounded from one side only', () => {
    const world = new World({ substeps: 20 })
    const arm = world.addBody({ position: [0.5, 0, 0], inertia: solidBox(1, [1, 0.1, 0.1]) })
    const joint = world.add(hinge, { b: arm, point: [0, 0, 0], axis: [0, 0, 1], limits: { min: -0.3, max: Infinity } })
    for (let step = 0; step < 240; step++) world.step()
    expect(Math.abs(angleOf(joint) + 0.3)).toBeLessThan(STOP)
    arm.setAngularVelocity([0, 0, 24])
    let highest = -Infinity
    for (let step = 0; step < 20; step++) {
      world.step()
      highest = Math.max(highest, angleOf(joint))
    }
    expect(highest).toBeGreaterThan(0.5)
  })
})

describe('what does not belong', () => {
  test.each(['compliance', 'frequency', 'dampingRatio'])('spring refuses %s', (field) => {
    const world = new World()
    const a = world.addParticle({ position: [1, 0, 0] })
    const hash = world.hash()
    expect(() => world.add(spring, { a, stiffness: 10, [field]: 1 })).toThrow(
      new TypeError(`spring: ${field} must be left out, as it has a stiffness of its own, got 1`),
    )
    expect(world.hash()).toBe(hash)
    expect(world.constraints()).toHaveLength(0)
  })
})

describe('the error of a contact', () => {
  test('is its penetration, whatever slides', () => {
    const world = new World()
    const block = world.addParticle({ velocity: [3, 0, 0] })
    const touch = world.add(pointContact, {
      a: block,
      pointA: [0, 0, 0],
      pointB: [0, 0, 0],
      normal: [0, 1, 0],
      dynamicFriction: 0.3,
    })
    for (let step = 0; step < 10; step++) world.step()
    expect(block.position[0]).toBeGreaterThan(0.3)
    expect(touch.error).toBeLessThan(1e-12)
  })
})
