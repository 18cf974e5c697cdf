/** dihedralBend and isometricBend: the same fold seen as an angle and as a vector. */

import { type Body, World } from '@tautline/core'
import { cos, sin } from '@tautline/core/kernel'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { SEED } from '../../../core/test/support/seed.js'
import { dihedralBend } from '../../src/dihedral-bend.js'
import { isometricBend } from '../../src/isometric-bend.js'
import {
  begin,
  check,
  farthest,
  length,
  momentumOfChange,
  particles,
  poses,
  rowsOf,
  sweeps,
  type Vector,
} from './support.js'

/** Round-off of angles and energies of order one, over quotients of areas above 0.01. */
const ROUND_OFF = 1e-11
/** An angle has relaxed when it is this close to its rest [rad]. */
const RELAXED = 1e-9
/** Angular momentum of a converged soft correction against displacements of order one: the last sweep changes 1e-12. */
const CONVERGED = 1e-10

/** A shared edge along x, wings at heights and feet, folded: each raised by half of θ towards +z. */
interface Fold {
  edge: number
  feet: [number, number]
  heights: [number, number]
  theta: number
}

const fold: fc.Arbitrary<Fold> = fc.record({
  edge: range(0.3, 2),
  feet: fc.tuple(range(-1, 2), range(-1, 2)),
  heights: fc.tuple(range(0.2, 2), range(0.2, 2)),
  theta: range(-3, 3),
})

function range(min: number, max: number): fc.Arbitrary<number> {
  return fc.double({ min, max, noNaN: true })
}

function folded({ edge, feet, heights, theta }: Fold): Vector[] {
  const [c, s] = [cos(0.5 * theta), sin(0.5 * theta)]
  return [
    [0, 0, 0],
    [edge, 0, 0],
    [feet[0], heights[0] * c, heights[0] * s],
    [feet[1], -heights[1] * c, heights[1] * s],
  ]
}

function place(bodies: readonly Body[], shape: Fold): void {
  folded(shape).forEach((point, k) => bodies[k].setPosition(point))
}

const SQUARE: Fold = { edge: 1, feet: [0.5, 0.5], heights: [1, 1], theta: 0 }

describe(`dihedralBend (seed ${SEED})`, () => {
  test('the angle is the fold, with its sign', () => {
    check(SEED, fold, (shape) => {
      const { world, bodies } = particles(folded(shape), [1, 1, 1, 1])
      expect(Math.abs((world.add(dihedralBend, { bodies }).def.angle as number) - shape.theta)).toBeLessThan(ROUND_OFF)
    })
  })

  test('a bend relaxes to its rest angle', () => {
    check(SEED, fc.tuple(fold, range(-2, 2)), ([shape, angle]) => {
      // The short way round must not lead through the touching wings.
      fc.pre(Math.abs(shape.theta - angle) < 2.5)
      const { world, bodies } = particles(folded(shape), [1, 1, 1, 1])
      const bend = world.add(dihedralBend, { bodies, angle })
      begin(world)
      sweeps(world, 60, true)
      expect(bend.error).toBeLessThan(RELAXED)
    })
  })

  test('the difference goes the short way round across ±π', () => {
    const { world, bodies } = particles(folded({ ...SQUARE, theta: 3 }), [1, 1, 1, 1])
    const bend = world.add(dihedralBend, { bodies, angle: -3 })
    expect(bend.error).toBeCloseTo(2 * Math.PI - 6, 12)
    begin(world)
    sweeps(world, 20, true)
    expect(bend.error).toBeLessThan(RELAXED)
  })

  test('the couple about the edge is stiffness times angle', () => {
    // Three bodies fixed, the wing on an arm of 1 m: torque = force on the wing × height.
    const { world, bodies } = particles(folded({ ...SQUARE, theta: 0.3 }), [Infinity, Infinity, 1e9, Infinity])
    const bend = world.add(dihedralBend, { bodies, angle: 0, stiffness: 7 })
    world.step(1 / 60)
    expect(length(bend.reaction(2).force)).toBeCloseTo(7 * 0.3, 6)
  })

  test('a triangle without an area waits', () => {
    const { world, bodies } = particles(folded(SQUARE), [1, 1, 1, 1])
    const bend = world.add(dihedralBend, { bodies, angle: 1 })
    bodies[2].setPosition([0.3, 0, 0])
    begin(world)
    const before = poses(world)
    sweeps(world, 2, true)
    expect(poses(world)).toEqual(before)
    expect(bend.error).toBe(0)
  })

  test('what is wrong is said', () => {
    const { world, bodies } = particles(folded(SQUARE), [1, 1, 1, 1])
    expect(() => world.add(dihedralBend, { bodies, angle: 4 })).toThrow('dihedralBend: angle must be within ±π, got 4')
    expect(() => world.add(dihedralBend, { bodies, angle: NaN })).toThrow('dihedralBend: angle must be finite, got NaN')
    expect(() => world.add(dihedralBend, { bodies: bodies.slice(0, 3) })).toThrow(
      'dihedralBend: bodies must be 4, got 3',
    )
    bodies[3].setPosition([2, 0, 0])
    expect(() => world.add(dihedralBend, { bodies })).toThrow('dihedralBend: bodies must span two triangles')
    expect(world.constraints()).toEqual([])
  })
})

