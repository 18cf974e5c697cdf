import { type ConstraintType, fromJSON, solidBox, World } from '@tautline/core'
import { describe, expect, test } from 'vitest'
import { ballSocket, distance, fixed, hinge, slider, swingTwist, universal } from '../../src/index.js'
import { run } from './support.js'

const TYPES = [ballSocket, distance, fixed, hinge, slider, swingTwist, universal] as unknown as ConstraintType<never>[]

/**
 * State of the tree below after 300 steps. It is the same on every engine; a change of it is a change of what users get, to be
 * made on purpose and told in the changelog.
 */
const HASH = 'f8eb5b8208e4b7ee'

/** A tree of all joints with limits, drives and friction, one substep a step. */
function tree(): World {
  const world = new World({ substeps: 1 })
  const inertia = solidBox(1, [0.5, 0.2, 0.1])
  const link = (x: number, y = 0) => world.addBody({ position: [x, y, 0], inertia, angularVelocity: [0.3, 0.1 * x, 1] })
  const range = { min: -0.4, max: 0.6 }
  const [first, second, third, fourth] = [0.25, 0.75, 1.25, 1.75].map((x) => link(x))
  world.add(hinge, { a: null, b: first, point: [0, 0, 0], axis: [0, 0, 1], limits: range, frictionTorque: 0.5 })
  world.add(swingTwist, {
    a: first,
    b: second,
    point: [0.5, 0, 0],
    axis: [1, 0, 0],
    swing: { y: range, z: range },
    twist: range,
    drive: { stiffness: 20, damping: 1, maxTorque: 5 },
  })
  world.add(universal, { a: second, b: third, point: [1, 0, 0], axisA: [0, 1, 0], axisB: [0, 0, 1] })
  world.add(slider, { a: third, b: fourth, axis: [1, 0, 0], limits: { min: -0.1, max: 0.2 } })
  const [side, end] = [link(0.75, -0.5), link(0.75, -1)]
  world.add(ballSocket, { a: second, b: side, point: [0.75, -0.25, 0], compliance: 1e-4, damping: 100 })
  world.add(fixed, { a: side, b: end, point: [0.75, -0.75, 0] })
  let above = end
  for (let k = 0; k < 4; k++) {
    const b = world.addParticle({ position: [0.75 + 0.2 * (k + 1), -1, 0], mass: 0.3 })
    world.add(distance, { a: above, b, ...(k === 3 && { mode: 'rope', length: 0.3 }) })
    above = b
  }
  return world
}

describe('state', () => {
  test('the same bits, whatever runs them', () => {
    const world = tree()
    run(world, 300)
    expect(world.report.nonFinite).toHaveLength(0)
    expect(world.report.direct.joints).toBe(10)
    expect(world.hash()).toBe(HASH)
  })

  test('a snapshot goes on with the same bits, in its own world and in its copy', () => {
    const world = tree()
    run(world, 40)
    const snapshot = world.snapshot()
    run(world, 40)
    const wanted = world.hash()
    world.restore(snapshot)
    run(world, 40)
    expect(world.hash()).toBe(wanted)
  })

  test('JSON goes on with the same bits', () => {
    const world = tree()
    run(world, 40)
    const copy = fromJSON(JSON.parse(JSON.stringify(world.toJSON())) as ReturnType<World['toJSON']>, TYPES)
    for (const each of [world, copy]) run(each, 40)
    expect(copy.hash()).toBe(world.hash())
  })

  test('a restored world knows its trees again', () => {
    const world = tree()
    run(world, 10)
    const snapshot = world.snapshot()
    const joint = world.constraints()[3]
    joint.remove()
    run(world, 1)
    expect(world.report.direct.joints).toBeLessThan(10)
    world.restore(snapshot)
    run(world, 1)
    expect(world.report.direct).toMatchObject({ trees: 1, joints: 10 })
  })

  test('how a joint is solved survives JSON', () => {
    const world = new World({ solver: 'direct' })
    const b = world.addBody({ position: [1, 0, 0], inertia: 1 })
    world.add(ballSocket, { a: null, b, point: [0, 0, 0], solver: 'sweep' })
    const copy = fromJSON(world.toJSON(), TYPES)
    expect(copy.settings.solver).toBe('direct')
    expect(copy.constraints()[0].def).toMatchObject({ solver: 'sweep' })
  })

  test.each([
    ['newton', RangeError],
    [3, TypeError],
  ])('a wrong solver, %s, is quoted', (value, error) => {
    const world = new World()
    const b = world.addBody({ inertia: 1 })
    const solver = value as 'auto'
    expect(() => world.add(ballSocket, { a: null, b, point: [0, 0, 0], solver })).toThrow(error)
    expect(() => world.add(ballSocket, { a: null, b, point: [0, 0, 0], solver })).toThrow(String(value))
    expect(() => new World({ solver })).toThrow(String(value))
  })
})
