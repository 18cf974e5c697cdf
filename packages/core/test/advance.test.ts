import type { quat, vec3 } from 'gl-matrix'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { World } from '../src/index.js'
import { quaternionFromRotationVector } from '../src/kernel.js'
import { randomWorld } from './support/random.js'
import { SEED } from './support/seed.js'

const ROUND_OFF = 1e-12

/** Hashes after each step, until there are `steps` of them. */
function record(frames: Iterable<number>, steps: number): string[] {
  const { world } = randomWorld(4, { maxSteps: 1000 })
  const hashes: string[] = []
  world.onVelocities((_, h) => {
    // Once a step, on its first substep: the state that the last one left.
    if (world.clock.steps === hashes.length && h > 0) hashes.push(world.hash())
  })
  for (const frame of frames) {
    world.advance(frame)
    if (hashes.length >= steps) break
  }
  return hashes.slice(0, steps)
}

describe(`advance (seed ${SEED})`, () => {
  test('any pattern of frame times goes through the same states', () => {
    const steps = 20
    const reference = record(new Array(steps + 1).fill(1 / 60), steps)
    expect(new Set(reference).size).toBe(steps)
    const frames = fc.infiniteStream(
      fc.oneof(fc.double({ min: 0, max: 0.1, noNaN: true }), fc.constant(1 / 144), fc.constant(0)),
    )
    const property = fc.property(frames, (pattern) => {
      expect(record(pattern, steps)).toEqual(reference)
    })
    fc.assert(property, { seed: SEED, numRuns: 30 })
  })

  test('says how many steps it made and keeps the rest', () => {
    const world = new World({ dt: 0.25 })
    expect(world.advance(0.2)).toBe(0)
    expect(world.alpha).toBeCloseTo(0.8, 12)
    expect(world.advance(0.1)).toBe(1)
    expect(world.alpha).toBeCloseTo(0.2, 12)
    expect(world.advance(0.7)).toBe(3)
    expect(world.advance(0)).toBe(0)
    expect(world.time).toBe(1)
  })

  test('drops time beyond maxSteps', () => {
    const world = new World({ dt: 0.25, maxSteps: 3 })
    expect(world.advance(10)).toBe(3)
    expect(world.alpha).toBe(0)
    expect(world.advance(0.9)).toBe(3)
    expect(world.alpha).toBeCloseTo(0.6, 12)
  })

  test('refuses a frame time that is none', () => {
    const world = new World()
    expect(() => world.advance(-1)).toThrow(/advance: frameTime must be >= 0, got -1/)
    expect(() => world.advance(NaN)).toThrow(/advance: frameTime must be finite, got NaN/)
    expect(() => world.advance('1' as never)).toThrow(TypeError)
    expect(world.clock.accumulator).toBe(0)
  })
})

describe('interpolation', () => {
  test('position and rotation go evenly from the last step to this one', () => {
    const world = new World({ gravity: [0, 0, 0], dt: 0.25, substeps: 1 })
    const body = world.addBody({ position: [1, 2, 3], velocity: [4, 0, -4], angularVelocity: [0, 2, 0], inertia: 1 })
    world.advance(0.25)
    for (const share of [0, 0.3, 0.9]) {
      world.clock.accumulator = share * 0.25
      const position: vec3 = [0, 0, 0]
      const orientation: quat = [0, 0, 0, 1]
      world.interpolate(body, position, orientation)
      expect(position[0]).toBeCloseTo(1 + share, 12)
      expect(position[2]).toBeCloseTo(3 - share, 12)
      const expected = new Float64Array(4)
      quaternionFromRotationVector(expected, 0, 0, 0.5 * share, 0)
      for (let k = 0; k < 4; k++) expect(Math.abs(orientation[k] - expected[k])).toBeLessThan(ROUND_OFF)
    }
  })

  test('position alone may be asked for, and into a Float32Array', () => {
    const world = new World({ gravity: [0, 0, 0], dt: 0.25 })
    const body = world.addBody({ velocity: [4, 0, 0] })
    world.advance(0.375)
    const out = new Float32Array(3)
    world.interpolate(body, out as unknown as vec3)
    expect(out[0]).toBeCloseTo(0.5, 6)
  })

  test('a body that was put elsewhere is there, and not on its way', () => {
    const world = new World({ dt: 0.25 })
    const body = world.addBody({ velocity: [4, 0, 0], inertia: 1 })
    world.advance(0.375)
    body.setPosition([9, 9, 9])
    const out: vec3 = [0, 0, 0]
    world.interpolate(body, out)
    expect(out).toEqual([9, 9, 9])
  })
})
