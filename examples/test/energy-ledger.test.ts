import { ballSocket, distance, hinge, slider, spring } from '@tautline/constraints'
import { solidBox, World, type EnergyLedger } from '@tautline/core'
import { describe, expect, it } from 'vitest'
import { box, Collisions, plane, sphere } from '@tautline/collision'

const g = 9.81
/** The scheme is of first order: what a substep makes of work is right to some of its length over the time scales here. */
const FIRST_ORDER = 0.02
const ROUND_OFF = 1e-9

function ledgerOf(world: World): EnergyLedger {
  const { ledger } = world.energy()
  if (ledger === undefined) throw new Error('no ledger')
  return ledger
}

/** E at the end less E at the start is what the ledger says. */
function balance({ user, forces, drives, kinematic, gained, lost }: EnergyLedger): number {
  return user + forces + drives + kinematic + gained - lost
}

function run(world: World, seconds: number): void {
  for (let k = 0; k < Math.round(60 * seconds); k++) world.step(1 / 60)
}

describe('energy ledger', () => {
  it('is not there unless asked for', () => {
    expect(new World().energy()).not.toHaveProperty('ledger')
    const world = new World()
    world.configure({ energyLedger: true })
    expect(ledgerOf(world).gained).toBe(0)
    world.configure({ energyLedger: false })
    expect(world.energy()).not.toHaveProperty('ledger')
  })

  it('counts a motor that lifts a weight', () => {
    const world = new World({ energyLedger: true })
    const lift = world.addBody({ mass: 3, inertia: 1 })
    const drive = { velocityTarget: 0.5, damping: 1e5 }
    world.add(slider, { a: null, b: lift, axis: [0, 1, 0], drive })
    const start = world.energy().total
    run(world, 2)
    const ledger = ledgerOf(world)
    const height = lift.position[1]
    expect(height).toBeGreaterThan(0.9)
    const wanted = 3 * g * height + 0.5 * 3 * 0.25
    expect(Math.abs(ledger.drives - wanted)).toBeLessThan(FIRST_ORDER * wanted)
    expect(ledger.gained).toBeLessThan(ROUND_OFF * wanted)
    expect(Math.abs(start + balance(ledger) - world.energy().total)).toBeLessThan(ROUND_OFF * wanted)
  })

  it('counts a kinematic elevator under a crate', () => {
    const world = new World({ energyLedger: true })
    const collisions = new Collisions(world, { sleeping: false })
    const floor = world.addBody({ type: 'kinematic', inertia: 1, position: [0, -0.5, 0] })
    collisions.addCollider(floor, { shape: box([2, 0.5, 2]) })
    const crate = collisions.addBody({ shape: box([0.25, 0.25, 0.25]), mass: 10, position: [0, 0.25, 0] })
    run(world, 0.5)
    const before = ledgerOf(world)
    const low = crate.position[1]
    floor.setVelocity([0, 0.5, 0])
    run(world, 2)
    const lifted = crate.position[1] - low
    expect(lifted).toBeGreaterThan(0.95)
    const wanted = 10 * g * lifted
    expect(Math.abs(ledgerOf(world).kinematic - before.kinematic - wanted)).toBeLessThan(FIRST_ORDER * wanted)
    expect(ledgerOf(world).gained - before.gained).toBeLessThan(FIRST_ORDER * wanted)
    expect(world.report.guard.components).toBe(0)
  })

  it('counts a kinematic crank that turns a pendulum up', () => {
    const world = new World({ energyLedger: true, substeps: 16 })
    const crank = world.addBody({ type: 'kinematic', inertia: 1 })
    const bob = world.addBody({ mass: 2, inertia: solidBox(2, [0.1, 0.1, 0.1]), position: [1, 0, 0] })
    const strut = { a: crank, b: bob, point: [0, 0, 0] as const }
    world.add(hinge, { ...strut, axis: [0, 0, 1], limits: { min: 0, max: 0 } })
    bob.setVelocity([0, 1, 0])
    bob.setAngularVelocity([0, 0, 1])
    crank.setAngularVelocity([0, 0, 1])
    run(world, 1.5)
    const wanted = 2 * g * bob.position[1]
    expect(bob.position[1]).toBeGreaterThan(0.99)
    expect(Math.abs(ledgerOf(world).kinematic - wanted)).toBeLessThan(FIRST_ORDER * wanted)
    expect(ledgerOf(world).gained).toBeLessThan(FIRST_ORDER * wanted)
  })

  it('counts a force, and an impulse as the user’s', () => {
    const world = new World({ energyLedger: true, gravity: [0, 0, 0] })
    const body = world.addBody({ mass: 2 })
    run(world, 0.1)
    for (let k = 0; k < 60; k++) {
      body.applyForce([6, 0, 0])
      world.step(1 / 60)
    }
    // 3 m/s² for a second: T = ½ m v² = 9 J, and the scheme moves it by h more.
    expect(Math.abs(ledgerOf(world).forces - 9)).toBeLessThan(9 * FIRST_ORDER)
    body.applyImpulse([0, 8, 0])
    world.step(1 / 60)
    expect(Math.abs(ledgerOf(world).user - 16)).toBeLessThan(16 * ROUND_OFF)
    expect(ledgerOf(world).gained).toBeLessThan(ROUND_OFF)
  })

  it('tells what a spring gave back, and finds nothing gained', () => {
    const world = new World({ energyLedger: true, gravity: [0, 0, 0], substeps: 32 })
    const body = world.addBody({ mass: 1, position: [1.5, 0, 0] })
    world.add(spring, { a: null, b: body, anchorA: [0, 0, 0], length: 1, stiffness: 40 })
    const stored = 0.5 * 40 * 0.25
    // A quarter of a period.
    const steps = Math.round((60 * Math.PI) / 2 / Math.sqrt(40))
    for (let k = 0; k < steps; k++) world.step(1 / 60)
    const ledger = ledgerOf(world)
    expect(Math.abs(ledger.springs - stored)).toBeLessThan(5 * FIRST_ORDER * stored)
    expect(ledger.gained).toBeLessThan(ROUND_OFF * stored)
    expect(Math.abs(world.energy().total - stored - balance(ledger))).toBeLessThan(ROUND_OFF * stored)
  })

  it('counts what a bounce with e = 0.5 takes, and calls nothing of it gained', () => {
    const world = new World({ energyLedger: true, gravity: [0, 0, 0] })
    const collisions = new Collisions(world, { sleeping: false })
    collisions.addCollider(null, { shape: plane([0, 1, 0]), restitution: 0.5 })
    const options = { mass: 2, position: [0, 0.5, 0] as const, velocity: [0, -4, 0] as const, restitution: 0.5 }
    const ball = collisions.addBody({ shape: sphere(0.1), ...options })
    run(world, 0.5)
    expect(ball.velocity[1]).toBeCloseTo(2, 5)
    const { restitution, gained, lost } = ledgerOf(world)
    expect(restitution).toBeGreaterThanOrEqual(0)
    expect(restitution).toBeLessThan(4 + ROUND_OFF)
    expect(Math.abs(lost - 12)).toBeLessThan(12 * FIRST_ORDER)
    expect(gained).toBeLessThan(ROUND_OFF)
  })

  it('finds what a chain torn apart at the start makes from nothing, where nothing guards it', () => {
    const gains = [false, true].map((energyGuard) => {
      const world = new World({ energyLedger: true, energyGuard, gravity: [0, 0, 0], solver: 'sweep', substeps: 1 })
      const [a, b] = [0, 1].map((k) => world.addBody({ position: [k, 0, 0], mass: 1 }))
      world.add(distance, { a, b, length: 0.5 })
      // Without the mark that has it repaired before it moves.
      world.bodies.columns.flags.fill(0, 1, 3)
      run(world, 0.2)
      return ledgerOf(world).gained
    })
    expect(gains[0]).toBeGreaterThan(10)
    expect(gains[1]).toBeLessThan(1e-3)
  })

  it('is kept by joints that hang from what moves, by the work of λ', () => {
    const world = new World({ energyLedger: true })
    const hand = world.addBody({ type: 'kinematic', inertia: 1 })
    const load = world.addBody({ mass: 5, inertia: 1, position: [0, -0.5, 0] })
    world.add(ballSocket, { a: hand, b: load, point: [0, 0, 0] })
    hand.setVelocity([0, 1, 0])
    load.setVelocity([0, 1, 0])
    run(world, 1)
    expect(Math.abs(ledgerOf(world).kinematic - 5 * g)).toBeLessThan(5 * g * FIRST_ORDER)
  })
})
