import { type Body, World } from '@tautline/core'
import { gradient } from '@tautline/core/kernel'
import { describe, expect, test } from 'vitest'
import { Random } from '../../../core/test/support/random.js'
import { SEED } from '../../../core/test/support/seed.js'
import { neoHookean } from '../../src/index.js'
import { addBlock, block } from '../support/blocks.js'
import { begin, particles, poses, sweeps, type Vector } from './support.js'
import { sample } from '../../../core/test/support/runs.js'

/** The corner of a cube: 6V = 1. */
const CORNER: Vector[] = [
  [0, 0, 0],
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
]
const E = 1e4
const RATIO = 0.3
const MU = E / (2 * (1 + RATIO))
const LAMBDA = (E * RATIO) / ((1 + RATIO) * (1 - 2 * RATIO))
/** Round-off of energies, beside themselves. */
const ROUND_OFF = 1e-9
/** What is asked of the stress of a stretched cube, beside the law; the scheme leaves 1e-3. */
const STRESS = 0.05
/** A body is back when it stores this share of E V: strains of some hundredths. */
const BACK = 1e-3

/** Macklin and Müller's energy, (10) and (13), less that of rest [Pa]. */
function energyOf(stretches: readonly number[]): number {
  const [a, b, c] = stretches
  const prime = LAMBDA + MU
  const law = (i: number, j: number): number =>
    0.5 * MU * (i - 3) + 0.5 * prime * (j - 1 - MU / prime) * (j - 1 - MU / prime)
  return law(a * a + b * b + c * c, a * b * c) - law(3, 1)
}

function stretched(stretches: readonly number[]): { world: World; bodies: Body[] } {
  const { world, bodies } = particles(CORNER, [1, 1, 1, 1])
  world.add(neoHookean, { bodies, youngsModulus: E, poissonRatio: RATIO })
  bodies.forEach((body, k) => body.setPosition(CORNER[k].map((x, axis) => x * stretches[axis]) as Vector))
  return { world, bodies }
}

