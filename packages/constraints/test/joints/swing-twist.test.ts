/** Swing–twist: limits of all shapes, drive, friction. */

import { type Body, World } from '@tautline/core'
import { gradient } from '@tautline/core/kernel'
import type { quat } from 'gl-matrix'
import { describe, expect, test } from 'vitest'
import { Random } from '../../../core/test/support/random.js'
import { SEED } from '../../../core/test/support/seed.js'
import { swingTwist, type SwingTwistDef } from '../../src/swing-twist.js'
import { steps } from './support.js'

const SUBSTEPS = 20
/** [rad] Three limits and the point in turn, one sweep each, under torques that throw the limb from side to side; measured 3e-3. */
const THROWN = 0.01
/** [rad] Near enough to a limit to have met it. */
const MET = 0.02
/** Relative: position-based steps are of first order in the substep. */
const FIRST_ORDER = 0.01

/** Swing and twist of a body against the world, from q alone: s = swing part of q = swing · twist about x. */
function anglesOf(body: Body): { y: number; z: number; twist: number } {
  const [x, y, z, w] = body.orientation
  const m = Math.hypot(x, w)
  const swing = 2 * Math.atan2(Math.hypot(y, z), m)
  const [sy, sz] = [(w * y - x * z) / m, (w * z + x * y) / m]
  const k = Math.hypot(sy, sz) > 0 ? swing / Math.hypot(sy, sz) : 2
  const half = Math.atan2(x, w)
  return { y: k * sy, z: k * sz, twist: 2 * half - (Math.abs(half) > Math.PI / 2 ? 2 * Math.PI * Math.sign(half) : 0) }
}

/** A limb of 1 kg and 0.6 m, jointed to the world at its end. */
function limb(def: Partial<SwingTwistDef>): { world: World; body: Body } {
  const world = new World({ gravity: [0, 0, 0], substeps: SUBSTEPS })
  const body = world.addBody({ mass: 1, inertia: [0.004, 0.03, 0.03], position: [0.3, 0, 0] })
  world.add(swingTwist, { a: null, b: body, point: [0, 0, 0], axis: [1, 0, 0], ...def })
  return { world, body }
}

const SWING = { y: { min: -0.3, max: 0.8 }, z: { min: -0.1, max: 0.5 } }
const TWIST = { min: -0.2, max: 1 }

