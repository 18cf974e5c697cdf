import { describe, expect, test } from 'vitest'
import { type ProjectOptions, World } from '../src/index.js'
import { link, rod } from './support/link.js'

/** Poses are what closed forms say to the tolerance of a projection [m]. */
const MET = 1e-9
/** Round-off of a centre of mass [m]. */
const KEPT = 1e-14

/** A bob of 2 kg on a rod of 1 m from the origin. */
function pendulum() {
  const world = new World()
  const bob = world.addParticle({ position: [0, -1, 0], mass: 2, velocity: [0.3, 0, -0.1] })
  world.add(link, { a: null, b: bob, length: 1 })
  return { world, bob }
}

/** Two particles on a rod of 1 m, 3 m apart. */
function pair() {
  const world = new World()
  const a = world.addParticle({ position: [0, 0, 0], mass: 1, velocity: [1, 2, 3] })
  const b = world.addParticle({ position: [0, 3, 0], mass: 3 })
  world.add(link, { a, b, length: 1 })
  return { world, a, b }
}

describe('project', () => {
  test('a bob pulled off its rod comes back along it', () => {
    const { world, bob } = pendulum()
    bob.setPosition([3, -4, 0])
    const { violation, residual } = world.project()
    expect(bob.position[0]).toBeCloseTo(0.6, 9)
    expect(bob.position[1]).toBeCloseTo(-0.8, 9)
    expect(violation).toBeLessThan(MET)
    expect(residual).toEqual({ link: violation })
  })

  test('two bodies meet by the inverse of their masses, and their centre stays', () => {
    const { world, a, b } = pair()
    world.project()
    expect(Math.abs(a.position[1] - 1.5)).toBeLessThan(MET)
    expect(Math.abs(b.position[1] - 2.5)).toBeLessThan(MET)
    expect(Math.abs((a.position[1] + 3 * b.position[1]) / 4 - 2.25)).toBeLessThan(KEPT)
  })

  test('no time passes and no velocity changes', () => {
    const { world, a, b } = pair()
    world.step()
    a.setPosition([0, -2, 0])
    const before = [world.time, [...a.velocity], [...b.velocity]]
    world.project()
    expect([world.time, [...a.velocity], [...b.velocity]]).toEqual(before)
  })

  test('changes nothing but poses', () => {
    const { world, a, b } = pair()
    world.step()
    a.setPosition([0.1, -2, 0.2])
    const places = [a, b].map((body) => [...body.position] as [number, number, number])
    const hash = world.hash()
    world.project()
    expect(world.hash()).not.toBe(hash)
    ;[a, b].forEach((body, k) => body.setPosition(places[k]))
    expect(world.hash()).toBe(hash)
  })

  test('a world whose poses satisfy everything is left as it is', () => {
    const { world } = pendulum()
    const hash = world.hash()
    expect(world.project()).toEqual({ passes: 1, violation: 0, residual: { link: 0 } })
    expect(world.hash()).toBe(hash)
  })

  test('bodies go no farther than maxMove, and the rest is told', () => {
    const { world, bob } = pendulum()
    bob.setPosition([0, -3, 0])
    const { violation } = world.project({ maxMove: 0.5 })
    expect(bob.position[1]).toBeCloseTo(-2.5, 9)
    expect(violation).toBeCloseTo(1.5, 9)
  })

  test('static and kinematic bodies stay', () => {
    const world = new World()
    const lift = world.addBody({ type: 'kinematic', position: [0, 2, 0] })
    const body = world.addBody({ position: [0, -2, 0] })
    world.add(rod, { bodies: [lift, body], params: { p: [0, 0, 0], q: [0, 0, 0], length: 1 } })
    world.project()
    expect([...lift.position]).toEqual([0, 2, 0])
    expect(body.position[1]).toBeCloseTo(1, 8)
  })

  test('compliant rows take no part', () => {
    const world = new World()
    const bob = world.addParticle({ position: [0, -3, 0], mass: 1 })
    world.add(link, { a: null, b: bob, length: 1, compliance: 1e-3 })
    expect(world.project().violation).toBe(0)
    expect(bob.position[1]).toBe(-3)
  })

  test('ends after `iterations`, and tells what is left', () => {
    const world = new World()
    const bodies = Array.from({ length: 6 }, (_, k) => world.addParticle({ position: [2 * k, 0, 0], mass: 1 }))
    for (let k = 1; k < 6; k++) world.add(link, { a: bodies[k - 1], b: bodies[k], length: 1 })
    const first = world.project({ iterations: 1 })
    expect(first.passes).toBe(1)
    expect(first.violation).toBeGreaterThan(0.01)
    expect(world.project({ tolerance: 1e-3, iterations: 500 }).violation).toBeLessThanOrEqual(1e-3)
  })

  const wrong: [unknown, typeof TypeError | typeof RangeError, RegExp][] = [
    [
      { far: 1 },
      TypeError,
      /project: options must have known fields only .tolerance, iterations, maxMove., got far: 1/,
    ],
    [{ tolerance: -1 }, RangeError, /project: tolerance must be >= 0 and finite, got -1/],
    [{ tolerance: NaN }, RangeError, /project: tolerance must be >= 0 and finite, got NaN/],
    [{ iterations: 0 }, RangeError, /project: iterations must be an integer >= 1, got 0/],
    [{ iterations: 2.5 }, RangeError, /project: iterations must be an integer >= 1, got 2.5/],
    [{ maxMove: -0.1 }, RangeError, /project: maxMove must be >= 0 and finite, got -0.1/],
    [{ maxMove: 'far' }, TypeError, /project: maxMove must be a number >= 0, got "far"/],
  ]
  test.each(wrong)('refuses %j and moves nothing', (options, kind, message) => {
    const { world, bob } = pendulum()
    bob.setPosition([0, -3, 0])
    expect(() => world.project(options as ProjectOptions)).toThrow(kind)
    expect(() => world.project(options as ProjectOptions)).toThrow(message)
    expect(bob.position[1]).toBe(-3)
  })
})
