/** What the impulse solver leaves in the world: changes of solver in mid-run, snapshots, JSON, hashes, and the stages of a step. */

import { type Body, type ConstraintType, fromJSON, solidBox, World } from '@tautline/core'
import { describe, expect, test } from 'vitest'
import { box, Collisions, collisionsFromJSON, type ContactEvent, plane, sphere } from '../../collision/src/index.js'
import {
  angleOf,
  ballSocket,
  pointContact,
  distance,
  hinge,
  ropeLength,
  tetraVolume,
} from '../../constraints/src/index.js'
import type { ImpulseOptions } from '../src/index.js'
import { DT, G, ground, isFinite, length, limb, mixed, rope, solverOf, stack, steps } from './support/solver-scenes.js'

const TYPES = [distance, ballSocket, hinge, ropeLength, tetraVolume] as unknown as ConstraintType<never>[]
/**
 * State of the mixed scene after 60 steps. It is the same on every engine; a change of it is a change of what users get, to be
 * made on purpose.
 */
const HASH = '0bb6955759c51bdd'

const VARIANTS: readonly ImpulseOptions[] = [
  {},
  { method: 'assembled', stabilization: 'singleFrame' },
  { stabilization: 'soft', substeps: 2 },
  { integrator: 'rungeKutta4' },
  { state: 'momentum', restitution: 'sequential', friction: 'pyramid' },
]

describe('changing solvers in mid-run', () => {
  /** Steps by turns: `n` of the one, `n` of the other. */
  function byTurns(world: World, n: number, count: number, options: ImpulseOptions = {}): void {
    const solver = solverOf(world, options)
    for (let k = 0; k < count; k++) {
      if (Math.floor(k / n) % 2 === 0) solver.step()
      else world.step()
      expect(isFinite(world)).toBe(true)
    }
  }

  test.each([1, 3, 20])('a rope and a limb hold, every %i steps', (n) => {
    for (const stabilization of ['split', 'soft', 'baumgarte'] as const) {
      // Solved directly, what impulses leave of an error would be repaired within a substep, and its speed stay.
      const world = new World({ solver: 'sweep' })
      const { bodies } = rope(world, 10)
      const chain = limb(world, 4)
      byTurns(world, n, 240, { stabilization, substeps: 2, iterations: 20 })
      for (const constraint of world.constraints()) expect(constraint.error).toBeLessThan(0.05)
      // It began level and without speed.
      expect(world.energy().total).toBeLessThan(0.5)
      expect(length(bodies[10].position)).toBeLessThan(2.05)
      expect(length(chain[3].position)).toBeLessThan(2.05)
    }
  })

  test.each([1, 5, 30])('a stack stays where it is, every %i steps', (n) => {
    const scene = ground()
    const boxes = stack(scene, 5)
    // Ten sweeps a step are too few: a change every ten steps then rocks the stack.
    byTurns(scene.world, n, 300, { iterations: 50 })
    boxes.forEach((cube, k) => {
      expect(Math.abs(cube.position[1] - (0.25 + 0.5 * k))).toBeLessThan(0.006 * (k + 1))
      expect(Math.hypot(cube.position[0], cube.position[2])).toBeLessThan(1e-3)
      expect(length(cube.velocity)).toBeLessThan(0.01)
    })
  })

  test('the load of a joint goes over: the first step of the other reads it to two percent', () => {
    const world = new World()
    const { bodies, links } = rope(world, 5)
    bodies.forEach((body, k) => body.setPosition([0, -0.2 * k, 0]))
    const solver = solverOf(world, { iterations: 1 })
    steps(world, 100)
    for (const next of [solver, world, solver]) {
      next.step()
      expect(Math.abs(links[0].force / (2.5 * G) - 1)).toBeLessThan(0.02)
    }
  })

  test('what stuck by friction does not jump back to where it stuck for the other solver', () => {
    // A box that sticks, is carried along by an impulse step, and has to stick at its new place.
    const world = new World()
    const body = world.addBody({ inertia: 1 })
    world.add(pointContact, { a: body, pointA: [0, 0, 0], pointB: [0, 0, 0], normal: [0, 1, 0], staticFriction: 0.8 })
    const solver = solverOf(world)
    steps(world, 20)
    const stuck = body.position[0]
    expect(Math.abs(stuck)).toBeLessThan(1e-9)
    body.setVelocity([2, 0, 0])
    steps(solver, 60)
    const slid = body.position[0]
    expect(slid).toBeGreaterThan(0.1)
    expect(length(body.velocity)).toBeLessThan(1e-6)
    steps(world, 20)
    expect(Math.abs(body.position[0] - slid)).toBeLessThan(1e-6)
  })

  test('the same for a box on a floor', () => {
    const scene = ground({ friction: 0.6 })
    const [cube] = stack(scene, 1, 0.25, { friction: 0.6 })
    const solver = solverOf(scene.world)
    steps(scene.world, 30)
    cube.setVelocity([2, 0, 0])
    steps(solver, 60)
    const slid = cube.position[0]
    expect(slid).toBeGreaterThan(0.1)
    steps(scene.world, 30)
    expect(Math.abs(cube.position[0] - slid)).toBeLessThan(1e-3)
  })
})

