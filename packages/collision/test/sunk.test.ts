/** Bodies that are sunk in the floor do not fall asleep there. */

import { type Body, World } from '@tautline/core'
import { describe, expect, test } from 'vitest'
import { Random } from '../../core/test/support/random.js'
import { ballSocket } from '../../constraints/src/index.js'
import { box, capsule, Collisions, cylinder, plane, type Shape, sphere } from '../src/index.js'

/** Deeper than the solver calls deep at a substep of 1/480 s [m]. */
const DEEP = 6e-3
/** Depth at which a box of 1 m rests on a floor, and more [m]. */
const USUAL = 2e-4

type Vec3 = [number, number, number]

function worldWith(floor: 'plane' | 'box'): { world: World; collisions: Collisions } {
  const world = new World()
  const collisions = new Collisions(world)
  if (floor === 'plane') collisions.addCollider(null, { shape: plane([0, 1, 0]) })
  else collisions.addCollider(null, { shape: box([20, 2, 20]), position: [0, -2, 0] })
  return { world, collisions }
}

/** Steps until all sleep, but at most `most` times, and once more. Returns how deep sleepers are [m]. */
function depthAsleep(world: World, collisions: Collisions, most: number): number {
  const bodies = world.bodies.all().filter(({ type }) => type === 'dynamic')
  for (let k = 0; k < most && !bodies.every(({ asleep }) => asleep); k++) world.step()
  world.step()
  const asleep = collisions.events.filter(({ a, b }) => a.body?.asleep === true || b.body?.asleep === true)
  return Math.max(0, ...asleep.flatMap(({ points }) => points.map(({ separation }) => -separation)))
}

describe('a body that is sunk', () => {
  for (const lengths of [[0.5], [0.5, 0.5], [0.25, 0.25, 0.25], [1]]) {
    test(`by steps of ${lengths.join(' and ')} s rises when steps are short again, and sleeps then`, () => {
      const { world, collisions } = worldWith('plane')
      const crate = collisions.addBody({ shape: box([0.5, 0.5, 0.5]), position: [0, 0.5, 0] })
      for (const dt of lengths) world.step(dt)
      expect(crate.asleep).toBe(false)
      for (let k = 0; k < 120; k++) world.step()
      expect(crate.asleep).toBe(true)
      expect(Math.abs(0.5 - crate.position[1])).toBeLessThan(USUAL)
    })
  }

  test('and held by joints is pushed out before it sleeps: figures of a trunk and limbs, at any depth', () => {
    for (const floor of ['plane', 'box'] as const) {
      for (let depth = 0.2; depth < 0.7; depth += 0.1) {
        const { world, collisions } = worldWith(floor)
        const trunk = collisions.addBody({ shape: box([0.15, 0.3, 0.1]), position: [0, 1.2 - depth, 0], density: 1000 })
        for (const side of [-1, 1]) {
          let upper: Body = trunk
          for (const y of [0.7, 0.25]) {
            const lower = collisions.addBody({
              shape: capsule(0.06, 0.15),
              position: [0.1 * side, y - depth, 0],
              density: 1000,
            })
            world.add(ballSocket, { a: upper, b: lower, point: [0.1 * side, y + 0.22 - depth, 0] })
            upper = lower
          }
        }
        expect(depthAsleep(world, collisions, 600)).toBeLessThan(DEEP)
      }
    }
  })

  test('sleeps at no depth, in random scenes of lone and joined bodies', () => {
    const random = new Random(5)
    const shapes: readonly (() => Shape)[] = [
      () => sphere(random.between(0.2, 0.4)),
      () => box(Array.from(random.vector(), (x) => 0.1 + 0.4 * Math.abs(x)) as Vec3),
      () => capsule(random.between(0.1, 0.3), 0.4),
      () => cylinder(0.2, 0.3),
    ]
    for (let run = 0; run < 40; run++) {
      const { world, collisions } = worldWith(random.chance(0.5) ? 'plane' : 'box')
      const isJoined = random.chance(0.8)
      let before: Body | undefined
      for (let k = 0; k < 4; k++) {
        const y = random.between(-0.8, 0.2)
        const body = collisions.addBody({
          shape: shapes[random.below(shapes.length)](),
          position: [0.5 * k, y, random.between(0, 0.3)],
          orientation: random.rotation(),
          density: random.between(300, 3000),
          rollingFriction: 0.02,
        })
        if (isJoined && before !== undefined) {
          world.add(ballSocket, { a: before, b: body, point: [0.5 * k - 0.25, y, 0] })
        }
        before = body
      }
      expect(depthAsleep(world, collisions, 300)).toBeLessThan(DEEP)
    }
  })
})
