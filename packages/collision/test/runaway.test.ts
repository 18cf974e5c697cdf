/** Bodies that run away: a step ends in time, and what they leave behind is neither NaN nor lost by JSON. */

import { fromJSON, World } from '@tautline/core'
import { describe, expect, test } from 'vitest'
import { box, Collisions, collisionsFromJSON, plane, sphere } from '../src/index.js'
import { MANIFOLD_COLUMNS } from '../src/contact/manifold-columns.js'

type Vec3 = [number, number, number]

/** Two boxes over a plane, the upper one with some velocity. */
function boxes(velocity: Vec3, angularVelocity: Vec3, jacobians: 'fresh' | 'frozen' = 'fresh'): World {
  const world = new World({ jacobians })
  const collisions = new Collisions(world)
  collisions.addCollider(null, { shape: plane([0, 1, 0]) })
  const shape = box([0.25, 0.25, 0.25])
  collisions.addBody({ shape, position: [0, 0.6, 0] })
  const body = collisions.addBody({ shape, position: [0, 1.2, 0], velocity })
  body.setAngularVelocity(angularVelocity)
  return world
}

/** Time of the processor for a step of two boxes [ms]: random scenes of this kind took minutes, and take some milliseconds. */
const LONG = 2000

describe.each([
  ['fast', [0, -1e200, 1e100], [0, 0, 0]],
  ['spinning fast', [0, 0, 0], [0, -1e200, 1e150]],
  ['spinning', [0, 0, 0], [3e7, 1e6, 0]],
] as [string, Vec3, Vec3][])('a body that is %s', (_, velocity, angularVelocity) => {
  test('is stepped in time, and leaves only numbers', () => {
    const world = boxes(velocity, angularVelocity)
    for (let step = 0; step < 4; step++) {
      const start = process.cpuUsage()
      world.step()
      expect(process.cpuUsage(start).user / 1000).toBeLessThan(LONG)
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
  const world = new World()
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
