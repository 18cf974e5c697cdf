import { type Body, type Constraint, type ConstraintType, fromJSON, World, type WorldOptions } from '@tautline/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../../core/test/support/runs.js'
import { Random } from '../../core/test/support/random.js'
import { SEED } from '../../core/test/support/seed.js'
import { ballSocket, distance, lineDistance, type LineDistanceDef, tether } from '../src/index.js'
import type { Lines } from '../src/parts/line-cover.js'

/** What one linear solve leaves of errors of 1e-4 in a line of directions that differ by up to a radian [m]. */
const SECOND_ORDER = 1e-6
/** Of the magnitudes that were added up. */
const MOMENTUM = 1e-11
const DT = 1 / 60

type Point = readonly [number, number, number]

/** Particles at `points`, the first `pinned` of them for good, and rows between `pairs`. */
function net(
  points: readonly Point[],
  pairs: readonly (readonly [number, number])[],
  options: WorldOptions = {},
  change: Partial<LineDistanceDef> = {},
  pinned: readonly number[] = [0],
): { world: World; bodies: Body[]; rows: Constraint<LineDistanceDef>[] } {
  const world = new World(options)
  const bodies = points.map((position, k) => world.addParticle({ position, mass: pinned.includes(k) ? Infinity : 1 }))
  const rows = pairs.map(([a, b]) => world.add(lineDistance, { a: bodies[a], b: bodies[b], ...change }))
  return { world, bodies, rows }
}

/** 0–1, 1–2, … */
function inOrder(count: number): [number, number][] {
  return Array.from({ length: count }, (_, k) => [k, k + 1])
}

function along(count: number, length = 1): Point[] {
  return Array.from({ length: count + 1 }, (_, k) => [k * length, 0, 0])
}

/** Edges of a grid of n × n points, row by row, and the points. */
function grid(n: number): { points: Point[]; pairs: [number, number][] } {
  const points = Array.from({ length: n * n }, (_, k): Point => [k % n, 0, Math.floor(k / n)])
  const pairs = points.flatMap(([x, , z], k): [number, number][] => [
    ...(x + 1 < n ? [[k, k + 1] as [number, number]] : []),
    ...(z + 1 < n ? [[k, k + n] as [number, number]] : []),
  ])
  return { points, pairs }
}

/** The bodies of each line, by index. */
function linesOf(world: World): number[][] {
  world.hash()
  const batch = world.batches.find(({ plan }) => plan !== undefined)
  if (batch === undefined) return []
  const { first, nodes, count } = batch.plan as Lines
  return Array.from({ length: count }, (_, l) =>
    Array.from(nodes.subarray(first[l] + l, first[l + 1] + l + 1), (n) => n / 4),
  )
}

function run(world: World, steps: number): void {
  for (let step = 0; step < steps; step++) world.step(DT)
}

const worst = (world: World): number => world.residual().lineDistance.linear?.max ?? 0

