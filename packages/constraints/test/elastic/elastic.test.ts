import { type Body, fromJSON, World, type WorldOptions } from '@tautline/core'
import { describe, expect, test } from 'vitest'
import { Random } from '../../../core/test/support/random.js'
import { SEED } from '../../../core/test/support/seed.js'
import { type ElasticReport, neoHookean, type NeoHookeanDef, tetraVolume } from '../../src/index.js'
import { addBlock, block } from '../support/blocks.js'

/** Swept so often in a substep, a block this small is where sweeps end. */
const TO_THE_END = 120
/**
 * Share of a node's weight that may be out of balance at rest: what Newton's last turn leaves. What damping takes is of the velocity, which is none.
 */
const BALANCED = 1e-3
/** By how much two bodies differ that were solved from different first guesses [m, m/s]. */
const STARTED_ELSEWHERE = 1e-5
/** What Newton's last turn leaves of a sag at one substep, beside that at eight: it ends at 1 % of the energy of what was moved. */
const AT_ONE = 0.05
/** Where sweeps end, beside balance: each has pushed along the gradient that it found, not that of the end. */
const SWEPT = 0.02
/** Round-off of momenta, beside the largest summand. */
const ROUND_OFF = 1e-11
/** What spinning bodies gain in potential energy that the prediction does not see, beside all there is: sweeps leave as much. */
const GAIN = 5e-3

const shape = block(6, 2, 2)
const SIZE = 0.05
const STIFF = { youngsModulus: 5e5, poissonRatio: 0.3, damping: 5e-4 }

function reportOf(world: World): ElasticReport | undefined {
  return world.report.solvers.elastic as ElasticReport | undefined
}

/** A bar, held at one end where it is not free. */
function bar(
  options: WorldOptions,
  material: Partial<NeoHookeanDef> = {},
  isFree = false,
): { world: World; bodies: Body[] } {
  const world = new World(options)
  const bodies = addBlock(world, shape, SIZE, 1000, { ...STIFF, ...material }, ([x]) => !isFree && x === 0)
  return { world, bodies }
}

function sagOf({ world, bodies }: { world: World; bodies: Body[] }, steps: number): number {
  for (let k = 0; k < steps; k++) {
    // Sinks to rest without a swing.
    for (const body of bodies) {
      const [x, y, z] = body.velocity
      if (body.type === 'dynamic') body.setVelocity([0.9 * x, 0.9 * y, 0.9 * z])
    }
    world.step()
  }
  const end = bodies.filter((_, v) => shape.points[v][0] === 6)
  return (
    end.reduce((sum, { position }, k) => sum + shape.points.filter(([x]) => x === 6)[k][1] * SIZE - position[1], 0) /
    end.length
  )
}

/** Σ −∂Ψ/∂x of all elements at the present pose [N], three numbers a body, from `evaluate` alone. */
function forcesOf({ batches, bodies }: World): Float64Array {
  const forces = new Float64Array(3 * bodies.count)
  for (const batch of batches) {
    const { rows, arity, ids } = batch
    for (let row = 0; row < batch.active; row++) {
      rows.clear()
      batch.type.evaluate(bodies.columns, batch, row, rows)
      for (let k = 0; k < rows.count; k++) {
        for (let b = 0; b < arity; b++) {
          for (let axis = 0; axis < 3; axis++) {
            forces[3 * ids[arity * row + b] + axis] -=
              (rows.c[k] / rows.groups[k].compliance) * rows.J[6 * (arity * k + b) + axis]
          }
        }
      }
    }
  }
  return forces
}

