/** Slider: closed forms of fall, drive, limit and friction along an axis. */

import { type Body, type Constraint, World } from '@tautline/core'
import { describe, expect, test } from 'vitest'
import { offsetOf, slider, type SliderDef } from '../../src/slider.js'
import { steps } from './support.js'

const G = 9.81
const SUBSTEPS = 20
const H = 1 / 60 / SUBSTEPS
/** Round-off of some thousand steps. */
const ROUND_OFF = 1e-9
/** Relative: position-based steps are of first order in the substep. */
const FIRST_ORDER = 0.01
/** [m] What holds up to a largest force gives way to it by so much a substep. */
const CREEP = 1e-8
/** [kg m/s] Round-off of 2400 eliminations of both bodies, each its own move; measured 9e-9. */
const ELIMINATED = 5e-8
/** What rows that are solved in turn leave of each other's work at rest. */
const AT_REST = 1e-6

function carriage(
  axis: readonly [number, number, number],
  def: Partial<SliderDef> = {},
  gravity = true,
): { world: World; body: Body; joint: Constraint<SliderDef> } {
  const world = new World({ substeps: SUBSTEPS, gravity: [0, gravity ? -G : 0, 0] })
  const body = world.addBody({ mass: 2, inertia: [0.1, 0.2, 0.3], position: [1, 2, 3] })
  const joint = world.add(slider, { a: null, b: body, axis, ...def })
  return { world, body, joint }
}

const forceOf = (joint: Constraint<SliderDef>, multiplier: number): number => joint.multipliers[multiplier] / (H * H)

describe('slider', () => {
  test('a body falls along an incline by g sin', () => {
    const angle = 0.6
    const { world, body, joint } = carriage([Math.cos(angle), -Math.sin(angle), 0])
    steps(world, 60)
    expect(Math.abs(offsetOf(joint) / (0.5 * G * Math.sin(angle)) - 1)).toBeLessThan(FIRST_ORDER)
    expect(joint.error).toBeLessThan(ROUND_OFF)
    expect(Math.hypot(...body.angularVelocity)).toBeLessThan(ROUND_OFF)
    // What is left of gravity is carried by the rail.
    expect(joint.force).toBeCloseTo(2 * G * Math.cos(angle), 6)
  })

  test('its offset grows as b moves along the axis, whatever the order of the bodies', () => {
    const { world, body, joint } = carriage([0, 0, 1], {}, false)
    const other = world.add(slider, { a: body, b: null, axis: [0, 0, 1] })
    body.setVelocity([0, 0, 0.5])
    steps(world, 60)
    expect(offsetOf(joint)).toBeCloseTo(0.5, 9)
    expect(offsetOf(other)).toBeCloseTo(-0.5, 9)
  })

  test('a carries the axis: the rail turns with it', () => {
    const world = new World({ gravity: [0, 0, 0], substeps: SUBSTEPS })
    const a = world.addBody({ mass: 1, inertia: [0.1, 0.2, 0.3], angularVelocity: [0.3, 1, 2] })
    const b = world.addBody({ mass: 1, inertia: 0.1, position: [1, 0, 0], velocity: [0, 2, -1] })
    const joint = world.add(slider, { a, b, axis: [1, 0, 0], limits: { min: 0.5, max: 1.5 } })
    const before = world.momentum()
    steps(world, 120, () => {
      expect(joint.error).toBeLessThan(0.01)
    })
    const after = world.momentum()
    for (let k = 0; k < 3; k++) expect(Math.abs(after.linear[k] - before.linear[k])).toBeLessThan(ELIMINATED)
  })

  test('limits hold on both sides', () => {
    const { world, joint } = carriage([0, 1, 0], { limits: { min: -0.3, max: 0.2 } })
    steps(world, 60)
    expect(Math.abs(offsetOf(joint) + 0.3)).toBeLessThan(AT_REST)
    expect(forceOf(joint, 5)).toBeCloseTo(2 * G, 6)
    world.configure({ gravity: [0, G, 0] })
    steps(world, 60)
    expect(Math.abs(offsetOf(joint) - 0.2)).toBeLessThan(AT_REST)
    expect(forceOf(joint, 5)).toBeCloseTo(-2 * G, 6)
  })

  test('a drive sags by weight over stiffness', () => {
    const { world, joint } = carriage([0, 1, 0], { drive: { stiffness: 500, damping: 40, positionTarget: 0.1 } })
    steps(world, 600)
    // What drives gives way by 10 nm a substep where it is solved directly.
    expect(offsetOf(joint)).toBeCloseTo(0.1 - (2 * G) / 500, 7)
  })

  test('a drive reaches its velocity, within its force', () => {
    const maxForce = 3
    const { world, body, joint } = carriage([1, 0, 0], { drive: { damping: 1e3, velocityTarget: 2, maxForce } }, false)
    const t = 0.5
    steps(world, 60 * t, () => expect(Math.abs(forceOf(joint, 6))).toBeLessThanOrEqual(maxForce * (1 + ROUND_OFF)))
    expect(Math.abs(body.velocity[0] / ((maxForce * t) / 2) - 1)).toBeLessThan(FIRST_ORDER)
    steps(world, 120)
    expect(body.velocity[0]).toBeCloseTo(2, 6)
  })

  test('friction holds below its bound, and brakes by it above', () => {
    const held = carriage([0, 1, 0], { frictionForce: 1.1 * 2 * G })
    steps(held.world, 60)
    expect(Math.abs(offsetOf(held.joint))).toBeLessThan(CREEP * 60 * SUBSTEPS)
    const { world, body, joint } = carriage([0, 1, 0], { frictionForce: 0.5 * 2 * G })
    steps(world, 60)
    expect(Math.abs(body.velocity[1] / (-0.5 * G) - 1)).toBeLessThan(FIRST_ORDER)
    expect(forceOf(joint, 7)).toBeCloseTo(0.5 * 2 * G, 9)
  })

  test('the rail carries a load off its axis', () => {
    const world = new World({ substeps: SUBSTEPS, gravity: [0, -G, 0] })
    const body = world.addBody({ mass: 2, inertia: [0.1, 0.2, 0.3], position: [0, 0, 0.5] })
    const joint = world.add(slider, { a: null, b: body, axis: [1, 0, 0], point: [0, 0, 0] })
    steps(world, 300)
    // The couple 2 g 0.5 on the orientation; both rows settle at the sag that their turn-taking leaves.
    expect(joint.torque).toBeCloseTo(G, 3)
    expect(joint.error).toBeLessThan(1e-3)
  })
})