describe('the cover', () => {
  test('a grid falls into its warp and weft, outward from where it hangs', () => {
    const { points, pairs } = grid(5)
    const { world, bodies } = net(points, pairs)
    const found = linesOf(world).map((line) => line.map((i) => bodies.findIndex(({ index }) => index === i)))
    expect(found).toHaveLength(10)
    for (const line of found) {
      expect(line).toHaveLength(5)
      const steps = new Set(line.slice(1).map((k, j) => Math.abs(k - line[j])))
      expect([1, 5]).toContain([...steps][0])
      expect(steps.size).toBe(1)
    }
    const nearest = found.map((line) => Math.min(...line.map((k) => (k % 5) + Math.floor(k / 5))))
    expect(nearest).toEqual([0, 0, 1, 1, 2, 2, 3, 3, 4, 4])
    expect(world.batches[0].segmentCount).toBe(10)
  })

  test('a bend of 60° is gone round, one of 90° is not', () => {
    const at = (turn: number): Point[] => [
      [-1, 0, 0],
      [0, 0, 0],
      [Math.cos(turn), Math.sin(turn), 0],
    ]
    expect(linesOf(net(at(1), inOrder(2)).world)).toHaveLength(1)
    expect(linesOf(net(at(1.5), inOrder(2)).world)).toHaveLength(2)
  })

  test('what is taken away is not gone through, and comes back in its place', () => {
    const { world, rows } = net(along(6), inOrder(6))
    const before = linesOf(world)
    expect(before).toHaveLength(1)
    rows[2].enabled = false
    expect(linesOf(world).map((line) => line.length)).toEqual([3, 4])
    rows[2].enabled = true
    expect(linesOf(world)).toEqual(before)
    rows[3].remove()
    expect(linesOf(world).map((line) => line.length)).toEqual([4, 3])
  })

  test('the given direction counts, not the pose', () => {
    const { world, bodies } = net(along(3), inOrder(3))
    const before = linesOf(world)
    bodies[2].setPosition([1, 1, 0])
    world.add(distance, { a: bodies[3], b: bodies[0] })
    expect(linesOf(world)).toEqual(before)
    const across = net(along(2), inOrder(2), {}, { direction: [0, 1, 0] })
    expect(linesOf(across.world)).toHaveLength(1)
    const turned = net(
      along(2),
      [
        [0, 1],
        [2, 1],
      ],
      {},
      { direction: [0, 1, 0] },
    )
    expect(linesOf(turned.world)).toHaveLength(2)
  })
})

describe('closed forms', () => {
  test('each row of a hanging chain bears what hangs on it, at one substep', () => {
    const n = 30
    const points = Array.from({ length: n + 1 }, (_, k): Point => [0, -k, 0])
    const { world, rows } = net(points, inOrder(n), { substeps: 1 })
    run(world, 2)
    rows.forEach((row, k) => expect(row.force).toBeCloseTo(9.81 * (n - k), 6))
    expect(worst(world)).toBeLessThan(1e-12)
  })

  test('a heavy chain let go from the side stays as long as it is, at one substep', () => {
    for (const mass of [100, 1e4]) {
      const n = 20
      const world = new World({ substeps: 1 })
      const bodies = along(n, 0.5).map((position, k) =>
        world.addParticle({ position, mass: k === 0 ? Infinity : k === n ? mass : 1 }),
      )
      for (const [a, b] of inOrder(n)) world.add(lineDistance, { a: bodies[a], b: bodies[b] })
      for (let step = 0; step < 300; step++) {
        world.step(DT)
        expect(worst(world)).toBeLessThan(5e-5)
      }
    }
  })

  test('soft rows in a row are springs in a row', () => {
    const n = 8
    const compliance = 1e-3
    const points = Array.from({ length: n + 1 }, (_, k): Point => [0, -k, 0])
    const { world, bodies } = net(points, inOrder(n), { substeps: 4 }, { compliance, damping: 200 })
    run(world, 1200)
    let y = 0
    for (let k = 1; k <= n; k++) {
      y -= 1 + compliance * 9.81 * (n - k + 1)
      expect(bodies[k].position[1]).toBeCloseTo(y, 5)
    }
  })

  test('one visit leaves an error of second order', () => {
    const property = fc.property(fc.integer(), fc.integer({ min: 2, max: 20 }), (seed, n) => {
      const random = new Random(seed)
      const points: Point[] = [[0, 0, 0]]
      for (let k = 0; k < n; k++) {
        const [x, y, z] = points[k]
        points.push([x + 1, y + random.between(-0.3, 0.3), z + random.between(-0.3, 0.3)])
      }
      const { world, bodies } = net(points, inOrder(n), { gravity: [0, 0, 0], substeps: 1 }, {}, [random.below(n + 1)])
      for (const body of bodies) {
        const { position } = world.bodies.columns
        const o = 4 * body.index
        const by = random.vector(1e-4)
        body.setPosition([position[o] + by[0], position[o + 1] + by[1], position[o + 2] + by[2]])
      }
      world.step(DT)
      expect(worst(world)).toBeLessThan(SECOND_ORDER)
    })
    fc.assert(property, { seed: SEED, numRuns: runs(50) })
  })
})

