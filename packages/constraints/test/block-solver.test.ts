/** A block solver of a user's own, by the public entry: soft lengths along a line, all of them solved together. */

import { type Body, type Constraint, World } from '@tautline/core'
import { type Batch, type BlockSolver } from '@tautline/core/kernel'
import { describe, expect, test } from 'vitest'
import { ballSocket, distance } from '../src/index.js'

/** One linear solve leaves nothing but round-off [m]. */
const ROUND_OFF = 1e-14
/** [1/s] */
const DAMPING = 2

/** Solves the rows of `distance` on the x axis by elimination: (J M⁻¹ Jᵀ + α/h²) Δλ = −(c + α/h² λ), tridiagonal for a chain. */
class Chain implements BlockSolver {
  readonly name = 'chain'
  solves = 0
  private batch: Batch | undefined

  gather({ batches }: World): void {
    this.batch = batches.find(({ type }) => type.name === 'distance')
    this.batch?.common.direct.fill(1, 0, this.batch.count)
  }

  solve({ bodies }: World, _h: number, first: boolean): void {
    const { batch } = this
    if (batch === undefined) return
    const { position } = bodies.columns
    const { lambda, softness, body, sequence } = batch.common
    const rows = Array.from({ length: batch.active - batch.swept }, (_, k) => batch.swept + k)
    rows.sort((r, s) => sequence[r] - sequence[s])
    // Bodies are predicted without the λ of the substep before.
    if (first) lambda.fill(0, batch.swept, batch.active)
    // Row k holds bodies k and k + 1: each row shares the body between with the next.
    let [d, z] = [0, 0]
    const kept = rows.map((row, k) => {
      const [a, b] = [4 * body[2 * row], 4 * body[2 * row + 1]]
      const c = position[b] - position[a] - batch.columns.rest[row]
      const own = position[a + 3] + position[b + 3] + softness[row]
      const across = k === 0 ? 0 : -position[a + 3]
      const factor = k === 0 ? 0 : across / d
      z = -(c + softness[row] * lambda[row]) - factor * z
      d = own - factor * across
      return { row, a, b, d, z }
    })
    let next = 0
    for (const { row, a, b, d, z } of kept.reverse()) {
      const change = (z + position[b + 3] * next) / d
      lambda[row] += change
      position[a] -= position[a + 3] * change
      position[b] += position[b + 3] * change
      next = change
    }
    this.solves++
  }

  report(): { solves: number } {
    return { solves: this.solves }
  }

  save(): number {
    return this.solves
  }

  restore(saved: unknown): void {
    this.solves = (saved as number | undefined) ?? 0
  }
}

/** Particles along x between a fixed one and a pull of 10 m/s², on soft lengths. */
function springs(solver?: BlockSolver): { world: World; bodies: Body[]; rows: Constraint[] } {
  const world = new World({ gravity: [10, 0, 0], substeps: 2, solver: 'sweep' })
  if (solver !== undefined) world.addSolver(solver)
  const bodies = [0, 1, 2].map((k) =>
    world.addParticle({ position: [k, 0, 0], mass: [Infinity, 1, 50][k], linearDamping: DAMPING }),
  )
  const rows = [1, 2].map((k) => world.add(distance, { a: bodies[k - 1], b: bodies[k], length: 1, compliance: 1e-4 }))
  return { world, bodies, rows }
}

/** Worst residual c + α/h² λ of the rows [m]. */
function residual(world: World): number {
  const { rest, softness, lambda } = world.batches[0].columns
  const { position } = world.bodies.columns
  const { body, active } = { ...world.batches[0].common, active: world.batches[0].active }
  return Math.max(
    ...Array.from({ length: active }, (_, row) => {
      const [a, b] = [4 * body[2 * row], 4 * body[2 * row + 1]]
      return Math.abs(position[b] - position[a] - rest[row] + softness[row] * lambda[row])
    }),
  )
}

