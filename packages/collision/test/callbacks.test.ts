/** What a user's functions do to a world within a step. */

import { type Body, custom, World } from '@tautline/core'
import { box, Collisions, plane, sphere } from '@tautline/collision'
import { expect, it } from 'vitest'

const level = custom({ name: 'level', bodies: 2, error: ([p, q]) => p.position[0] - q.position[0] })

function pile(): { world: World; collisions: Collisions; bodies: Body[] } {
  const world = new World()
  const collisions = new Collisions(world)
  collisions.addCollider(null, { shape: plane([0, 1, 0]) })
  const bodies = Array.from({ length: 6 }, (_, k) =>
    collisions.addBody({ shape: k % 2 === 0 ? box([0.5, 0.5, 0.5]) : sphere(0.5), position: [0, 0.5 + 0.95 * k, 0] }),
  )
  return { world, collisions, bodies }
}

it('a body that is removed while contacts are found goes when the step is over', () => {
  const { world, collisions, bodies } = pile()
  world.add(level, { bodies: [bodies[4], bodies[5]], enableCollision: true })
  let wasAlive = false
  collisions.onContact(({ a, b }) => {
    for (const collider of [a, b]) {
      const { body } = collider
      if (body === null || body === bodies[0]) continue
      body.remove()
      body.remove()
      wasAlive = body.alive
    }
  })
  world.step()
  expect(wasAlive).toBe(true)
  expect(world.bodies.all()).toEqual([bodies[0]])
  expect(world.constraints()).toEqual([])
  for (let k = 0; k < 20; k++) world.step()
  expect(Array.from(bodies[0].position).every(Number.isFinite)).toBe(true)
})

it('colliders and joints likewise, and from the velocity hook', () => {
  const { world, collisions, bodies } = pile()
  const joint = world.add(level, { bodies: [bodies[4], bodies[5]], enableCollision: true })
  collisions.onContact(({ a, b }) => {
    if (b.body === null) return
    a.remove()
    if (joint.alive) joint.remove()
  })
  world.onVelocities(() => {
    if (bodies[3].alive) bodies[3].remove()
  })
  for (let k = 0; k < 10; k++) if (bodies[3].alive || k > 0) world.step()
  expect(bodies[3].alive).toBe(false)
  expect(joint.alive).toBe(false)
})

it('what would move tables under the step is refused, and errors come out when the step is done', () => {
  const { world, collisions, bodies } = pile()
  const spheres: unknown[] = []
  collisions.onContact(() => {
    spheres.push(collisions.addBody({ shape: sphere(1) }))
  })
  const steps = world.clock.steps
  expect(() => world.step()).toThrow(/addBody must not be called by what a step calls/)
  expect(world.clock.steps).toBe(steps + 1)
  expect(spheres).toEqual([])
  collisions.onContact(() => {
    throw new Error('mine')
  })
  expect(() => world.advance(1 / 60)).toThrow('mine')
  collisions.onContact(undefined)
  for (let k = 0; k < 20; k++) world.step()
  expect(world.bodies.all()).toHaveLength(6)
  expect(Array.from(bodies[5].position).every(Number.isFinite)).toBe(true)
})

it('a contact tells its own friction, and the point on the shape of its second body', () => {
  const world = new World({ substeps: 1 })
  const collisions = new Collisions(world, { margin: 0.01 })
  collisions.addCollider(null, { shape: plane([0, 1, 0]), friction: 1 })
  const frictions = [0.04, 0.25, 0.81]
  frictions.forEach((friction, k) => {
    collisions.addBody({ shape: sphere(0.5), position: [2 * k, 0.499, k], friction })
  })
  const told: number[] = []
  collisions.onContact((contact) => {
    told.push(contact.friction)
  })
  world.step()
  expect(told.map((friction) => friction.toFixed(9)).sort()).toEqual(['0.200000000', '0.500000000', '0.900000000'])
  const out = new Float64Array(23)
  const points = [0, 1, 2].map((row) => {
    expect(collisions.readManifold(row, out)).toBe(1)
    expect(Math.abs(out[6] + 0.001)).toBeLessThan(0.001)
    return [out[3], out[4], out[5]]
  })
  // Of the sphere or of the plane: both are within what the sphere has sunk in.
  points
    .sort((p, q) => p[0] - q[0])
    .forEach(([x, y, z], k) => {
      expect(Math.abs(x - 2 * k)).toBeLessThan(0.01)
      expect(Math.abs(y)).toBeLessThan(0.01)
      expect(Math.abs(z - k)).toBeLessThan(0.01)
    })
})

it('a projection between two steps takes no event from them', () => {
  const world = new World()
  const collisions = new Collisions(world, { sleeping: false })
  collisions.addCollider(null, { shape: plane([0, 1, 0]) })
  collisions.addCollider(null, { shape: sphere(0.2), position: [0, 0.2, 0], sensor: true })
  const body = collisions.addBody({ shape: box([0.25, 0.25, 0.25]), position: [0, 0.25, 0] })
  const told: string[] = []
  for (const height of [0.25, 0.25, 5, 5, 0.25, 0.25]) {
    body.setPosition([0, height, 0])
    world.project()
    world.step()
    told.push(collisions.events.map(({ type, sensor }) => `${type}${sensor ? ' sensor' : ''}`).join(', '))
  }
  const [begin, persist, end] = ['begin', 'persist', 'end'].map((type) => `${type}, ${type} sensor`)
  expect(told).toEqual([begin, persist, end, '', begin, persist])
})
