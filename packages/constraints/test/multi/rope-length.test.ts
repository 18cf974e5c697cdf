import { World } from '@tautline/core'
import { describe, expect, test } from 'vitest'
import { distance } from '../../src/distance.js'
import { ropeLength } from '../../src/rope-length.js'
import { begin, particles, poses, sweeps, type Vector } from './support.js'

/** Shares of the start error that are left of Waterson's figure 6: Newton on a convex function. */
const AFTER_ONE = 1e-2
const AFTER_TWO = 1e-4
/** Steps towards an equilibrium that is approached as 1/t by a rope in free fall: below this a rope is at its length [m]. */
const AT_LENGTH = 1e-6
/** Round-off of a static force read from λ/h²: eight digits are lost with h² = 4e-6. */
const FORCE = 1e-6

/** Figure 6: the ends are fixed, the middle is pulled 0.2 m below where two segments allow it. */
function figure6(): ReturnType<typeof particles> {
  const points: Vector[] = [
    [-0.5, 0, 0],
    [0, -1.7, 0],
    [0.5, 0, 0],
  ]
  return particles(points, [Infinity, 1, Infinity])
}

/** Length of both segments when the middle is `depth` below the ends. */
function lengthAt(depth: number): number {
  return 2 * Math.sqrt(0.25 + depth * depth)
}

describe('ropeLength', () => {
  test('figure 6: one total length row does in a sweep what two single rows take many for', () => {
    const { world, bodies } = figure6()
    const rope = world.add(ropeLength, { bodies, length: lengthAt(1.5) })
    begin(world)
    const start = rope.error
    sweeps(world, 1, true)
    expect(rope.error).toBeLessThan(AFTER_ONE * start)
    sweeps(world, 1, true)
    expect(rope.error).toBeLessThan(AFTER_TWO * start)

    const pairwise = figure6()
    const rows = [0, 1].map((k) =>
      pairwise.world.add(distance, {
        a: pairwise.bodies[k],
        b: pairwise.bodies[k + 1],
        length: 0.5 * lengthAt(1.5),
      }),
    )
    begin(pairwise.world)
    sweeps(pairwise.world, 2, true)
    expect(rows[0].error + rows[1].error).toBeGreaterThan(AFTER_ONE * start)
  })

  test('without options it holds the present length from above', () => {
    const { world, bodies } = figure6()
    const rope = world.add(ropeLength, { bodies })
    expect(rope.def.length).toBeCloseTo(lengthAt(1.7), 14)
    expect(rope.def.mode).toBe('rope')
    bodies[1].setPosition([0, -0.1, 0])
    begin(world)
    const before = poses(world)
    sweeps(world, 2, true)
    expect(poses(world)).toEqual(before)
    expect(rope.multipliers).toEqual([0])
    expect(rope.error).toBe(0)
  })

  test('a strut pushes and does not pull', () => {
    const { world, bodies } = figure6()
    const strut = world.add(ropeLength, { bodies, length: lengthAt(1.8), mode: 'strut' })
    begin(world)
    sweeps(world, 3, true)
    expect(strut.error).toBeLessThan(AT_LENGTH)
    expect(strut.multipliers[0]).toBeGreaterThan(0)
    strut.set({ length: lengthAt(1.4) })
    begin(world)
    const before = poses(world)
    sweeps(world, 1, true)
    expect(poses(world)).toEqual(before)
  })

  test('straight between fixed ends there is no direction: nothing moves, the error is told', () => {
    const { world, bodies } = particles(
      [
        [-1, 0, 0],
        [-0.2, 0, 1e-7],
        [0.3, 0, 0],
        [1, 0, 0],
      ],
      [Infinity, 1, 2, Infinity],
    )
    const rope = world.add(ropeLength, { bodies, length: 1.5 })
    begin(world)
    const before = poses(world)
    sweeps(world, 3, true)
    sweeps(world, 3, false)
    expect(poses(world)).toEqual(before)
    expect(rope.error).toBeCloseTo(0.5, 12)
  })

  test('straight, soft and between fixed ends it bears its load: the force on the ends is c/compliance', () => {
    const world = new World({ gravity: [0, 0, 0] })
    const bodies = [-1, 0, 1].map((x) => world.addParticle({ position: [x, 0, 0], mass: x === 0 ? 1 : Infinity }))
    const rope = world.add(ropeLength, { bodies, length: 1.5, compliance: 1e-3 })
    world.step()
    expect(rope.reaction(0).force[0]).toBeCloseTo(500, 9)
    expect(rope.reaction(2).force[0]).toBeCloseTo(-500, 9)
    expect(bodies[1].position).toEqual([0, 0, 0])
  })

  test('a weight on a string over a fixed point: m₁ g / m₂ g balance, the tension is their harmonic mean', () => {
    // Atwood's machine: the middle node is the pulley. T = 2 m₁ m₂ g/(m₁ + m₂), a = g (m₁ − m₂)/(m₁ + m₂).
    const world = new World({ gravity: [0, -10, 0], substeps: 20 })
    const bodies = [
      world.addParticle({ position: [-1e-9, -10, 0], mass: 3 }),
      world.addParticle({ position: [0, 0, 0], mass: Infinity }),
      world.addParticle({ position: [1e-9, -10, 0], mass: 1 }),
    ]
    const rope = world.add(ropeLength, { bodies, mode: 'rigid' })
    for (let k = 0; k < 30; k++) world.step(1 / 60)
    expect(Math.abs(rope.force - 15)).toBeLessThan(FORCE)
    expect(Math.abs(bodies[0].velocity[1] + 2.5)).toBeLessThan(FORCE)
    expect(Math.abs(bodies[2].velocity[1] - 2.5)).toBeLessThan(FORCE)
  })

  test('a rope that is too short for its ends stays near the line with regularization', () => {
    const { world, bodies } = particles(
      [0, 1, 2, 3, 4].map((x): Vector => [x, x === 0 || x === 4 ? 0 : -0.01 * x, 0]),
      [Infinity, 1, 1, 1, Infinity],
    )
    world.configure({ gravity: [0, -9.81, 0] })
    world.add(ropeLength, { bodies, length: 3.9, regularization: 1 })
    for (let k = 0; k + 1 < 5; k++) world.add(distance, { a: bodies[k], b: bodies[k + 1], length: 1, compliance: 1e-5 })
    for (let k = 0; k < 120; k++) world.step(1 / 60)
    // The springs' own sag is a few centimetres.
    for (const body of bodies) expect(Math.abs(body.position[1])).toBeLessThan(0.1)
  })

  test('what is wrong is said', () => {
    const { world, bodies } = figure6()
    expect(() => world.add(ropeLength, { bodies: [bodies[0]] })).toThrow(
      'ropeLength: bodies must be two or more, got 1',
    )
    expect(() => world.add(ropeLength, { bodies, length: -1 })).toThrow(
      'ropeLength: length must be >= 0 and finite, got -1',
    )
    expect(() => world.add(ropeLength, { bodies, length: NaN })).toThrow(RangeError)
    expect(() => world.add(ropeLength, { bodies, mode: 'elastic' as 'rope' })).toThrow(
      'ropeLength: mode must be rigid, rope or strut, got "elastic"',
    )
    expect(world.constraints()).toEqual([])
  })
})
