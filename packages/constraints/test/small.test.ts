/** What single types do with single fields. */

import { fromJSON, solidBox, World } from '@tautline/core'
import type { AnyType } from '@tautline/core/kernel'
import { expect, test } from 'vitest'
import { attachment, ballSocket, bendTwist, force, pointContact, tether } from '../src/index.js'

const NO_GRAVITY = { gravity: [0, 0, 0] as const }
/** Of coordinates near 1. */
const ROUND_OFF = 1e-12

test('an attachment takes eight bodies, and no more', () => {
  const world = new World(NO_GRAVITY)
  const bodies = Array.from({ length: 9 }, (_, k) => world.addParticle({ position: [k, 0, 0] }))
  expect(world.add(attachment, { bodies: bodies.slice(0, 8), count: 4 }).alive).toBe(true)
  expect(() => world.add(attachment, { bodies, count: 4 })).toThrow(/8 at most, got 9/)
})

test('an attachment holds its target at the anchors of each of its bodies, as they are turned', () => {
  const world = new World(NO_GRAVITY)
  const half = Math.SQRT1_2
  const bodies = [0, 1].map((k) =>
    world.addBody({ position: [k, 0, 0], orientation: [0, 0, half, half], inertia: solidBox(1, [1, 1, 1]) }),
  )
  // A quarter turn takes [0.5, 0, 0] to [0, 0.5, 0], and [0, 0, 0.25] to itself.
  const anchors = [0.5, 0, 0, 0, 0, 0.25]
  const row = world.add(attachment, { bodies, count: 2, weights: [0.25, 0.75], anchors })
  const { target } = row.def as { target: readonly number[] }
  const wanted = [0.75, 0.125, 0.1875]
  wanted.forEach((value, k) => expect(Math.abs(target[k] - value)).toBeLessThan(ROUND_OFF))
  world.step()
  for (const body of bodies) expect(Math.hypot(...body.velocity)).toBeLessThan(ROUND_OFF)
})

test('a law of force refuses options that it does not know', () => {
  const options = { name: 'wind', bodies: 1, force: () => undefined, stifness: 1 }
  expect(() => force(options as never)).toThrow(/stifness/)
})

test('a change of the solver holds from the next step on', () => {
  const world = new World(NO_GRAVITY)
  const [a, b] = [0, 1].map((x) => world.addBody({ position: [x, 0, 0], inertia: 1 }))
  world.add(ballSocket, { a, b, point: [0.5, 0, 0] })
  const trees: number[] = []
  for (const solver of ['auto', 'sweep', 'direct'] as const) {
    world.configure({ solver })
    world.step()
    trees.push(world.report.direct.trees)
  }
  expect(trees).toEqual([1, 0, 1])
})

test('a point that overflows in the space of a body is refused as too far', () => {
  const world = new World()
  const half = Math.SQRT1_2
  const b = world.addBody({ position: [1e308, 0, 1e308], orientation: [0, half, 0, half], inertia: 1 })
  const point = [-1e308, 0, -1e308] as const
  expect(() => world.add(ballSocket, { b, point })).toThrow(/ballSocket: point must be near enough, got \[-1e\+308/)
  const normal = [0, 1, 0] as const
  expect(() => world.add(pointContact, { b, pointA: [0, 0, 0], pointB: point, normal })).toThrow(/pointB must be near/)
  const a = world.addParticle({ position: [0, 0, 0] })
  expect(() => world.add(tether, { a, b, point })).toThrow(/tether: point must be near enough/)
  expect(world.constraints()).toEqual([])
})

test('a rod bends between bodies that turn: others are refused', () => {
  const world = new World()
  const [a, b] = [0, 1].map((x) => world.addParticle({ position: [x, 0, 0] }))
  expect(() => world.add(bendTwist, { a, b, axis: [1, 0, 0], bendStiffness: 1 })).toThrow(/bendTwist: .*inertia/)
  const turning = world.addBody({ position: [2, 0, 0], inertia: 1 })
  expect(world.add(bendTwist, { b: turning, axis: [1, 0, 0], bendStiffness: 1 }).alive).toBe(true)
})

test('a frequency of masses whose levers overflow gives a compliance that JSON can carry', () => {
  const world = new World()
  const orientation = [-0.1983228968601454, 0.6994613996787923, 0.4862109729474532, 0.484789303435911] as const
  const b = world.addBody({ position: [-0.199, 2.8, -1e200], inertia: 0.51483, mass: 5, orientation })
  const row = world.add(ballSocket, { b, form: 'scalar', point: [0.998, -0.006, 0.411], frequency: 1 })
  const { compliance, damping } = row.def as { compliance: number; damping: number }
  expect([compliance, damping].every(Number.isFinite)).toBe(true)
  const copy = fromJSON(JSON.stringify(world), [ballSocket] as unknown as AnyType[])
  expect(copy.hash()).toBe(world.hash())
})
