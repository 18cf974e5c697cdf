import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Body, type Constraint, World } from '../src/index.js'
import { type Batch } from '../src/kernel.js'
import { link, rowLink } from './support/link.js'
import { runs } from './support/runs.js'
import { Random, run } from './support/random.js'
import { SEED } from './support/seed.js'

/** A layered, coloured order has this many colours at most before rows share the last one. */
const COLOURS = 31

/** Rows of every segment; fails where two of one move the same body. */
function segments(world: World, batch: Batch): number[][] {
  world.hash()
  const found: number[][] = []
  for (let s = 0; s < batch.segmentCount; s++) {
    const rows = []
    for (let row = batch.segments[s]; row < batch.segments[s + 1]; row++) rows.push(row)
    found.push(rows)
  }
  return found
}

function sharesMovingBody(world: World, batch: Batch, rows: readonly number[]): boolean {
  const seen = new Set<number>()
  for (const row of rows) {
    for (const i of batch.ids.slice(batch.arity * row, batch.arity * (row + 1))) {
      if (world.bodies.columns.position[4 * i + 3] === 0) continue
      if (seen.has(i)) return true
      seen.add(i)
    }
  }
  return false
}

/** Which two bodies the rows of a batch join, in sweep order. */
function pairs(batch: Batch): string[] {
  return Array.from({ length: batch.active }, (_, row) => `${batch.ids[2 * row]}-${batch.ids[2 * row + 1]}`)
}

describe('outward', () => {
  test('a chain is swept from the hook to the tip, whatever the order it was made in', () => {
    const world = new World()
    const hook = world.addBody({ type: 'static' })
    const bodies = [hook, ...[1, 2, 3, 4, 5].map((k) => world.addBody({ position: [k, 0, 0] }))]
    for (const k of [3, 1, 5, 2, 4]) world.add(link, { a: bodies[k - 1], b: bodies[k] })
    world.hash()
    expect(pairs(world.batches[0])).toEqual(['1-2', '2-3', '3-4', '4-5', '5-6'])
  })

  test('the world itself and kinematic bodies are where it starts; disabled rows carry nothing', () => {
    const world = new World()
    const [a, b, c] = [1, 2, 3].map((k) => world.addBody({ position: [k, 0, 0] }))
    const mover = world.addBody({ type: 'kinematic', position: [4, 0, 0] })
    world.add(link, { a, b })
    world.add(link, { a: b, b: c })
    world.add(link, { a: c, b: mover })
    const hung = world.add(link, { a, b: null })
    world.hash()
    expect(pairs(world.batches[0])).toEqual(['3-4', '1-0', '1-2', '2-3'])
    hung.enabled = false
    world.hash()
    expect(pairs(world.batches[0])).toEqual(['3-4', '2-3', '1-2'])
  })

  test('no two rows of a colour move the same body', () => {
    const property = fc.property(
      fc.integer(),
      fc.integer({ min: 2, max: 30 }),
      fc.integer({ min: 1, max: 80 }),
      (seed, n, m) => {
        const random = new Random(seed)
        const world = new World()
        const bodies = Array.from({ length: n }, () =>
          world.addBody({ position: random.vector(), type: random.chance(0.2) ? 'static' : 'dynamic' }),
        )
        for (let k = 0; k < m; k++) {
          const a = random.below(n)
          const b = (a + 1 + random.below(n - 1)) % n
          world.add(random.chance(0.5) ? link : rowLink, {
            a: bodies[a],
            b: random.chance(0.1) ? null : bodies[b],
            enabled: random.chance(0.9),
          })
        }
        for (const batch of world.batches) {
          const cut = segments(world, batch)
          expect(cut.flat()).toEqual(Array.from({ length: batch.active }, (_, row) => row))
          // With up to 30 rows on a body colours may run out; only the last of a layer may then share.
          const crowded = cut.filter((rows) => sharesMovingBody(world, batch, rows))
          if (crowded.length > 0) expect(busiest(batch)).toBeGreaterThan(COLOURS / 2)
          const live = Array.from(batch.common.live.subarray(0, batch.count))
          expect(live).toEqual([...live].sort((x, y) => y - x))
        }
      },
    )
    fc.assert(property, { seed: SEED, numRuns: runs(100) })
  })

  test('more rows on a body than there are colours', () => {
    const world = new World({ substeps: 20 })
    const hub = world.addBody({ mass: 1000, inertia: 1000, gravityScale: 0 })
    const spokes = Array.from({ length: 50 }, (_, k) =>
      world.addBody({ position: [Math.cos(k), Math.sin(k), 0], velocity: [0, 0, 1] }),
    )
    for (const b of spokes) world.add(link, { a: hub, b })
    const [batch] = world.batches
    const cut = segments(world, batch)
    expect(cut).toHaveLength(COLOURS)
    expect(cut.map((rows) => rows.length)).toEqual([...new Array(COLOURS - 1).fill(1), 20])
    run(world, 30)
    expect(world.residual().link.linear?.max).toBeLessThan(1e-3)
  })
})