describe(`soft bodies as a whole (seed ${SEED})`, () => {
  test('a bar comes to rest where its material bears its weight, node by node', () => {
    const { world, bodies } = bar({})
    sagOf({ world, bodies }, 300)
    expect(reportOf(world)).toMatchObject({
      pieces: 1,
      elements: shape.tetrahedra.length,
      iterations: 8,
      factors: 0,
      swept: 0,
    })
    const forces = forcesOf(world)
    bodies.forEach((body, v) => {
      if (body.type !== 'dynamic') return
      const weight = 9.81 * body.mass
      for (let k = 0; k < 3; k++) {
        expect(Math.abs(forces[3 * body.index + k] - (k === 1 ? weight : 0)), `node ${v}`).toBeLessThan(
          BALANCED * weight,
        )
      }
    })
  })

  test(
    'it sags by what sweeps to the end give, but for their way there, and one sweep by much more',
    { tags: ['thorough'] },
    () => {
      const sag = sagOf(bar({}), 150)
      const swept = sagOf(bar({ solver: 'sweep', iterations: TO_THE_END }), 150)
      expect(Math.abs(sag / swept - 1)).toBeLessThan(SWEPT)
      expect(sagOf(bar({ solver: 'sweep' }), 150) / sag).toBeGreaterThan(1.3)
    },
  )

  test('it is as stiff at one substep as at eight', () => {
    const [one, eight] = [1, 8].map((substeps) => sagOf(bar({ substeps }), 150))
    expect(Math.abs(one / eight - 1)).toBeLessThan(AT_ONE)
  })

  test(
    'a bar that hangs down, bent by a right angle, is solved in its own turned elements',
    { tags: ['thorough'] },
    () => {
      const limp = { youngsModulus: 2e4, solver: 'direct' } as const
      const direct = bar({}, limp)
      const sag = sagOf(direct, 300)
      expect(sag).toBeGreaterThan(0.6 * 6 * SIZE)
      expect(reportOf(direct.world)).toMatchObject({ factors: 1, swept: 0 })
      // Sweeps take ten times as long, so they begin where the whole is at rest: a rest of theirs elsewhere would be on its way there.
      const other = bar({ iterations: TO_THE_END }, { ...limp, solver: 'sweep' })
      other.bodies.forEach((body, v) => {
        if (body.type === 'dynamic') body.setPosition(direct.bodies[v].position)
      })
      const swept = sagOf(other, 60)
      expect(Math.abs(sag / swept - 1)).toBeLessThan(SWEPT)
    },
  )

  test('its multipliers are those of its strain: c + a λ = 0', () => {
    const { world } = bar({})
    for (let k = 0; k < 20; k++) world.step()
    const h = world.settings.dt / world.settings.substeps
    for (const batch of world.batches) {
      const { lambda, shape: compliance } = batch.columns as Record<string, Float64Array>
      for (let row = 0; row < batch.active; row++) {
        batch.rows.clear()
        batch.type.evaluate(world.bodies.columns, batch, row, batch.rows)
        for (let k = 0; k < 2; k++) {
          const stress = (-lambda[2 * row + k] * compliance[2 * row + k]) / (h * h)
          expect(Math.abs(stress - batch.rows.c[k])).toBeLessThan(ROUND_OFF)
        }
      }
    }
    const still = bar({ gravity: [0, 0, 0] }).world
    still.step()
    expect(still.energy().elastic).toBeLessThan(1e-20)
  })

  test('thrown and spun it keeps its momenta, and gains no energy', () => {
    const random = new Random(SEED)
    for (let scene = 0; scene < 12; scene++) {
      const options = { gravity: [0, 0, 0], substeps: 1 + random.below(8), dt: 1 / 60 } as const
      const material = { youngsModulus: 10 ** random.between(5, 8), damping: random.chance(0.5) ? 0 : 1e-3 }
      const { world, bodies } = bar(options, material, true)
      const [v, w] = [random.vector(5), random.vector(10)]
      for (const body of bodies) {
        const [x, y, z] = body.position
        body.setVelocity([v[0] + w[1] * z - w[2] * y, v[1] + w[2] * x - w[0] * z, v[2] + w[0] * y - w[1] * x])
      }
      const [before, energy] = [world.momentum(), world.energy().kinetic]
      for (let k = 0; k < 60; k++) world.step()
      const after = world.momentum()
      expect(reportOf(world)?.pieces).toBe(1)
      for (const name of ['linear', 'angular'] as const) {
        const size = Math.hypot(...before[name])
        for (let k = 0; k < 3; k++)
          expect(Math.abs(after[name][k] - before[name][k])).toBeLessThan(ROUND_OFF * (size + 1))
      }
      expect(world.energy().kinetic).toBeLessThan((1 + GAIN) * energy)
    }
  })

  test('what is crushed comes back, without sweeps', () => {
    const { world, bodies } = bar({ gravity: [0, 0, 0] }, { damping: 0.01 }, true)
    const y = (v: number): number => 0.1 * SIZE * shape.points[v][1]
    bodies.forEach((body, v) => body.setPosition([SIZE * shape.points[v][0], y(v), SIZE * shape.points[v][2]]))
    world.step()
    expect(reportOf(world)?.swept).toBe(0)
    for (let k = 0; k < 300; k++) world.step()
    expect(reportOf(world)).toMatchObject({ swept: 0, unsolved: 0 })
    expect(world.energy().elastic).toBeLessThan(1)
  })

  test('steps on with the same bits from a snapshot, and from JSON, bent as it is', () => {
    const { world } = bar({}, { youngsModulus: 2e4, solver: 'direct' })
    for (let k = 0; k < 80; k++) world.step()
    expect(reportOf(world)?.factors).toBe(1)
    const snapshot = world.snapshot()
    const read = fromJSON(JSON.parse(JSON.stringify(world)), [neoHookean])
    const run = (of: World): string => {
      for (let k = 0; k < 10; k++) of.step()
      return of.hash()
    }
    const wanted = run(world)
    world.restore(snapshot)
    expect(run(world)).toBe(wanted)
    expect(run(read)).toBe(wanted)
  })

  test('a mass, a modulus and a substep that change are as if they had always been so', () => {
    const changed = bar({})
    changed.world.step()
    const snapshot = (of: Body[]): number[][] => of.map(({ position, velocity }) => [...position, ...velocity])
    const state = snapshot(changed.bodies)
    const fresh = bar({ substeps: 4 }, { youngsModulus: 2e5 })
    fresh.bodies.forEach((body, v) => {
      if (body.type !== 'dynamic') return
      body.setPosition(state[v].slice(0, 3) as [number, number, number])
      body.setVelocity(state[v].slice(3) as [number, number, number])
    })
    changed.world.configure({ substeps: 4 })
    for (const constraint of changed.world.constraints()) constraint.set({ youngsModulus: 2e5 })
    for (const { bodies, world } of [changed, fresh]) {
      bodies[20].setMass(3)
      world.step()
      expect(reportOf(world)?.factors).toBe(1)
      for (let k = 0; k < 5; k++) world.step()
    }
    const wanted = snapshot(fresh.bodies).flat()
    snapshot(changed.bodies)
      .flat()
      .forEach((value, k) => expect(Math.abs(value - wanted[k])).toBeLessThan(STARTED_ELSEWHERE))
  })

  test.each([
    ['auto, stiff', {}, {}, 1],
    ['auto, soft', {}, { youngsModulus: 5e3 }, 0],
    ['auto, soft and damped', {}, { youngsModulus: 5e3, damping: 0.2 }, 1],
    ['direct, soft', {}, { youngsModulus: 5e3, solver: 'direct' }, 1],
    ['sweep', {}, { solver: 'sweep' }, 0],
    ['the world’s sweep', { solver: 'sweep' }, {}, 0],
    ['the world’s direct', { solver: 'direct' }, { youngsModulus: 5e3 }, 1],
    ['kept gradients', { jacobians: 'start' }, { solver: 'direct' }, 0],
  ] as const)('%s: %#', (_, options, material, pieces) => {
    const { world } = bar(options, material)
    world.step()
    expect(reportOf(world)?.pieces).toBe(pieces)
  })

  test('a piece that is stiff and too large to be solved as a whole is reported, until it asks', () => {
    const large = (solver: 'auto' | 'direct'): ElasticReport | undefined => {
      const world = new World()
      addBlock(world, block(10, 10, 8), SIZE, 1000, { ...STIFF, solver }, () => false)
      world.step()
      return reportOf(world)
    }
    expect(large('auto')).toMatchObject({ pieces: 0, tooLarge: 1 })
    expect(large('direct')).toMatchObject({ pieces: 1, tooLarge: 0 })
  })

  test('a node that may not move along an axis stays in its plane, and the piece is swept', () => {
    const world = new World()
    const bodies = [
      [0, 0, 0],
      [0.1, 0, 0],
      [0, 0.1, 0],
      [0, 0, 0.1],
    ].map((position, k) =>
      world.addParticle({
        position: position as [number, number, number],
        mass: 1,
        ...(k === 3 && { lockTranslation: [false, true, false] as [boolean, boolean, boolean] }),
      }),
    )
    world.add(neoHookean, { bodies, youngsModulus: 1e7, solver: 'direct' })
    for (let k = 0; k < 30; k++) world.step()
    expect(bodies[3].position[1]).toBe(0)
    expect(reportOf(world)?.swept).toBe(world.settings.substeps)
  })

  test('a load that is put on at once is borne at one substep too', () => {
    const [one, eight] = [1, 8].map((substeps) => {
      const { world, bodies } = bar({ substeps, gravity: [0, 0, 0] })
      const end = bodies.filter((_, v) => shape.points[v][0] === 6)
      let swept = 0
      for (let k = 0; k < 240; k++) {
        for (const body of end) body.applyForce([0, -2, 0])
        for (const body of bodies) {
          const [x, y, z] = body.velocity
          if (body.type === 'dynamic') body.setVelocity([0.9 * x, 0.9 * y, 0.9 * z])
        }
        world.step()
        swept += reportOf(world)?.swept ?? NaN
      }
      expect(swept).toBe(0)
      return shape.points.reduce((sum, [x, y], v) => sum + (x === 6 ? y * SIZE - bodies[v].position[1] : 0), 0)
    })
    expect(Math.abs(one / eight - 1)).toBeLessThan(AT_ONE)
  })

  test('two bodies that nothing joins are two pieces; what does not move joins none', () => {
    const world = new World()
    const corners = (x: number): Body[] =>
      [
        [x, 0, 0],
        [x + 0.1, 0, 0],
        [x, 0.1, 0],
        [x, 0, 0.1],
      ].map((position, k) =>
        world.addParticle({ position: position as [number, number, number], mass: k === 0 ? Infinity : 1 }),
      )
    const [a, b] = [corners(0), corners(1)]
    b[0] = a[0]
    for (const bodies of [a, b]) world.add(neoHookean, { bodies, youngsModulus: 1e8 })
    world.step()
    expect(reportOf(world)).toMatchObject({ pieces: 2, elements: 2 })
    a[1].remove()
    world.step()
    expect(reportOf(world)).toMatchObject({ pieces: 1, elements: 1 })
  })

  test('a solver that is none is refused, and one of a type without', () => {
    const { world, bodies } = bar({})
    const four = bodies.slice(0, 4)
    expect(() => world.add(neoHookean, { bodies: four, youngsModulus: 1, solver: 'newton' as 'auto' })).toThrow(
      /solver must be/,
    )
    expect(() => world.add(tetraVolume, { bodies: four, solver: 'direct' })).toThrow(/solver must be/)
  })
})
