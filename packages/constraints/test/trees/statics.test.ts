import { type Body, type Constraint, solidBox, World } from '@tautline/core'
import { describe, expect, test } from 'vitest'
import { ballSocket, fixed, hinge, swingTwist } from '../../src/index.js'
import { chain, G, particles, run, worst } from './support.js'

/** A solved joint [m, rad]. */
const MET = 1e-8
/** Forces of a chain that has hung still, relative: bodies are solved to a billionth of a metre, at 1/60 s. */
const FORCE = 1e-5
/** Where something came to rest by damping [m, rad]. */
const RESTED = 1e-6

/** Steps until what is damped has come to rest. */
const SETTLE = 1200

describe('a hanging chain', () => {
  test('each joint bears what hangs on it', () => {
    const { world, joints } = chain({ links: 10, hanging: true, mass: (k) => 1 + k })
    run(world, 60)
    joints.forEach((joint, k) => {
      const below = joints.slice(k).reduce((sum, _, i) => sum + (1 + k + i), 0)
      expect(joint.force / (G * below)).toBeCloseTo(1, -Math.log10(FORCE) - 1)
    })
  })

  test('a particle chain the same, with a rigid body at its end', () => {
    const world = new World({ gravity: [0, -G, 0], substeps: 1 })
    const { bodies, joints } = particles(world, 6)
    bodies.forEach((body, k) => body.setPosition([0, -0.2 * (k + 1), 0]))
    const end = world.addBody({ position: [0, -1.45, 0], mass: 50, inertia: solidBox(50, [0.3, 0.5, 0.3]) })
    joints.push(world.add(ballSocket, { a: bodies[5], b: end, anchorA: [0, 0, 0], anchorB: [0, 0.25, 0] }))
    run(world, 60)
    expect(world.report.direct).toMatchObject({ trees: 1, joints: 7, unsolved: 0 })
    expect(worst(joints)).toBeLessThan(MET)
    joints.forEach((joint, k) => {
      expect(joint.force / (G * (50 + Math.max(0, 6 - k)))).toBeCloseTo(1, -Math.log10(FORCE) - 1)
    })
  })

  test('compliant joints sag by force times compliance', () => {
    const compliance = 1e-4
    const { world, joints } = chain({ links: 5, hanging: true, joint: { compliance, damping: 1e3 } })
    run(world, SETTLE)
    expect(world.report.direct).toMatchObject({ joints: 5, unsolved: 0 })
    joints.forEach((joint, k) => expect(joint.error).toBeCloseTo(compliance * G * (5 - k), 8))
  })
})

describe('an arm of three links on hinges', () => {
  const LENGTH = 0.5

  /** Links along x on hinges about z; `fields` of each hinge. */
  function arm(fields: Record<string, unknown>, options = {}) {
    const world = new World({ gravity: [0, -G, 0], substeps: 1, ...options })
    const inertia = solidBox(1, [LENGTH, 0.1, 0.1])
    const bodies = [0, 1, 2].map((k) => world.addBody({ position: [LENGTH * (k + 0.5), 0, 0], inertia }))
    const hinges = bodies.map((b, k) =>
      world.add(hinge, { a: bodies[k - 1] ?? null, b, point: [LENGTH * k, 0, 0], axis: [0, 0, 1], ...fields }),
    )
    return { world, bodies, hinges }
  }
  /** Couple of gravity about the first hinge [N m]. */
  const COUPLE = 3 * G * 1.5 * LENGTH

  test('limits hold it, and tell the couple that it takes', () => {
    const { world, hinges } = arm({ limits: { min: -0.3, max: 0.3 } })
    run(world, SETTLE)
    expect(world.report.direct).toMatchObject({ joints: 3, unsolved: 0 })
    expect(worst(hinges)).toBeLessThan(MET)
  })

  test('drives hold it up to their largest couple', () => {
    const strong = arm({ drive: { stiffness: 1e6, damping: 1e4, maxForce: 1.01 * COUPLE } })
    run(strong.world, SETTLE)
    expect(strong.bodies[2].position[1]).toBeGreaterThan(-1e-3)
    const weak = arm({ drive: { stiffness: 1e6, damping: 1e4, maxForce: 0.9 * COUPLE } })
    run(weak.world, 60)
    expect(weak.bodies[0].position[1]).toBeLessThan(-0.1)
    expect(worst(weak.hinges)).toBeLessThan(MET)
  })

  test('dry friction the same', () => {
    const held = arm({ frictionTorque: 1.01 * COUPLE })
    run(held.world, 60)
    expect(Math.abs(held.bodies[2].position[1])).toBeLessThan(RESTED)
    const slips = arm({ frictionTorque: 0.5 * COUPLE })
    run(slips.world, 60)
    expect(slips.bodies[0].position[1]).toBeLessThan(-0.01)
  })

  test('the drive of a swing–twist joint sags as a spring', () => {
    const world = new World({ gravity: [0, -G, 0], substeps: 1, solver: 'direct' })
    const b = world.addBody({ position: [0.5, 0, 0], inertia: solidBox(1, [1, 0.1, 0.1]) })
    const stiffness = 100
    world.add(swingTwist, { a: null, b, point: [0, 0, 0], axis: [1, 0, 0], drive: { stiffness, damping: 20 } })
    run(world, SETTLE)
    const angle = Math.atan2(-b.position[1], b.position[0])
    expect(stiffness * angle).toBeCloseTo(0.5 * G * Math.cos(angle), 5)
  })
})

