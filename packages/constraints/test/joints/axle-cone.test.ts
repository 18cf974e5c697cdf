/** Axle and cone: two axes against each other. */

import { World } from '@tautline/core'
import { describe, expect, test } from 'vitest'
import { axle } from '../../src/axle.js'
import { cone } from '../../src/cone.js'
import { steps } from './support.js'

/** Round-off of some hundred steps. */
const ROUND_OFF = 1e-9

describe('axle', () => {
  test('it leaves the spin about its axis alone', () => {
    const world = new World({ gravity: [0, 0, 0], substeps: 20 })
    const wheel = world.addBody({ inertia: [0.1, 0.1, 0.2], angularVelocity: [0, 0, 5] })
    const joint = world.add(axle, { a: null, b: wheel, axis: [0, 0, 1] })
    steps(world, 120, () => wheel.applyTorque([3, 0, 0]))
    expect(wheel.angularVelocity[2]).toBeCloseTo(5, 5)
    expect(joint.error).toBeLessThan(ROUND_OFF)
    // 3 N m from outside and none from the axle's own inertia: it turns about a principal axis.
    expect(joint.torque).toBeCloseTo(3, 3)
  })

  test('axes that oppose each other come together', () => {
    const world = new World({ gravity: [0, 0, 0] })
    const a = world.addBody({ inertia: [0.1, 0.2, 0.3] })
    const b = world.addBody({ inertia: [0.3, 0.2, 0.1], orientation: [0, 0, 1, 0] })
    const joint = world.add(axle, { a, b, axisA: [1, 0, 0], axisB: [1, 0, 0] })
    expect(joint.error).toBeCloseTo(Math.PI, 12)
    steps(world, 20)
    expect(joint.error).toBeLessThan(ROUND_OFF)
    expect(Math.hypot(...world.momentum().angular)).toBeLessThan(10)
  })

  test('a soft one gives way by torque times compliance', () => {
    const world = new World({ gravity: [0, 0, 0] })
    const body = world.addBody({ inertia: 1 })
    const joint = world.add(axle, { a: null, b: body, axis: [0, 0, 1], compliance: 0.01, damping: 10 })
    steps(world, 300, () => body.applyTorque([4, 0, 0]))
    expect(joint.error).toBeCloseTo(0.04, 6)
  })
})

describe('cone', () => {
  test('it is free inside and holds at its limit', () => {
    const world = new World({ gravity: [0, 0, 0], substeps: 20 })
    const body = world.addBody({ inertia: 0.5 })
    const joint = world.add(cone, { a: null, b: body, axis: [0, 0, 1], limit: 0.6 })
    const t = 0.25
    for (let k = 0; k < 60 * t; k++) {
      body.applyTorque([2, 0, 0])
      world.step()
    }
    // Nothing but the torque: ½ τ t²/I, and half a substep more.
    expect(2 * Math.asin(body.orientation[0])).toBeCloseTo((0.5 * 2 * t * (t + 1 / 1200)) / 0.5, 9)
    expect(joint.torque).toBe(0)
    steps(world, 120, () => body.applyTorque([2, 0, 0]))
    expect(2 * Math.asin(body.orientation[0])).toBeCloseTo(0.6, 9)
    expect(joint.torque).toBeCloseTo(2, 9)
  })

  test('it does not hinder the turn about its axis', () => {
    const world = new World({ gravity: [0, 0, 0], substeps: 20 })
    const body = world.addBody({ inertia: 0.5, angularVelocity: [0, 0, 4] })
    world.add(cone, { a: null, b: body, axis: [0, 0, 1], limit: 0.1 })
    steps(world, 60)
    expect(body.angularVelocity[2]).toBeCloseTo(4, 9)
  })
})