describe(`neoHookean (seed ${SEED})`, () => {
  test.each([
    [1, 1, 1],
    [1.001, 0.9995, 1],
    [2, 0.8, 0.9],
    [0.5, 1.2, 1.1],
    [1, 3, 0.4],
  ])('stretched by %d, %d and %d it stores the energy of the paper', (...stretches) => {
    const { world } = stretched(stretches)
    const wanted = energyOf(stretches) / 6
    expect(Math.abs(world.energy().elastic - wanted)).toBeLessThanOrEqual(ROUND_OFF * Math.max(E * 1e-3, wanted))
  })

  test('at rest neither row pulls, and small strains have the moduli of linear elasticity', () => {
    const { world, bodies } = stretched([1, 1, 1])
    expect(world.energy().elastic).toBe(0)
    const e = 1e-4
    bodies[1].setPosition([1 + e, 0, 0])
    // ½ (λ + 2 μ) ε² V, to the next order in ε.
    expect(world.energy().elastic / (((0.5 * (LAMBDA + 2 * MU)) / 6) * e * e)).toBeCloseTo(1, 3)
  })

  test('it turns as a whole without strain', () => {
    const { world, bodies } = stretched([1, 1, 1])
    const turned: Vector[] = CORNER.map(([x, y, z]) => [0.6 * x - 0.8 * y, 0.8 * x + 0.6 * y, z])
    bodies.forEach((body, k) => body.setPosition(turned[k]))
    expect(world.energy().elastic).toBeLessThan(ROUND_OFF * E * ROUND_OFF)
  })

  test('near rest its loop is the one over evaluate', () => {
    const results = [true, false].map((own) => {
      const { world, bodies } = particles(CORNER, [1, 2, 3, 4])
      world.add(neoHookean, { bodies, youngsModulus: E, poissonRatio: RATIO, damping: 0.01 })
      const shifts = new Random(SEED)
      bodies.forEach((body, k) => body.setPosition(CORNER[k].map((x) => x + shifts.between(-0.1, 0.1)) as Vector))
      begin(world)
      sweeps(world, 3, own)
      return poses(world)
    })
    results[0].forEach((value, k) => expect(Math.abs(value - results[1][k])).toBeLessThan(1e-11))
  })

  test.each(sample([0.3, 0, 0.45]))(
    'a cube of ratio %d pulled to twice its length bears the stress of the law',
    (ratio) => {
      const mu = E / (2 * (1 + ratio))
      const lambda = (E * ratio) / ((1 + ratio) * (1 - 2 * ratio))
      const stress = (along: number, across: number): number => {
        const J = along * across * across
        return mu * (along + (J - 2) * across * across) + lambda * (J - 1) * across * across
      }
      // The stretch across at which nothing is borne there, by halves.
      const side = (t: number): number => mu * (t + (2 * t * t - 2) * 2 * t) + lambda * (2 * t * t - 1) * 2 * t
      let [low, high] = [0.3, 1.5]
      for (let k = 0; k < 60; k++) {
        const middle = 0.5 * (low + high)
        if (side(middle) > 0) high = middle
        else low = middle
      }
      const shape = block(3, 3, 3)
      const size = 0.1
      const world = new World({ gravity: [0, 0, 0] })
      const isEnd = ([x]: readonly number[]): boolean => x === 0 || x === 3
      const bodies = addBlock(world, shape, size, 1000, { youngsModulus: E, poissonRatio: ratio, damping: 1e-3 }, isEnd)
      shape.points.forEach((point, v) => {
        if (isEnd(point)) bodies[v].setPosition([2 * size * point[0], low * size * point[1], low * size * point[2]])
      })
      for (let step = 0; step < 300; step++) world.step()
      let pull = 0
      for (const constraint of world.constraints()) {
        const rows = gradient(constraint).flatMap((group) => group.rows)
        for (const row of rows) {
          row.bodies.forEach(({ linear }, b) => {
            const body = constraint.bodies[b]
            const v = bodies.findIndex((other) => other === body)
            if (shape.points[v][0] !== 3) return
            const h = world.settings.dt / world.settings.substeps
            pull -= (constraint.multipliers[row.multiplier] * linear[0]) / (h * h)
          })
        }
      }
      const wanted = stress(2, low)
      expect(Math.abs(pull / (9 * size * size) / wanted - 1)).toBeLessThan(STRESS)
    },
  )

  test.each(sample(['turned inside out', 'pressed flat', 'pressed to a line', 'pressed to a point']))(
    'a cube that was %s comes back',
    (how) => {
      const shape = block(3, 3, 3)
      const world = new World({ gravity: [0, 0, 0] })
      const material = { youngsModulus: E, poissonRatio: RATIO, damping: 0.002 }
      const bodies = addBlock(world, shape, 0.1, 1000, material)
      const keeps = { 'turned inside out': [-1, 1, 1], 'pressed flat': [1, 0, 1], 'pressed to a line': [1, 0, 0] }
      const scale = how in keeps ? keeps[how as keyof typeof keeps] : [0, 0, 0]
      bodies.forEach((body) => body.setPosition(Array.from(body.position, (x, k) => x * scale[k]) as Vector))
      for (let step = 0; step < 600; step++) world.step()
      expect(world.energy().elastic).toBeLessThan(BACK * material.youngsModulus * 0.027)
    },
  )

  test('what it is made of is checked', () => {
    const { world, bodies } = particles(CORNER, [1, 1, 1, 1])
    const made = (fields: object): unknown => world.add(neoHookean, { bodies, youngsModulus: E, ...fields })
    expect(() => made({ youngsModulus: 0 })).toThrow('neoHookean: youngsModulus must be')
    expect(() => made({ poissonRatio: 0.5 })).toThrow('neoHookean: poissonRatio must be within [0, 0.499], got 0.5')
    expect(() => made({ edges: [1, 0, 0, 2, 0, 0, 3, 0, 0] })).toThrow('must not lie in a plane')
    expect(() => made({ compliance: 1 })).toThrow('compliance must be left out')
    expect(world.constraints()).toHaveLength(0)
  })
})
