/** Universal: two shafts at an angle. */

import { World } from '@tautline/core'
import { describe, expect, test } from 'vitest'
import { angleOf, hinge } from '../../src/hinge.js'
import { universal } from '../../src/universal.js'
import { steps } from './support.js'

/** [rad] Hinges and cross are solved in turn. */
const IN_TURN = 2e-3
/** Round-off of some hundred steps. */
const ROUND_OFF = 1e-9

describe('universal', () => {
  test('shafts at an angle γ turn by tan φ = tan θ cos γ', () => {
    const gamma = 0.5
    const [s, c] = [Math.sin(gamma), Math.cos(gamma)]
    const world = new World({ gravity: [0, 0, 0], substeps: 20 })
    const input = world.addBody({ inertia: 0.5, position: [-0.5, 0, 0] })
    const output = world.addBody({ inertia: 0.5, position: [0.5 * c, 0.5 * s, 0] })
    const drive = { damping: 50, velocityTarget: 2 }
    const first = world.add(hinge, { a: null, b: input, point: [-0.5, 0, 0], axis: [1, 0, 0], drive })
    const second = world.add(hinge, { a: null, b: output, point: [0.5 * c, 0.5 * s, 0], axis: [c, s, 0] })
    world.add(universal, { a: input, b: output, point: [0, 0, 0], axisA: [0, 0, 1], axisB: [-s, c, 0] })
    steps(world, 360, () => {
      const [theta, phi] = [angleOf(first), angleOf(second)]
      // The same half plane: compare sines and cosines of both, not tangents.
      const expected = Math.atan2(Math.sin(theta) * c, Math.cos(theta))
      expect(Math.abs(Math.sin(phi - expected))).toBeLessThan(IN_TURN)
    })
    expect(angleOf(first)).toBeGreaterThan(1.5 * Math.PI)
    expect(Math.abs(angleOf(second) - angleOf(first))).toBeLessThan(0.5)
  })

  test('limits hold about both axes', () => {
    const world = new World({ gravity: [0, 0, 0], substeps: 20 })
    const body = world.addBody({ inertia: [0.2, 0.3, 0.4] })
    const [x, z] = [
      [1, 0, 0],
      [0, 0, 1],
    ] as const
    const joint = world.add(universal, {
      a: null,
      b: body,
      point: [0, 0, 0],
      axisA: x,
      axisB: z,
      limitsA: { min: -0.2, max: 0.5 },
      limitsB: { min: -0.7, max: 0.1 },
    })
    steps(world, 240, () => body.applyTorque([3, 0, 3]))
    expect(joint.error).toBeLessThan(1e-3)
    // q = Rx(0.5) Rz(0.1)
    const [sa, ca, sb, cb] = [Math.sin(0.25), Math.cos(0.25), Math.sin(0.05), Math.cos(0.05)]
    const expected = [sa * cb, -sa * sb, ca * sb, ca * cb]
    for (let k = 0; k < 4; k++) expect(body.orientation[k]).toBeCloseTo(expected[k], 3)
  })

  test('it holds against a torque along the third axis, and drives and rubs along the two', () => {
    const world = new World({ gravity: [0, 0, 0], substeps: 20 })
    const body = world.addBody({ inertia: 0.1 })
    const joint = world.add(universal, {
      a: null,
      b: body,
      point: [0, 0, 0],
      axisA: [1, 0, 0],
      axisB: [0, 0, 1],
      driveA: { stiffness: 20, damping: 2, positionTarget: 0.3 },
      frictionTorque: 0.5,
    })
    steps(world, 240, () => body.applyTorque([0, 2, 0.45]))
    expect(joint.error).toBeLessThan(ROUND_OFF)
    const angle = 2 * Math.atan2(body.orientation[0], body.orientation[3])
    // Friction holds the last half newton metre of the spring's way.
    expect(20 * (0.3 - angle)).toBeLessThanOrEqual(0.5 + 1e-6)
    expect(Math.abs(body.orientation[2])).toBeLessThan(1e-4)
  })

  test('a missing axis is perpendicular to the other at the reference', () => {
    const world = new World()
    const body = world.addBody({ inertia: 1, orientation: [0.5, 0.5, 0.5, 0.5] })
    for (const given of [{ axisA: [0, 0.6, 0.8] }, { axisB: [0.6, 0, 0.8] }] as const) {
      const joint = world.add(universal, { a: null, b: body, point: [0, 0, 0], ...given })
      expect(joint.error).toBeLessThan(ROUND_OFF)
    }
  })
})
