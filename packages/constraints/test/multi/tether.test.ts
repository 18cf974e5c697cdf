import { World } from '@tautline/core'
import { describe, expect, test } from 'vitest'
import { tether } from '../../src/tether.js'
import { begin, farthest, H, length, momentumOfChange, poses, sweeps } from './support.js'

/** Round-off of a length of order one, and of momentum of a correction of that size. */
const ROUND_OFF = 1e-12

describe('tether', () => {
  test('it does nothing while slack, to the last bit', () => {
    const run = (tethered: boolean): string => {
      const world = new World()
      const a = world.addParticle({ position: [1, 0, 0], velocity: [0.3, 1, 0.2] })
      const b = world.addBody({ position: [0, 0, 0], mass: 2, inertia: 0.4, angularVelocity: [1, 2, 3] })
      const held = tethered ? world.add(tether, { a, b, anchorB: [0.1, 0, 0], length: 2 }) : undefined
      for (let k = 0; k < 10; k++) world.step()
      expect(held?.force ?? 0).toBe(0)
      expect(held?.error ?? 0).toBe(0)
      return JSON.stringify(poses(world))
    }
    expect(run(true)).toBe(run(false))
  })

  test('a particle that flies off is held at length × (1 + stretch)', () => {
    const world = new World({ gravity: [0, 0, 0] })
    const a = world.addParticle({ position: [1, 0, 0], velocity: [50, 20, 0] })
    world.add(tether, { a, b: null, anchorB: [0, 0, 0], stretch: 0.1 })
    for (let k = 0; k < 20; k++) {
      world.step()
      const [x, y, z] = a.position
      expect(Math.sqrt(x * x + y * y + z * z)).toBeLessThan(1.1 + ROUND_OFF)
    }
    expect(length(Array.from(a.position))).toBeCloseTo(1.1, 12)
  })

  test('the anchor feels it: both momenta are kept with a body that turns', () => {
    const world = new World({ gravity: [0, 0, 0] })
    const a = world.addParticle({ position: [1, 0.5, 0], mass: 0.3 })
    const b = world.addBody({ position: [0, 0, 0.2], mass: 2, inertia: 0.4 })
    const held = world.add(tether, { a, b, anchorB: [0.1, -0.4, 0.2], length: 0.5 })
    begin(world)
    const before = poses(world)
    const { linear, angular } = momentumOfChange(world, () => sweeps(world, 1, true))
    expect(farthest(before, poses(world))).toBeGreaterThan(0.01)
    expect(linear).toBeLessThan(ROUND_OFF)
    expect(angular).toBeLessThan(ROUND_OFF)
    expect(held.multipliers[0]).toBeLessThan(0)
  })

  test('the loop with an anchor off the centre does what the reference does', () => {
    const results = [true, false].map((own) => {
      const world = new World({ gravity: [0, 0, 0] })
      const a = world.addParticle({ position: [1, 0.5, 0], mass: 0.3 })
      const b = world.addBody({ position: [0, 0, 0.2], mass: 2, inertia: [0.4, 0.5, 0.6] })
      world.add(tether, { a, b, anchorB: [0.1, -0.4, 0.2], length: 0.5, compliance: 1e-4, damping: 3 })
      begin(world)
      world.bodies.columns.position[4 * a.index] += 0.1
      sweeps(world, 4, own)
      return poses(world)
    })
    expect(farthest(results[0], results[1])).toBeLessThan(ROUND_OFF)
  })

  test('a world point is where the anchor is, whatever the pose of the body', () => {
    const world = new World()
    const a = world.addParticle({ position: [3, 0, 0] })
    const b = world.addBody({
      position: [0, 0, 0],
      orientation: [0, 0, Math.SQRT1_2, Math.SQRT1_2],
      mass: 1,
      inertia: 1,
    })
    const { def } = world.add(tether, { a, b, point: [1, 0, 0] })
    expect(farthest(def.anchorB as number[], [0, -1, 0])).toBeLessThan(ROUND_OFF)
    expect(def.length).toBeCloseTo(2, 14)
    expect('point' in def).toBe(false)
  })

  test('the force is λ/h²', () => {
    const world = new World({ gravity: [0, -10, 0], substeps: 4 })
    const a = world.addParticle({ position: [0, -1, 0], mass: 3 })
    const held = world.add(tether, { a, point: [0, 0, 0] })
    world.step(4 * H)
    expect(held.force).toBeCloseTo(30, 9)
  })

  test('what is wrong is said', () => {
    const world = new World()
    const a = world.addParticle({ position: [3, 0, 0] })
    expect(() => world.add(tether, { a })).toThrow('tether: point or anchorB must be given where b is null, got none')
    expect(() => world.add(tether, { a: null, b: a } as never)).toThrow('tether: a must be a body, got null')
    expect(() => world.add(tether, { a, point: [0, 0, 0], length: -2 })).toThrow('tether: length must be >= 0')
    expect(() => world.add(tether, { a, point: [0, 0, 0], stretch: -2 })).toThrow('tether: stretch must be >= 0')
    expect(() => world.add(tether, { a, point: [0, 0] as never })).toThrow('tether: point must be an array of 3')
    expect(() => world.add(tether, { a, anchorB: [0, NaN, 0] })).toThrow('tether: anchorB[1]')
    expect(world.constraints()).toEqual([])
  })
})
