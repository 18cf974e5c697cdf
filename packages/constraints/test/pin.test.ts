import { type Body, type BodyDef, fromJSON, World } from '@tautline/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../../core/test/support/runs.js'
import { SEED } from '../../core/test/support/seed.js'
import { ballSocket, lineDistance, pin } from '../src/index.js'

const DT = 1 / 60
/** What is next to no energy [J]. */
const AT_REST = 1e-9
/** Beside all there is: round-off of sums of some hundred rows. */
const MOMENTUM = 1e-11
/** What comes back of a jolt that took half of all there was, as sweeps meet the rest of it a step later: up to 3 % at 2 substeps where a beam turns a flat sheet in its plane. */
const GAIN = 5e-2
/** Of a force that is read after rows were swept four times. */
const READ = 0.02

interface Sheet {
  world: World
  rows: { a: Body; b: Body; length: number }[]
  particles: Body[]
  beam: Body
}

/** A sheet of n × n particles, 1 m wide, that hangs from a beam, with its upper row on it. */
function hang(
  n: number,
  mass: number,
  beam: Partial<BodyDef>,
  substeps: number,
  how: 'pin' | 'ball',
  g = -9.81,
): Sheet {
  const world = new World({ substeps, dt: DT, gravity: [0, g, 0] })
  const carrier = world.addBody({ inertia: [0.3, 0.02, 0.3], ...beam })
  const l = 1 / (n - 1)
  const particles = Array.from({ length: n * n }, (_, k) =>
    world.addParticle({ position: [l * (k % n) - 0.5, -l * Math.floor(k / n), 0], mass: mass / (n * n) }),
  )
  const rows: Sheet['rows'] = []
  particles.forEach((a, k) => {
    if (k % n < n - 1) rows.push({ a, b: particles[k + 1], length: l })
    if (k + n < n * n) rows.push({ a, b: particles[k + n], length: l })
  })
  for (const row of rows) world.add(lineDistance, row)
  for (const a of particles.slice(0, n)) {
    const anchorB = [...carrier.toBody(a.position)] as [number, number, number]
    if (how === 'pin') world.add(pin, { a, b: carrier })
    else world.add(ballSocket, { a, b: carrier, anchorA: [0, 0, 0], anchorB, solver: 'sweep' })
  }
  return { world, rows, particles, beam: carrier }
}

function stretchOf({ rows }: Sheet): number {
  return Math.max(
    ...rows.map(({ a, b, length }) => {
      const [p, q] = [a.position, b.position]
      return Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]) / length - 1
    }),
  )
}

function mostOf(sheet: Sheet, steps: number): number {
  let most = 0
  for (let k = 0; k < steps; k++) {
    sheet.world.step()
    most = Math.max(most, stretchOf(sheet))
  }
  return most
}