describe('break forces', () => {
  test('the joint that bears most breaks alone', () => {
    const { world, joints } = chain({ links: 6, hanging: true, joint: { breakForce: 5.5 * G } })
    run(world, 1)
    expect(joints.map(({ broken }) => broken)).toEqual([true, false, false, false, false, false])
    run(world, 10)
    expect(worst(joints.slice(1))).toBeLessThan(MET)
    expect(world.report.direct.joints).toBe(5)
  })

  test('what is held twice bears its load, and is named', () => {
    const { world, bodies, joints } = chain({ links: 3, hanging: true })
    const twice = world.add(fixed, { a: bodies[1], b: bodies[2], point: [0, -1, 0] })
    run(world, 1)
    const named = world.report.direct.singular.map(({ typeName }) => typeName).sort()
    expect(named).toEqual(['ballSocket', 'fixed'])
    run(world, 60)
    expect(joints[2].force + twice.force).toBeCloseTo(G, 4)
    expect(worst([...joints, twice])).toBeLessThan(MET)
  })

  test.each([ballSocket, fixed])('two joints of a door share its weight, and one breaks at its share (%#)', (type) => {
    const { leaf, latch, world } = closedDoor(type as typeof fixed, { breakForce: 0.5 * DOOR * G + 20 })
    run(world, 10)
    expect(latch.force).toBeCloseTo(0.5 * DOOR * G, 1)
    expect(world.report.direct.singular).toContain(latch)
    leaf.applyForce([0, -60, 0])
    world.step()
    expect(latch.broken).toBe(true)
  })

  test.each([100, 380])('the latch of docs/games.md bears the push of %i N alone', (push) => {
    const { leaf, latch, world } = closedDoor(ballSocket as never, { breakForce: 400, compliance: 1e-8 })
    for (let step = 0; step < 60; step++) {
      leaf.applyForce([0, 0, push], [1, 1, 0])
      world.step()
    }
    expect(latch.force).toBeCloseTo(push, 0)
    for (let step = 0; step < 10; step++) {
      leaf.applyForce([0, 0, 410], [1, 1, 0])
      world.step()
    }
    expect(latch.broken).toBe(true)
  })
})

/** Mass of a door [kg]. */
const DOOR = 25

/** A door of 1 m on a hinge, and a joint at its handle. */
function closedDoor(type: typeof fixed, latch: object): { world: World; leaf: Body; latch: Constraint } {
  const world = new World({ gravity: [0, -G, 0] })
  const leaf = world.addBody({ mass: DOOR, inertia: solidBox(DOOR, [1, 2, 0.08]), position: [0.5, 1, 0] })
  world.add(hinge, { b: leaf, point: [0, 1, 0], axis: [0, 1, 0] })
  return { world, leaf, latch: world.add(type, { b: leaf, point: [1, 1, 0], ...latch }) }
}