describe('ends, bounds and what cannot be met', () => {
  test('a body that is held in the middle parts the line', () => {
    const n = 10
    const points = Array.from({ length: n + 1 }, (_, k): Point => [0, -k, 0])
    const { world, rows } = net(points, inOrder(n), {}, {}, [0, 5])
    run(world, 2)
    rows.forEach((row, k) => expect(row.force).toBeCloseTo(9.81 * (k < 5 ? 4 - k : 10 - k), 5))
  })

  test('a rope pulls and never pushes', () => {
    const n = 12
    const { world, rows, bodies } = net(along(n, 0.1), inOrder(n), { substeps: 4 }, { mode: 'rope' })
    for (let step = 0; step < 240; step++) {
      world.step(DT)
      for (const row of rows) expect(row.multipliers[0]).toBeLessThanOrEqual(0)
      expect(worst(world)).toBeLessThan(0.02)
    }
    bodies[n].setPosition([0, 0.05, 0])
    run(world, 1)
    for (const row of rows) expect(row.multipliers[0]).toBeLessThanOrEqual(0)
  })

  test('a slack rope falls as if there were none', () => {
    const { world, bodies } = net(along(4), inOrder(4), { substeps: 1 }, { mode: 'rope', length: 2 })
    const free = new World({ substeps: 1 })
    const others = along(4).map((position) => free.addParticle({ position, mass: 1 }))
    run(world, 5)
    run(free, 5)
    bodies.slice(1).forEach((body, k) => expect(body.position).toEqual(others[k + 1].position))
  })

  test('struts keep apart what a weight presses together', () => {
    const points = Array.from({ length: 4 }, (_, k): Point => [0, k, 0])
    const { world, rows } = net(points, inOrder(3), { substeps: 2 }, { mode: 'strut' })
    run(world, 3)
    rows.forEach((row, k) => expect(row.multipliers[0]).toBeGreaterThan((0.9 * ((3 - k) * 9.81)) / 120 ** 2))
  })

  test('pulled longer than it is between two hands it stays calm, and is whole again after', () => {
    for (const substeps of [1, 4, 10]) {
      const n = 30
      const world = new World({ substeps })
      const bodies = Array.from({ length: n + 1 }, (_, k) =>
        world.addBody({
          position: [(0.9 * k) / n, -0.2 * Math.sin((Math.PI * k) / n), 0],
          mass: 0.01,
          ...((k === 0 || k === n) && { type: 'kinematic' as const }),
        }),
      )
      for (const [a, b] of inOrder(n)) world.add(lineDistance, { a: bodies[a], b: bodies[b], length: 1 / n })
      let fastest = 0
      for (let step = 0; step < 360; step++) {
        const t = step / 60
        bodies[n].setPosition([t < 2 ? 0.9 + 0.15 * t : t < 3 ? 1.2 : Math.max(0.9, 1.2 - 0.15 * (t - 3)), 0, 0])
        world.step(DT)
        for (const { velocity } of bodies) fastest = Math.max(fastest, Math.hypot(...velocity))
      }
      expect(fastest).toBeLessThan(5)
      expect(worst(world)).toBeLessThan(1e-3)
    }
  })

  test('a row breaks above its limit, and its line goes on without it', () => {
    const points = Array.from({ length: 6 }, (_, k): Point => [0, -k, 0])
    const { world, rows } = net(points, inOrder(5), {}, {})
    rows[3].set({ breakForce: 15 })
    run(world, 2)
    expect(rows.map(({ broken }) => broken)).toEqual([false, false, false, true, false])
    run(world, 30)
    expect(worst(world)).toBeLessThan(1e-6)
    expect(rows[0].force).toBeCloseTo(3 * 9.81, 4)
  })
})