describe('nets of particles', () => {
  test('rows that close rings come first, those of chains and of bodies that turn after them', () => {
    const world = new World()
    const [a, b, c, d, e] = [0, 1, 2, 3, 4].map((k) => world.addBody({ position: [k, k % 2, 0] }))
    const body = world.addBody({ position: [0, 5, 0], inertia: 1 })
    world.add(link, { a: d, b: e })
    world.add(link, { a: c, b: body })
    for (const [i, j] of [
      [a, b],
      [b, c],
      [c, a],
    ]) {
      world.add(link, { a: i, b: j })
    }
    world.hash()
    const [batch] = world.batches
    expect(batch.inNets).toBe(3)
    const first = new Set(
      pairs(batch)
        .slice(0, 3)
        .flatMap((pair) => pair.split('-').map(Number)),
    )
    expect([...first].sort()).toEqual([a.index, b.index, c.index])
  })

  test('a chain between two anchors is none, a branch makes one', () => {
    const world = new World()
    const nodes = [0, 1, 2, 3].map((k) => world.addBody({ position: [k, 0, 0] }))
    for (let k = 1; k < nodes.length; k++) world.add(link, { a: nodes[k - 1], b: nodes[k] })
    world.add(link, { a: nodes[0], b: null })
    world.add(link, { a: nodes[3], b: null })
    world.hash()
    expect(world.batches[0].inNets).toBe(0)
    world.add(link, { a: nodes[1], b: world.addBody({ position: [1, 1, 0] }) })
    world.hash()
    expect(world.batches[0].inNets).toBe(6)
  })

  test('no two rows of a run share a body, whatever the order and however many there are', () => {
    for (const order of ['outward', 'given'] as const) {
      const world = new World({ order })
      const hub = world.addBody({})
      for (let k = 0; k < 50; k++) world.add(link, { a: hub, b: world.addBody({ position: [Math.cos(k), 0, k] }) })
      const [batch] = world.batches
      for (const rows of segments(world, batch)) expect(sharesMovingBody(world, batch, rows)).toBe(false)
    }
  })
})

function busiest(batch: Batch): number {
  const uses = new Map<number, number>()
  for (const i of batch.ids.slice(0, batch.arity * batch.count)) uses.set(i, (uses.get(i) ?? 0) + 1)
  return Math.max(...uses.values())
}

