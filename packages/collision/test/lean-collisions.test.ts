import { LeanWorld, World } from '@tautline/core'
import { describe, expect, test } from 'vitest'
import {
  addParticles,
  box,
  type CollisionPart,
  Collisions,
  exactIslands,
  impacts,
  LeanCollisions,
  particleEvents,
  particles,
  plane,
  selfCollision,
  sphere,
  sweptSensors,
} from '../src/index.js'

const ALL = [impacts, exactIslands, particles, selfCollision, sweptSensors]

/** A ball that is thrown at a few boxes, and particles that rain on them. */
function scene(world: World, collisions: LeanCollisions, self: false | 'vertices'): World {
  collisions.addCollider(null, { shape: plane([0, 1, 0], 0) })
  for (let k = 0; k < 4; k++) {
    // Heavy on light: solved exactly.
    const density = 1000 * 10 ** k
    collisions.addBody({ shape: box([0.5, 0.25, 0.5]), density, position: [0, 0.25 + 0.5 * k, 0] })
  }
  collisions.addBody({ shape: sphere(0.2), position: [-4, 1, 0], velocity: [60, 0, 0], restitution: 0.5 })
  const rain = Array.from({ length: 8 }, (_, k) => world.addParticle({ position: [0.12 * k, 3, 0.01 * k], mass: 0.1 }))
  addParticles(collisions, rain, { radius: 0.07, selfCollision: self })
  return world
}

describe('lean collisions', () => {
  test('with all parts have the bits of complete ones in every step', () => {
    const complete = new World()
    scene(complete, new Collisions(complete), 'vertices')
    const composed = new World()
    scene(composed, new LeanCollisions(composed, { parts: ALL }), 'vertices')
    for (let step = 0; step < 60; step++) {
      complete.step()
      composed.step()
      expect(composed.hash(), `step ${step}`).toBe(complete.hash())
    }
  })

  test('count impacts of fast bodies with impacts, and stop a ball at a wall without it too', () => {
    const thrown = (parts: readonly CollisionPart[]): LeanCollisions => {
      const world = new LeanWorld({ gravity: [0, 0, 0] })
      const collisions = new LeanCollisions(world, { parts })
      collisions.addCollider(null, { shape: box([0.01, 2, 2]) })
      const ball = collisions.addBody({ shape: sphere(0.05), position: [-2, 0, 0], velocity: [500, 0, 0] })
      world.step()
      expect(ball.position[0]).toBeLessThan(0)
      return collisions
    }
    expect(thrown([]).impactReport).toEqual({ impacts: 0, scaled: 0, exhausted: 0 })
    expect(thrown([impacts]).impactReport.impacts).toBeGreaterThan(0)
  })

  test('refuse self-collision without the part, and particles meet shapes all the same', () => {
    const world = new World()
    const collisions = new LeanCollisions(world)
    const [first, second] = [0, 0.05].map((x) => world.addParticle({ position: [x, 1, 0] }))
    for (const kind of [undefined, 'vertices', 'surface'] as const) {
      const def = { radius: 0.1, triangles: [], edges: [0, 1], ...(kind === undefined ? {} : { selfCollision: kind }) }
      expect(() => addParticles(collisions, [first, second], def)).toThrow(
        /selfCollision must be false in collisions without the part selfCollision, got/,
      )
    }
    const set = addParticles(collisions, [first, second], { radius: 0.1, selfCollision: false })
    expect(() => set.set({ selfCollision: 'vertices' })).toThrow(TypeError)
    expect(set.selfCollision).toBe(false)
    collisions.addCollider(null, { shape: plane([0, 1, 0], 0) })
    for (let step = 0; step < 90; step++) world.step()
    expect(first.position[1]).toBeCloseTo(0.1, 6)
    expect(particleEvents(collisions)).toHaveLength(1)
    // A snapshot and a scene hold no pairs.
    const future = (): string[] => Array.from({ length: 3 }, () => (world.step(), world.hash()))
    const saved = world.snapshot()
    const expected = future()
    world.restore(saved)
    expect(future()).toEqual(expected)
    expect(world.toJSON().stages?.collisions).toMatchObject({ particles: { pairs: [], surfaces: [] } })
  })

  test('refuse values that are no parts, and parts of complete ones', () => {
    const world = new World()
    expect(() => new LeanCollisions(world, { parts: [1 as never] })).toThrow(
      /Collisions: parts\[0\] must be a function/,
    )
    expect(() => new LeanCollisions(world, { part: [] } as never)).toThrow(/part/)
    expect(() => new Collisions(world, { parts: [] } as never)).toThrow(/Collisions: parts must be left out/)
    expect(LeanCollisions.of(world)).toBeUndefined()
  })

  test.each(Object.entries({ impacts, exactIslands, particles, selfCollision, sweptSensors }))(
    'refuse their part %s where it is given to a world',
    (name, part) => {
      const message = `parts: ${name} must be a part of LeanCollisions, got it as a part of a world`
      expect(() => new LeanWorld({ parts: [part as never] })).toThrow(new TypeError(message))
    },
  )
})
