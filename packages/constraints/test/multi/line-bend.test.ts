/** lineBend: the turn of a line as a vector. */

import { type Body, World } from '@tautline/core'
import { cos, sin } from '@tautline/core/kernel'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { SEED } from '../../../core/test/support/seed.js'
import { lineBend } from '../../src/line-bend.js'
import { begin, check, length, momentumOfChange, particles, sweeps, type Vector } from './support.js'

/** Round-off of angles and energies of order one, over lengths above 0.1. */
const ROUND_OFF = 1e-11
/** A soft correction has converged when a sweep changes 1e-12. */
const CONVERGED = 1e-10

interface Turn {
  before: number
  after: number
  theta: number
}

const range = (min: number, max: number): fc.Arbitrary<number> => fc.double({ min, max, noNaN: true })
const turn: fc.Arbitrary<Turn> = fc.record({ before: range(0.1, 2), after: range(0.1, 2), theta: range(-3, 3) })

function bent({ before, after, theta }: Turn): Vector[] {
  return [
    [-before, 0, 0],
    [0, 0, 0],
    [after * cos(theta), after * sin(theta), 0],
  ]
}

function place(bodies: readonly Body[], shape: Turn): void {
  bent(shape).forEach((point, k) => bodies[k].setPosition(point))
}

describe(`lineBend (seed ${SEED})`, () => {
  test('its energy is ½ k (2 sin(θ/2))² of a line that does not stretch, whatever its lengths', () => {
    check(SEED, turn, (shape) => {
      const { world, bodies } = particles(bent({ ...shape, theta: 0 }), [1, 1, 1])
      const bend = world.add(lineBend, { bodies, stiffness: 2.5 })
      expect(bend.def.rest).toBe(0)
      place(bodies, shape)
      const half = sin(0.5 * shape.theta)
      expect(Math.abs(world.energy().elastic - 0.5 * 2.5 * 4 * half * half)).toBeLessThan(ROUND_OFF)
    })
  })

  test('one rigid correction makes any turn straight; a curved one takes its bend again', () => {
    check(SEED, fc.tuple(turn, range(0.3, 2.5)), ([shape, theta]) => {
      fc.pre(Math.abs(shape.theta) > 0.1)
      const straight = particles(bent({ ...shape, theta: 0 }), [1, 2, 3])
      const line = straight.world.add(lineBend, { bodies: straight.bodies })
      place(straight.bodies, shape)
      begin(straight.world)
      sweeps(straight.world, 1, true)
      expect(line.error).toBeLessThan(ROUND_OFF)
      const curved = particles(bent({ ...shape, theta }), [1, 2, 3])
      const bend = curved.world.add(lineBend, { bodies: curved.bodies })
      expect(bend.def.rest).toBeCloseTo(2 * sin(0.5 * theta), 11)
      place(curved.bodies, shape)
      begin(curved.world)
      sweeps(curved.world, 2, true)
      expect(bend.error).toBeLessThan(ROUND_OFF)
    })
  })

  test('soft and damped it keeps momentum', () => {
    check(SEED, turn, (shape) => {
      const { world, bodies } = particles(bent({ ...shape, theta: 0 }), [1, 2, 3])
      world.add(lineBend, { bodies, compliance: 1e-4, damping: 10 })
      place(bodies, shape)
      begin(world)
      const { linear } = momentumOfChange(world, () => sweeps(world, 30, true))
      expect(linear).toBeLessThan(CONVERGED)
    })
  })

  test('its stiffness is that of a hinge, for small turns', () => {
    const world = new World({ gravity: [0, 0, 0], substeps: 1 })
    const straight = { before: 1, after: 0.5, theta: 0 }
    const bodies = bent(straight).map((position, k) => world.addParticle({ position, mass: k === 2 ? 1e9 : Infinity }))
    const bend = world.add(lineBend, { bodies, stiffness: 2 })
    const theta = 1e-4
    place(bodies, { ...straight, theta })
    world.step(1 / 60)
    // Half a metre away the couple is twice the force.
    expect((0.5 * length(bend.reaction(2).force)) / theta).toBeCloseTo(2, 5)
  })

  test('says what is wrong', () => {
    const { world, bodies } = particles(bent({ before: 1, after: 1, theta: 0 }), [1, 1, 1])
    expect(() => world.add(lineBend, { bodies, lengths: [1, 0] })).toThrow(
      'lineBend: lengths must be finite and > 0, got 0',
    )
    expect(() => world.add(lineBend, { bodies, rest: -1 })).toThrow('lineBend: rest must be >= 0 and finite, got -1')
    bodies[2].setPosition(bodies[1].position)
    expect(() => world.add(lineBend, { bodies })).toThrow('lineBend: lengths must be finite and > 0, got 0')
  })
})
