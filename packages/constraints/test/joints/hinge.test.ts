/** Hinge: closed forms of pendulum, limit, drive and friction; definitions. */

import { type Body, type Constraint, World } from '@tautline/core'
import { describe, expect, test } from 'vitest'
import { angleOf, hinge, type HingeDef } from '../../src/hinge.js'
import { steps } from './support.js'

const G = 9.81
/** A thin rod of 1 kg and 1 m along x, hinged at its end about z: I about the hinge is 1/3 kg m². */
const ROD = { mass: 1, inertia: [0.001, 1 / 12, 1 / 12], position: [0.5, 0, 0] as const }
const I = 1 / 3

/** Semi-implicit Euler is exact for a constant torque but for half a substep of velocity. */
const SUBSTEPS = 20
const H = 1 / 60 / SUBSTEPS
/** Round-off of some thousand steps. */
const ROUND_OFF = 1e-9
/** Relative: position-based steps are of first order in the substep. */
const FIRST_ORDER = 0.01
/** [rad] Limit and pivot are solved in turn, and each undoes a part of the other's work: what is left at rest. */
const AT_REST = 1e-4

function pendulum(
  def: Partial<HingeDef> = {},
  gravity = true,
): { world: World; rod: Body; joint: Constraint<HingeDef> } {
  const world = new World({ substeps: SUBSTEPS, gravity: [0, gravity ? -G : 0, 0] })
  const rod = world.addBody(ROD)
  const joint = world.add(hinge, { a: null, b: rod, point: [0, 0, 0], axis: [0, 0, 1], ...def })
  return { world, rod, joint }
}

/** Torque of a group's scalar multiplier [N m]. */
const torqueOf = (joint: Constraint<HingeDef>, multiplier: number): number => joint.multipliers[multiplier] / (H * H)

