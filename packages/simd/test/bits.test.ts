/** Kernels give the bits of TypeScript, over random scenes: after every step, and from what was saved. */

import { cloth, softBody } from '@tautline/assemblies'
import { box, Collisions, plane, sphere } from '@tautline/collision'
import { distance, isometricBend, lineBend, lineDistance } from '@tautline/constraints'
import { fromJSON, type Kernels, World } from '@tautline/core'
import { simd } from '@tautline/simd'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../../core/test/support/runs.js'
import { SEED } from '../../core/test/support/seed.js'
import { Random } from '../../core/test/support/random.js'
import { cells, grid } from './support/meshes.js'
import { expectSame, STEPS } from './support/same.js'
import { addSheet, sheetWorld } from './support/sheet.js'

const TYPES = [distance, lineDistance, lineBend, isometricBend]
const RUNS = 80
const seeds = fc.integer({ min: 1, max: 1e6 })

describe('the bits of TypeScript', () => {
  test('sheets of random rows', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        expectSame(sheetWorld(new Random(seed)), sheetWorld(new Random(seed), simd()))
      }),
      { seed: SEED, numRuns: runs(RUNS) },
    )
  })

  test('sheets that are torn at, thrown far away and not finite', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const [plain, other] = [undefined, simd()].map((kernels) => {
          const world = sheetWorld(new Random(seed), kernels)
          const random = new Random(seed)
          for (const body of world.bodies.all()) {
            if (body.type !== 'dynamic' || !random.chance(0.05)) continue
            const size = 10 ** random.between(0, 160)
            if (random.chance(0.5)) body.setPosition([random.between(-size, size), 0, 0])
            else body.setVelocity([0, random.between(-size, size), 0])
          }
          return world
        })
        expectSame(plain, other)
        expect(other.report.nonFinite.length).toBe(plain.report.nonFinite.length)
      }),
      { seed: SEED, numRuns: runs(RUNS) },
    )
  })

  test('sheets whose particles are in one place, where no row has a direction', () => {
    const [plain, other] = [undefined, simd()].map((kernels) => {
      const world = sheetWorld(new Random(7), kernels)
      for (const body of world.bodies.all()) if (body.type === 'dynamic') body.setPosition([0, 0, 0])
      return world
    })
    expectSame(plain, other)
  })

  test.each([1, 2, 5])('cloth and a soft body fall on a sphere and a floor, %i substeps', (substeps) => {
    const [plain, other] = [undefined, simd()].map((kernels) => {
      const world = new World({ substeps, ...(kernels !== undefined && { kernels }) })
      const collisions = new Collisions(world)
      collisions.addCollider(null, { shape: plane([0, 1, 0]), friction: 0.4 })
      collisions.addCollider(null, { shape: sphere(0.2), position: [0.2, 0.2, 0.2], friction: 0.4, restitution: 0.3 })
      cloth(world, { ...grid(12, 0.04), position: [0, 0.45, 0], selfCollision: 'vertices', thickness: 0.01 })
      softBody(world, { ...cells(2, 0.1), position: [0.1, 0.6, 0.1], youngsModulus: 1e4, radius: 0.01 })
      return world
    })
    expectSame(plain, other, 60)
  })
})

describe('cloth on what gives way', () => {
  /** Crates on a floor, and a cloth that falls on them or holds them up. */
  function crates(seed: number, kernels?: Kernels): World {
    const random = new Random(seed)
    const world = new World({ substeps: 1 + random.below(4), ...(kernels !== undefined && { kernels }) })
    const collisions = new Collisions(world)
    const isHeld = random.chance(0.4)
    if (!isHeld) collisions.addCollider(null, { shape: plane([0, 1, 0]), friction: 0.4 })
    for (let k = 0; k < 3; k++) {
      collisions.addBody({
        shape: random.chance(0.5) ? box([0.1, 0.1, 0.1]) : sphere(0.12),
        position: [0.15 + 0.3 * k, isHeld ? 0.64 : 0.15, 0.4 + random.between(-0.2, 0.2)],
        density: 10 ** random.between(0, 3),
        friction: 0.5,
        restitution: random.chance(0.3) ? 0.4 : 0,
      })
    }
    const sheet = cloth(world, {
      ...grid(8, 0.12),
      position: [0, isHeld ? 0.5 : 0.28, 0],
      material: 'cotton',
      ...(isHeld && { pins: [0, 7, 56, 63] }),
      ...(random.chance(0.3) && { maxCompression: 0.2 }),
    })
    if (random.chance(0.3)) sheet.vertices[27].setVelocity([0, 10 ** random.between(2, 160), 0])
    return world
  }

  test('crates that lie under it, and on it', () => {
    for (const seed of [1, 2, 3, 4, 5]) expectSame(crates(seed), crates(seed, simd()), 25)
  })
})

