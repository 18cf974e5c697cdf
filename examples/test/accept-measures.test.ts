/** Every kind of measure of the acceptance gate sees what it is for: it is larger where the physics is worse. */

import { box, Collisions, plane, sphere } from '@tautline/collision'
import { ballSocket } from '@tautline/constraints'
import { type Body, solidBox, World, type WorldOptions } from '@tautline/core'
import { expect, it } from 'vitest'
import { energyGain } from '../accept/energy.js'
import { jointGap } from '../accept/joints.js'
import { speedAtRest, timeUntilRest, worstOf } from '../accept/measure.js'
import { runScene } from '../accept/run-scene.js'
import type { Bounds, Made } from '../accept/scene.js'

const DT = 1 / 60
const LOOSE: Bounds = { time: Infinity, energy: Infinity, penetration: Infinity, unsolved: Infinity, solves: Infinity }

/** Links that hang from the world and are let go level; the last has another mass. */
function chain(last: number, options: WorldOptions = {}, count = 6): { world: World; links: Body[] } {
  const world = new World(options)
  const links: Body[] = []
  for (let k = 0; k < count; k++) {
    const mass = k === count - 1 ? last : 1
    const link = world.addBody({ position: [k + 0.5, 0, 0], mass, inertia: solidBox(mass, [1, 0.1, 0.1]) })
    world.add(ballSocket, { a: links[k - 1] ?? null, b: link, point: [k, 0, 0] })
    links.push(link)
  }
  return { world, links }
}

async function metricsOf(made: Made, steps: number): Promise<Record<string, number | null>> {
  const scene = { name: 'test', text: 'of a test', steps, bounds: LOOSE, make: () => made }
  const { metrics, failed } = await runScene(scene)
  expect(failed).toBeUndefined()
  return Object.fromEntries(metrics.map(({ name, value }) => [name, value]))
}

it('joint gap: swept joints part, joints solved as trees do not', () => {
  const gapOf = (solver: 'sweep' | 'auto'): number => {
    const { world } = chain(1000, { solver })
    let gap = 0
    for (let k = 0; k < 30; k++) {
      world.step()
      gap = Math.max(gap, jointGap(world))
    }
    return gap
  }
  expect(gapOf('auto')).toBeLessThan(1e-6)
  expect(gapOf('sweep')).toBeGreaterThan(1e-3)
})

it('energy gain: one per cent of kinetic energy from nothing is seen, work that a ledger counts is none', () => {
  const gainOf = (options: WorldOptions, speedUp: number): number => {
    const { world, links } = chain(1, options)
    const gain = energyGain(world, 1)
    for (let k = 0; k < 60; k++) {
      if (k === 40)
        for (const body of links) {
          body.setVelocity(Array.from(body.velocity, (v) => speedUp * v) as [number, number, number])
          body.setAngularVelocity(Array.from(body.angularVelocity, (v) => speedUp * v) as [number, number, number])
        }
      world.step()
      gain.sample?.(k)
    }
    return gain.value()
  }
  const onePercent = Math.sqrt(1.01)
  expect(gainOf({}, 1)).toBeLessThan(1e-3)
  expect(gainOf({}, onePercent)).toBeGreaterThan(3e-3)
  expect(gainOf({ energyLedger: true }, onePercent)).toBeLessThan(1e-3)
})

it('penetration: deeper where a heavy box lands at one substep', async () => {
  const depthAt = async (substeps: number): Promise<number> => {
    const world = new World({ substeps })
    const collisions = new Collisions(world)
    collisions.addCollider(null, { shape: plane([0, 1, 0]) })
    collisions.addBody({ shape: box([0.5, 0.5, 0.5]), position: [0, 3, 0], orientation: [0.3, 0, 0.2, 0.93] })
    return (await metricsOf({ world, collisions, measures: [] }, 90))['penetration'] ?? NaN
  }
  expect(await depthAt(1)).toBeGreaterThan(2 * (await depthAt(16)))
})

it('faults: a body that becomes non-finite counts', async () => {
  const { world } = chain(1)
  const thrown = world.addBody({ mass: 1, inertia: 1, position: [0, 5, 0], velocity: [1e308, 1e308, 0] })
  thrown.applyForce([1e308, 0, 0])
  expect((await metricsOf({ world, measures: [] }, 5))['faults']).toBeGreaterThan(0)
  expect((await metricsOf({ world: chain(1).world, measures: [] }, 5))['faults']).toBe(0)
})

it('solves per pass: a whipped heavy chain takes more', async () => {
  const solvesOf = async (last: number, spin: number): Promise<number> => {
    const { world, links } = chain(last)
    for (const body of links) body.setAngularVelocity([0, spin, spin])
    return (await metricsOf({ world, measures: [] }, 30))['solves per pass'] ?? NaN
  }
  expect(await solvesOf(1e6, 20)).toBeGreaterThan((await solvesOf(1, 0)) + 0.05)
})

it('rest: a bouncing ball rests later, and one that never rests fails the bound', () => {
  const restOf = (restitution: number): readonly [number, number] => {
    const world = new World()
    const collisions = new Collisions(world)
    collisions.addCollider(null, { shape: plane([0, 1, 0]), restitution })
    const ball = collisions.addBody({ shape: sphere(0.2), position: [0, 1, 0], restitution })
    const [rest, speed] = [timeUntilRest([ball], 1, DT), speedAtRest([ball], 1, 90)]
    for (let k = 0; k < 120; k++) {
      world.step()
      rest.sample?.(k)
      speed.sample?.(k)
    }
    return [rest.value(), speed.value()]
  }
  const [soon, still] = restOf(0)
  const [late, fast] = restOf(0.95)
  expect(soon).toBeLessThan(0.7)
  expect(still).toBeLessThan(0.01)
  expect(late).toBeCloseTo(2, 5)
  expect(fast).toBeGreaterThan(0.5)
})

it('a value that is not a number stays the worst', () => {
  const values = [1, NaN, 2]
  const worst = worstOf('gap', 'gap', 1, () => values.shift() ?? 0)
  for (let k = 0; k < 3; k++) worst.sample?.(k)
  expect(worst.value()).toBeNaN()
})

it('a scene that throws fails with its message, and its metrics are gone', async () => {
  const result = await runScene({
    name: 'test',
    text: 'throws',
    steps: 1,
    bounds: LOOSE,
    make: () => {
      throw new RangeError('there is no such body')
    },
  })
  expect(result).toMatchObject({ scene: 'test', metrics: [], failed: 'RangeError: there is no such body' })
})
