/** Impacts of what is too fast for a substep: no gain of energy, nothing passed, momentum kept. */

import { type Body, type BodyDef, World } from '@tautline/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { box, capsule, Collisions, plane, type Shape, sphere } from '../src/index.js'
import { runs } from '../../core/test/support/runs.js'

const SEED = 1
/** Growth of energy that is allowed, as a share: turning between impacts keeps it to about this. */
const GAIN = 1e-3
/** Momentum is changed by round-off alone, as a share. */
const ROUND_OFF = 1e-9
/** What turns is integrated with its momentum fixed to the accuracy of the midpoint rule. */
const ANGULAR = 1e-3

interface Thrown {
  world: World
  collisions: Collisions
  body: Body
}

/** A body 1 m above y = 0, thrown down. */
function thrown(shape: Shape, speed: number, substeps: number, turn: readonly number[], surface: object = {}): Thrown {
  const world = new World({ substeps })
  const collisions = new Collisions(world)
  const length = Math.hypot(...turn)
  const orientation = turn.map((q) => q / length) as [number, number, number, number]
  const body = collisions.addBody({
    shape,
    position: [0, 1, 0],
    orientation,
    velocity: [0.3 * speed, -speed, 0],
    ...surface,
  })
  return { world, collisions, body }
}

const turns = fc.tuple(
  fc.double({ min: -1, max: 1, noNaN: true }),
  fc.double({ min: -1, max: 1, noNaN: true }),
  fc.double({ min: -1, max: 1, noNaN: true }),
  fc.double({ min: 0.1, max: 1, noNaN: true }),
)

describe('small and fast', () => {
  test.each([
    [10, 1],
    [50, 8],
    [200, 8],
  ])('a box of 2 cm at %d m/s and %d substeps gains nothing on a plane', (speed, substeps) => {
    fc.assert(
      fc.property(turns, (turn) => {
        const { world, collisions, body } = thrown(box([0.01, 0.012, 0.008]), speed, substeps, turn)
        collisions.addCollider(null, { shape: plane([0, 1, 0]) })
        const first = world.energy().total
        for (let k = 0; k < 20; k++) {
          world.step(1 / 60)
          expect(world.energy().total).toBeLessThan(first * (1 + GAIN))
        }
        expect(body.position[1]).toBeGreaterThan(0)
      }),
      { seed: SEED, numRuns: runs(15) },
    )
  })

  test.each([
    ['crate', box([0.25, 0.25, 0.25]), 60],
    ['capsule', capsule(0.01, 0.02), 300],
    ['ball', sphere(0.0025), 300],
  ])('a %s does not pass a wall of 2 mm at one substep', (_name, shape, speed) => {
    fc.assert(
      fc.property(turns, (turn) => {
        const { world, collisions, body } = thrown(shape, speed, 1, turn)
        collisions.addCollider(null, { shape: box([100, 0.001, 100]), position: [0, -0.001, 0] })
        for (let k = 0; k < 10; k++) world.step(1 / 60)
        expect(body.position[1]).toBeGreaterThan(0)
      }),
      { seed: SEED, numRuns: runs(10) },
    )
  })

  test('a fast step is a function of the snapshot', () => {
    const { world, collisions } = thrown(box([0.05, 0.2, 0.03]), 80, 2, [0.3, 0.2, 0.1, 0.9], { restitution: 0.7 })
    collisions.addCollider(null, { shape: plane([0, 1, 0]) })
    for (let k = 0; k < 3; k++) {
      const snapshot = world.snapshot()
      world.step(1 / 60)
      const hash = world.hash()
      world.restore(snapshot)
      world.step(1 / 60)
      expect(world.hash()).toBe(hash)
    }
  })
})

