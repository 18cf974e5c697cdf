import { Collisions, cylinder, sphere } from '@tautline/collision'
import { type Body, World } from '@tautline/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Rope, rope } from '../src/index.js'
import { runs } from '../../core/test/support/runs.js'

const R = 0.2
const RADIUS = 0.01
const G = 9.81
/** Segments of a rope over half a drum stand off or sink in by some of their arc's height, which is 0.4 mm. */
const SUNK = 2e-3
/** Energy that may come and go as round-off and violation left, a share of m g · 1 m: that of the ledger's tests. */
const GAINED = 1e-2
/** Solves a substep of a rope at rest: loads of contacts are those of the substep before. */
const SOLVES = 4

interface Scene {
  world: World
  line: Rope
  loads: [Body, Body]
}

/** A rope of a gram half round a drum, straight down at both sides, with a load at each end. */
function overDrum(masses: [number, number], friction: number, substeps: number, dt = 1 / 60): Scene {
  const world = new World({ substeps, dt, energyGuard: false })
  const collisions = new Collisions(world, { sleeping: false })
  const orientation: [number, number, number, number] = [Math.SQRT1_2, 0, 0, Math.SQRT1_2]
  collisions.addCollider(null, { shape: cylinder(R, 1), orientation, friction })
  const points: number[] = [-R - RADIUS, -0.4, 0]
  for (let k = 0; k <= 24; k++) {
    const a = Math.PI * (1 - k / 24)
    points.push((R + RADIUS) * Math.cos(a), (R + RADIUS) * Math.sin(a), 0)
  }
  points.push(R + RADIUS, -0.4, 0)
  const [start, end] = masses.map((mass, side) =>
    world.addParticle({ position: [(R + RADIUS) * (2 * side - 1), -0.4, 0], mass }),
  )
  const line = rope(world, { points, radius: RADIUS, segments: 50, mass: 1e-3, friction, start, end })
  return { world, line, loads: [start, end] }
}

function deepest({ line }: Scene): number {
  return Math.max(...line.nodes.map(({ position: [x, y] }) => R + RADIUS - Math.sqrt(x * x + y * y)))
}

describe('a rope over a drum', () => {
  it.each([1, 4, 8])('bears its loads without sinking in, at %i substeps', (substeps) => {
    const scene = overDrum([5, 5], 0.3, substeps)
    let worst = 0
    for (let k = 0; k < 20; k++) {
      scene.world.step()
      if (k >= 10) worst = Math.max(worst, deepest(scene))
    }
    expect(worst).toBeLessThan(SUNK)
    expect(scene.line.tensionAt(0) / (5 * G)).toBeCloseTo(1, 1)
  })

  it.each([
    [0.1, 0.01, 10, 10],
    [0.1, 0.01, 75, 75],
    [0.3, 0.02, 300, 300],
    [0.1, 0.01, 10, 22],
  ])('of %f m, with default segments and a radius of %f m, bears %f and %f kg', (drum, radius, ...masses) => {
    const world = new World()
    const collisions = new Collisions(world)
    const orientation: [number, number, number, number] = [Math.SQRT1_2, 0, 0, Math.SQRT1_2]
    collisions.addCollider(null, { shape: cylinder(drum, 0.5), orientation, friction: 0.3 })
    const r = drum + radius
    const down = 0.5 * (2 - Math.PI * r)
    const arc = Array.from({ length: 17 }, (_, k) => {
      const a = Math.PI * (1 - k / 16)
      return [r * Math.cos(a), r * Math.sin(a), 0]
    })
    const points = [[-r, -down, 0], ...arc, [r, -down, 0]].flat()
    const [start, end] = masses.map((mass, side) =>
      world.addParticle({ position: [r * (2 * side - 1), -down, 0], mass }),
    )
    const line = rope(world, { points, radius, friction: 0.3, start, end })
    let solves = 0
    for (let k = 0; k < 60; k++) {
      world.step()
      if (k >= 30) solves += world.report.direct.solves
    }
    expect(solves / (30 * world.settings.substeps)).toBeLessThan(SOLVES)
    for (const { position } of line.nodes) expect(Math.hypot(position[0], position[1])).toBeGreaterThan(drum)
    for (const load of [start, end]) expect(Math.abs(load.position[1] + down)).toBeLessThan(0.03)
  })

  it('runs over it as two weights do where there is no friction', () => {
    const { world, loads } = overDrum([1, 2], 0, 4)
    for (let k = 0; k < 20; k++) world.step()
    const before = loads[1].velocity[1]
    for (let k = 0; k < 10; k++) world.step()
    // Atwood: g (2 − 1)/(2 + 1) in a sixth of a second. Segments that run on and off the drum take a tenth of it.
    const share = (loads[1].velocity[1] - before) / (-G / 3 / 6)
    expect(share).toBeGreaterThan(0.85)
    expect(share).toBeLessThan(1.02)
  })

  it('holds twice the load by friction that may be e^{0.3 π} times, and lets three times slip', () => {
    const [held, slips] = [2, 3].map((mass) => {
      const { world, loads } = overDrum([1, mass], 0.3, 4)
      for (let k = 0; k < 30; k++) world.step()
      return -loads[1].velocity[1]
    })
    // 0.43 g of what slips, by g (3 − e^{0.3π})/(3 + e^{0.3π}) in half a second, and a creep.
    expect(held).toBeLessThan(0.05)
    expect(slips).toBeGreaterThan(0.25)
  })

  it('gains nothing, whatever the loads, steps and friction', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.2, max: 5, noNaN: true }),
        fc.double({ min: 1, max: 10, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.integer({ min: 1, max: 6 }),
        fc.constantFrom(1 / 30, 1 / 60, 1 / 144),
        (mass, ratio, friction, substeps, dt) => {
          const scene = overDrum([mass, ratio * mass], friction, substeps, dt)
          const scale = (1 + ratio) * mass * G
          let least = scene.world.energy().total
          for (let k = 0; k < 12; k++) {
            scene.world.step()
            const { total } = scene.world.energy()
            expect((total - least) / scale).toBeLessThan(GAINED)
            least = Math.min(least, total)
          }
        },
      ),
      { numRuns: runs(6), seed: 5 },
    )
  })

  it('says how deep it is in what it lies on', () => {
    const world = new World()
    const collisions = new Collisions(world)
    const deep = 1.5 * RADIUS
    collisions.addCollider(null, { shape: sphere(R), position: [0, -R - RADIUS + deep, 0] })
    const line = rope(world, { points: [-0.1, 0, 0, 0, 0, 0, 0.1, 0, 0], radius: RADIUS })
    expect(line.depth).toBe(0)
    world.step()
    // Overlap is taken out slowly.
    expect(Math.abs(line.depth - deep)).toBeLessThan(2e-3)
  })

  it('goes on bit for bit from a snapshot within contact', () => {
    const { world } = overDrum([1, 2], 0.3, 3)
    for (let k = 0; k < 10; k++) world.step()
    const saved = world.snapshot()
    for (let k = 0; k < 10; k++) world.step()
    const hash = world.hash()
    world.restore(saved)
    for (let k = 0; k < 10; k++) world.step()
    expect(world.hash()).toBe(hash)
  })
})
