/** Parts of the direct solution and of the readout by themselves, against closed forms and a plain elimination. */

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Body, closedMesh, fromJSON, World } from '../src/index.js'
import { backward, BLOCK, factorBlock, forwardColumns, SIX } from '../src/direct/body-block.js'
import { addRotations } from '../src/math/rotation.js'
import { checkSize } from '../src/define/scene-limits.js'
import { runs } from './support/runs.js'
import { Random } from './support/random.js'
import { SEED } from './support/seed.js'

/** Some hundred products and sums of numbers near 1, of matrices of condition 1e3. */
const ROUND_OFF = 1e-10
/** Work by mean poses of substeps, a sixteenth of a sixtieth of a second each. */
const FIRST_ORDER = 2e-2
const TWO_PI = 2 * Math.PI

const seeds = fc.integer({ min: 1, max: 1e6 })

/** A Aᵀ + I. */
function definite(random: Random): number[][] {
  const A = Array.from({ length: SIX }, () => Array.from({ length: SIX }, () => random.between(-2, 2)))
  return A.map((r, i) => A.map((s, j) => r.reduce((sum, a, k) => sum + a * s[k], i === j ? 1 : 0)))
}

/** M x = b by elimination. */
function solved(M: readonly (readonly number[])[], b: readonly number[]): number[] {
  const rows = M.map((row, i) => [...row, b[i]])
  const n = b.length
  for (let k = 0; k < n; k++) {
    for (let i = k + 1; i < n; i++) {
      const f = rows[i][k] / rows[k][k]
      for (let j = k; j <= n; j++) rows[i][j] -= f * rows[k][j]
    }
  }
  const x = new Array<number>(n).fill(0)
  for (let i = n - 1; i >= 0; i--) {
    x[i] = (rows[i][n] - x.reduce((sum, v, j) => (j > i ? sum + rows[i][j] * v : sum), 0)) / rows[i][i]
  }
  return x
}

const dot = (a: readonly number[], b: readonly number[]): number => a.reduce((sum, x, i) => sum + x * b[i], 0)

function expectNear(actual: ArrayLike<number>, expected: readonly number[]): void {
  expected.forEach((x, i) => expect(Math.abs(actual[i] - x)).toBeLessThan(ROUND_OFF * (1 + Math.abs(x))))
}

describe(`a block of six, seed ${SEED}`, () => {
  /** Blocks, right sides and rows are not at the start of their arrays. */
  const [AT, RIGHT, ROW] = [BLOCK, SIX, 1]

  function factored(random: Random): {
    M: number[][]
    H: Float64Array
    b: number[]
    g: Float64Array
    j: number[]
    J: Float64Array
  } {
    const M = definite(random)
    const [b, j] = [0, 1].map(() => Array.from({ length: SIX }, () => random.between(-1, 1)))
    const H = Float64Array.of(...new Array<number>(AT).fill(NaN), ...M.flat())
    const g = Float64Array.of(...new Array<number>(RIGHT).fill(NaN), ...b)
    const J = Float64Array.of(...new Array<number>(SIX * ROW).fill(NaN), ...j)
    expect(factorBlock(H, AT, g, RIGHT, J, ROW, 1, 0)).toBe(true)
    return { M, H, b, g, j, J }
  }

  test('solves, and couples rows', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const { M, H, b, g, j, J } = factored(new Random(seed))
        const x = solved(M, b)
        // j H⁻¹ b = (L⁻¹ j) D⁻¹ (L⁻¹ b)
        let coupled = 0
        for (let i = 0; i < SIX; i++) coupled += J[SIX * ROW + i] * H[AT + 7 * i] * g[RIGHT + i]
        expectNear([coupled], [dot(j, x)])
        backward(H, AT, g, RIGHT)
        expectNear(g.subarray(RIGHT), x)
      }),
      { seed: SEED, numRuns: runs(30) },
    )
  })

  test('takes columns through L', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const random = new Random(seed)
        const { M, H } = factored(random)
        const columns = Array.from({ length: BLOCK }, () => random.between(-1, 1))
        const C = Float64Array.of(NaN, ...columns)
        forwardColumns(H, AT, C, 1)
        for (let c = 0; c < SIX; c++) {
          const x = Float64Array.from({ length: SIX }, (_, i) => C[1 + SIX * i + c])
          backward(H, AT, x, 0)
          expectNear(
            x,
            solved(
              M,
              columns.filter((_, k) => k % SIX === c),
            ),
          )
        }
      }),
      { seed: SEED, numRuns: runs(10) },
    )
  })

  test.each([0, 1, 2, 3, 4, 5])('is refused where pivot %i is negative, unless that may be lifted', (k) => {
    const indefinite = (): Float64Array =>
      Float64Array.from({ length: BLOCK }, (_, e) => (e % 7 !== 0 ? 0.1 : e === 7 * k ? -2 : 3))
    const none = new Float64Array(SIX)
    expect(factorBlock(indefinite(), 0, none, 0, none, 0, 0, 0)).toBe(false)
    const lifted = indefinite()
    lifted[7 * k] = 1e-3
    expect(factorBlock(lifted, 0, none, 0, none, 0, 0, 0)).toBe(false)
    const raised = indefinite()
    raised[7 * k] = k === 0 ? 1 : 1e-3
    expect(factorBlock(raised, 0, none, 0, none, 0, 0, 0.5)).toBe(true)
    for (let i = 0; i < SIX; i++) expect(raised[7 * i]).toBeGreaterThan(0)
  })
})