describe('a block solver of a user', () => {
  test('takes its rows from the sweep, and solves them to the end', () => {
    const [own, swept] = [springs(new Chain()), springs()]
    for (let k = 0; k < 60; k++) {
      own.world.step()
      expect(residual(own.world)).toBeLessThan(ROUND_OFF)
      swept.world.step()
    }
    expect(residual(swept.world)).toBeGreaterThan(1e-6)
    expect(own.world.batches[0].swept).toBe(0)
    expect(own.world.solvers.map(({ name }) => name)).toEqual(['chain', 'trees'])
  })

  test('bears the load, by the multipliers of its rows', () => {
    const { world, rows } = springs(new Chain())
    for (let k = 0; k < 600; k++) world.step()
    expect(rows[1].force).toBeCloseTo(500, 3)
    expect(rows[0].force).toBeCloseTo(510, 3)
  })

  test('takes part in the report and in snapshots', () => {
    const { world } = springs(new Chain())
    for (let k = 0; k < 10; k++) world.step()
    expect(world.report.solvers.chain).toEqual({ solves: 20 })
    const snapshot = world.snapshot()
    for (let k = 0; k < 10; k++) world.step()
    const hash = world.hash()
    world.restore(snapshot)
    expect(world.report.solvers.chain).toEqual({ solves: 20 })
    for (let k = 0; k < 10; k++) world.step()
    expect(world.hash()).toBe(hash)
    expect(world.report.solvers.chain).toEqual({ solves: 40 })
  })

  test('rows that are added and removed come to it and go', () => {
    const { world, bodies, rows } = springs(new Chain())
    world.step()
    const end = world.addParticle({ position: [3, 0, 0], mass: 2 })
    const last = world.add(distance, { a: bodies[2], b: end, length: 1, compliance: 1e-4 })
    world.step()
    expect(residual(world)).toBeLessThan(ROUND_OFF)
    last.remove()
    rows[1].set({ enabled: false })
    world.step()
    expect(world.batches[0].active).toBe(1)
    expect(residual(world)).toBeLessThan(ROUND_OFF)
  })

  test('leaves to trees what it does not take', () => {
    const { world, bodies } = springs(new Chain())
    const body = world.addBody({ position: [4, 0, 0], inertia: 1 })
    world.add(ballSocket, { a: bodies[2], b: body, point: [3, 0, 0], solver: 'direct' })
    world.step()
    expect(world.report.direct.joints).toBe(1)
  })

  test('goes, and its rows are swept again', () => {
    const solver = new Chain()
    const { world, rows } = springs(solver)
    for (let k = 0; k < 600; k++) world.step()
    world.removeSolver(solver)
    expect(world.solvers.map(({ name }) => name)).toEqual(['trees'])
    for (let k = 0; k < 600; k++) world.step()
    expect(world.batches[0].swept).toBe(2)
    expect(world.report.solvers.chain).toBeUndefined()
    rows.forEach(({ force }, k) => expect(force).toBeCloseTo([510, 500][k], 2))
    world.addSolver(solver)
    world.step()
    expect(world.batches[0].swept).toBe(0)
  })

  test.each([
    ['one that is not there', new Chain(), RangeError, 'removeSolver: solver must be one that was added, got "chain"'],
    ['nothing', undefined, TypeError, 'removeSolver: solver must be an object, got undefined'],
  ])('%s does not go', (_name, solver, kind, message) => {
    const { world } = springs(new Chain())
    expect(() => world.removeSolver(solver as never)).toThrow(kind)
    expect(() => world.removeSolver(solver as never)).toThrow(message)
    expect(() => world.removeSolver(world.solvers[1])).toThrow('got "trees"')
    expect(world.solvers).toHaveLength(2)
  })

  test.each([
    ['no name', { gather() {}, solve() {} }, 'addSolver: solver.name must be a text, got undefined'],
    ['nothing that solves', { name: 'x', gather() {} }, /addSolver: solver\.solve must be a function/],
    [
      'a hook that is none',
      { name: 'x', gather() {}, solve() {}, finish: 5 },
      /addSolver: solver\.finish must be a function/,
    ],
    ['a name twice', new Chain(), 'addSolver: solver must be the only one of its name, got another chain'],
    [
      'the name of the trees, before there are any',
      { name: 'trees', gather() {}, solve() {} },
      'addSolver: solver must be the only one of its name, got another trees',
    ],
    ['nothing', undefined, TypeError],
  ])('%s is refused', (_name, solver, message) => {
    const world = new World()
    world.addSolver(new Chain())
    expect(() => world.addSolver(solver as never)).toThrow(message as never)
    expect(world.solvers).toHaveLength(1)
  })
})
