/** Fixed: two bodies as one. */

import { World } from '@tautline/core'
import { describe, expect, test } from 'vitest'
import { fixed } from '../../src/fixed.js'
import { steps } from './support.js'

const G = 9.81
/** Relative: position-based steps are of first order in the substep. */
const FIRST_ORDER = 0.01

describe('fixed', () => {
  test('two bodies tumble as one', () => {
    const world = new World({ gravity: [0, 0, 0], substeps: 20 })
    const a = world.addBody({ mass: 1, inertia: [0.1, 0.2, 0.3], position: [0.5, 0, 0], angularVelocity: [1, 2, 3] })
    const b = world.addBody({ mass: 3, inertia: [0.3, 0.1, 0.2], orientation: [0.5, 0.5, 0.5, 0.5] })
    const joint = world.add(fixed, { a, b })
    steps(world, 300, () => expect(joint.error).toBeLessThan(1e-3))
    const angular = Math.hypot(...[0, 1, 2].map((k) => a.angularVelocity[k] - b.angularVelocity[k]))
    expect(angular).toBeLessThan(0.02)
  })

  test('a beam carries its weight and its moment', () => {
    const world = new World({ substeps: 20, gravity: [0, -G, 0] })
    const beam = world.addBody({ mass: 1, inertia: [0.001, 1 / 12, 1 / 12], position: [0.5, 0, 0] })
    const joint = world.add(fixed, { a: null, b: beam, point: [0, 0, 0] })
    steps(world, 240)
    expect(joint.force).toBeCloseTo(G, 6)
    expect(joint.torque).toBeCloseTo(0.5 * G, 6)
    expect(joint.error).toBeLessThan(1e-4)
  })

  test('a soft one bends by moment times angular compliance', () => {
    const world = new World({ substeps: 20, gravity: [0, -G, 0] })
    const beam = world.addBody({ mass: 1, inertia: [0.001, 1 / 12, 1 / 12], position: [0.5, 0, 0] })
    world.add(fixed, { a: null, b: beam, point: [0, 0, 0], angularCompliance: 0.02, angularDamping: 3 })
    steps(world, 1200)
    const angle = 2 * Math.atan2(beam.orientation[2], beam.orientation[3])
    expect(Math.abs(-angle / (0.02 * 0.5 * G * Math.cos(angle)) - 1)).toBeLessThan(FIRST_ORDER)
  })

  test('it holds a given orientation and breaks by its torque', () => {
    const world = new World({ gravity: [0, 0, 0] })
    const body = world.addBody({ inertia: 1 })
    const reference = [0, Math.sin(0.3), 0, Math.cos(0.3)] as const
    const joint = world.add(fixed, { a: null, b: body, reference, breakTorque: 5 })
    expect(joint.error).toBeCloseTo(0.6, 12)
    joint.set({ breakTorque: Infinity })
    steps(world, 30)
    for (let k = 0; k < 4; k++) expect(body.orientation[k]).toBeCloseTo(reference[k], 9)
    joint.set({ breakTorque: 5 })
    body.applyTorque([4, 0, 0])
    world.step()
    expect(joint.broken).toBe(false)
    body.applyTorque([6, 0, 0])
    world.step()
    expect(joint.broken).toBe(true)
  })
})