test('two free bodies keep their momentum and gain nothing, whatever their masses', () => {
  fc.assert(
    fc.property(
      turns,
      fc.double({ min: -3, max: 3, noNaN: true }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (turn, ratio, e) => {
        const surface = { restitution: e, friction: 0.7 }
        const { world, collisions } = thrown(box([0.1, 0.2, 0.05]), 100, 2, turn, { mass: 1, ...surface })
        world.configure({ gravity: [0, 0, 0] })
        collisions.addBody({
          shape: box([0.3, 0.3, 0.3]),
          mass: Math.pow(10, ratio),
          position: [0.1, 0, 0.05],
          ...surface,
        })
        const before = world.momentum()
        const first = world.energy().total
        for (let k = 0; k < 4; k++) world.step(1 / 60)
        const after = world.momentum()
        for (let k = 0; k < 3; k++) {
          expect(Math.abs(after.linear[k] - before.linear[k])).toBeLessThan(100 * ROUND_OFF)
          expect(Math.abs(after.angular[k] - before.angular[k])).toBeLessThan(100 * ANGULAR)
        }
        expect(world.energy().total).toBeLessThan(first * (1 + GAIN))
      },
    ),
    { seed: SEED, numRuns: runs(30) },
  )
})

test('a ball with e = 1 comes back to its height at one substep', () => {
  const world = new World({ substeps: 1 })
  const collisions = new Collisions(world)
  collisions.addCollider(null, { shape: plane([0, 1, 0]) })
  const ball = collisions.addBody({ shape: sphere(0.1), position: [0, 2, 0], restitution: 1, friction: 0 })
  let top = 0
  for (let k = 0; k < 110; k++) {
    world.step(1 / 60)
    if (k > 60) top = Math.max(top, ball.position[1])
  }
  // Heights are looked at 60 times a second: g h²/8 at most is missed.
  expect(top).toBeGreaterThan(2 - 9.81 / 3600)
  expect(top).toBeLessThan(2 + 1e-3)
})

test('what strikes a kinematic body takes its velocity from it and leaves it where it is steered', () => {
  const world = new World({ substeps: 1, gravity: [0, 0, 0] })
  const collisions = new Collisions(world)
  const bat = collisions.addBody({ shape: box([1, 0.02, 1]), type: 'kinematic', velocity: [0, 50, 0], restitution: 1 })
  const ball = collisions.addBody({ shape: sphere(0.02), position: [0, 0.3, 0], restitution: 1 })
  for (let k = 0; k < 2; k++) world.step(1 / 60)
  expect(bat.position[1]).toBeCloseTo(100 / 60, 9)
  // The rigid solve of a manifold has a compliance of 1e-6 of its mass.
  expect(ball.velocity[1]).toBeCloseTo(100, 3)
})

/** Steps of a group in a step that never ends, an impact each: 64 + 32 + 16 + 8 + 4 × 4; without the halving 512. */
const MOST_IMPACTS = 136

test('a step without an end costs no more impacts for its later substeps', () => {
  const world = new World({ gravity: [0, 0, 0], maxDt: 1e100 })
  const collisions = new Collisions(world)
  for (const normal of [
    [0, 1, 0],
    [0, -1, 0],
  ] as const) {
    collisions.addCollider(null, { shape: plane(normal, -1), restitution: 1 })
  }
  const ball = collisions.addBody({ shape: sphere(0.1), velocity: [1, 2, 0], restitution: 1 })
  world.step(1e100)
  const { impacts, exhausted } = collisions.impactReport
  expect(exhausted).toBe(8)
  expect(impacts).toBeLessThanOrEqual(MOST_IMPACTS)
  expect(ball.velocity[1] ** 2).toBeLessThanOrEqual(4 * (1 + GAIN))
})

test('bodies that run out of steps take none from others', () => {
  // Where a ball ends that bounces between walls, beside `count` others that bounce more often than there are steps.
  const run = (count: number): number => {
    const world = new World({ gravity: [0, 0, 0], substeps: 1 })
    const collisions = new Collisions(world)
    const ball = (x: number, speed: number): Body => {
      const walls = [-0.2, 0.2].map((y) => ({
        shape: box([1, 0.1, 1]),
        position: [x, y, 0] as [number, number, number],
      }))
      for (const wall of walls) collisions.addCollider(null, { ...wall, restitution: 1, friction: 0 })
      const shape = sphere(0.02)
      return collisions.addBody({ shape, position: [x, 0, 0], velocity: [0, speed, 0], restitution: 1, friction: 0 })
    }
    for (let k = 0; k < count; k++) ball(1000 * (k + 1), 3000)
    const judged = ball(0, 100)
    world.step(1 / 60)
    expect(collisions.impactReport.exhausted).toBe(count)
    return judged.position[1]
  }
  expect(run(6)).toBe(run(0))
})

test('what a step that is taken back had not begun with stays where it is, and a restored world goes on alike', () => {
  const world = new World({ gravity: [0, 0, 0] })
  const collisions = new Collisions(world)
  collisions.addCollider(null, { shape: plane([0, 1, 0]), friction: 0.508 })
  const add = (shape: Shape, def: BodyDef): Body => {
    const body = world.addBody(def)
    collisions.addCollider(body, { shape, friction: 0.508 })
    return body
  }
  const spinning = add(box([0.345, 0.345, 0.345]), {
    position: [-0.03, 0.6, 0.245],
    orientation: [-0.1692729261803678, -0.07368350904321891, 0.38534483783413137, 0.9041165704221997],
    angularVelocity: [1e6, 0, 0],
    inertia: 0.07934999999999999,
  })
  add(box([0.474, 0.474, 0.474]), {
    position: [0.267, 1.7000000000000002, 0.246],
    orientation: [0.0499821245748874, -0.517556838339963, 0.7368332558297916, 0.4321035285828975],
    velocity: [3.38, -2.762, 0.241],
    angularVelocity: [4.953, 4.85, -1.729],
    mass: 5,
    inertia: 0.74892,
  })
  const ball = add(sphere(0.118), {
    position: [0.278, 3.9000000000000004, -0.002],
    orientation: [0.08096420247988403, -0.5249614418856997, 0.6196373238178221, 0.5778493483443337],
    velocity: [-2.677, -1.881, -1.982],
    angularVelocity: [2.98, 3.892, -2.69],
    mass: 10,
    inertia: 0.09282666666666665,
  })
  const start = world.snapshot()
  world.step()
  const once = world.hash()
  expect([spinning.frozen, ball.frozen]).toEqual([false, false])
  world.restore(start)
  world.step()
  expect(world.hash()).toBe(once)
})