describe('given and alternating', () => {
  test('given is the order they were made in', () => {
    const world = new World({ order: 'given' })
    const bodies = [0, 1, 2, 3].map((k) => world.addBody({ position: [k, 0, 0] }))
    world.add(link, { a: bodies[2], b: bodies[3] })
    world.add(link, { a: bodies[1], b: bodies[2] })
    const gone = world.add(link, { a: bodies[0], b: bodies[3] })
    world.add(link, { a: bodies[0], b: bodies[1] })
    gone.remove()
    world.hash()
    expect(pairs(world.batches[0])).toEqual(['3-4', '2-3', '1-2'])
  })

  test('the three orders go different ways from the same start, with the same error at the end', () => {
    const hashes = (['outward', 'given', 'alternating'] as const).map((order) => {
      const world = new World({ order, substeps: 30, iterations: 2 })
      const bodies = [
        world.addBody({ type: 'static' }),
        ...[1, 2, 3, 4].map((k) => world.addBody({ position: [k, 0, 0] })),
      ]
      for (const k of [4, 3, 2, 1]) world.add(link, { a: bodies[k - 1], b: bodies[k] })
      run(world, 30)
      expect(world.residual().link.linear?.max).toBeLessThan(0.02)
      return world.hash()
    })
    expect(new Set(hashes).size).toBe(3)
  })
})

describe(`history does not matter (seed ${SEED})`, () => {
  test('any adds and removes that leave the same set leave the same order and the same hash', () => {
    const property = fc.property(
      fc.integer(),
      fc.integer({ min: 1, max: 25 }),
      fc.integer({ min: 0, max: 40 }),
      (seed, m, extras) => {
        const random = new Random(seed)
        const n = 12
        const kept = Array.from({ length: m }, () => {
          const a = random.below(n)
          return {
            a,
            b: (a + 1 + random.below(n - 1)) % n,
            type: random.chance(0.6) ? link : rowLink,
            length: random.between(0.5, 2),
          }
        })
        const build = (withHistory: boolean): World => {
          const world = new World({ iterations: 2 })
          const place = new Random(seed)
          const bodies = Array.from({ length: n }, (_, k) =>
            world.addBody({ position: place.vector(), type: k === 0 ? 'static' : 'dynamic', inertia: 1 }),
          )
          const doomed: (Constraint | Body)[] = []
          const mess = (): void => {
            if (!withHistory) return
            for (let k = 0; k < extras / m; k++) {
              const die = random.below(5)
              const a = random.below(n)
              const b = bodies[(a + 1 + random.below(n - 1)) % n]
              if (die < 2) doomed.push(world.add(die === 0 ? link : rowLink, { a: bodies[a], b, length: 3 }))
              if (die === 2) {
                // A body with a constraint on it: both go when it goes.
                const body = world.addBody({ position: random.vector() })
                world.add(link, { a: bodies[a], b: body })
                doomed.push(body)
              }
              if (die === 3 && doomed.length > 0) {
                const [gone] = doomed.splice(random.below(doomed.length), 1)
                if (gone.alive) gone.remove()
              }
              if (die === 4) world.hash()
            }
          }
          for (const { a, b, type, length } of kept) {
            mess()
            const joint = world.add(type, { a: bodies[a], b: bodies[b], length: withHistory ? 9 : length })
            if (withHistory) joint.set({ length })
          }
          mess()
          for (const gone of doomed) if (gone.alive) gone.remove()
          return world
        }
        const [plain, messy] = [build(false), build(true)]
        expect(messy.hash()).toBe(plain.hash())
        const orders = (world: World): unknown[] =>
          world.batches.filter((batch) => batch.count > 0).map((batch) => [batch.key, pairs(batch)])
        expect(orders(messy)).toEqual(orders(plain))
        run(plain, 5)
        run(messy, 5)
        expect(messy.hash()).toBe(plain.hash())
      },
    )
    fc.assert(property, { seed: SEED, numRuns: runs(100) })
  })

  test('switching a constraint off and on again is as if nothing had been', () => {
    const [plain, switched] = [false, true].map((off) => {
      const world = new World()
      const bodies = [0, 1, 2, 3].map((k) =>
        world.addBody({ position: [k, 0, 0], type: k === 0 ? 'static' : 'dynamic' }),
      )
      const joints = bodies.slice(1).map((b, k) => world.add(link, { a: bodies[k], b }))
      if (off) {
        joints[1].enabled = false
        world.hash()
        joints[1].enabled = true
      }
      run(world, 5)
      return world.hash()
    })
    expect(switched).toBe(plain)
  })
})
