/** Bodies that run away: a step ends in time, and what they leave behind is neither NaN nor lost by JSON. */

import { fromJSON, World } from '@tautline/core'
import { describe, expect, test } from 'vitest'
import { workOf } from '../../core/test/support/work-of.js'
import { box, Collisions, collisionsFromJSON, plane, sphere } from '../src/index.js'
import { MANIFOLD_COLUMNS } from '../src/contact/manifold-columns.js'
import { runaway, RUNAWAYS } from './support/runaways.js'

/** Blocks of code that a step of two boxes may run: it runs 2·10⁶ at most, where a search without an end ran 10¹⁰. */
const MOST_WORK = 1e7

test('a step of bodies that run away is no more work than that of others', async () => {
  const work = await workOf(new URL('./support/step-work.ts', import.meta.url))
  expect(Object.keys(work)).toHaveLength(RUNAWAYS.length)
  for (const [name, count] of Object.entries(work)) expect(count, name).toBeLessThan(MOST_WORK)
})

describe.each(RUNAWAYS)('a body that is $name', ({ velocity, angularVelocity }) => {
  test('leaves only numbers', () => {
    const world = runaway(velocity, angularVelocity)
    for (let step = 0; step < 4; step++) {
      world.step()
      const { batch, events } = Collisions.of(world)!
      for (const [name, stride] of Object.entries(MANIFOLD_COLUMNS)) {
        const column = batch.columns[name as keyof typeof MANIFOLD_COLUMNS].subarray(0, stride * batch.count)
        expect(column.every(Number.isFinite), name).toBe(true)
      }
      for (const { point, normal, impulse } of events) {
        expect([...point, ...normal, impulse].every(Number.isFinite)).toBe(true)
      }
      const copy = fromJSON(JSON.stringify(world), [], { collisions: collisionsFromJSON })
      expect(copy.hash()).toBe(world.hash())
    }
  })
})

test('a step of a time near 1e308 s ends, where something is about to meet sleepers', () => {
  const world = new World({ maxDt: 1e308 })
  const collisions = new Collisions(world)
  collisions.addCollider(null, { shape: plane([0, 1, 0]) })
  const shape = box([0.25, 0.25, 0.25])
  for (let k = 0; k < 3; k++) collisions.addBody({ shape, position: [0, 0.25 + 0.5 * k, 0] })
  for (let k = 0; k < 60; k++) world.step()
  expect(world.bodies.all().every(({ asleep }) => asleep)).toBe(true)
  collisions.addBody({ shape, position: [0.5, 0.75, 0] })
  for (let k = 0; k < 2; k++) world.step(1e308)
  expect(world.clock.steps).toBe(62)
})

test('the impulse of forces near 1e308 N is a number, in events and in JSON', () => {
  const world = new World({ substeps: 1 })
  const collisions = new Collisions(world)
  collisions.addCollider(null, { shape: plane([0, 1, 0]) })
  const body = collisions.addBody({ shape: box([0.25, 0.25, 0.25]), position: [0, 0.25, 0] })
  world.step()
  body.applyForce([0, -1e308, 0])
  world.step()
  expect(collisions.events).toHaveLength(1)
  expect(Number.isFinite(collisions.events[0].impulse)).toBe(true)
  const copy = fromJSON(JSON.stringify(world), [], { collisions: collisionsFromJSON })
  expect(copy.hash()).toBe(world.hash())
})

test('the impulse on a body of 1e308 kg is a number', () => {
  const world = new World({ gravity: [0, 0, 0] })
  const collisions = new Collisions(world)
  collisions.addCollider(null, { shape: plane([0, 1, 0]) })
  // Of the fuzzer's seed 17008839.
  const orientation = [0.8234388370207861, 0.4691480927661346, -0.3154159493738419, 0.048593493601012054] as const
  const body = world.addBody({
    position: [0.26, 0.6, 0.114],
    velocity: [0, -1.314, -1.558],
    angularVelocity: [0.637, -3.282, -0.283],
    mass: 1e308,
    inertia: 0.0864,
    orientation,
  })
  collisions.addCollider(body, { shape: sphere(0.36), friction: 0.61 })
  for (let step = 0; step < 14; step++) {
    world.step()
    for (const { impulse } of collisions.events) expect(Number.isFinite(impulse)).toBe(true)
  }
})