test(`whole turns are added that bring a rotation nearest to another, seed ${SEED}`, () => {
  fc.assert(
    fc.property(seeds, fc.integer({ min: -4, max: 4 }), fc.double({ min: -3, max: 3, noNaN: true }), (seed, n, off) => {
      const random = new Random(seed)
      const v = Array.from(random.vector(), (x) => x + 0.1)
      const length = Math.hypot(...v)
      const axis = v.map((x) => x / length)
      const angle = random.between(0.1, 3.1)
      const turn = Float64Array.from(axis, (x) => x * angle)
      // What is across the axis does not count.
      const across = [axis[1], -axis[0], 0]
      addRotations(
        turn,
        Float64Array.from(axis, (x, i) => x * (angle + TWO_PI * n + off) + across[i]),
      )
      expectNear(
        turn,
        axis.map((x) => x * (angle + TWO_PI * n)),
      )
    }),
    { seed: SEED, numRuns: runs(50) },
  )
  const none = new Float64Array(3)
  addRotations(none, Float64Array.of(9, 9, 9))
  expect(Array.from(none)).toEqual([0, 0, 0])
})

test(`momentum is m v, and x × m v + R I Rᵀ ω, of what is dynamic, seed ${SEED}`, () => {
  fc.assert(
    fc.property(seeds, (seed) => {
      const random = new Random(seed)
      const world = new World()
      const make = (inertia?: [number, number, number]): Body =>
        world.addBody({
          mass: random.between(1, 5),
          position: random.vector(),
          velocity: random.vector(),
          ...(inertia && { inertia, orientation: random.rotation(), angularVelocity: random.vector() }),
        })
      const bodies = [make(), make([1, 2, 2.5]), make([3, 3, 3])]
      world.addBody({ type: 'kinematic', velocity: [9, 9, 9] })
      const linear = [0, 0, 0]
      const angular = [0, 0, 0]
      for (const body of bodies) {
        const { mass, position: x, velocity, moments, angularVelocity: w } = body
        const p = Array.from(velocity, (v) => mass * v)
        const axes = [
          [1, 0, 0],
          [0, 1, 0],
          [0, 0, 1],
        ].map((axis) => Array.from(body.toWorld(axis as [number, number, number]), (u, i) => u - x[i]))
        for (let i = 0; i < 3; i++) {
          const [j, k] = [(i + 1) % 3, (i + 2) % 3]
          linear[i] += p[i]
          angular[i] += x[j] * p[k] - x[k] * p[j]
          axes.forEach((axis, a) => (angular[i] += moments[a] * axis[i] * dot(axis, Array.from(w))))
        }
      }
      const got = world.momentum()
      expectNear([...got.linear, ...got.angular], [...linear, ...angular])
    }),
    { seed: SEED, numRuns: runs(20) },
  )
})

test(`velocity of a point is v + ω × r, of each body its own, seed ${SEED}`, () => {
  const random = new Random(SEED)
  const world = new World()
  for (let k = 0; k < 4; k++) {
    const [v, w, r] = [random.vector(), random.vector(), random.vector()]
    const body = world.addBody({ position: [k, 2, 3], inertia: 1, velocity: v, angularVelocity: w })
    expectNear(body.velocityAt([k + r[0], 2 + r[1], 3 + r[2]]), [
      v[0] + w[1] * r[2] - w[2] * r[1],
      v[1] + w[2] * r[0] - w[0] * r[2],
      v[2] + w[0] * r[1] - w[1] * r[0],
    ])
  }
})

describe('limits of scenes', () => {
  test('values are counted to the last one, and depth to the last level', () => {
    const tree = { a: [1, 2, 'x'], b: { c: [] }, d: null }
    const limits = { depth: 9, values: 8, bodies: 1, constraints: 1, sweeps: 1 }
    expect(() => checkSize('tree', tree, limits)).not.toThrow()
    expect(() => checkSize('tree', tree, { ...limits, values: 7 })).toThrow(/^tree must have at most 7 values/)
    expect(() => checkSize('tree', [[[]]], { ...limits, depth: 3 })).not.toThrow()
    expect(() => checkSize('tree', [[[]]], { ...limits, depth: 2 })).toThrow(/^tree must be at most 2 deep/)
  })

  test('sweeps are substeps times iterations', () => {
    const scene = new World({ substeps: 6, iterations: 5 }).toJSON()
    expect(() => fromJSON(scene, [], {}, { sweeps: 30 })).not.toThrow()
    expect(() => fromJSON(scene, [], {}, { sweeps: 29 })).toThrow(/substeps × iterations.*got 30/)
  })
})

test('a mesh is flat by its size: thin things of a micrometre and of a thousand kilometres are not', () => {
  const pyramid = (size: number, height: number): [number[], number[]] => [
    [0, 0, 0, size, 0, 0, 0, size, 0, 0, 0, height],
    [0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3],
  ]
  for (const size of [1e-6, 1, 1e6]) {
    expect(closedMesh(...pyramid(size, 1e-6 * size), { mass: 1 }).mass).toBe(1)
    expect(() => closedMesh(...pyramid(size, 1e-15 * size), { mass: 1 })).toThrow(/not flat/)
  }
})

test('the ledger has the work of a torque, and of nothing else', () => {
  const world = new World({ energyLedger: true, gravity: [0, 0, 0], substeps: 16 })
  world.addBody({ inertia: 9 })
  const body = world.addBody({ inertia: 2 })
  for (let k = 0; k < 60; k++) {
    body.applyTorque([0, 3, 0])
    world.step(1 / 60)
  }
  // ½ I ω² = ½ (τ t)²/I
  const { forces = NaN, user, gained } = world.energy().ledger ?? {}
  expect(Math.abs(forces / 2.25 - 1)).toBeLessThan(FIRST_ORDER)
  expect([user, Math.abs(gained ?? NaN) < FIRST_ORDER]).toEqual([0, true])
})
