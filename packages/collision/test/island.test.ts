/** Islands of heavy on light that are solved at once. */

import fc from 'fast-check'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { type Body, World } from '@tautline/core'
import { runs } from '../../core/test/support/runs.js'
import { Random } from '../../core/test/support/random.js'
import { SEED } from '../../core/test/support/seed.js'
import { box, Collisions, plane } from '../src/index.js'
import { BlockMatrix, DOF } from '../src/contact/block-matrix.js'
import { ACTS, COMPLIANCE, HELD, island, NONE, reserve, solveNormals } from '../src/contact/island-problem.js'
import { ROWS } from '../src/contact/manifold-columns.js'

const DT = 1 / 60
/** Residual of the linear problem as a share of the largest of its right side. */
const RESIDUAL = 1e-8
/** What round-off may add to the energy at the start, as a share. */
const ENERGY = 1e-9

afterEach(() => vi.restoreAllMocks())

function floor(): { world: World; collisions: Collisions } {
  const world = new World({ substeps: 8 })
  const collisions = new Collisions(world, { sleeping: false })
  collisions.addCollider(null, { shape: plane([0, 1, 0], 0), friction: 0.6 })
  return { world, collisions }
}

/** Cubes of 1 m on top of each other. */
function tower(collisions: Collisions, densities: number[], x = 0, gap = 0): Body[] {
  return densities.map((density, k) =>
    collisions.addBody({ shape: box([0.5, 0.5, 0.5]), density, position: [x, 0.5 + k * (1 + gap), 0], friction: 0.6 }),
  )
}

function steps(world: World, count: number): void {
  for (let k = 0; k < count; k++) world.step(DT)
}

/** How many islands the present rows are in. */
function islandCount(collisions: Collisions): number {
  const { columns, count } = collisions.batch
  return Math.max(0, ...columns.island.subarray(0, count))
}

describe('the matrix of an island', () => {
  test(`solves as elimination does, seed ${SEED}`, () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 1, max: 8 }), (seed, count) => {
        const random = new Random(seed)
        const n = DOF * count
        const dense = Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, j) => (i === j ? 1 : 0)))
        const rows = Array.from(
          { length: 3 * count },
          () => [random.below(count), random.below(count + 1) - 1] as const,
        )
        const matrix = new BlockMatrix()
        matrix.begin(count)
        for (const [i, j] of rows) if (j >= 0 && i !== j) matrix.link(i, j)
        matrix.end()
        matrix.setUnit()
        for (const [i, j] of rows) {
          if (i === j) continue
          const b = Float64Array.from({ length: 12 }, () => random.between(-1, 1))
          const s = [random.between(0, 100)]
          matrix.addRow(Float64Array.from(s), 0, b, 0, i, j)
          const at = [0, 1, 2, 3, 4, 5].map((k) => DOF * i + k)
          if (j >= 0) at.push(...[0, 1, 2, 3, 4, 5].map((k) => DOF * j + k))
          at.forEach((r, p) => at.forEach((c, q) => (dense[r][c] += s[0] * b[p] * b[q])))
        }
        const x = Array.from({ length: n }, () => random.between(-1, 1))
        const right = Float64Array.from(dense, (row) => row.reduce<number>((sum, v, k) => sum + v * x[k], 0))
        expect(matrix.factor()).toBe(true)
        matrix.solve(right)
        for (let k = 0; k < n; k++) expect(right[k]).toBeCloseTo(x[k], 8)
      }),
      { seed: SEED, numRuns: runs(50) },
    )
  })

  test('says when it is not positive', () => {
    const matrix = new BlockMatrix()
    matrix.begin(1)
    matrix.end()
    matrix.setUnit()
    matrix.addRow(Float64Array.of(-2), 0, Float64Array.of(1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0), 0, 0, -1)
    expect(matrix.factor()).toBe(false)
  })
})

