/** Clouds of particles that meet: passive by themselves, without the last guard, whatever the masses, the speeds and the overlap they begin with. */

import { fromJSON } from '@tautline/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from '../../core/test/support/runs.js'
import { Random } from '../../core/test/support/random.js'
import { SEED } from '../../core/test/support/seed.js'
import { addParticles, collisionsFromJSON, particleEvents } from '../src/index.js'
import { future, weightless } from './support/scene.js'

/** Round-off of the energy of a hundred particles. */
const ROUND_OFF = 1e-9
/** Of the momentum that flies in. */
const MOMENTUM = 1e-12
const STEPS = 40

test(`clouds of two sets that fly through each other keep momentum and gain nothing (seed ${SEED})`, () => {
  const property = fc.property(fc.integer(), (seed) => {
    const random = new Random(seed)
    const s = weightless({ substeps: 1 + random.below(8), energyGuard: false })
    const fast = random.between(2, 60)
    const e = random.chance(0.7) ? random.next() : 0
    const nearest = random.chance(0.5) ? 0.2 : 0
    const count = 5 + random.below(50)
    const sets = [-1, 1].map((side) => {
      const bodies = Array.from({ length: count }, () =>
        s.world.addParticle({
          position: [side * random.between(nearest, 1), random.between(-0.3, 0.3), random.between(-0.3, 0.3)],
          velocity: [-side * fast, random.between(-1, 1), random.between(-1, 1)],
          mass: Math.pow(10, random.between(-3, 3)),
        }),
      )
      return addParticles(s.collisions, bodies, {
        radius: random.between(0.05, 0.1),
        friction: 2 * random.next(),
        restitution: e,
      })
    })
    let energy = s.world.energy().kinetic
    const before = s.world.momentum().linear
    const scale = energy / fast
    let met = false
    for (let k = 0; k < STEPS; k++) {
      s.world.step(random.between(1 / 144, 1 / 30))
      const after = s.world.energy().kinetic
      expect(after).toBeLessThan(energy * (1 + ROUND_OFF))
      energy = after
      met ||= particleEvents(s.collisions).some(({ set, other }) => set === sets[0] && other === sets[1])
    }
    const after = s.world.momentum().linear
    for (let k = 0; k < 3; k++) expect(Math.abs(after[k] - before[k])).toBeLessThan(MOMENTUM * scale)
    return met || count < 20
  })
  fc.assert(property, { numRuns: runs(60), seed: SEED })
})

test('a pair that has pushed early in a step is told of and holds together until its end, however far it is by then', () => {
  const s = weightless({ substeps: 8 })
  const two = [-1, 1].map((side) =>
    s.world.addParticle({ position: [0.2 * side, 0, 0], velocity: [-90 * side, 0, 0], mass: side < 0 ? 1 : 10 }),
  )
  addParticles(s.collisions, two.slice(0, 1), { radius: 0.05, restitution: 1 })
  addParticles(s.collisions, two.slice(1), { radius: 0.05, restitution: 1 })
  s.world.step(1 / 60)
  expect(two[1].position[0] - two[0].position[0]).toBeGreaterThan(1)
  expect(particleEvents(s.collisions)).toMatchObject([{ type: 'begin', count: 1 }])
  // One gains what the other loses.
  expect(s.world.report.guard.components).toBe(0)
  expect(s.world.momentum().linear[0]).toBeCloseTo(90 - 900, 9)
})

test(`who meets whom does not depend on when it was looked for (seed ${SEED})`, () => {
  const property = fc.property(fc.integer(), (seed) => {
    const random = new Random(seed)
    const s = weightless({ substeps: 1 + random.below(8) })
    const bodies = Array.from({ length: 80 }, () =>
      s.world.addParticle({
        position: [random.between(-1, 1), random.between(-0.3, 0.3), random.between(-0.3, 0.3)],
        velocity: random.chance(0.3)
          ? [random.between(-40, 40), random.between(-9, 9), random.between(-9, 9)]
          : [random.chance(0.5) ? 5 : -5, 0, 0],
      }),
    )
    addParticles(s.collisions, bodies, {
      radius: random.between(0.01, 0.05),
      friction: 0.3,
      restitution: random.next(),
    })
    for (let k = 0; k < 2 + random.below(8); k++) s.world.step()
    // What is read from JSON has no list yet.
    const copy = fromJSON(JSON.stringify(s.world), [], { collisions: collisionsFromJSON })
    expect(future({ world: copy }, 12)).toEqual(future(s, 12))
  })
  fc.assert(property, { numRuns: runs(25), seed: SEED })
})