describe('what is saved', () => {
  test('a snapshot is restored to the bit, by its world', () => {
    const plain = sheetWorld(new Random(3))
    const other = sheetWorld(new Random(3), simd())
    expectSame(plain, other)
    const saved = other.snapshot()
    expectSame(plain, other)
    const hash = other.hash()
    other.restore(saved)
    for (let step = 0; step < STEPS; step++) other.step()
    expect(other.hash()).toBe(hash)
  })

  test('JSON holds no kernels, and goes on to the bit with and without', () => {
    const world = sheetWorld(new Random(5), simd())
    for (let step = 0; step < STEPS; step++) world.step()
    const text = JSON.stringify(world)
    expect(text).not.toContain('kernels')
    const copies = [fromJSON(text, TYPES), fromJSON(text, TYPES, {}, {}, simd())]
    expect(copies.map(({ kernels }) => kernels === undefined)).toEqual([true, false])
    for (const copy of [world, ...copies]) for (let step = 0; step < STEPS; step++) copy.step()
    expect(copies.map((copy) => copy.hash())).toEqual([world.hash(), world.hash()])
  })
})

describe('tables that grow and shrink', () => {
  function edited(seed: number, kernels?: Kernels): World {
    const random = new Random(seed)
    const world = new World({ substeps: 2, ...(kernels !== undefined && { kernels }) })
    for (let round = 0; round < 6; round++) {
      const nodes = addSheet(world, random, 3 + random.below(6), 3 + random.below(6))
      for (let step = 0; step < 3; step++) world.step()
      for (const node of nodes) if (random.chance(round % 2 === 0 ? 0.1 : 0.9)) world.bodies.remove(node)
      world.step()
      if (random.chance(0.5)) world.shrink()
    }
    return world
  }

  test('give the same bits', () => {
    for (const seed of [1, 2, 3, 4]) expect(edited(seed, simd()).hash()).toBe(edited(seed).hash())
  })

  test('in the midst of a step, where a stage adds bodies and rows', () => {
    const [plain, other] = [undefined, simd()].map((kernels) => {
      const world = new World({ substeps: 4, ...(kernels !== undefined && { kernels }) })
      const random = new Random(11)
      addSheet(world, random, 6, 6)
      const beforeSubstep = (): void => {
        const [a, b] = [0, 0.1].map((x) => world.addParticle({ position: [x, 1, random.between(-1, 1)] }))
        world.add(distance, { a, b })
      }
      world.use({ name: 'adds', beforeSubstep })
      return world
    })
    expectSame(plain, other, 30)
  })

  test('leave a memory that is a small multiple of what lives, however often rows come and go', () => {
    const world = new World({ kernels: simd() })
    addSheet(world, new Random(1), 12, 12)
    const [a, b] = [0, 1].map((x) => world.addParticle({ position: [x, 2, 0] }))
    for (let round = 0; round < 200; round++) {
      const row = world.add(lineDistance, { a, b })
      world.step()
      row.remove()
      world.step()
    }
    const live = [world.bodies.table, ...world.batches.map(({ table }) => table)].reduce((sum, t) => sum + t.bytes, 0)
    expect(world.bodies.table.buffer.byteLength).toBeLessThan(4 * live)
  })
})

test('many worlds share kernels, and nothing else', () => {
  const kernels = simd()
  const pairs = Array.from({ length: 40 }, (_, k) => [sheetWorld(new Random(k)), sheetWorld(new Random(k), kernels)])
  for (let step = 0; step < 4; step++) for (const pair of pairs) for (const world of pair) world.step()
  for (const [plain, other] of pairs) expect(other.hash()).toBe(plain.hash())
  const buffers = pairs.map(([, other]) => other.bodies.table.buffer)
  expect(new Set(buffers).size).toBe(pairs.length)
})
