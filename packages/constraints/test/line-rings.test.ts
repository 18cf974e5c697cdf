import { type Body, type Constraint, World, type WorldOptions } from '@tautline/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from '../../core/test/support/runs.js'
import { Random } from '../../core/test/support/random.js'
import { SEED } from '../../core/test/support/seed.js'
import { lineDistance, type LineDistanceDef } from '../src/index.js'
import type { Lines } from '../src/parts/line-cover.js'

/** What one linear solve leaves of errors of 1e-4 [m]. */
const SECOND_ORDER = 1e-6
/** Change of momentum by round-off [kg m/s]. */
const MOMENTUM = 1e-9
const DT = 1 / 60

interface Ring {
  readonly world: World
  readonly bodies: Body[]
  readonly rows: Constraint<LineDistanceDef>[]
}

/** A regular polygon of radius 1, of particles of 1 kg; the first one held for good where it is `pinned`. */
function ring(n: number, options: WorldOptions, change: Partial<LineDistanceDef> = {}, pinned = false): Ring {
  const world = new World({ gravity: [0, 0, 0], ...options })
  const bodies = corners(n).map(([x, y], k) =>
    world.addParticle({ position: [x, y, 0], mass: pinned && k === 0 ? Infinity : 1 }),
  )
  const rows = bodies.map((a, k) => world.add(lineDistance, { a, b: bodies[(k + 1) % n], ...change }))
  return { world, bodies, rows }
}

function corners(n: number): (readonly [number, number])[] {
  return Array.from({ length: n }, (_, k) => [Math.cos((2 * Math.PI * k) / n), Math.sin((2 * Math.PI * k) / n)])
}

function run(world: World, steps: number): void {
  for (let step = 0; step < steps; step++) world.step(DT)
}

/** Pulls each particle outward by 1000 N, the way it was at the start. */
function blowUp({ world, bodies }: Ring, steps: number): void {
  for (let step = 0; step < steps; step++) {
    corners(bodies.length).forEach(([x, y], k) => bodies[k].applyForce([1000 * x, 1000 * y, 0]))
    run(world, 1)
  }
}

const worst = (world: World): number => world.residual().lineDistance.linear?.max ?? 0

test('a ring is one line, free or held', () => {
  for (const pinned of [false, true]) {
    const { world } = ring(12, { gravity: [0, -9.81, 0], substeps: 4 }, {}, pinned)
    world.hash()
    const { first, count } = world.batches.find(({ plan }) => plan !== undefined)?.plan as Lines
    expect([count, first[1]]).toEqual([1, 12])
    run(world, 120)
    expect(worst(world)).toBeLessThan(0.005)
  }
})

test('a ring that is blown up stays as long as it is, and bears the same all round', () => {
  for (const mode of ['rigid', 'rope'] as const) {
    const n = 12
    const blown = ring(n, { substeps: 8 }, { mode })
    blowUp(blown, 60)
    expect(worst(blown.world)).toBeLessThan(1e-6)
    for (const row of blown.rows) expect(row.force / (500 / Math.sin(Math.PI / n))).toBeCloseTo(1, 5)
    for (const along of blown.world.momentum().linear) expect(Math.abs(along)).toBeLessThan(MOMENTUM)
  }
})

test('a ring of soft rows is stretched by the force that they bear', () => {
  const n = 12
  const soft = { compliance: 1e-5, damping: 1000 }
  const blown = ring(n, { substeps: 8 }, soft)
  blowUp(blown, 240)
  const force = 500 / Math.sin(Math.PI / n)
  for (const row of blown.rows) expect(row.force / force).toBeCloseTo(1, 4)
  const radius = 1 + (soft.compliance * force) / (2 * Math.sin(Math.PI / n))
  for (const { position } of blown.bodies) expect(Math.hypot(position[0], position[1])).toBeCloseTo(radius, 5)
})

test('one visit of a ring leaves an error of second order', () => {
  const property = fc.property(fc.integer(), fc.integer({ min: 6, max: 20 }), (seed, n) => {
    const random = new Random(seed)
    const { world, bodies } = ring(n, { substeps: 1 })
    for (const body of bodies) {
      const by = random.vector(1e-4)
      body.setPosition([0, 1, 2].map((k) => body.position[k] + by[k]) as [number, number, number])
    }
    run(world, 1)
    expect(worst(world)).toBeLessThan(SECOND_ORDER)
  })
  fc.assert(property, { seed: SEED, numRuns: runs(50) })
})

test('a ring that is pressed flat, whose sides do not fit, stays calm', () => {
  const n = 12
  const { world, bodies } = ring(n, { substeps: 4 }, { length: 0.5 })
  bodies.forEach((body, k) => {
    const [x, y] = body.position
    body.setPosition([x + 0.1 * Math.sin(3 * k), 1e-6 * y, 0])
  })
  for (let step = 0; step < 120; step++) {
    run(world, 1)
    for (const { velocity } of bodies) expect(Math.hypot(velocity[0], velocity[2])).toBeLessThan(20)
  }
})
