/** Colliders that were removed: events, triggers and files still say what they were. */

import { fromJSON, World } from '@tautline/core'
import { describe, expect, test } from 'vitest'
import {
  addParticles,
  box,
  type Collider,
  Collisions,
  collisionsFromJSON,
  type ContactEvent,
  onTrigger,
  particleEvents,
  plane,
  sphere,
} from '../src/index.js'
import { Random } from '../../core/test/support/random.js'

interface Entity {
  readonly id: number
}

/** Everything that can be read of a collider. */
function facts(collider: Collider): unknown[] {
  const { name, shape, material, sensor, body, userData } = collider
  return [name, shape.name, material.friction, sensor, body?.name, (userData as Entity | undefined)?.id]
}

function readAll(events: readonly ContactEvent[]): void {
  for (const { a, b, removed } of events) {
    expect(removed).toBe(!a.alive || !b.alive)
    for (const collider of [a, b]) expect(facts(collider)[1]).toMatch(/plane|sphere|box/)
  }
}

/** A floor, and a row of gates that a number of balls and crates falls through. */
function scene(seed: number) {
  const source = new Random(seed)
  const random = (): number => source.next()
  const world = new World()
  const collisions = new Collisions(world)
  collisions.addCollider(null, { shape: plane([0, 1, 0]), name: 'floor' })
  const gates = [0.4, 0.8].map((y) =>
    collisions.addCollider(null, { shape: box([3, 0.5, 3]), position: [0, y, 0], sensor: true }),
  )
  let made = 0
  const add = (): void => {
    const shape = random() < 0.5 ? sphere(0.2) : box([0.2, 0.2, 0.2])
    const position = [3 * random() - 1.5, 0.3 + 1.5 * random(), 3 * random() - 1.5] as const
    const body = collisions.addBody({ shape, position, name: `thing ${++made}` })
    collisions.collidersOf(body)[0].userData = { id: made }
  }
  for (let k = 0; k < 12; k++) add()
  return { random, world, collisions, gates, add }
}

describe('events of a removed collider', () => {
  test('keep name, user data, shape and body, and say that it was removed', () => {
    const world = new World()
    const collisions = new Collisions(world)
    collisions.addCollider(null, { shape: plane([0, 1, 0]), name: 'floor' })
    const body = collisions.addBody({ shape: sphere(0.5), position: [0, 0.499, 0], name: 'ball', friction: 0.3 })
    const [ball] = collisions.collidersOf(body)
    ball.userData = { id: 7 }
    world.step()
    expect(collisions.events.map(({ removed }) => removed)).toEqual([false])
    body.remove()
    world.step()
    const [event] = collisions.events
    expect([event.type, event.removed]).toEqual(['end', true])
    const gone = [event.a, event.b].find(({ alive }) => !alive)!
    expect(gone === ball).toBe(true)
    expect(facts(gone)).toEqual(['ball', 'sphere', 0.3, false, 'ball', 7])
    expect(gone.body === body).toBe(true)
    expect(() => gone.set({ friction: 1 })).toThrow(RangeError)
  })

  test('can be read in a loop that removes bodies, in random scenes, also after a restore and from a file', () => {
    for (let seed = 1; seed <= 30; seed++) {
      const { random, world, collisions, add } = scene(seed)
      for (let step = 0; step < 40; step++) {
        world.step()
        const { events } = collisions
        for (const { a, b } of events) {
          readAll(events)
          for (const { body } of [a, b]) if (random() < 0.05 && body?.alive === true) body.remove()
        }
        if (random() < 0.3) add()
        if (random() < 0.2) {
          const saved = world.snapshot()
          const read = fromJSON(world.toJSON(), [], { collisions: collisionsFromJSON })
          world.step()
          read.step()
          const namesOf = (list: readonly ContactEvent[]) =>
            list.map(({ type, removed, a, b }) => [type, removed, a.id, a.shape.name, b.id, b.shape.name])
          expect(namesOf(Collisions.of(read)!.events)).toEqual(namesOf(collisions.events))
          readAll(collisions.events)
          world.restore(saved)
        }
        readAll(collisions.events)
      }
    }
  })

  test('and of removed sets of particles', () => {
    const world = new World()
    const collisions = new Collisions(world)
    const floor = collisions.addCollider(null, { shape: plane([0, 1, 0]), name: 'floor' })
    const row = [0, 1].map((x) => world.addParticle({ position: [x, 0.099, 0] }))
    const set = addParticles(collisions, row, { radius: 0.1, name: 'row' })
    world.step()
    set.remove()
    floor.remove()
    const read = fromJSON(world.toJSON(), [], { collisions: collisionsFromJSON })
    for (const [it, of] of [
      [world, collisions],
      [read, Collisions.of(read)!],
    ] as const) {
      it.step()
      const [event] = particleEvents(of)
      expect([event.type, event.removed, event.set.name, event.set.bodies.length]).toEqual(['end', true, 'row', 2])
      expect((event.other as Collider).shape.name).toBe('plane')
    }
  })
})

describe('onTrigger', () => {
  test('tells nothing of what an earlier handler removed before it came in', () => {
    const world = new World({ gravity: [0, 0, 0] })
    const collisions = new Collisions(world)
    const gates = [0, 1].map(() => collisions.addCollider(null, { shape: box([1, 1, 1]), sensor: true }))
    const told: string[] = []
    gates.forEach((gate, k) =>
      onTrigger(collisions, gate, {
        enter: ({ body }) => {
          told.push(`enter ${k}`)
          body?.remove()
        },
        leave: () => told.push(`leave ${k}`),
      }),
    )
    collisions.addBody({ shape: sphere(0.2), position: [0, 0, 0] })
    for (let k = 0; k < 4; k++) world.step()
    expect(told).toEqual(['enter 0', 'leave 0'])
  })

  test('enter, stay and leave are balanced in random scenes whose handlers remove, and none but leave has a removed one', () => {
    for (let seed = 1; seed <= 30; seed++) {
      const { random, world, collisions, gates, add } = scene(seed)
      const inside = new Set<string>()
      for (const gate of gates) {
        const keyOf = (other: Collider): string => `${gate.id} ${other.id} ${other.generation}`
        onTrigger(collisions, gate, {
          enter(other) {
            expect(other.alive).toBe(true)
            expect(inside.has(keyOf(other))).toBe(false)
            inside.add(keyOf(other))
            if (random() < 0.3) other.body?.remove()
          },
          stay(other) {
            expect(other.alive).toBe(true)
            expect(inside.has(keyOf(other))).toBe(true)
            if (random() < 0.05) other.body?.remove()
          },
          leave(other) {
            expect(inside.delete(keyOf(other))).toBe(true)
            expect(other.shape.name).toMatch(/plane|sphere|box/)
          },
        })
      }
      for (let step = 0; step < 40; step++) {
        world.step()
        if (random() < 0.3) add()
      }
    }
  })
})