describe(`pins (seed ${SEED})`, () => {
  test('a sheet hangs from a beam on a hinge of joints as if that were led, where ball joints stretch it', () => {
    const run = (how: 'pin' | 'ball'): number => {
      const sheet = hang(17, 0.8, { mass: 2 }, 8, how)
      for (const x of [-0.5, 0.5]) sheet.world.add(ballSocket, { a: sheet.beam, b: null, point: [x, 0, 0] })
      return mostOf(sheet, 120)
    }
    const pinned = run('pin')
    expect(pinned).toBeLessThan(5e-3)
    expect(run('ball')).toBeGreaterThan(3 * pinned)
  })

  test('a sheet that is thrown stretches no more on a slender beam, of which each pin has a share as it may turn there', () => {
    const sheet = hang(17, 0.8, { mass: 20, inertia: [0.02, 1.7, 1.7] }, 8, 'pin')
    for (const x of [-0.5, 0.5]) sheet.world.add(ballSocket, { a: sheet.beam, b: null, point: [x, 0, 0] })
    let most = 0
    for (const speed of [5, -5]) {
      for (const particle of sheet.particles) particle.setVelocity([0, 0, speed])
      most = Math.max(most, mostOf(sheet, 60))
    }
    expect(most).toBeLessThan(1e-3)
  })

  test('its force is what hangs on it, and both sides feel it', () => {
    const world = new World({ gravity: [0, -10, 0] })
    const beam = world.addBody({ mass: 3, inertia: 1 })
    world.add(ballSocket, { a: beam, b: null, point: [0, 0.5, 0] })
    const held = world.addParticle({ position: [0, -0.5, 0], mass: 0.1 })
    const weight = world.addParticle({ position: [0, -1.5, 0], mass: 0.4 })
    world.add(lineDistance, { a: held, b: weight })
    const hold = world.add(pin, { a: held, b: beam })
    for (let k = 0; k < 120; k++) world.step()
    expect(hold.error).toBeLessThan(1e-9)
    expect(Math.abs(hold.force / 5 - 1)).toBeLessThan(READ)
  })

  test('thrown and spun, at any masses, substeps and rates, a sheet and what carries it keep momenta and gain nothing', () => {
    const some = fc.record({
      mass: fc.double({ min: -2, max: 3, noNaN: true }),
      beam: fc.double({ min: -2, max: 3, noNaN: true }),
      substeps: fc.integer({ min: 1, max: 8 }),
      rate: fc.constantFrom(30, 60, 144),
      velocity: fc.tuple(...[0, 1, 2].map(() => fc.double({ min: -10, max: 10, noNaN: true }))),
      spin: fc.tuple(...[0, 1, 2].map(() => fc.double({ min: -10, max: 10, noNaN: true }))),
    })
    fc.assert(
      fc.property(some, ({ mass, beam, substeps, rate, velocity, spin }) => {
        const m = 10 ** beam
        const moments: [number, number, number] = [0.1 * m, 0.01 * m, 0.1 * m]
        const sheet = hang(5, 10 ** mass, { mass: m, inertia: moments }, substeps, 'pin', 0)
        const { world, particles } = sheet
        sheet.beam.setAngularVelocity(spin)
        for (const particle of particles.slice(5)) particle.setVelocity(velocity)
        const before = world.momentum()
        const start = world.energy().total
        world.step(1 / rate)
        const { total } = world.energy()
        for (let k = 0; k < 30; k++) {
          world.step(1 / rate)
          if (!(world.energy().total <= total + GAIN * start + AT_REST)) return false
        }
        const now = world.momentum()
        const size = Math.hypot(...before.linear, ...before.angular) + 10 ** mass * 20 + m * 20
        return [...now.linear, ...now.angular].every(
          (x, k) => Math.abs(x - [...before.linear, ...before.angular][k]) <= MOMENTUM * size,
        )
      }),
      { seed: SEED, numRuns: runs(60) },
    )
  })

  test('a particle with two pins has the shares of both with it, and its own mass again', () => {
    const world = new World()
    const [left, right] = [-0.5, 0.5].map((x) => world.addBody({ position: [x, 0, 0], mass: 2, inertia: 1 }))
    const particle = world.addParticle({ position: [0, 0, 0], mass: 0.1 })
    for (const b of [left, right]) world.add(pin, { a: particle, b })
    for (let k = 0; k < 30; k++) world.step()
    expect(particle.mass).toBe(0.1)
    expect(world.momentum().linear[1]).toBeCloseTo(-4.1 * 9.81 * 0.5, 9)
  })

  test('goes on with the same bits from a snapshot and from JSON', () => {
    const { world } = hang(6, 0.5, { mass: 2, angularVelocity: [1, 2, 3] }, 4, 'pin')
    for (let k = 0; k < 10; k++) world.step()
    const snapshot = world.snapshot()
    const copy = fromJSON(JSON.parse(JSON.stringify(world)), [pin, lineDistance] as never)
    const go = (w: World): string => {
      for (let k = 0; k < 10; k++) w.step()
      return w.hash()
    }
    const hash = go(world)
    expect(go(copy)).toBe(hash)
    world.restore(snapshot)
    expect(go(world)).toBe(hash)
  })

  test('refuses what it cannot hold', () => {
    const world = new World()
    const a = world.addParticle({})
    expect(() => world.add(pin, { a: null as unknown as Body, b: a })).toThrow(/pin: a must be a body, got null/)
    expect(() => world.add(pin, { a, b: null, anchorB: [0, NaN, 0] })).toThrow(/pin: anchorB/)
  })
})