describe(`swingTwist (seed ${SEED})`, () => {
  test('asymmetric limits hold whatever throws the limb', () => {
    const random = new Random(SEED)
    const { world, body } = limb({ swing: SWING, twist: TWIST })
    const reached = { y: [0, 0], z: [0, 0], twist: [0, 0] }
    for (let k = 0; k < 60; k++) {
      const torque = random.vector(4)
      steps(world, 15, () => {
        body.applyTorque(torque)
        const angles = anglesOf(body)
        for (const name of ['y', 'z', 'twist'] as const) {
          reached[name][0] = Math.min(reached[name][0], angles[name])
          reached[name][1] = Math.max(reached[name][1], angles[name])
        }
      })
    }
    for (const [name, { min, max }] of [
      ['y', SWING.y],
      ['z', SWING.z],
      ['twist', TWIST],
    ] as const) {
      for (const [got, bound] of [
        [-reached[name][0], -min],
        [reached[name][1], max],
      ]) {
        expect(got, name).toBeLessThan(bound + THROWN)
        expect(got, name).toBeGreaterThan(bound - MET)
      }
    }
  })

  test('a cone is four quarters of ellipses, also slender ones', () => {
    const random = new Random(SEED)
    for (const swing of [
      SWING,
      { y: { min: -0.02, max: 0.02 }, z: { min: -1, max: 0.5 } },
      { y: { min: 0, max: 0 }, z: SWING.z },
    ]) {
      const { world, body } = limb({ swing, swingShape: 'cone', twist: TWIST })
      let touched = 0
      for (let k = 0; k < 20; k++) {
        const torque = random.vector(4)
        steps(world, 15, () => {
          body.applyTorque(torque)
          const { y, z } = anglesOf(body)
          const ay = Math.max(y < 0 ? -swing.y.min : swing.y.max, 1e-4)
          const az = z < 0 ? -swing.z.min : swing.z.max
          const f = Math.hypot(y / ay, z / az)
          // Distance to first order.
          const outside = f === 0 ? -1 : ((f - 1) * f) / Math.hypot(y / ay ** 2, z / az ** 2)
          expect(outside).toBeLessThan(THROWN)
          if (Math.abs(outside) < MET) touched++
        })
      }
      expect(touched).toBeGreaterThan(10)
    }
  })

  test('a limit at rest carries the torque', () => {
    const world = new World({ gravity: [0, 0, 0], substeps: SUBSTEPS })
    const body = world.addBody({ inertia: [0.1, 0.2, 0.3] })
    const joint = world.add(swingTwist, { a: null, b: body, point: [0, 0, 0], swing: SWING, twist: TWIST })
    steps(world, 120, () => body.applyTorque([2, 0, 0]))
    expect(anglesOf(body).twist).toBeCloseTo(TWIST.max, 6)
    expect(joint.torque).toBeCloseTo(2, 6)
    steps(world, 240, () => body.applyTorque([0, -2, 0]))
    expect(anglesOf(body).y).toBeCloseTo(SWING.y.min, 6)
    expect(joint.torque).toBeCloseTo(2, 3)
  })

  test('a soft limit gives way by torque times compliance', () => {
    const world = new World({ gravity: [0, 0, 0], substeps: SUBSTEPS })
    const body = world.addBody({ inertia: 0.2 })
    const soft = { compliance: 0.05, damping: 3 }
    for (const swingShape of ['pyramid', 'cone'] as const) {
      const swing = { y: { min: -0.3, max: 0.4, ...soft }, z: { min: -0.3, max: 0.4, ...soft } }
      const joint = world.add(swingTwist, { a: null, b: body, point: [0, 0, 0], swing, swingShape })
      steps(world, 400, () => body.applyTorque([0, 0, 2]))
      expect(anglesOf(body).z).toBeCloseTo(0.5, 6)
      joint.remove()
      body.setOrientation([0, 0, 0, 1])
    }
  })

  test('an acceleration drive counts inertia about the anchor, where that is off the centre', () => {
    const [mass, I, arm] = [2, 0.3, 0.7]
    const world = new World({ gravity: [0, 0, 0] })
    const body = world.addBody({ mass, inertia: I, position: [0, -arm, 0] })
    const drive = { stiffness: 40, damping: 5, mode: 'acceleration' } as const
    const joint = world.add(swingTwist, { a: null, b: body, point: [0, 0, 0], drive })
    // The mean over three axes: one goes through the centre, the others pass it at the arm's length.
    const mean = I + (2 * mass * arm * arm) / 3
    gradient(joint)
    const group = joint.batch.rows.groups.find(({ stiffness }) => stiffness > 0)
    expect((group?.stiffness ?? 0) / (drive.stiffness * mean)).toBeCloseTo(1, 9)
    expect((group?.damping ?? 0) / (drive.damping * mean)).toBeCloseTo(1, 9)
  })

  test('a drive settles where its couple balances the load, within its largest couple', () => {
    const half = 0.4
    const target: quat = [0, Math.sin(half), 0, Math.cos(half)]
    for (const mode of ['force', 'acceleration'] as const) {
      const world = new World({ gravity: [0, 0, 0], substeps: SUBSTEPS })
      const body = world.addBody({ inertia: 0.25 })
      const scale = mode === 'force' ? 1 : 1 / 0.25
      const drive = { target, stiffness: 40 * scale, damping: 5 * scale, mode }
      const joint = world.add(swingTwist, { a: null, b: body, point: [0, 0, 0], drive })
      steps(world, 400, () => body.applyTorque([0, 4, 0]))
      expect(anglesOf(body).y).toBeCloseTo(2 * half + 0.1, 6)
      joint.set({ drive: { ...drive, maxTorque: 3 } })
      steps(world, 30, () => {
        body.applyTorque([0, 4, 0])
        expect(joint.torque).toBeLessThanOrEqual(3 * (1 + 1e-9))
      })
      expect(body.angularVelocity[1]).toBeGreaterThan(0)
    }
  })

  test('a drive turns b at its velocity, in the frame of a', () => {
    const world = new World({ gravity: [0, 0, 0], substeps: SUBSTEPS })
    const quarter = Math.SQRT1_2
    const body = world.addBody({ inertia: [0.1, 0.2, 0.3] })
    // y of a's frame is z of the world.
    const frameA: quat = [quarter, 0, 0, quarter]
    world.add(swingTwist, {
      a: null,
      b: body,
      point: [0, 0, 0],
      frameA,
      drive: { damping: 20, velocityTarget: [0, 2, 0] },
    })
    steps(world, 60)
    expect(body.angularVelocity[2]).toBeCloseTo(2, 6)
  })

  test('friction holds below its bound, also a slender limb, and brakes by it above', () => {
    const half = Math.PI / 8
    const orientation: quat = [0, 0, Math.sin(half), Math.cos(half)]
    const world = new World({ gravity: [0, 0, 0] })
    const slender = world.addBody({ inertia: [0.01, 1, 1], orientation })
    world.add(swingTwist, { a: null, b: slender, point: [0, 0, 0], frictionTorque: 12 })
    steps(world, 120, () => slender.applyTorque([10, 0, 0]))
    for (let k = 0; k < 4; k++) expect(slender.orientation[k]).toBeCloseTo(orientation[k], 4)

    const free = new World({ gravity: [0, 0, 0], substeps: SUBSTEPS })
    const ball = free.addBody({ inertia: 0.5, angularVelocity: [0, 6, 8] })
    const joint = free.add(swingTwist, { a: null, b: ball, point: [0, 0, 0], frictionTorque: 2 })
    steps(free, 60)
    expect(Math.abs(Math.hypot(...ball.angularVelocity) / (10 - 2 / 0.5) - 1)).toBeLessThan(FIRST_ORDER)
    expect(joint.torque).toBeCloseTo(2, 9)
  })
})
