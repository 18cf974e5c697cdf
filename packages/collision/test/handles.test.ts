/** A collider's handle is itself wherever it is given back, and prints as a short plain value. */

import { describe, expect, test } from 'vitest'
import { box, type Collider, Collisions, type Contact, overlapPoint, plane, rayCast, sphere } from '../src/index.js'
import { World } from '@tautline/core'

interface Scene {
  world: World
  collisions: Collisions
  floor: Collider
  ball: Collider
}

function scene(): Scene {
  const world = new World()
  const collisions = new Collisions(world)
  const floor = collisions.addCollider(null, { shape: plane([0, 1, 0], 0), name: 'floor' })
  const body = world.addBody({ position: [0, 0.49, 0], inertia: 0.1 })
  const ball = collisions.addCollider(body, { shape: sphere(0.5) })
  return { world, collisions, floor, ball }
}

describe('the handle that was given', () => {
  test('is what events, callbacks, queries and lists of a body name', () => {
    const { world, collisions, floor, ball } = scene()
    const seen = new Set<Collider>()
    collisions.onContact(({ a, b }: Contact) => {
      seen.add(a).add(b)
    })
    world.step()
    expect([...seen].every((collider) => collider === floor || collider === ball)).toBe(true)
    const [event] = collisions.events
    expect(new Set([event.a, event.b])).toEqual(new Set([floor, ball]))
    expect([event.a, event.b].every((collider) => collider === floor || collider === ball)).toBe(true)
    expect(rayCast(collisions, [0, 3, 0], [0, -1, 0])?.collider === ball).toBe(true)
    expect(overlapPoint(collisions, ball.body?.position ?? [0, 0, 0])[0] === ball).toBe(true)
    expect(collisions.collidersOf(null)[0] === floor).toBe(true)
  })

  test('is what the end of a touch names, though another has its number', () => {
    const { world, collisions, floor, ball } = scene()
    world.step()
    const { body } = ball
    ball.remove()
    const other = collisions.addCollider(body, { shape: box([0.1, 0.1, 0.1]), position: [0, 3, 0] })
    expect(other.id).toBe(ball.id)
    world.step()
    for (let k = 0; k < 2; k++) {
      const [event] = collisions.events
      expect(event.type).toBe('end')
      expect([event.a, event.b].every((collider) => collider === floor || collider === ball)).toBe(true)
    }
    expect(collisions.collidersOf(body)[0] === other).toBe(true)
  })

  test('comes back with a snapshot', () => {
    const { world, collisions, ball } = scene()
    world.step()
    const snapshot = world.snapshot()
    const { body } = ball
    ball.remove()
    const other = collisions.addCollider(body, { shape: sphere(0.2) })
    for (let k = 0; k < 2; k++) {
      world.restore(snapshot)
      expect(collisions.collidersOf(body)[0] === ball).toBe(true)
      expect([ball.alive, other.alive]).toEqual([true, false])
    }
  })
})

test('JSON of events has colliders as short plain values, stale ones as well', () => {
  const { world, collisions, floor, ball } = scene()
  world.step()
  const [event] = JSON.parse(JSON.stringify(collisions.events)) as Record<string, unknown>[]
  expect([event.a, event.b]).toContainEqual({ collider: 0, generation: 0, name: 'floor' })
  expect([event.a, event.b]).toContainEqual({ collider: 1, generation: 0 })
  floor.remove()
  expect(JSON.parse(JSON.stringify([floor, ball]))).toEqual([
    { collider: 0, generation: 0, name: 'floor' },
    { collider: 1, generation: 0 },
  ])
})
