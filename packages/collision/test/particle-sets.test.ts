/** Sets of particles that collide: each other, events, changes, queries, sleep, and what comes back. */

import { distance } from '../../constraints/src/index.js'
import { type Body, fromJSON } from '@tautline/core'
import { describe, expect, test } from 'vitest'
import {
  addParticles,
  box,
  closestParticle,
  Collisions,
  collisionsFromJSON,
  overlapParticles,
  particleContacts,
  particleEvents,
  type ParticleSet,
  particleSets,
  plane,
  rayCastParticles,
  sphere,
} from '../src/index.js'
import { future, run, scene, type Scene, weightless } from './support/scene.js'
import {} from './support/shapes.js'

const radius = 0.1
/** Rows are met exactly. */
const MET = 1e-9
/** Of a column of three [m]: rows begin without load, and each gives way by a share of g h² for what stands on it. */
const SAG = 5e-3

/** A square of cloth of n × n particles at a height, held together by its sides. */
function cloth(
  { world, collisions }: Scene,
  n: number,
  height: number,
  side = 0.1,
): { particles: Body[]; set: ParticleSet } {
  const particles: Body[] = []
  for (let j = 0; j < n; j++) {
    for (let i = 0; i < n; i++) {
      particles.push(
        world.addParticle({ position: [side * (i - 0.5 * (n - 1)), height, side * (j - 0.5 * (n - 1))], mass: 0.01 }),
      )
    }
  }
  for (let j = 0; j < n; j++) {
    for (let i = 0; i < n; i++) {
      if (i + 1 < n) world.add(distance, { a: particles[j * n + i], b: particles[j * n + i + 1] })
      if (j + 1 < n) world.add(distance, { a: particles[j * n + i], b: particles[j * n + n + i] })
    }
  }
  return { particles, set: addParticles(collisions, particles, { radius: 0.02, friction: 0.5 }) }
}

describe('each other', () => {
  test('they stack, by their radii', () => {
    const s = scene()
    s.collisions.addCollider(null, { shape: plane([0, 1, 0]) })
    const column = [0, 1, 2].map((k) => s.world.addParticle({ position: [0, 0.1 + 0.25 * k, 0] }))
    addParticles(s.collisions, column, { radius })
    run(s, 120)
    column.forEach((particle, k) => expect(Math.abs(particle.position[1] - 0.1 - 0.2 * k)).toBeLessThan(SAG))
    expect(particleEvents(s.collisions)).toHaveLength(1)
  })

  test.each([{ group: -1 }, { selfCollision: false }])('not where %o says so', (def) => {
    const s = scene()
    s.collisions.addCollider(null, { shape: plane([0, 1, 0]) })
    const column = [0, 1].map((k) => s.world.addParticle({ position: [0, 0.1 + 0.25 * k, 0] }))
    addParticles(s.collisions, column, { radius, ...(def as object) })
    run(s, 60)
    for (const particle of column) expect(Math.abs(particle.position[1] - 0.1)).toBeLessThan(MET)
  })

  test('what was nearer when the set was made stays as near', () => {
    const s = weightless()
    const near = [0, 1, 2].map((k) => s.world.addParticle({ position: [0.05 * k, 0, 0] }))
    addParticles(s.collisions, near, { radius })
    run(s, 30)
    near.forEach((particle, k) => expect(particle.position[0]).toBeCloseTo(0.05 * k, 12))
  })

  test('two that fly at each other do not pass, however fast', () => {
    for (const speedOf of [1, 30, 300]) {
      const s = weightless({ substeps: 2 })
      const two = [-1, 1].map((side) =>
        s.world.addParticle({ position: [side, 0, 0], velocity: [-side * speedOf, 0, 0] }),
      )
      addParticles(s.collisions, two, { radius: 0.3 })
      for (let k = 0; k < 120; k++) s.world.step()
      expect(two[1].position[0] - two[0].position[0]).toBeGreaterThan(0.6 - MET)
    }
  })
})