/** Random particles and rows, some of them ropes, struts, soft; several lines cross at each particle. */
function tangle(seed: number, options: WorldOptions = {}): World {
  const random = new Random(seed)
  const n = 3 + random.below(20)
  const world = new World({ substeps: 1 + random.below(4), iterations: 1 + random.below(2), ...options })
  const bodies = Array.from({ length: n }, () =>
    world.addBody({
      position: random.vector(1),
      mass: random.chance(0.15) ? Infinity : 10 ** random.between(-2, 2),
      ...(random.chance(0.3) && { inertia: 1 }),
    }),
  )
  for (let k = 0; k < 3 * n; k++) {
    const a = random.below(n)
    const b = (a + 1 + random.below(n - 1)) % n
    const [other, isLine] = [random.chance(0.05) ? null : bodies[b], random.chance(0.9)]
    world.add(isLine ? lineDistance : (distance as ConstraintType<LineDistanceDef>), {
      a: bodies[a],
      b: other,
      mode: (['rigid', 'rope', 'strut'] as const)[random.below(3)],
      length: random.between(0, 1.5),
      ...(random.chance(0.3) && { compliance: 1e-4, damping: random.between(0, 5) }),
      enabled: random.chance(0.95),
    })
  }
  return world
}

/** Tangles of which a tree with particles in it is solved in halves: these once had a spin that was no number. */
const HALVED: [number][] = [[113005316], [1126909542], [-787893594]]

describe(`any net (seed ${SEED})`, () => {
  test('each acting row is in one line, and no line meets itself', () => {
    const property = fc.property(fc.integer(), (seed) => {
      const world = tangle(seed)
      const lines = linesOf(world)
      const batch = world.batches.find(({ plan }) => plan !== undefined)
      expect(lines.reduce((sum, line) => sum + line.length - 1, 0)).toBe(batch?.swept ?? 0)
      const { position } = world.bodies.columns
      const { isLoop } = (batch?.plan ?? { isLoop: [] }) as Lines
      lines.forEach((line, l) => {
        // The first body of a ring is its last.
        const moving = line.slice(isLoop[l]).filter((i) => position[4 * i + 3] !== 0)
        expect(new Set(moving).size).toBe(moving.length)
      })
      let row = 0
      for (const line of lines) {
        for (let k = 1; k < line.length; k++, row++) {
          const ends = Array.from((batch as World['batches'][0]).ids.subarray(2 * row, 2 * row + 2))
          expect(ends.sort((i, j) => i - j)).toEqual([line[k - 1], line[k]].sort((i, j) => i - j))
        }
      }
    })
    fc.assert(property, { seed: SEED, numRuns: runs(200) })
  })

  test('stays finite, whatever the start', () => {
    const property = fc.property(fc.integer(), (seed) => {
      const world = tangle(seed)
      run(world, 12)
      expect(world.report.nonFinite).toHaveLength(0)
      expect(world.energy().kinetic).toBeLessThan(Infinity)
    })
    fc.assert(property, { seed: SEED, numRuns: runs(60), examples: HALVED })
  })

  test('without a hold it keeps linear momentum', () => {
    const property = fc.property(fc.integer(), fc.integer({ min: 2, max: 30 }), (seed, n) => {
      const random = new Random(seed)
      const world = new World({ gravity: [0, 0, 0], substeps: 1 + random.below(3) })
      const bodies = Array.from({ length: n + 1 }, (_, k) =>
        world.addParticle({ position: [k, 0, 0], mass: random.between(0.1, 10), velocity: random.vector(20) }),
      )
      const before = world.momentum().linear
      const size = bodies.reduce((sum, body) => sum + body.mass * Math.hypot(...body.velocity), 0)
      for (const [a, b] of inOrder(n)) world.add(lineDistance, { a: bodies[a], b: bodies[b] })
      run(world, 10)
      const after = world.momentum().linear
      for (let k = 0; k < 3; k++) expect(Math.abs(after[k] - before[k])).toBeLessThan(MOMENTUM * size)
    })
    fc.assert(property, { seed: SEED, numRuns: runs(100) })
  })

  test('snapshots, JSON and history leave no trace', () => {
    const property = fc.property(fc.integer(), (seed) => {
      const world = tangle(seed)
      run(world, 3)
      const snapshot = world.snapshot()
      const copy = fromJSON(JSON.stringify(world), [distance, lineDistance] as never)
      run(world, 3)
      const hash = world.hash()
      run(copy, 3)
      expect(copy.hash()).toBe(hash)
      const removed = world.constraints()[0]
      removed.remove()
      run(world, 2)
      world.restore(snapshot)
      run(world, 3)
      expect(world.hash()).toBe(hash)
    })
    fc.assert(property, { seed: SEED, numRuns: runs(60) })
  })

  test('lines agree with rows swept to the end', () => {
    const property = fc.property(fc.integer(), fc.integer({ min: 2, max: 12 }), (seed, n) => {
      const ends = [lineDistance, distance as ConstraintType<LineDistanceDef>].map((type) => {
        const random = new Random(seed)
        const world = new World({ substeps: 200, iterations: type === lineDistance ? 2 : 60 })
        const bodies = Array.from({ length: n + 1 }, (_, k) =>
          world.addParticle({
            position: [k, random.between(-0.3, 0.3), 0],
            mass: k === 0 ? Infinity : random.between(0.5, 2),
          }),
        )
        for (const [a, b] of inOrder(n)) world.add(type, { a: bodies[a], b: bodies[b] })
        run(world, 2)
        return bodies.flatMap(({ position }) => [...position])
      })
      ends[0].forEach((value, k) => expect(Math.abs(value - ends[1][k])).toBeLessThan(1e-6))
    })
    fc.assert(property, { seed: SEED, numRuns: runs(10) })
  })
})