describe('the problem of the normals', () => {
  /** A chain of bodies with masses of 1 to 10⁴ on the ground, four points a manifold that have three degrees of freedom. */
  function randomProblem(random: Random, bodies: number): void {
    reserve(bodies, bodies + 1)
    island.manifoldCount = island.bodyCount = bodies
    const roots = Array.from({ length: bodies }, () => Math.sqrt(10 ** random.between(-4, 0)))
    for (let j = 0; j < bodies; j++) {
      island.bodies[j] = j + 1
      island.ends[2 * j] = j
      island.ends[2 * j + 1] = j - 1
    }
    for (let j = 0; j < bodies; j++) {
      for (let k = 0; k < ROWS; k++) island.state[ROWS * j + k] = NONE
      for (let k = 0; k < 4; k++) {
        const i = ROWS * j + k
        const gradient = [0, 1, 0, k < 2 ? 0.5 : -0.5, 0, k % 2 === 0 ? 0.5 : -0.5]
        let diagonal = 0
        for (let c = 0; c < 12; c++) {
          const body = c < 6 ? j : j - 1
          const arm = c % 6 > 2 ? Math.sqrt(6) : 1
          island.b[12 * i + c] = body < 0 ? 0 : (c < 6 ? 1 : -1) * arm * roots[body] * gradient[c % 6]
          diagonal += island.b[12 * i + c] ** 2
        }
        island.diagonal[i] = diagonal
        island.stiffness[i] = 1 / (COMPLIANCE * diagonal)
        island.before[i] = random.chance(0.5) ? random.between(0, 1) / diagonal : 0
        island.r[i] = random.between(-1, 0.5)
        island.state[i] = random.chance(0.5) ? ACTS : HELD
        island.held[i] = -island.before[i]
      }
    }
    island.stale = true
    const { matrix } = island
    matrix.begin(bodies)
    for (let j = 1; j < bodies; j++) matrix.link(island.ends[2 * j], island.ends[2 * j + 1])
    matrix.end()
  }

  test(`is solved: nothing pulls, nothing overlaps, what pushes is in place, seed ${SEED}`, () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 1, max: 10 }), (seed, count) => {
        randomProblem(new Random(seed), count)
        expect(solveNormals()).toBe(true)
        const { ends, b, r, before, diagonal, state, trial } = island
        const lambda = (i: number): number => (state[i] === ACTS ? Math.max(trial[i], 0) : 0)
        const y = new Float64Array(DOF * count)
        const along = (i: number, add: number): number => {
          let sum = 0
          for (let c = 0; c < 12; c++) {
            const place = ends[2 * Math.floor(i / ROWS) + (c < 6 ? 0 : 1)]
            if (place < 0) continue
            y[DOF * place + (c % 6)] += add * b[12 * i + c]
            sum += y[DOF * place + (c % 6)] * b[12 * i + c]
          }
          return sum
        }
        const normals = Array.from({ length: count * 4 }, (_, k) => ROWS * Math.floor(k / 4) + (k % 4))
        for (const i of normals) along(i, lambda(i) - before[i])
        const scale = Math.max(...normals.map((i) => Math.max(Math.abs(r[i]), diagonal[i] * lambda(i))))
        for (const i of normals) {
          const w = r[i] + along(i, 0) + COMPLIANCE * diagonal[i] * (lambda(i) - before[i])
          expect(w).toBeGreaterThanOrEqual(-RESIDUAL * scale)
          if (lambda(i) > 0) expect(w).toBeLessThanOrEqual(RESIDUAL * scale)
        }
      }),
      { seed: SEED, numRuns: runs(200) },
    )
  })
})