describe('hinge', () => {
  test('a pendulum has its period', () => {
    const world = new World({ substeps: SUBSTEPS, gravity: [0, -G, 0] })
    const amplitude = 0.3
    const [s, c] = [Math.sin(amplitude), Math.cos(amplitude)]
    const at = (-Math.PI / 2 + amplitude) / 2
    const rod = world.addBody({
      ...ROD,
      position: [0.5 * s, -0.5 * c, 0],
      orientation: [0, 0, Math.sin(at), Math.cos(at)],
    })
    const joint = world.add(hinge, { a: null, b: rod, point: [0, 0, 0], axis: [0, 0, 1] })
    const crossings: number[] = []
    let before = 0
    steps(world, 600, () => {
      const angle = angleOf(joint) + amplitude
      if (before < 0 && angle >= 0) crossings.push(world.time - (angle / (angle - before)) * world.settings.dt)
      before = angle
    })
    const period = (crossings[4] - crossings[0]) / 4
    const linear = 2 * Math.PI * Math.sqrt(I / (0.5 * G))
    // 11/3072 of the fourth power is the next term of the elliptic integral.
    const exact = linear * (1 + amplitude ** 2 / 16 + (11 * amplitude ** 4) / 3072)
    expect(Math.abs(period / exact - 1)).toBeLessThan(1e-3)
  })

  test('its angle grows as b turns about the axis, whatever the order of the bodies', () => {
    const { world, rod, joint } = pendulum({}, false)
    const other = world.add(hinge, { a: rod, b: null, point: [0, 0, 0], axis: [0, 0, 1] })
    rod.setVelocity([0, 0.5, 0])
    rod.setAngularVelocity([0, 0, 1])
    steps(world, 60)
    expect(Math.abs(angleOf(joint) - 1)).toBeLessThan(FIRST_ORDER)
    expect(Math.abs(angleOf(other) + 1)).toBeLessThan(FIRST_ORDER)
  })

  test('a limit holds and carries the torque of gravity', () => {
    const { world, joint } = pendulum({ limits: { min: -0.5, max: 0.2 } })
    let lowest = 0
    steps(world, 240, () => {
      lowest = Math.min(lowest, angleOf(joint))
    })
    expect(lowest).toBeGreaterThan(-0.5 - 10 * AT_REST)
    expect(Math.abs(angleOf(joint) + 0.5)).toBeLessThan(AT_REST)
    expect(Math.abs(torqueOf(joint, 5) / (0.5 * G * Math.cos(0.5)) - 1)).toBeLessThan(AT_REST)
  })

  test('a soft limit gives way by torque times compliance', () => {
    const compliance = 0.02
    const { world, joint } = pendulum({ limits: { min: 0, max: 1, compliance, damping: 5 } })
    steps(world, 1200)
    const angle = angleOf(joint)
    expect(Math.abs(-angle / (compliance * 0.5 * G * Math.cos(angle)) - 1)).toBeLessThan(AT_REST)
  })

  test('a range on the far side of half a turn is not left through the back', () => {
    const { world, rod, joint } = pendulum({ limits: { min: -3.1, max: 3.1 } }, false)
    rod.setVelocity([0, 2.5, 0])
    rod.setAngularVelocity([0, 0, 5])
    let highest = 0
    steps(world, 60, () => {
      highest = Math.max(highest, angleOf(joint))
    })
    expect(highest).toBeGreaterThan(3)
    expect(highest).toBeLessThan(3.1 + 10 * AT_REST)
  })

  test('a drive sags by torque over stiffness', () => {
    const stiffness = 40
    const { world, joint } = pendulum({ drive: { stiffness, damping: 8, positionTarget: 0.3 } })
    steps(world, 1200)
    const angle = angleOf(joint)
    expect(Math.abs((stiffness * (0.3 - angle)) / (0.5 * G * Math.cos(angle)) - 1)).toBeLessThan(AT_REST)
  })

  test('a drive never gives more than its largest torque', () => {
    const maxForce = 2
    const { world, joint } = pendulum({ drive: { stiffness: 1e4, damping: 10, maxForce, positionTarget: 3 } }, false)
    steps(world, 30, () => {
      expect(Math.abs(torqueOf(joint, 6))).toBeLessThanOrEqual(maxForce * (1 + ROUND_OFF))
    })
    const t = 0.5
    expect(Math.abs(angleOf(joint) / ((0.5 * maxForce * t * t) / I) - 1)).toBeLessThan(FIRST_ORDER)
  })

  test('a drive reaches its velocity', () => {
    const { world, rod, joint } = pendulum({ drive: { damping: 2, velocityTarget: 3 } }, false)
    const time = 0.25
    steps(world, 60 * time)
    // I dω/dt = ν (target − ω)
    expect(Math.abs(rod.angularVelocity[2] / (3 * (1 - Math.exp((-2 * time) / I))) - 1)).toBeLessThan(FIRST_ORDER)
    steps(world, 120)
    expect(Math.abs(rod.angularVelocity[2] / 3 - 1)).toBeLessThan(FIRST_ORDER)
    expect(joint.error).toBeLessThan(AT_REST)
  })

  test('an acceleration drive does not care for mass', () => {
    const angles = [1, 100].map((mass) => {
      const world = new World({ gravity: [0, 0, 0], substeps: SUBSTEPS })
      const rod = world.addBody({ ...ROD, mass, inertia: ROD.inertia.map((moment) => mass * moment) })
      const drive = { stiffness: 30, damping: 2, positionTarget: 1, mode: 'acceleration' } as const
      const joint = world.add(hinge, { a: null, b: rod, point: [0, 0, 0], axis: [0, 0, 1], drive })
      steps(world, 20)
      return angleOf(joint)
    })
    expect(Math.abs(angles[0] - angles[1])).toBeLessThan(ROUND_OFF)
  })

  test('a drive between limits does not take the way through them', () => {
    const def = { limits: { min: -3, max: 3 }, drive: { stiffness: 50, damping: 10, positionTarget: 2.9 } }
    const { world, rod, joint } = pendulum(def, false)
    rod.setOrientation([0, 0, Math.sin(-1.45), Math.cos(-1.45)])
    rod.setPosition([0.5 * Math.cos(-2.9), 0.5 * Math.sin(-2.9), 0])
    expect(angleOf(joint)).toBeCloseTo(-2.9, 9)
    steps(world, 300)
    expect(angleOf(joint)).toBeCloseTo(2.9, 3)
  })

  test('friction holds below its bound, and brakes by it above', () => {
    const frictionTorque = 3
    const held = pendulum({ frictionTorque }, false)
    steps(held.world, 60, () => {
      held.rod.applyTorque([0, 0, 0.9 * frictionTorque])
    })
    expect(Math.abs(angleOf(held.joint))).toBeLessThan(AT_REST)

    // A wheel, so that nothing but friction brakes it: a rod on its pivot loses some to the first order of its arc.
    const world = new World({ gravity: [0, 0, 0], substeps: SUBSTEPS })
    const speed = 6
    const wheel = world.addBody({ inertia: I, angularVelocity: [0, 0, speed] })
    const joint = world.add(hinge, { a: null, b: wheel, point: [0, 0, 0], axis: [0, 0, 1], frictionTorque })
    const t = 0.5
    steps(world, 60 * t)
    expect(Math.abs(wheel.angularVelocity[2] / (speed - (frictionTorque * t) / I) - 1)).toBeLessThan(FIRST_ORDER)
    expect(Math.abs(torqueOf(joint, 7))).toBeCloseTo(frictionTorque, 9)
    steps(world, 60)
    expect(Math.abs(angleOf(joint) / ((0.5 * speed * speed * I) / frictionTorque) - 1)).toBeLessThan(FIRST_ORDER)
    expect(Math.abs(wheel.angularVelocity[2])).toBeLessThan(ROUND_OFF)
  })

  test('a slender body keeps its axis under a torque across it', () => {
    const world = new World({ gravity: [0, 0, 0] })
    const half = Math.PI / 8
    const orientation = [0, 0, Math.sin(half), Math.cos(half)] as const
    const rod = world.addBody({ mass: 1, inertia: [0.01, 1, 1], orientation })
    const joint = world.add(hinge, { a: null, b: rod, point: [0, 0, 0], axis: [0, 0, 1] })
    steps(world, 120, () => {
      rod.applyTorque([10, 0, 0])
      expect(joint.error).toBeLessThan(ROUND_OFF)
    })
  })

  test('angular compliance lets the axis tilt by torque times compliance', () => {
    const world = new World({ gravity: [0, 0, 0] })
    const wheel = world.addBody({ mass: 1, inertia: 1 })
    const soft = { angularCompliance: 0.01, angularDamping: 10 }
    const joint = world.add(hinge, { a: null, b: wheel, point: [0, 0, 0], axis: [0, 0, 1], ...soft })
    steps(world, 300, () => wheel.applyTorque([4, 0, 0]))
    expect(joint.error).toBeCloseTo(0.04, 5)
    expect(joint.torque).toBeCloseTo(4, 5)
  })

  test('it takes frequency for point and axis, each by its own mass', () => {
    const world = new World()
    const wheel = world.addBody({ mass: 2, inertia: 0.5 })
    const def = {
      a: null,
      b: wheel,
      point: [0, 0, 0],
      axis: [0, 0, 1],
      frequency: 2,
      limits: { min: 0, max: 1 },
    } as const
    const joint = world.add(hinge, def)
    const omega = 4 * Math.PI
    expect(1 / (joint.def.compliance as number)).toBeCloseTo(2 * omega * omega, 6)
    expect(1 / (joint.def.angularCompliance as number)).toBeCloseTo(0.5 * omega * omega, 6)
  })

  test('a reference moves the zero of the angle', () => {
    const { joint } = pendulum({ reference: [0, 0, Math.sin(0.2), Math.cos(0.2)] })
    expect(angleOf(joint)).toBeCloseTo(-0.4, 12)
  })

  test('limits, drive and friction change while it runs', () => {
    const { world, joint } = pendulum()
    joint.set({ limits: { min: -0.1, max: 0.1 }, frictionTorque: 1 })
    steps(world, 120)
    expect(Math.abs(angleOf(joint) + 0.1)).toBeLessThan(AT_REST)
    expect(() => joint.set({ limits: { min: 1, max: 0 } })).toThrow('hinge: limits: min must be <= max')
    expect(joint.def.limits).toMatchObject({ min: -0.1, max: 0.1 })
  })

  test('a change of one field of a drive or limit keeps the others', () => {
    const { joint } = pendulum({
      drive: { stiffness: 10, damping: 3, maxForce: 20 },
      limits: { min: -1, max: 2, compliance: 1e-3 },
    })
    joint.set({ drive: { velocityTarget: 2 } })
    joint.set({ limits: { max: 1 } })
    expect(joint.def.drive).toMatchObject({ stiffness: 10, damping: 3, maxForce: 20, velocityTarget: 2 })
    expect(joint.def.limits).toMatchObject({ min: -1, max: 1, compliance: 1e-3 })
    expect(() => joint.set({ drive: { damping: 0 } })).toThrow('drive.damping must be > 0 with velocityTarget 2')
    joint.set({ drive: undefined })
    expect(joint.def.drive).toBeUndefined()
  })
})
