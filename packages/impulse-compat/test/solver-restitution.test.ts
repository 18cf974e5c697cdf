/** Impacts: what the two ways to solve several at once make of them, and that none of them makes energy. */

import { type Body, World } from '@tautline/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { box, Collisions, sphere } from '../../collision/src/index.js'
import { ballSocket } from '../../constraints/src/index.js'
import { runs } from '../../core/test/support/runs.js'
import { Random } from '../../core/test/support/random.js'
import { SEED } from '../../core/test/support/seed.js'
import type { ImpulseOptions } from '../src/index.js'
import { ground, solverOf, steps } from './support/solver-scenes.js'

/** Speeds [m/s] after impacts of 1 m/s: a hundred sums of round-off, and impacts that end at 1e-9 of the first. */
const SPEED = 1e-8
/** Energy that a step may gain, as a share: round-off of each impact. */
const GAIN = 1e-9

/** Balls in a row without gravity, touching; the first `moving` come in at 1 m/s. */
function cradle(count: number, moving: number, masses: readonly number[] = []): { world: World; balls: Body[] } {
  const world = new World({ gravity: [0, 0, 0] })
  const collisions = new Collisions(world, { sleeping: false })
  const balls = Array.from({ length: count }, (_, k) =>
    collisions.addBody({
      shape: sphere(0.5),
      position: [k, 0, 0],
      velocity: [k < moving ? 1 : 0, 0, 0],
      mass: masses[k] ?? 1,
      restitution: 1,
      friction: 0,
    }),
  )
  return { world, balls }
}

const along = (balls: readonly Body[]): number[] => balls.map(({ velocity }) => velocity[0])

function expectSpeeds(balls: readonly Body[], speeds: readonly number[]): void {
  along(balls).forEach((v, k) => expect(Math.abs(v - speeds[k])).toBeLessThan(SPEED))
}

describe('Newton’s cradle', () => {
  test.each([
    [3, 1],
    [5, 1],
    [5, 2],
    [7, 3],
  ])('of %i, %i of them let go: as many leave, by impacts one at a time', (count, moving) => {
    const { world, balls } = cradle(count, moving)
    const solver = solverOf(world, { restitution: 'sequential' })
    const speeds = Array.from({ length: count }, (_, k) => (k < count - moving ? 0 : 1))
    solver.step()
    expectSpeeds(balls, speeds)
    steps(solver, 20)
    expectSpeeds(balls, speeds)
  })

  test('by a common solve three balls part with −1/3, 2/3, 2/3', () => {
    const { world, balls } = cradle(3, 1)
    const solver = solverOf(world, { iterations: 500 })
    solver.step()
    expectSpeeds(balls, [-1 / 3, 2 / 3, 2 / 3])
    steps(solver, 10)
    expectSpeeds(balls, [-1 / 3, 2 / 3, 2 / 3])
  })

  test('both keep momentum and energy', () => {
    for (const restitution of ['sequential', 'simultaneous'] as const) {
      const { world, balls } = cradle(6, 2, [1, 2, 0.5, 3, 1, 0.7])
      const solver = solverOf(world, { restitution, iterations: 2000 })
      const before = world.energy().kinetic
      steps(solver, 3)
      const p = balls.reduce((sum, ball) => sum + ball.mass * ball.velocity[0], 0)
      expect(p).toBeCloseTo(3, 9)
      expect(world.energy().kinetic / before).toBeCloseTo(1, 6)
    }
  })

  test('hung on joints: the last ball swings out, the others stay', () => {
    const world = new World({ dt: 1 / 240 })
    const collisions = new Collisions(world, { sleeping: false })
    const balls = Array.from({ length: 4 }, (_, k) => {
      const lift = k === 0 ? 0.3 : 0
      const at: [number, number, number] = [0.2 * k - Math.sin(lift), -Math.cos(lift), 0]
      const ball = collisions.addBody({ shape: sphere(0.1), position: at, mass: 1, restitution: 1, friction: 0 })
      world.add(ballSocket, { b: ball, anchorA: [0.2 * k, 0, 0], anchorB: [Math.sin(lift), Math.cos(lift), 0] })
      return ball
    })
    const solver = solverOf(world, { restitution: 'sequential', iterations: 60 })
    let highest = -1
    for (let k = 0; k < 260; k++) {
      solver.step()
      highest = Math.max(highest, balls[3].position[1])
    }
    // 1 − cos 0.3 above its rest; pendulums that touch within a few steps part with a little of it.
    expect(highest + 1).toBeGreaterThan(0.9 * (1 - Math.cos(0.3)))
    expect(highest + 1).toBeLessThan(1.05 * (1 - Math.cos(0.3)))
  })
})