describe('heavy on light', () => {
  test.each([30, 100, 1000, 1e4])('a cube %d times as heavy stands on one of 1 m', (ratio) => {
    const { world, collisions } = floor()
    const bodies = tower(collisions, [100, 100 * ratio])
    steps(world, 120)
    expect(islandCount(collisions)).toBe(1)
    bodies.forEach((body, k) => {
      expect(Math.abs(body.position[1] - (0.5 + k))).toBeLessThan(1e-4)
      expect(Math.hypot(...body.velocity)).toBeLessThan(1e-6)
    })
  })

  test('light and heavy by turns', () => {
    const { world, collisions } = floor()
    const bodies = tower(collisions, [10, 1e5, 10, 1e4, 1000, 1e5])
    steps(world, 120)
    bodies.forEach((body, k) => expect(Math.abs(body.position[1] - (0.5 + k))).toBeLessThan(1e-4))
  })

  test('a heavy box dropped on light ones is caught', () => {
    const { world, collisions } = floor()
    const light = [-1.2, 0, 1.2].flatMap((x) => tower(collisions, [100, 100], x))
    const heavy = collisions.addBody({ shape: box([2, 0.5, 1]), density: 1e5, position: [0, 3.5, 0], friction: 0.6 })
    steps(world, 240)
    expect(Math.abs(heavy.position[1] - 2.5)).toBeLessThan(1e-3)
    for (const body of light) expect(Math.hypot(...body.velocity)).toBeLessThan(1e-5)
  })

  test('an island that is in place keeps none of the others from being solved', () => {
    const far = (beside: boolean, first: boolean): number[] => {
      const { world, collisions } = floor()
      if (beside && first) tower(collisions, [100, 1e5], -9)
      const bodies = tower(collisions, [100, 1e5], 3)
      if (beside && !first) tower(collisions, [100, 1e5], -9)
      steps(world, 120)
      expect(islandCount(collisions)).toBe(beside ? 2 : 1)
      bodies[1].setVelocity([0.01, 0, 0])
      steps(world, 20)
      return bodies.flatMap(({ position, velocity }) => [...position, ...velocity])
    }
    const alone = far(false, false)
    expect(far(true, true)).toEqual(alone)
    expect(far(true, false)).toEqual(alone)
  })

  test('islands merge and split', () => {
    const { world, collisions } = floor()
    tower(collisions, [100, 1e5], -3)
    tower(collisions, [100, 1e5], 3)
    steps(world, 30)
    expect(islandCount(collisions)).toBe(2)
    const beam = collisions.addBody({ shape: box([4, 0.2, 0.4]), density: 100, position: [0, 2.25, 0], friction: 0.6 })
    steps(world, 60)
    expect(islandCount(collisions)).toBe(1)
    expect(Math.abs(beam.position[1] - 2.2)).toBeLessThan(1e-3)
    beam.setVelocity([0, 5, 0])
    steps(world, 10)
    expect(islandCount(collisions)).toBe(2)
  })

  test('what slides goes on as one body would', () => {
    const { world, collisions } = floor()
    const [light, heavy] = tower(collisions, [100, 5000])
    // ν is 0.1 on the floor, so that it does not tip, and 1 between the two.
    for (const collider of collisions.collidersOf(light)) collider.set({ friction: 1 / 60 })
    for (const collider of collisions.collidersOf(heavy)) collider.set({ friction: 60 })
    light.setVelocity([3, 0, 0])
    heavy.setVelocity([3, 0, 0])
    steps(world, 20)
    // ν g t slower, both of them.
    for (const body of [light, heavy])
      expect(Math.abs(body.velocity[0] - (3 - 0.1 * 9.81 * 20 * DT))).toBeLessThan(0.01)
  })

  test('equal masses are left to the sweep', () => {
    const { world, collisions } = floor()
    tower(collisions, [100, 500, 100])
    steps(world, 10)
    expect(islandCount(collisions)).toBe(0)
  })

  test('an island without an answer is swept', () => {
    const { world, collisions } = floor()
    vi.spyOn(BlockMatrix.prototype, 'factor').mockReturnValue(false)
    const bodies = tower(collisions, [100, 3000])
    steps(world, 60)
    expect(islandCount(collisions)).toBe(0)
    for (const body of bodies) expect([...body.position].every(Number.isFinite)).toBe(true)
  })

  test('the same bits again', () => {
    const run = (): number[] => {
      const { world, collisions } = floor()
      const bodies = tower(collisions, [100, 1e5, 100, 1e4], 0, 0.1)
      bodies[3].setVelocity([1, 0, 0.5])
      steps(world, 60)
      return bodies.flatMap((body) => [...body.position, ...body.orientation, ...body.velocity])
    }
    expect(run()).toEqual(run())
  })

  test(`random islands never have more energy than at the start, seed ${SEED}`, () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 2, max: 6 }), (seed, count) => {
        const random = new Random(seed)
        const { world, collisions } = floor()
        for (let k = 0; k < count; k++) {
          collisions.addBody({
            shape: box([random.between(0.2, 1), random.between(0.2, 1), random.between(0.2, 1)]),
            density: 10 ** random.between(1, 5),
            position: [random.between(-0.5, 0.5), 1.8 + 3.6 * k, random.between(-0.5, 0.5)],
            orientation: random.rotation(),
            velocity: random.vector(3),
            angularVelocity: random.vector(3),
            friction: random.between(0, 1),
          })
        }
        const first = world.energy().total
        for (let k = 0; k < 120; k++) {
          world.step(DT)
          expect(world.energy().total).toBeLessThanOrEqual((1 + ENERGY) * first)
        }
      }),
      { seed: SEED, numRuns: runs(15) },
    )
  })
})