describe(`isometricBend (seed ${SEED})`, () => {
  test('its energy is that of Bergou et al.: ½ k · 3|e|²/(A_a + A_b) · 4 sin²(θ/2) for a fold that stretches nothing', () => {
    check(SEED, fold, (shape) => {
      const { world, bodies } = particles(folded({ ...shape, theta: 0 }), [1, 1, 1, 1])
      const k = 2.5
      world.add(isometricBend, { bodies, stiffness: k })
      expect(world.energy().elastic).toBeLessThan(ROUND_OFF)
      place(bodies, shape)
      const area = 0.5 * shape.edge * (shape.heights[0] + shape.heights[1])
      const half = sin(0.5 * shape.theta)
      const expected = (0.5 * k * 3 * shape.edge * shape.edge * 4 * half * half) / area
      expect(Math.abs(world.energy().elastic - expected)).toBeLessThan(ROUND_OFF * Math.max(1, expected))
    })
  })

  test('weights of two equilateral triangles: ±2/√3 times √(3/A)', () => {
    const height = 0.5 * Math.sqrt(3)
    const { world, bodies } = particles(folded({ ...SQUARE, heights: [height, height] }), [1, 1, 1, 1])
    const K = (2 / Math.sqrt(3)) * Math.sqrt(3 / height)
    const { weights, rest } = world.add(isometricBend, { bodies }).def
    expect(farthest(weights as number[], [K, K, -K, -K])).toBeLessThan(ROUND_OFF)
    expect(rest).toBe(0)
  })

  test('one rigid correction makes any fold flat', () => {
    check(SEED, fold, (shape) => {
      const { world, bodies } = particles(folded({ ...shape, theta: 0 }), [1, 2, 3, 4])
      const bend = world.add(isometricBend, { bodies })
      place(bodies, shape)
      begin(world)
      sweeps(world, 1, true)
      // b is linear in the positions.
      expect(bend.error).toBeLessThan(ROUND_OFF)
    })
  })

  test('a curved rest shape keeps its bend, and its energy is exact along it', () => {
    check(SEED, fc.tuple(fold, range(0.3, 2.5)), ([shape, theta]) => {
      fc.pre(Math.abs(shape.theta) > 0.1)
      const { world, bodies } = particles(folded({ ...shape, theta }), [1, 1, 1, 1])
      const bend = world.add(isometricBend, { bodies })
      expect(bend.error).toBeLessThan(ROUND_OFF)
      place(bodies, shape)
      // Jᵀc is the gradient of ½c².
      const { c, J } = rowsOf(bend as never)
      const gradient = J[0].map((slope) => c[0] * slope)
      const at = (sign: number): number => {
        const point = folded(shape)
        bodies[2].setPosition([point[2][0], point[2][1] + 1e-5 * sign, point[2][2]])
        const value = rowsOf(bend as never).c[0]
        return 0.5 * value * value
      }
      const slope = (at(1) - at(-1)) / 2e-5
      expect(Math.abs(slope - gradient[13])).toBeLessThan(1e-6 * Math.max(1, Math.abs(slope)))
      place(bodies, shape)
      begin(world)
      sweeps(world, 2, true)
      expect(bend.error).toBeLessThan(ROUND_OFF)
    })
  })

  test('soft and damped it keeps momentum on convergence', () => {
    check(SEED, fold, (shape) => {
      const { world, bodies } = particles(folded({ ...shape, theta: 0 }), [1, 2, 3, 4])
      world.add(isometricBend, { bodies, compliance: 1e-4 })
      place(bodies, shape)
      begin(world)
      bodies.forEach((body, k) => (world.bodies.columns.position[4 * body.index + (k % 3)] += 0.1 * k))
      const from = world.bodies.columns.position.slice()
      const { linear } = momentumOfChange(world, () => sweeps(world, 30, true))
      expect(linear).toBeLessThan(CONVERGED)
      // About the pose that was reached, where Λ is along b.
      const c = world.bodies.columns
      const angular = [0, 0, 0]
      for (const body of bodies) {
        const i = 4 * body.index
        const d = [0, 1, 2].map((k) => body.mass * (c.position[i + k] - from[i + k]))
        for (let k = 0; k < 3; k++) {
          const [r, s] = [(k + 1) % 3, (k + 2) % 3]
          angular[k] += c.position[i + r] * d[s] - c.position[i + s] * d[r]
        }
      }
      expect(length(angular)).toBeLessThan(CONVERGED)
    })
  })

  test('its stiffness is that of a hinge: k 3|e|²/A per radian, for small folds', () => {
    const world = new World({ gravity: [0, 0, 0], substeps: 1 })
    const theta = 1e-4
    const bodies = folded(SQUARE).map((position, k) => world.addParticle({ position, mass: k === 2 ? 1e9 : Infinity }))
    const bend = world.add(isometricBend, { bodies, stiffness: 2 })
    place(bodies, { ...SQUARE, theta })
    world.step(1 / 60)
    // Height 1 m: the force on the wing is the couple. A = 1 m².
    expect(length(bend.reaction(2).force) / theta).toBeCloseTo(2 * 3, 5)
  })

  test('a curved shape that has gone flat waits: it does not know to which side to bend', () => {
    const { world, bodies } = particles(folded({ ...SQUARE, theta: 1 }), [1, 1, 1, 1])
    world.add(isometricBend, { bodies })
    place(bodies, SQUARE)
    begin(world)
    const before = poses(world)
    sweeps(world, 2, true)
    expect(poses(world)).toEqual(before)
  })

  test('what is wrong is said', () => {
    const { world, bodies } = particles(folded(SQUARE), [1, 1, 1, 1])
    expect(() => world.add(isometricBend, { bodies, weights: [1, 2, 3] })).toThrow(
      'isometricBend: weights must be an array of 4 numbers, got 3 entries',
    )
    expect(() => world.add(isometricBend, { bodies, rest: -1 })).toThrow(
      'isometricBend: rest must be >= 0 and finite, got -1',
    )
    bodies[2].setPosition([0.3, 0, 0])
    expect(() => world.add(isometricBend, { bodies })).toThrow(
      'isometricBend: bodies must span two triangles, got one of area 0',
    )
    expect(world.constraints()).toEqual([])
  })
})
