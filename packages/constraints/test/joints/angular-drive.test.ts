/** Angular drive: the closed forms of a damped oscillator, torque limit, velocity, axis. */

import { type Body, type Constraint, World } from '@tautline/core'
import type { quat } from 'gl-matrix'
import { describe, expect, test } from 'vitest'
import { angularDrive, type AngularDriveDef } from '../../src/angular-drive.js'
import { steps } from './support.js'

/** Relative to the first angle: a compliant step damps as backward Euler, ωh/2 a radian of phase. */
const FIRST_ORDER = 0.02

function driven(
  def: AngularDriveDef,
  inertia: number | number[] = 0.5,
): { world: World; body: Body; joint: Constraint<AngularDriveDef> } {
  const world = new World({ gravity: [0, 0, 0], substeps: 40 })
  const body = world.addBody({ inertia })
  return { world, body, joint: world.add(angularDrive, { a: null, b: body, ...def }) }
}

/** A turn about z. */
const aboutZ = (angle: number): quat => [0, 0, Math.sin(angle / 2), Math.cos(angle / 2)]
const angleZ = (body: Body): number => 2 * Math.atan2(body.orientation[2], body.orientation[3])

/** A pass ends within 1e-9 rad; at rest, at 1/480 s, 0.5 kg m² and 40 N m/rad, that is so far from the balance: 1e-9 I/(k h²) [rad]. */
const SETTLED = 2.9e-6

describe('angularDrive', () => {
  test('it answers as a damped oscillator', () => {
    const [I, k, nu] = [0.5, 20, 1]
    for (const [mode, scale] of [
      ['force', 1],
      ['acceleration', 1 / I],
    ] as const) {
      const { world, body } = driven({ target: aboutZ(1), stiffness: k * scale, damping: nu * scale, mode }, I)
      const decay = nu / (2 * I)
      const omega = Math.sqrt(k / I - decay * decay)
      steps(world, 60, () => {
        const t = world.time
        const exact = 1 - Math.exp(-decay * t) * (Math.cos(omega * t) + (decay / omega) * Math.sin(omega * t))
        expect(Math.abs(angleZ(body) - exact)).toBeLessThan(FIRST_ORDER)
      })
    }
  })

  test('it settles where its couple balances the load', () => {
    const { world, body, joint } = driven({ stiffness: 40, damping: 5 })
    steps(world, 300, () => body.applyTorque([0, 0, 3]))
    expect(Math.abs(angleZ(body) - 3 / 40)).toBeLessThan(SETTLED)
    expect(Math.abs(joint.torque - 3)).toBeLessThan(40 * SETTLED)
  })

  test('its couple is bounded by magnitude, in any direction', () => {
    const maxTorque = 2
    const { world, body, joint } = driven({ target: [0.4, 0.4, 0.4, Math.sqrt(1 - 0.48)], stiffness: 1e3, maxTorque })
    steps(world, 12, () => expect(joint.torque).toBeLessThanOrEqual(maxTorque * (1 + 1e-9)))
    const t = world.time
    expect(Math.abs(Math.hypot(...body.angularVelocity) / ((maxTorque * t) / 0.5) - 1)).toBeLessThan(FIRST_ORDER)
  })

  test('it turns b at its velocity, in the world frame', () => {
    const { world, body } = driven({ damping: 2, velocityTarget: [1, -2, 3] })
    const time = 0.25
    steps(world, 60 * time)
    const share = 1 - Math.exp((-2 * time) / 0.5)
    ;[1, -2, 3].forEach((w, k) => expect(Math.abs(body.angularVelocity[k] / (share * w) - 1)).toBeLessThan(FIRST_ORDER))
  })

  test('it acts on both bodies alike', () => {
    const world = new World({ gravity: [0, 0, 0], substeps: 20 })
    const a = world.addBody({ inertia: [0.1, 0.2, 0.3] })
    const b = world.addBody({ inertia: [0.3, 0.3, 0.1], position: [1, 0, 0], orientation: aboutZ(0.4) })
    world.add(angularDrive, { a, b, target: [0.5, 0.5, 0.5, 0.5], stiffness: 30, damping: 1 })
    steps(world, 60)
    // From rest: what one gains in angular momentum the other loses.
    expect(Math.hypot(...a.angularVelocity)).toBeGreaterThan(0.1)
    const after = world.momentum().angular
    expect(Math.hypot(...after)).toBeLessThan(0.05)
  })

  test('an axis drive brings the axes together and leaves the turn about them free', () => {
    const { world, body, joint } = driven({ axisA: [0, 0, 1], axisB: [1, 0, 0], stiffness: 60, damping: 10 }, 0.5)
    steps(world, 240)
    const [x, y, z] = body.toWorld([1, 0, 0])
    expect([x, y]).toEqual([expect.closeTo(0, 6), expect.closeTo(0, 6)])
    expect(z).toBeCloseTo(1, 9)
    body.setAngularVelocity([0, 0, 5])
    steps(world, 60)
    expect(body.angularVelocity[2]).toBeCloseTo(5, 6)
    expect(joint.torque).toBeLessThan(1e-6)
  })

  test('without stiffness and damping it is off', () => {
    const { world, body } = driven({ target: aboutZ(1) })
    steps(world, 10)
    expect(body.orientation).toEqual([0, 0, 0, 1])
  })

  test('its target changes while it runs', () => {
    const { world, body, joint } = driven({ stiffness: 100, damping: 14 })
    joint.set({ target: aboutZ(0.7) })
    steps(world, 240)
    expect(angleZ(body)).toBeCloseTo(0.7, 6)
  })

  // A substep turns it by up to 0.9 rad before it is solved back: the damper must not take that for motion.
  test.each(['sweep', 'direct'] as const)(
    'bears a couple by its spring alone, however light the body (%s)',
    (solver) => {
      for (const inertia of [1e-3, 3e-5, 1e-5]) {
        const world = new World({ gravity: [0, 0, 0] })
        const body = world.addBody({ inertia: [inertia, 2e-3, 2e-3] })
        world.add(angularDrive, { a: null, b: body, stiffness: 8, damping: 0.4, solver })
        for (let step = 0; step < 300; step++) {
          body.applyTorque([0.5, 0, 0])
          world.step()
        }
        expect(2 * Math.asin(body.orientation[0])).toBeCloseTo(0.5 / 8, 7)
      }
    },
  )
})