describe('unlike masses', () => {
  test.each(['sequential', 'simultaneous'] as const)('two balls part as momentum and e say: %s', (restitution) => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.1, max: 50, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0.5, max: 10, noNaN: true }),
        (mass, e, speed) => {
          const world = new World({ gravity: [0, 0, 0] })
          const collisions = new Collisions(world, { sleeping: false })
          const ball = (x: number, v: number, m: number): Body =>
            collisions.addBody({
              shape: sphere(0.5),
              position: [x, 0, 0],
              velocity: [v, 0, 0],
              mass: m,
              restitution: e,
            })
          const [a, b] = [ball(0, speed, 1), ball(1.001, 0, mass)]
          steps(solverOf(world, { restitution }), 2)
          const mean = speed / (1 + mass)
          expect(a.velocity[0]).toBeCloseTo(mean - (e * mass * speed) / (1 + mass), 8)
          expect(b.velocity[0]).toBeCloseTo(mean + (e * speed) / (1 + mass), 8)
        },
      ),
      { seed: SEED, numRuns: runs(25) },
    )
  })
})

describe(`no energy from impacts (seed ${SEED})`, () => {
  /** Balls and boxes thrown at each other. */
  function cluster(seed: number, hasFriction: boolean): World {
    const random = new Random(seed)
    const world = new World({ gravity: [0, 0, 0], gyroscopic: 'midpoint' })
    const collisions = new Collisions(world, { sleeping: false })
    const count = 3 + random.below(6)
    for (let k = 0; k < count; k++) {
      const body = collisions.addBody({
        shape: random.chance(0.6) ? sphere(0.3) : box([0.25, 0.25, 0.25]),
        position: [0.62 * (k % 3) + random.between(0, 0.02), 0.62 * Math.floor(k / 3), random.between(-0.05, 0.05)],
        velocity: random.vector(3),
        mass: random.between(0.2, 5),
        restitution: random.chance(0.3) ? 1 : random.next(),
        friction: hasFriction ? random.next() : 0,
      })
      body.setAngularVelocity(random.vector(2))
    }
    return world
  }

  const settings: readonly ImpulseOptions[] = [
    { restitution: 'sequential', iterations: 300 },
    { restitution: 'sequential', iterations: 300, stabilization: 'singleFrame' },
  ]

  test.each(settings)('%j', (options) => {
    const property = fc.property(fc.integer(), fc.boolean(), (seed, hasFriction) => {
      const world = cluster(seed, hasFriction)
      const solver = solverOf(world, { state: 'momentum', warmStart: 0, ...options })
      let energy = world.energy().kinetic
      for (let k = 0; k < 20; k++) {
        solver.step()
        const next = world.energy().kinetic
        expect(next).toBeLessThan(energy * (1 + GAIN) + GAIN)
        energy = next
      }
    })
    fc.assert(property, { seed: SEED, numRuns: runs(25) })
  })

  // With e > 0 it may: a pair that parts while others push it together stops, and is not struck.
  test('nor a common solve with e = 0, which brings velocities to the nearest that are allowed', () => {
    const property = fc.property(fc.integer(), (seed) => {
      const random = new Random(seed)
      const world = new World({ gravity: [0, 0, 0] })
      const collisions = new Collisions(world, { sleeping: false })
      for (let k = 0; k < 6; k++) {
        collisions.addBody({
          shape: sphere(0.3),
          position: [0.6 * (k % 3), 0.6 * Math.floor(k / 3), 0],
          velocity: random.vector(3),
          mass: random.between(0.2, 5),
          friction: 0,
        })
      }
      const solver = solverOf(world, { iterations: 3000, tolerance: 1e-12, warmStart: 0 })
      let energy = world.energy().kinetic
      for (let k = 0; k < 10; k++) {
        solver.step()
        const next = world.energy().kinetic
        expect(next).toBeLessThan(energy * (1 + GAIN) + GAIN)
        energy = next
      }
    })
    fc.assert(property, { seed: SEED, numRuns: runs(20) })
  })

  test('a ball in a box of e = 1 keeps its energy for a minute', () => {
    const { world, collisions } = ground({ restitution: 1, friction: 0 }, { gravity: [0, 0, 0] })
    for (const [x, y, z] of [
      [1.5, 1, 0],
      [-1.5, 1, 0],
      [0, 2.5, 0],
      [0, 1, 1.5],
      [0, 1, -1.5],
    ] as const) {
      collisions.addCollider(null, {
        shape: box([1, 1, 1]),
        position: [x * 1.4, y === 2.5 ? 3 : y, z * 1.4],
        restitution: 1,
        friction: 0,
      })
    }
    const ball = collisions.addBody({ shape: sphere(0.2), position: [0, 1, 0], velocity: [3, 4, 2], friction: 0 })
    const before = world.energy().kinetic
    steps(solverOf(world), 600)
    expect(world.energy().kinetic / before).toBeCloseTo(1, 9)
    expect(Math.max(...[...ball.position].map(Math.abs))).toBeLessThan(2.1)
  })
})