/** Of the cloth below after 120 steps: the same on every engine. */
const HASH = '14605ce950e6436b'

test('the same bits, whatever runs them', () => {
  const { points, pairs } = grid(12)
  const { world } = net(points, pairs, { substeps: 1 }, {}, [0, 11])
  run(world, 120)
  expect(world.report.nonFinite).toHaveLength(0)
  expect(world.hash()).toBe(HASH)
})

describe('bad input', () => {
  const world = new World()
  const a = world.addBody({ position: [1, 0, 0], inertia: 1 })
  const b = world.addParticle({ position: [2, 0, 0] })
  const add = (def: object) => () => world.add(lineDistance, { a, b, ...def } as LineDistanceDef)

  test('anchors', () => {
    expect(add({ anchorA: [0.1, 0, 0] })).toThrow(TypeError)
    expect(add({ anchorA: [0.1, 0, 0] })).toThrow(/lineDistance: definition must have known fields.*anchorA/)
    expect(add({ point: [1.5, 0, 0] })).toThrow(/point/)
  })

  test('directions', () => {
    expect(() => world.add(distance, { a, b, direction: [1, 0, 0] } as never)).toThrow(/direction/)
    expect(add({ direction: [1, NaN, 0] })).toThrow('lineDistance: direction[1] must be finite, got NaN')
    expect(add({ direction: 'up' })).toThrow(TypeError)
    expect(add({ direction: [0, 0, 0] })).not.toThrow()
  })

  test('solvers that a type has not', () => {
    expect(add({ solver: 'fast' })).toThrow(/lineDistance: solver must be 'auto' .*'sweep', got "fast"/)
    expect(() => world.add(ballSocket, { a, b, point: [1, 0, 0], solver: 'lines' as never })).toThrow(
      /ballSocket: solver must be .*'sweep', got "lines"/,
    )
    expect(() => world.add(tether, { a, b, solver: 'lines' } as never)).toThrow(/solver must be .*got "lines"/)
  })

  test('one that asks for the trees goes there, and comes back', () => {
    const rope = net(along(3), inOrder(3))
    for (const row of rope.rows) row.set({ solver: 'direct' })
    rope.world.step()
    expect(rope.world.report.direct.joints).toBe(3)
    for (const row of rope.rows) row.set({ solver: 'auto' })
    rope.world.step()
    expect(rope.world.report.direct.joints).toBe(0)
  })
})
