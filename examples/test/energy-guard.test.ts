import { box, capsule, Collisions, plane, sphere } from '@tautline/collision'
import { angularDrive, ballSocket, distance, hinge, slider, spring, swingTwist } from '@tautline/constraints'
import { solidBox, solidCapsule, World, type WorldOptions } from '@tautline/core'
import { ROTATES } from '@tautline/core/kernel'
import { ImpulseSolver } from '@tautline/impulse-compat'
import { describe, expect, it } from 'vitest'
import { buildScene } from '../scenes/attack/build.js'
import { ALL_SCENES } from '../scenes/attack/everywhere.js'
import { scenePlan } from '../scenes/attack/plan.js'
import { netEnergy, randomNet } from '../scenes/nets.js'
import { sample } from '../lib/thorough.js'

/** A momentum that only rounding may change. */
const ROUND_OFF = 1e-9

/** The growth that the guard lets be, as a share of the kinetic energy. */
const GROWTH = 2e-3

/** A free chain of links whose joints are far apart at the start, so that the sweep makes speed of it. */
function torn(options: WorldOptions = {}): World {
  const world = new World({ gravity: [0, 0, 0], solver: 'sweep', ...options })
  const links = Array.from({ length: 5 }, (_, k) =>
    world.addBody({
      position: [0.8 * k, 0.1 * k * k, 0],
      mass: 1 + k,
      inertia: solidBox(1 + k, [0.5, 0.1, 0.1]),
      velocity: [0.1 * k, 1, 0.2],
      angularVelocity: [0, 0.3, 0.1 * k],
    }),
  )
  for (let k = 1; k < links.length; k++) {
    world.add(ballSocket, { a: links[k - 1], b: links[k], anchorA: [0.25, 0, 0], anchorB: [-0.25, 0, 0] })
  }
  // Without the mark that has it repaired before it moves.
  world.bodies.columns.flags.fill(ROTATES, 1, 1 + links.length)
  return world
}

/** Runs and counts what the guard did. */
function guarded(world: World, steps: number, before?: (step: number) => void): number {
  let count = 0
  for (let step = 0; step < steps; step++) {
    before?.(step)
    world.step(1 / 60)
    count += world.report.guard.components
  }
  return count
}