describe('sets', () => {
  test('events: begin, persist, end, sensors too; contacts by particle', () => {
    const s = scene()
    const floor = s.collisions.addCollider(null, { shape: plane([0, 1, 0]), name: 'floor' })
    const gate = s.collisions.addCollider(null, { shape: box([1, 0.2, 1]), position: [0, 0.5, 0], sensor: true })
    const pair = [0, 1].map((x) => s.world.addParticle({ position: [0.5 * x, 1, 0] }))
    const set = addParticles(s.collisions, pair, { radius })
    const log: string[] = []
    for (let k = 0; k < 60; k++) {
      s.world.step()
      for (const { type, other } of particleEvents(s.collisions)) {
        if (type !== 'persist') log.push(`${type} ${other === floor ? 'floor' : other === gate ? 'gate' : '?'}`)
      }
    }
    expect(log).toEqual(['begin gate', 'begin floor', 'end gate'].sort((a, b) => log.indexOf(a) - log.indexOf(b)))
    const [event] = particleEvents(s.collisions)
    expect(event).toMatchObject({ type: 'persist', count: 2, sensor: false })
    expect(event.set).toBe(set)
    expect(event.impulse).toBeCloseTo((2 * 9.81) / 60, 9)
    expect(particleContacts(s.collisions, set).map(({ particle }) => particle)).toEqual([0, 1])
    floor.remove()
    s.world.step()
    expect(particleEvents(s.collisions)).toMatchObject([{ type: 'end', impulse: 0 }])
    expect(particleEvents(s.collisions)[0].other).toBe(floor)
    run(s, 30)
    expect(pair[0].position[1]).toBeLessThan(-0.5)
  })

  test('a particle that is removed leaves the set, the others stay; a set that is removed falls', () => {
    const s = scene()
    s.collisions.addCollider(null, { shape: plane([0, 1, 0]) })
    const row = [0, 1, 2].map((x) => s.world.addParticle({ position: [x, radius, 0] }))
    const set = addParticles(s.collisions, row, { radius, name: 'row' })
    run(s, 5)
    row[1].remove()
    expect(set.bodies).toEqual([row[0], null, row[2]])
    run(s, 5)
    expect(particleContacts(s.collisions, set).map(({ particle }) => particle)).toEqual([0, 2])
    expect(particleSets(s.collisions)).toEqual([set])
    set.remove()
    expect(set.alive).toBe(false)
    expect(() => set.set({ friction: 1 })).toThrow(
      /^particles: particles 0 "row" of generation 0 must exist, got removed ones/,
    )
    s.world.step()
    expect(particleEvents(s.collisions).map(({ type, set: of }) => [type, of === set])).toEqual([['end', true]])
    run(s, 30)
    expect(row[0].position[1]).toBeLessThan(-0.5)
  })

  test('set changes what is named; layers and groups say who meets', () => {
    const s = scene()
    s.collisions.addCollider(null, { shape: plane([0, 1, 0]), layer: 2 })
    const particle = s.world.addParticle({ position: [0, radius, 0] })
    const set = addParticles(s.collisions, [particle], { radius, mask: 1 })
    run(s, 10)
    expect(particle.position[1]).toBeLessThan(0.05)
    particle.setPosition([0, 0.2, 0])
    particle.setVelocity([0, 0, 0])
    set.set({ mask: 3, radius: 0.2, friction: 0.1 })
    expect([set.material.friction, set.radius[0]]).toEqual([0.1, 0.2])
    run(s, 10)
    expect(particle.position[1]).toBeCloseTo(0.2, 9)
  })

  test('what a joint holds to a body does not meet it', () => {
    const s = weightless()
    const post = s.collisions.addBody({ shape: sphere(0.5), type: 'static' })
    const [held, free] = [0.3, -0.3].map((x) => s.world.addParticle({ position: [x, 0, 0] }))
    s.world.add(distance, { a: post, b: held })
    addParticles(s.collisions, [held, free], { radius, selfCollision: false })
    run(s, 60)
    expect(held.position[0]).toBe(0.3)
    expect(free.position[0]).toBeLessThan(-0.5)
  })

  test('wrong definitions are refused, and nothing is added', () => {
    const s = scene()
    const [a, b] = [0, 1].map((x) => s.world.addParticle({ position: [x, 0, 0] }))
    const crate = s.collisions.addBody({ shape: box([1, 1, 1]) })
    const add = (bodies: readonly Body[], def: object) => () => addParticles(s.collisions, bodies, def as never)
    expect(add([a, a], { radius })).toThrow(/bodies\[1\] must be another body/)
    expect(add([crate], { radius })).toThrow(/bodies\[0\] must be a particle, got body/)
    expect(add([a, b], { radius: [1] })).toThrow(/radius must be one a particle, 2, got 1/)
    expect(add([a, b], { radius, triangles: [0, 1] })).toThrow(/triangles must be 3 indices each, got 2/)
    expect(add([a, b], { radius, edges: [0, 2] })).toThrow(/edges\[1\] must be an index from 0 to 1, got 2/)
    expect(add([a, b], { radius, edges: [1, 1] })).toThrow(/edges\[1\] must be another particle, got 1 twice/)
    expect(add([a, b], { radius, selfCollision: 'surface' })).toThrow(/must have triangles or edges, got none/)
    expect(add([a, b], { radius, selfCollision: true })).toThrow(/selfCollision/)
    expect(add([a, b], { radius, shape: sphere(1) })).toThrow(/shape/)
    expect(particleSets(s.collisions)).toEqual([])
  })
})

