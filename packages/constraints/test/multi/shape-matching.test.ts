import { type Body, World } from '@tautline/core'
import { describe, expect, test } from 'vitest'
import { Random } from '../../../core/test/support/random.js'
import { SEED } from '../../../core/test/support/seed.js'
import { shapeMatching } from '../../src/index.js'
import { FIT_SCRATCH, fitRotation } from '../../src/parts/rotation-fit.js'
import type { Vector } from './support.js'

const CUBE: Vector[] = [0, 1, 2, 3, 4, 5, 6, 7].map((k) => [k & 1, (k >> 1) & 1, k >> 2])
const ROUND_OFF = 1e-11
/** Share by which the scheme may be off, as for the last guard. */
const GROWTH = 2e-3

function cluster(world: World, at: (point: Vector) => Vector = (point) => point): Body[] {
  const bodies = CUBE.map((position) => world.addParticle({ position, mass: 0.5 }))
  bodies.forEach((body, k) => body.setPosition(at(CUBE[k])))
  return bodies
}

function apart(a: Body, b: Body): number {
  return Math.hypot(...[0, 1, 2].map((k) => a.position[k] - b.position[k]))
}

describe(`shapeMatching (seed ${SEED})`, () => {
  test('the nearest rotation is one, and no other is nearer, also to matrices that are flat or turned inside out', () => {
    const random = new Random(SEED)
    const [A, R, other] = [new Float64Array(9), new Float64Array(9), new Float64Array(9)]
    const fit = (M: Float64Array): number => A.reduce((sum, value, k) => sum + value * M[k], 0)
    for (let trial = 0; trial < 200; trial++) {
      for (let k = 0; k < 9; k++) A[k] = random.between(-1, 1)
      if (trial % 4 === 1) A.fill(0, 6)
      if (trial % 4 === 2) A.fill(0, 3)
      if (trial % 40 === 3) A.fill(0)
      fitRotation(A, R, new Float64Array(FIT_SCRATCH))
      for (let r = 0; r < 3; r++) {
        for (let s = 0; s < 3; s++) {
          const dot = R[3 * r] * R[3 * s] + R[3 * r + 1] * R[3 * s + 1] + R[3 * r + 2] * R[3 * s + 2]
          expect(Math.abs(dot - (r === s ? 1 : 0))).toBeLessThan(ROUND_OFF)
        }
      }
      const det =
        R[0] * (R[4] * R[8] - R[5] * R[7]) - R[1] * (R[3] * R[8] - R[5] * R[6]) + R[2] * (R[3] * R[7] - R[4] * R[6])
      expect(det).toBeCloseTo(1, 10)
      const best = fit(R)
      for (let k = 0; k < 10; k++) {
        const B = Float64Array.from({ length: 9 }, () => random.between(-1, 1))
        fitRotation(B, other, new Float64Array(FIT_SCRATCH))
        expect(fit(other)).toBeLessThanOrEqual(best + ROUND_OFF)
      }
    }
  })

  test('one rigid solve puts all in shape, and keeps centre, linear and angular momentum', () => {
    const random = new Random(SEED)
    const world = new World({ gravity: [0, 0, 0], substeps: 1 })
    const bodies = cluster(world)
    const shape = world.add(shapeMatching, { bodies })
    bodies.forEach((body) =>
      body.setPosition(Array.from(body.position, (x) => x + random.between(-0.3, 0.3)) as Vector),
    )
    world.step()
    expect(shape.error).toBeLessThan(ROUND_OFF)
    const { linear, angular } = world.momentum()
    for (const value of [...linear, ...angular]) expect(Math.abs(value)).toBeLessThan(1e3 * ROUND_OFF)
    expect(apart(bodies[0], bodies[1])).toBeCloseTo(1, 8)
  })

  test('a soft one stores ½ c²/compliance', () => {
    const world = new World({ gravity: [0, 0, 0] })
    const bodies = cluster(world)
    const shape = world.add(shapeMatching, { bodies, compliance: 1e-3 })
    bodies.forEach((body) => body.setPosition(Array.from(body.position, (x) => 1.1 * x) as Vector))
    // Each corner is 0.1 · √¾ off.
    expect(shape.error).toBeCloseTo(0.1 * Math.sqrt(0.75), 12)
    expect(world.energy().elastic).toBeCloseTo((0.5 * 0.0075) / 1e-3, 9)
  })

  test('a dent beyond the yield strain stays, one below springs back', () => {
    const dented = (share: number): number => {
      const world = new World({ gravity: [0, 0, 0] })
      const bodies = cluster(world)
      world.add(shapeMatching, {
        bodies,
        compliance: 1e-3,
        damping: 100,
        plasticity: { yield: 0.1, creep: 50, max: 1 },
      })
      bodies.forEach((body, k) => body.setPosition([CUBE[k][0] * (1 - share), CUBE[k][1], CUBE[k][2]]))
      for (let step = 0; step < 120; step++) world.step()
      return apart(bodies[0], bodies[1])
    }
    expect(dented(0.05)).toBeCloseTo(1, 2)
    expect(dented(0.5)).toBeLessThan(0.9)
  })

  test('plastic flow gains no energy', () => {
    const random = new Random(SEED)
    for (let trial = 0; trial < 20; trial++) {
      const world = new World({ gravity: [0, 0, 0] })
      const bodies = cluster(world)
      const plasticity = { yield: random.between(0, 0.3), creep: random.between(0, 100), max: random.between(0, 2) }
      world.add(shapeMatching, { bodies, compliance: 10 ** random.between(-6, -1), plasticity })
      bodies.forEach((body) => body.setPosition(Array.from(body.position, (x) => x + random.between(-1, 1)) as Vector))
      const first = world.energy().total
      for (let step = 0; step < 60; step++) {
        world.step()
        expect(world.energy().total).toBeLessThanOrEqual(first * (1 + GROWTH))
      }
    }
  })

  test('its plastic shape is part of a snapshot', () => {
    const world = new World({ gravity: [0, 0, 0] })
    const bodies = cluster(world)
    world.add(shapeMatching, { bodies, compliance: 1e-3, plasticity: {} })
    bodies.forEach((body, k) => body.setPosition([CUBE[k][0] * 0.5, CUBE[k][1], CUBE[k][2]]))
    for (let step = 0; step < 10; step++) world.step()
    const saved = world.snapshot()
    for (let step = 0; step < 10; step++) world.step()
    const hash = world.hash()
    world.restore(saved)
    for (let step = 0; step < 10; step++) world.step()
    expect(world.hash()).toBe(hash)
  })

  test('what it is made of is checked', () => {
    const world = new World()
    const bodies = cluster(world)
    const made = (fields: object): unknown => world.add(shapeMatching, { bodies, ...fields })
    expect(() => made({ weights: [1] })).toThrow('shapeMatching: weights')
    expect(() => made({ weights: [0, 1, 1, 1, 1, 1, 1, 1] })).toThrow('shapeMatching: weights[0] must be')
    expect(() => made({ shape: [1, 2] })).toThrow('shapeMatching: shape')
    expect(() => made({ plasticity: { yeild: 1 } })).toThrow('yeild')
    expect(() => made({ plasticity: { creep: -1 } })).toThrow('shapeMatching: plasticity.creep')
    expect(() => world.add(shapeMatching, { bodies: [bodies[0]] })).toThrow('two or more')
    expect(world.constraints()).toHaveLength(0)
  })

  test('beside a pin, one that moves is a spring to it', () => {
    // x̄ halfway, so that each error is half of what the two are too far apart: c = ½ (d − ℓ), and half a metre of that for each metre it moves.
    const [compliance, h, far] = [1e-3, 1 / 60, 1.4]
    const world = new World({ gravity: [0, 0, 0], substeps: 1 })
    const pin = world.addParticle({ position: [0, 0, 0], type: 'static' })
    const body = world.addParticle({ position: [1, 0, 0], mass: 2 })
    world.add(shapeMatching, { bodies: [pin, body], compliance })
    body.setPosition([far, 0, 0])
    world.step(h)
    const stretch = (far - 1) / (1 + (0.25 * h * h) / (2 * compliance))
    expect(body.position[0]).toBeCloseTo(1 + stretch, 12)
  })

  test('pinned cubes that are thrown gain nothing', () => {
    const random = new Random(SEED)
    for (let scene = 0; scene < 20; scene++) {
      const world = new World({ substeps: 1 + (scene % 4), energyGuard: false })
      const bodies = cluster(world)
      bodies[0].type = 'static'
      const stiffness = 10 ** random.between(1, 5)
      world.add(shapeMatching, { bodies, stiffness })
      for (const body of bodies.slice(1)) body.setVelocity([5, random.between(-5, 5), random.between(-5, 5)])
      const energy = (): number => {
        const { kinetic, potential } = world.energy()
        return kinetic + potential
      }
      const start = energy()
      const most = start + GROWTH * world.energy().kinetic
      for (let step = 0; step < 240; step++) {
        world.step()
        expect(energy()).toBeLessThan(most)
      }
    }
  })
})
