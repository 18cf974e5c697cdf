/** Loops of single types where one row, or what was before, could show through. */

import { type CustomBody, World } from '@tautline/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Random } from '../../core/test/support/random.js'
import { SEED } from '../../core/test/support/seed.js'
import { distance, fixed, force, type ForceBody, hinge } from '../src/index.js'

const ROUND_OFF = 1e-12
/** An angle that a hinge leaves free of its axis, held by many sweeps [rad]. */
const HELD = 1e-3
/** The same in other axes, of speeds by iteration [share]. */
const ALIKE = 1e-6

test(`velocityAt of a force is v + ω × r (seed ${SEED})`, () => {
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const random = new Random(seed)
      const local = random.vector()
      const seen: { v: number[]; w: number[]; r: number[]; at: number[] }[] = []
      const probe = force({
        name: 'probe',
        bodies: 1,
        force([body]: readonly ForceBody[]) {
          const point = (body as CustomBody).point(local)
          seen.push({
            v: Array.from(body.velocity),
            w: Array.from(body.angularVelocity),
            r: point.map((x, k) => x - body.position[k]),
            at: body.velocityAt(local),
          })
        },
      })
      const world = new World({ gravity: [0, 0, 0] })
      const body = world.addBody({
        inertia: 1,
        velocity: random.vector(),
        angularVelocity: random.vector(),
        orientation: random.rotation(),
      })
      world.add(probe, { bodies: [body], params: undefined })
      world.step()
      expect(seen.length).toBeGreaterThan(0)
      for (const { v, w, r, at } of seen) {
        const expected = [0, 1, 2].map((i) => {
          const [j, k] = [(i + 1) % 3, (i + 2) % 3]
          return v[i] + w[j] * r[k] - w[k] * r[j]
        })
        expected.forEach((x, i) => expect(Math.abs(at[i] - x)).toBeLessThan(ROUND_OFF))
      }
    }),
    { seed: SEED, numRuns: 10 },
  )
})

test('a rope that has passed through its middle and is too long pulls from where it is', () => {
  const world = new World({ gravity: [0, 0, 0], substeps: 1 })
  const hook = world.addParticle({ type: 'static' })
  const ball = world.addParticle({ position: [1, 0, 0], velocity: [-2.5 * 60, 0, 0] })
  world.add(distance, { a: hook, b: ball, length: 1, solver: 'sweep' })
  world.step(1 / 60)
  expect(Math.abs(ball.position[0] + 1)).toBeLessThan(ROUND_OFF)
})

test('a hinge beside one with a weak drive is held as if it were alone', () => {
  const world = new World({ iterations: 40 })
  const beam = (z: number): ReturnType<World['addBody']> =>
    world.addBody({ position: [0.5, 0, z], inertia: 0.1, angularVelocity: [5, 5, 0] })
  const [driven, free] = [beam(0), beam(5)]
  const common = { a: null, axis: [0, 0, 1] as const, solver: 'sweep' as const }
  const drive = { velocityTarget: 3, damping: 1e6, maxForce: 1e-3 }
  world.add(hinge, { ...common, b: driven, point: [0, 0, 0], drive })
  const other = world.add(hinge, { ...common, b: free, point: [0, 0, 5] })
  for (let k = 0; k < 30; k++) {
    world.step()
    expect(other.error).toBeLessThan(HELD)
  }
})

test('a motor turns what is fixed to its body far off alike along each axis, and nothing of it is held back', () => {
  const speeds = [0, 1, 2].map((along) => {
    const world = new World({ gravity: [0, 0, 0] })
    const place: [number, number, number] = [0, 0, 0]
    place[along] = 3
    const axis: [number, number, number] = [0, 0, 0]
    axis[(along + 1) % 3] = 1
    const hub = world.addBody({ mass: 1, inertia: 0.01 })
    const weight = world.addBody({ position: place, mass: 1, inertia: 0.01 })
    world.add(fixed, { a: hub, b: weight })
    const drive = { velocityTarget: 8, damping: 1e6 }
    world.add(hinge, { a: null, b: hub, point: [0, 0, 0], axis, drive })
    for (let k = 0; k < 60; k++) {
      world.step()
      expect(world.report.guard.components).toBe(0)
    }
    return weight.angularVelocity[(along + 1) % 3]
  })
  for (const speed of speeds) expect(Math.abs(speed / speeds[0] - 1)).toBeLessThan(ALIKE)
})