describe('what comes back', () => {
  /** Cloth on a ball, a board that falls on it, a turntable. */
  function full(sleeping: boolean): Scene & { particles: Body[] } {
    const s = scene({ substeps: 4 }, sleeping ? { sleeping: { time: 0.2, speed: 0.3 } } : {})
    s.collisions.addCollider(null, { shape: plane([0, 1, 0]) })
    s.collisions.addCollider(null, { shape: sphere(0.3), position: [0, 0.3, 0] })
    s.collisions.addCollider(null, { shape: box([0.2, 2, 2]), sensor: true })
    s.collisions.addBody({ shape: box([0.2, 0.05, 0.2]), density: 20, position: [0, 1.2, 0] })
    const rope = [0, 1, 2].map((k) => s.world.addParticle({ position: [0.35 + 0.05 * k, 1, 0], mass: 0.01 }))
    addParticles(s.collisions, rope, { radius: 0.02 })
    const { particles } = cloth(s, 9, 0.8)
    return { ...s, particles }
  }

  test('a snapshot and JSON go on bit for bit', () => {
    const s = full(false)
    run(s, 50)
    const snapshot = s.world.snapshot()
    const text = JSON.stringify(s.world)
    const expected = future(s, 30)
    const events = particleEvents(s.collisions).map(({ type, count }) => [type, count])
    s.particles[3].remove()
    run(s, 3)
    s.world.restore(snapshot)
    expect(future(s, 30)).toEqual(expected)
    expect(particleEvents(s.collisions).map(({ type, count }) => [type, count])).toEqual(events)
    const copy = fromJSON(text, [distance] as never, { collisions: collisionsFromJSON })
    expect(copy.hash()).toBe(
      fromJSON(JSON.stringify(copy), [distance] as never, { collisions: collisionsFromJSON }).hash(),
    )
    const again = { world: copy, collisions: Collisions.of(copy)! }
    expect(future(again, 30)).toEqual(expected)
    expect(particleEvents(again.collisions).map(({ type, count }) => [type, count])).toEqual(events)
  })

  test('cloth sleeps within three seconds, comes back asleep, and wakes when it is touched', () => {
    const s = full(true)
    run(s, 180)
    expect(s.particles.every(({ asleep }) => asleep)).toBe(true)
    const copy = fromJSON(JSON.stringify(s.world), [distance] as never, { collisions: collisionsFromJSON })
    expect(copy.hash()).toBe(s.world.hash())
    for (const world of [s.world, copy]) {
      const collisions = Collisions.of(world)!
      const still = world.hash()
      for (let k = 0; k < 10; k++) world.step()
      expect(world.hash()).toBe(still)
      const ball = collisions.addBody({ shape: sphere(0.1), position: [0.3, 2, 0], velocity: [0, -3, 0] })
      for (let k = 0; k < 40 && Array.from(particleSets(collisions)[1].bodies).every((body) => body!.asleep); k++)
        world.step()
      expect(Array.from(particleSets(collisions)[1].bodies).some((body) => body!.asleep)).toBe(false)
      expect(ball.position[1]).toBeLessThan(1.5)
    }
  })
})

test('queries name the set and the particle', () => {
  const s = weightless()
  const cloud = Array.from({ length: 20 }, (_, x) => s.world.addParticle({ position: [x, 2, 0] }))
  const set = addParticles(s.collisions, cloud, { radius, layer: 4 })
  const hit = rayCastParticles(s.collisions, [7, 5, 0], [0, -1, 0])!
  expect(hit).toMatchObject({ particle: 7, body: cloud[7], distance: expect.closeTo(2.9, 12) as number })
  expect(hit.set).toBe(set)
  expect(rayCastParticles(s.collisions, [-1, 2, 0], [1, 0, 0], { predicate: (_, k) => k > 4 })?.particle).toBe(5)
  expect(rayCastParticles(s.collisions, [7, 5, 0], [0, -1, 0], { layers: 3 })).toBeNull()
  expect(rayCastParticles(s.collisions, [7, 5, 0], [0, -1, 0], { maxDistance: 2 })).toBeNull()
  expect(rayCastParticles(s.collisions, [7, 2, 0.05], [0, -1, 0])?.distance).toBe(0)
  const near = overlapParticles(s.collisions, box([1, 1, 1]), { position: [8, 2, 0] })
  expect(near.map(({ particle }) => particle)).toEqual([7, 8, 9])
  expect(closestParticle(s.collisions, [9.3, 2, 0])).toMatchObject({
    particle: 9,
    distance: expect.closeTo(0.2, 12) as number,
  })
  expect(closestParticle(s.collisions, [9.3, 2, 0], { maxDistance: 0.1 })).toBeNull()
})

test('projection moves particles out of what they overlap', () => {
  const s = weightless()
  s.collisions.addCollider(null, { shape: sphere(0.5) })
  const particle = s.world.addParticle({ position: [0.3, 0, 0] })
  addParticles(s.collisions, [particle], { radius })
  const { violation } = s.world.project()
  expect(violation).toBeLessThan(MET)
  expect(particle.position[0]).toBeCloseTo(0.6, 9)
})
