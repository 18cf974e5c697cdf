import { type Body, World } from '@tautline/core'
import { describe, expect, test } from 'vitest'
import { Random } from '../../../core/test/support/random.js'
import { SEED } from '../../../core/test/support/seed.js'
import { distance, enclosedVolume } from '../../src/index.js'
import type { Vector } from './support.js'

/** The eight corners of a cube of side 1, and its skin, counter-clockwise from outside. */
const CUBE: Vector[] = [0, 1, 2, 3, 4, 5, 6, 7].map((k) => [k & 1, (k >> 1) & 1, k >> 2])
const SKIN = [
  0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4, 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5,
]
const ROUND_OFF = 1e-12
/** How far a blown-up cube may be from its volume, at 8 substeps [m³]. */
const NEAR = 1e-3

function cube(world: World): Body[] {
  return CUBE.map((position) => world.addParticle({ position, mass: 0.5 }))
}

describe(`enclosedVolume (seed ${SEED})`, () => {
  test('the default is the present volume', () => {
    const world = new World({ gravity: [0, 0, 0] })
    expect(world.add(enclosedVolume, { bodies: cube(world), triangles: SKIN }).def.volume).toBeCloseTo(1, 14)
  })

  test('pressure blows it up to that share of its volume', () => {
    const world = new World({ gravity: [0, 0, 0] })
    const volume = world.add(enclosedVolume, { bodies: cube(world), triangles: SKIN, pressure: 1.5 })
    expect(volume.error).toBeCloseTo(0.5, 12)
    for (let step = 0; step < 30; step++) world.step()
    expect(Math.abs(volume.error)).toBeLessThan(NEAR)
  })

  test('a filling of bulk modulus κ stores κ (V − V₀)²/2V₀, and λ/h² is its pressure', () => {
    const world = new World({ gravity: [0, 0, 0] })
    const kappa = 1e4
    const volume = world.add(enclosedVolume, {
      bodies: cube(world),
      triangles: SKIN,
      volume: 0.9,
      compliance: 0.9 / kappa,
    })
    expect(world.energy().elastic).toBeCloseTo((kappa * 0.01) / 1.8, 8)
    expect(volume.error).toBeCloseTo(0.1, 12)
  })

  test('linear momentum is kept', () => {
    const random = new Random(SEED)
    const world = new World({ gravity: [0, 0, 0] })
    const bodies = CUBE.map((position) =>
      world.addParticle({ position, mass: random.between(0.1, 2), velocity: random.vector() }),
    )
    world.add(enclosedVolume, { bodies, triangles: SKIN, pressure: 2, compliance: 1e-6 })
    const before = world.momentum()
    for (let step = 0; step < 20; step++) world.step()
    const after = world.momentum().linear
    after.forEach((value, k) => expect(Math.abs(value - before.linear[k])).toBeLessThan(100 * ROUND_OFF))
  })

  test('a balloon of distances holds its pressure', () => {
    const world = new World()
    const bodies = cube(world)
    for (let k = 0; k < SKIN.length; k++) {
      const [a, b] = [SKIN[k], SKIN[k % 3 === 2 ? k - 2 : k + 1]]
      if (a < b) world.add(distance, { a: bodies[a], b: bodies[b], compliance: 1e-3 })
    }
    const air = world.add(enclosedVolume, { bodies, triangles: SKIN, pressure: 1.2 })
    for (let step = 0; step < 60; step++) world.step()
    expect(air.force).toBeGreaterThan(0)
    expect(Math.abs(air.error)).toBeLessThan(NEAR)
  })

  test('open meshes and places that are none are refused', () => {
    const world = new World()
    const bodies = cube(world)
    const made = (triangles: number[], more: object = {}): unknown =>
      world.add(enclosedVolume, { bodies, triangles, ...more })
    expect(() => made(SKIN.slice(3))).toThrow('enclosedVolume: triangles must be closed, got an open edge')
    expect(() => made([0, 1, 9, ...SKIN])).toThrow('enclosedVolume: triangles[2]')
    expect(() => made([1, 1, 2, ...SKIN])).toThrow('twice')
    expect(() => made(SKIN, { pressure: -1 })).toThrow('enclosedVolume: pressure')
    expect(world.constraints()).toHaveLength(0)
  })
})