describe('nothing outside the state', () => {
  test.each(VARIANTS)('a snapshot goes on with the same bits: %j', (options) => {
    const { world } = mixed({}, { sleeping: {} })
    const solver = solverOf(world, options)
    steps(solver, 25)
    const snapshot = world.snapshot()
    const future = (): string[] =>
      Array.from({ length: 15 }, () => {
        solver.step()
        return world.hash()
      })
    const reference = future()
    world.restore(snapshot)
    expect(future()).toEqual(reference)
    world.restore(snapshot)
    // A solver that knows nothing of what was before, and others in between.
    steps(solverOf(world, { method: 'jacobi', relaxation: 0.5 }), 3)
    steps(world, 2)
    world.restore(snapshot)
    const fresh = solverOf(world, options)
    steps(fresh, 15)
    expect(world.hash()).toBe(reference[14])
  })

  test.each(VARIANTS)('JSON too, in another world with a new solver: %j', (options) => {
    const { world } = mixed({}, { sleeping: {} })
    const solver = solverOf(world, options)
    steps(solver, 25)
    const text = JSON.stringify(world)
    const other = fromJSON(JSON.parse(text), TYPES, { collisions: collisionsFromJSON })
    expect(other.hash()).toBe(world.hash())
    const again = solverOf(other, options)
    for (let k = 0; k < 15; k++) {
      solver.step()
      again.step()
      expect(other.hash()).toBe(world.hash())
    }
  })

  test.each(VARIANTS)('two runs are the same: %j', (options) => {
    const hashes = [0, 1].map(() => {
      const { world } = mixed()
      steps(solverOf(world, options), 40)
      return world.hash()
    })
    expect(hashes[0]).toBe(hashes[1])
  })

  test('on every machine', () => {
    const { world } = mixed()
    steps(solverOf(world), 60)
    expect(world.hash()).toBe(HASH)
  })
})