describe('energy guard', () => {
  it('takes what a torn chain makes from nothing, keeps its momentum, and says so', () => {
    const free = torn({ energyGuard: false })
    const start = free.energy().total
    free.step()
    expect(free.energy().kinetic).toBeGreaterThan(10 * start)
    const world = torn()
    const before = world.momentum()
    world.step()
    expect(world.report.guard.components).toBe(1)
    expect(world.report.guard.bodies).toHaveLength(5)
    expect(world.energy().kinetic).toBeLessThan(1.01 * start)
    const after = world.momentum()
    for (let k = 0; k < 3; k++) expect(Math.abs(after.linear[k] - before.linear[k])).toBeLessThan(ROUND_OFF)
  })

  it('does not have a repair paid for with the momentum of what is free', () => {
    const world = new World({ gravity: [0, 0, 0] })
    const [a, b] = [-0.5, 0.5].map((x) =>
      world.addBody({
        position: [x, 0, 0],
        mass: 2,
        inertia: solidBox(2, [0.6, 1, 1.4]),
        velocity: [1, x, 0],
        angularVelocity: [0, 2 * x, 0],
      }),
    )
    // Its limits are half a radian off, away from where the drive wants it: the repair winds up the drive.
    world.add(hinge, {
      a,
      b,
      point: [0, 0, 0],
      axis: [0, 1, 0],
      limits: { min: -0.9, max: -0.5 },
      drive: { stiffness: 50, damping: 5, positionTarget: 1 },
    })
    const before = world.momentum().linear
    expect(guarded(world, 30)).toBe(0)
    world.momentum().linear.forEach((p, k) => expect(Math.abs(p - before[k])).toBeLessThan(ROUND_OFF))
  })

  it('has no limit paid for that a damped drive runs into: what the drive bears is not what its spring stores', () => {
    const world = new World({ gravity: [0, 0, 0] })
    const [a, b] = [-0.5, 0.5].map((x) =>
      world.addBody({ position: [x, 0, 0], mass: 2, inertia: solidBox(2, [0.6, 1, 1.4]), velocity: [1, x, 0] }),
    )
    const limits = { min: -0.2, max: 0.2 }
    const drive = { stiffness: 50, damping: 5, positionTarget: 1 }
    world.add(hinge, {
      a,
      b,
      anchorA: [0.4, 0, 0],
      anchorB: [-0.4, 0, 0],
      axisA: [0, 1, 0],
      axisB: [0, 1, 0],
      limits,
      drive,
    })
    const before = world.momentum().linear
    expect(guarded(world, 30)).toBe(0)
    world.momentum().linear.forEach((p, k) => expect(Math.abs(p - before[k])).toBeLessThan(ROUND_OFF))
  })

  it('lets nothing grow by a share in every step: what a net of many particles owes, it owes as a whole', () => {
    // Rigid triangles, bends as stiff, hung by a corner: its sweeps gain, and the guard acts in every fourth step.
    const { world, rate, scale } = randomNet(239, 'auto')
    const start = netEnergy(world)
    let gain = 0
    for (let step = 0; step < rate; step++) {
      world.step(1 / rate)
      gain = Math.max(gain, (netEnergy(world) - start) / scale)
    }
    expect(gain).toBeLessThan(GROWTH)
  })

  it('acts on steps of impulses as well', () => {
    const world = torn({ energyGuard: true })
    const start = world.energy().kinetic
    const solver = new ImpulseSolver(world, { stabilization: 'baumgarte' })
    for (let k = 0; k < 30; k++) solver.step(1 / 60)
    expect(world.energy().kinetic).toBeLessThan(1.1 * start)
  })

  it('is part of the state: a snapshot goes on in the same way', () => {
    const plan = scenePlan(59)
    const { world } = buildScene(plan, { bare: true })
    for (let k = 0; k < 5; k++) world.step()
    const snapshot = world.snapshot()
    for (let k = 0; k < 20; k++) world.step()
    const hash = world.hash()
    world.restore(snapshot)
    for (let k = 0; k < 20; k++) world.step()
    expect(world.hash()).toBe(hash)
  })

  it('lets a stretched spring fling a chain', () => {
    const world = new World({ gravity: [0, 0, 0] })
    const a = world.addBody({ mass: 1, position: [3, 0, 0] })
    const b = world.addBody({ mass: 1, position: [3.5, 0, 0] })
    world.add(distance, { a, b })
    world.add(spring, { a: null, b: a, anchorA: [0, 0, 0], length: 0.5, stiffness: 500 })
    world.add(distance, { a: null, b, length: 0.5, compliance: 1e-3 })
    let flung = 0
    const count = guarded(world, 300, () => {
      flung = Math.max(flung, world.energy().kinetic)
    })
    expect(count).toBe(0)
    expect(flung).toBeGreaterThan(1)
  })

  it('lets drives and velocity targets do their work', () => {
    const world = new World()
    const arm = world.addBody({ mass: 2, inertia: solidBox(2, [1, 0.1, 0.1]), position: [0.5, 0, 0] })
    const cart = world.addBody({ mass: 5, inertia: 1, position: [5, 0, 0] })
    const limb = world.addBody({ mass: 1, inertia: 0.1, position: [-5, 0, 0] })
    const end = world.addBody({ mass: 1, inertia: 0.1, position: [-5, -0.6, 0] })
    world.add(hinge, {
      a: null,
      b: arm,
      point: [0, 0, 0],
      axis: [0, 0, 1],
      drive: { velocityTarget: 30, damping: 1e4 },
    })
    const motor = world.add(slider, { a: null, b: cart, axis: [0, 1, 0], drive: { stiffness: 1e5, damping: 1e3 } })
    world.add(ballSocket, { a: null, b: limb, point: [-5, 0.3, 0] })
    world.add(swingTwist, {
      a: limb,
      b: end,
      point: [-5, -0.3, 0],
      axis: [0, 1, 0],
      drive: { target: [0, 0, 1, 0], stiffness: 300, damping: 5, mode: 'acceleration' },
    })
    world.add(angularDrive, { a: null, b: limb, target: [1, 0, 0, 0], stiffness: 50, damping: 1 })
    const count = guarded(world, 240, (step) => {
      if (step === 60) motor.set({ drive: { stiffness: 1e5, damping: 1e3, positionTarget: 2 } })
    })
    expect(count).toBe(0)
    expect(arm.angularVelocity[2]).toBeGreaterThan(25)
    expect(cart.position[1]).toBeGreaterThan(1.9)
  })

  it('lets kinematic bodies strike, carry and swing what hangs on them', () => {
    const world = new World()
    const collisions = new Collisions(world, { sleeping: false })
    collisions.addCollider(null, { shape: plane([0, 1, 0]) })
    const bat = world.addBody({ type: 'kinematic', inertia: 1, position: [-3, 1, 0] })
    collisions.addCollider(bat, { shape: box([0.1, 1, 1]), restitution: 1 })
    for (let k = 0; k < 4; k++) {
      const position = [0, 0.25 + 0.5 * k, 0] as const
      collisions.addBody({ shape: box([0.25, 0.25, 0.25]), mass: 1 + k, position, restitution: 0.5 })
    }
    bat.setVelocity([15, 0, 0])
    const crank = world.addBody({ type: 'kinematic', inertia: 1, position: [10, 3, 0] })
    let above = crank
    for (let k = 0; k < 6; k++) {
      const b = world.addBody({ mass: 1, inertia: solidCapsule(1, 0.05, 0.3), position: [10, 2.8 - 0.4 * k, 5] })
      b.setPosition([10, 2.8 - 0.4 * k, 0])
      world.add(ballSocket, { a: above, b, point: [10, 3 - 0.4 * k, 0] })
      above = b
    }
    const count = guarded(world, 240, (step) => {
      crank.setVelocity([step % 60 < 30 ? 6 : -6, 0, 0])
      crank.setAngularVelocity([0, 0, 8])
    })
    expect(count).toBe(0)
  })

  it('leaves an explosion by impulses, forces and a hook alone, and a teleport', () => {
    const world = new World()
    const collisions = new Collisions(world, { sleeping: false })
    collisions.addCollider(null, { shape: plane([0, 1, 0]) })
    const bodies = Array.from({ length: 9 }, (_, k) =>
      collisions.addBody({
        shape: k % 2 === 0 ? sphere(0.25) : capsule(0.2, 0.2),
        mass: 1,
        position: [0.6 * (k % 3), 0.5 + 0.7 * Math.floor(k / 3), 0],
        restitution: 0.6,
      }),
    )
    world.onVelocities((_, h) => {
      bodies[0].setVelocity([bodies[0].velocity[0] + 20 * h, bodies[0].velocity[1], bodies[0].velocity[2]])
    })
    const count = guarded(world, 240, (step) => {
      if (step === 60) for (const body of bodies) body.applyImpulse([3 * body.position[0], 12, 3])
      if (step === 100) for (const body of bodies) body.applyTorque([0, 40, 10])
      if (step > 120 && step < 140) bodies[4].applyForce([500, 300, 0])
      if (step === 180) bodies[7].setPosition([5, 6, 5])
    })
    expect(count).toBe(0)
  })

  it('lets a winch wind up a rope by its length', () => {
    const world = new World()
    const load = world.addBody({ mass: 50, position: [0, -5, 0] })
    const rope = world.add(distance, { a: null, b: load, anchorA: [0, 0, 0], length: 5 })
    let length = 5
    const count = guarded(world, 60, () => rope.set({ length: (length -= 0.05) }))
    expect(count).toBe(0)
    expect(load.position[1]).toBeGreaterThan(-2.1)
  })

  it('leaves ordinary scenes alone', () => {
    // Those that start violated or jammed make energy from nothing, and are what it is for.
    const broken = ['comparison: stretched chain', 'contacts: confined', 'trees: directRing']
    const slow = [
      'comparison: bridge',
      'comparison: joint grid',
      'contacts: bouncingGrid',
      'contacts: rush',
      'scenes: cloth',
    ]
    for (const { name, make } of sample(ALL_SCENES, 4)) {
      if (broken.includes(name) || slow.includes(name)) continue
      const scene = make({})
      if (scene.world.bodies.count > 60) continue
      let count = 0
      for (let step = 0; step < 12; step++) {
        scene.beforeStep?.()
        scene.world.step()
        count += scene.world.report.guard.components
      }
      expect([name, count]).toEqual([name, 0])
    }
  })

  it('can be switched off, and refuses what is no switch', () => {
    const world = torn()
    world.configure({ energyGuard: false })
    expect(guarded(world, 3)).toBe(0)
    expect(() => new World({ energyGuard: 1 as unknown as boolean })).toThrow('energyGuard')
  })
})