describe('the stages of a step', () => {
  test('events begin, persist and end, with the impulse of the load', () => {
    const scene = ground()
    const [cube] = stack(scene, 1)
    cube.setPosition([0, 0.35, 0])
    const solver = solverOf(scene.world)
    const told: ContactEvent['type'][] = []
    let last: ContactEvent | undefined
    for (let k = 0; k < 90; k++) {
      if (k === 60) cube.setVelocity([0, 5, 0])
      solver.step()
      for (const event of scene.collisions.events) {
        told.push(event.type)
        if (k === 59) last = event
      }
    }
    expect(told[0]).toBe('begin')
    expect(told.slice(1, -1).every((type) => type === 'persist')).toBe(true)
    expect(told.at(-1)).toBe('end')
    expect(told.length).toBeGreaterThan(30)
    expect((last as ContactEvent).impulse / (cube.mass * G * DT)).toBeCloseTo(1, 3)
    expect((last as ContactEvent).normal[1]).toBeCloseTo(Math.sign((last as ContactEvent).normal[1]), 9)
  })

  test('what rests falls asleep, stands still to the bit, and wakes at an impact', () => {
    const scene = ground({}, {}, { sleeping: {} })
    const boxes = stack(scene, 3)
    const solver = solverOf(scene.world)
    steps(solver, 120)
    expect(boxes.map(({ asleep }) => asleep)).toEqual([true, true, true])
    const before = boxes.map(({ position }) => [...position])
    steps(solver, 20)
    expect(boxes.map(({ position }) => [...position])).toEqual(before)
    const ball = scene.collisions.addBody({
      shape: sphere(0.2),
      position: [-1, 1.25, 0],
      velocity: [8, 0, 0],
      mass: 50,
    })
    steps(solver, 15)
    expect(boxes.some(({ asleep }) => asleep)).toBe(false)
    expect(boxes[2].position[0]).toBeGreaterThan(0.01)
    expect(ball.velocity[0]).toBeLessThan(8)
  })

  test('kinematic bodies reach their targets and carry what stands on them', () => {
    for (const substeps of [1, 4]) {
      const world = new World()
      const collisions = new Collisions(world, { sleeping: false })
      const lift = collisions.addBody({
        type: 'kinematic',
        shape: box([1, 0.1, 1]),
        position: [0, -0.1, 0],
        friction: 1,
      })
      const cube = collisions.addBody({ shape: box([0.2, 0.2, 0.2]), position: [0, 0.2, 0], friction: 1 })
      const solver = solverOf(world, { substeps })
      for (let k = 1; k <= 120; k++) {
        // Up and to the side, from rest to rest.
        const t = Math.min(k / 100, 1)
        const s = t * t * (3 - 2 * t)
        lift.setTarget([0.5 * s, -0.1 + 0.8 * s, 0])
        solver.step()
        expect(lift.position[0]).toBeCloseTo(0.5 * s, 12)
      }
      steps(solver, 60)
      expect(length(lift.velocity)).toBe(0)
      expect(cube.position[0]).toBeCloseTo(0.5, 1)
      expect(cube.position[1]).toBeCloseTo(0.8 + 0.2, 1)
      expect(length(cube.velocity)).toBeLessThan(1e-3)
    }
  })

  test('locked axes stay, whatever pulls', () => {
    const world = new World()
    const body = world.addBody({
      inertia: [1, 2, 3],
      lockTranslation: [false, true, false],
      lockRotation: [true, false, true],
      velocity: [1, 0, 0],
    })
    const other = world.addBody({ position: [1, -1, 0.5], inertia: 1, velocity: [0, 0, 2] })
    world.add(ballSocket, { a: body, b: other, point: [0.4, -0.6, 0.3] })
    const solver = solverOf(world)
    for (let k = 0; k < 60; k++) {
      solver.step()
      expect(body.position[1]).toBe(0)
      expect(body.velocity[1]).toBe(0)
      expect(body.angularVelocity[0]).toBe(0)
      expect(body.angularVelocity[2]).toBe(0)
    }
    expect(Math.abs(body.angularVelocity[1])).toBeGreaterThan(0)
    expect(isFinite(world)).toBe(true)
    for (const constraint of world.constraints()) expect(constraint.error).toBeLessThan(0.05)
  })

  test('the velocity hook runs once a substep with its length, and what it sets counts', () => {
    const world = new World()
    const body = world.addBody({})
    const lengths: number[] = []
    world.onVelocities((_world, h) => {
      lengths.push(h)
      body.setVelocity([1, 0, 0])
    })
    steps(solverOf(world, { substeps: 3 }), 2)
    expect(lengths).toEqual(new Array(6).fill(DT / 3))
    expect([...body.velocity]).toEqual([1, 0, 0])
  })

  test('what bears more than its breakForce breaks', () => {
    const world = new World()
    const bodies = [world.addBody({ type: 'static' })]
    const links = [0, 1, 2].map((k) => {
      bodies.push(world.addParticle({ position: [0, -1 - k, 0], mass: 1 }))
      return world.add(distance, { a: bodies[k], b: bodies[k + 1], breakForce: [100, 15, 100][k] })
    })
    const solver = solverOf(world, { iterations: 50 })
    steps(solver, 10)
    // The middle one bears 2 g.
    expect(links.map(({ broken }) => broken)).toEqual([false, true, false])
    expect(world.brokenConstraints()).toEqual([links[1]])
    steps(solver, 30)
    expect(bodies[1].velocity[1]).toBeCloseTo(0, 2)
    expect(bodies[2].velocity[1]).toBeLessThan(-5)
  })

  test('forces act for a step and are gone; time, steps and the pose before go on', () => {
    const world = new World({ gravity: [0, 0, 0] })
    const body = world.addBody({ mass: 2, inertia: 0.5 })
    const solver = solverOf(world, { substeps: 2 })
    body.applyForce([4, 0, 0])
    body.applyTorque([0, 1, 0])
    solver.step()
    expect(body.velocity[0]).toBeCloseTo(2 * DT, 15)
    expect(body.angularVelocity[1]).toBeCloseTo(2 * DT, 15)
    const at = body.position[0]
    steps(solver, 3)
    expect(body.velocity[0]).toBeCloseTo(2 * DT, 15)
    expect(world.time).toBeCloseTo(4 * DT, 15)
    expect(world.clock.steps).toBe(4)
    solver.step(0.1)
    expect(world.time).toBeCloseTo(4 * DT + 0.1, 15)
    // Half way between the last two poses.
    const before = at + 3 * DT * 2 * DT
    world.clock.accumulator = 0.5 * world.settings.dt
    const between: [number, number, number] = [0, 0, 0]
    world.interpolate(body, between)
    expect(between[0]).toBeCloseTo(before + 0.05 * 2 * DT, 14)
    expect(world.clock.substepLength).toBeCloseTo(0.05, 15)
  })

  test('what became non-finite and what is asleep is left alone', () => {
    const world = new World()
    const asleep: Body = world.addBody({ inertia: 1 })
    asleep.sleep()
    const before = [...asleep.position, ...asleep.orientation]
    steps(solverOf(world), 5)
    expect([...asleep.position, ...asleep.orientation]).toEqual(before)
    expect(length(asleep.velocity)).toBe(0)
  })

  test('sensors and moved floors work as with the other solver', () => {
    const world = new World()
    const collisions = new Collisions(world, { sleeping: false })
    collisions.addCollider(null, { shape: plane([0, 1, 0]), position: [0, -3, 0] })
    collisions.addCollider(null, { shape: box([1, 0.2, 1]), position: [0, -1, 0], sensor: true })
    collisions.addBody({ shape: sphere(0.2), position: [0, 0, 0] })
    const solver = solverOf(world)
    const told: string[] = []
    for (let k = 0; k < 60; k++) {
      solver.step()
      for (const { type, sensor } of collisions.events) if (sensor && type !== 'persist') told.push(type)
    }
    expect(told).toEqual(['begin', 'end'])
  })
})

test('turns of hinges are counted', () => {
  const world = new World({ gravity: [0, 0, 0] })
  const b = world.addBody({ inertia: solidBox(1, [1, 0.1, 0.1]), angularVelocity: [0, 0, 10] })
  const joint = world.add(hinge, { b, point: [0, 0, 0], axis: [0, 0, 1] })
  const solver = solverOf(world, {})
  for (let k = 0; k < 60; k++) solver.step()
  expect(angleOf(joint)).toBeCloseTo(10, 6)
})
