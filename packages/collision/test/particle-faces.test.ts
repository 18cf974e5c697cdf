/** Faces and edges that collide: what touches between particles, both ways, fast, and what comes back. */

import { distance } from '../../constraints/src/index.js'
import { type Body, fromJSON } from '@tautline/core'
import fc from 'fast-check'
import type { vec3 } from 'gl-matrix'
import { describe, expect, test } from 'vitest'
import { runs } from '../../core/test/support/runs.js'
import { Random } from '../../core/test/support/random.js'
import { SEED } from '../../core/test/support/seed.js'
import {
  addParticles,
  box,
  capsule,
  Collisions,
  collisionsFromJSON,
  convexHull,
  cylinder,
  particleContacts,
  particleEvents,
  type Shape,
  sphere,
  taperedCapsule,
  triangleMesh,
} from '../src/index.js'
import { future, run, scene, type Scene, weightless } from './support/scene.js'

const radius = 0.02
/** Rows are met exactly; what is left is a fall of a substep. */
const MET = 1e-6
/** Of the energy that there was, in a step, of what does not turn. */
const ROUND_OFF = 1e-9
/** What the guard lets a step gain, and round-off. */
const GROWTH = 2e-3 * (1 + ROUND_OFF)
/** Of the momentum that there was. */
const MOMENTUM = 1e-9

/** A triangle about the middle, level, with its corners 1 m away. */
function triangle({ world }: Scene, height: number, velocity: vec3 = [0, 0, 0], mass = 1): Body[] {
  const away = Math.sqrt(3) / 2
  return [
    [1, 0],
    [-0.5, -away],
    [-0.5, away],
  ].map(([x, z]) => world.addParticle({ position: [x, height, z], velocity, mass }))
}

const PEAKS: [string, () => Shape, number][] = [
  ['sphere', () => sphere(0.2), 0.2],
  ['capsule', () => capsule(0.05, 0.3), 0.35],
  ['tapered capsule', () => taperedCapsule(0.05, 0.1, 0.3), 0.35],
  ['box', () => box([0.2, 0.2, 0.2]), 0.2],
  ['cylinder', () => cylinder(0.1, 0.3), 0.3],
  ['hull', () => convexHull([-0.2, 0, -0.2, 0.2, 0, -0.2, 0, 0, 0.2, 0, 0.4, 0]), 0.4],
  ['mesh', () => triangleMesh([-0.2, 0, -0.2, 0.2, 0, -0.2, 0, 0, 0.2, 0, 0.4, 0], [0, 3, 1, 1, 3, 2, 2, 3, 0]), 0.4],
]

describe('a face', () => {
  test.each(PEAKS)('comes to rest on a %s that stands under its middle', (_, shape, top) => {
    const s = scene()
    s.collisions.addCollider(null, { shape: shape(), friction: 1 })
    const corners = triangle(s, top + radius + 0.05)
    for (let k = 0; k < 3; k++) s.world.add(distance, { a: corners[k], b: corners[(k + 1) % 3] })
    const def = { radius, friction: 1, triangles: [0, 1, 2], selfCollision: false } as const
    const set = addParticles(s.collisions, corners, { ...def, surfaceContacts: true })
    for (let k = 0; k < 30; k++) {
      s.world.step()
      expect(corners.reduce((sum, { position }) => sum + position[1] / 3, 0)).toBeGreaterThan(top + radius - MET)
    }
    const [contact] = particleContacts(s.collisions, set)
    expect(contact.normal[1]).toBeGreaterThan(0.99)
    expect(contact.point[1]).toBeCloseTo(top, 3)
    expect(particleEvents(s.collisions)).toMatchObject([{ type: 'persist', sensor: false }])
    set.set({ surfaceContacts: false })
    run(s, 60)
    expect(corners[0].position[1]).toBeLessThan(0)
  })

  test('an edge rests on a rail across it', () => {
    const s = scene()
    s.collisions.addCollider(null, { shape: capsule(0.05, 2), orientation: [Math.SQRT1_2, 0, 0, Math.SQRT1_2] })
    const ends = [-1, 1].map((x) => s.world.addParticle({ position: [x, 0.2, 0] }))
    s.world.add(distance, { a: ends[0], b: ends[1] })
    addParticles(s.collisions, ends, { radius, edges: [0, 1], surfaceContacts: true })
    run(s, 60)
    for (const { position } of ends) expect(Math.abs(position[1] - 0.05 - radius)).toBeLessThan(MET)
  })

  test(`gives what it strikes its momentum, also in spin, and neither gains (seed ${SEED})`, () => {
    const property = fc.property(fc.integer(), (seed) => {
      const random = new Random(seed)
      const s = weightless({ substeps: 1 + random.below(8) })
      const [, shape] = PEAKS[random.below(6)]
      s.collisions.addBody({ shape: shape(), density: random.between(10, 1000), friction: random.next() })
      const corners = triangle(s, random.between(0.6, 2), [random.between(-1, 1), -random.between(1, 40), 0])
      addParticles(s.collisions, corners, {
        radius,
        friction: random.next(),
        triangles: [0, 1, 2],
        surfaceContacts: true,
      })
      const before = s.world.momentum()
      let energy = s.world.energy().kinetic
      for (let k = 0; k < 40; k++) {
        s.world.step()
        const after = s.world.energy().kinetic
        expect(after).toBeLessThan(energy * (1 + GROWTH))
        energy = after
      }
      const after = s.world.momentum()
      for (let k = 0; k < 3; k++) expect(Math.abs(after.linear[k] - before.linear[k])).toBeLessThan(MOMENTUM * 120)
    })
    fc.assert(property, { numRuns: runs(40), seed: SEED })
  })

  test(`never passes a thin wall's edge, however fast, and gains nothing (seed ${SEED})`, () => {
    const property = fc.property(fc.integer(), (seed) => {
      const random = new Random(seed)
      const s = weightless({ substeps: 1 + random.below(8), energyGuard: false })
      s.collisions.addCollider(null, { shape: box([0.001, 0.5, 3]), position: [0, -0.5, 0] })
      const corners = triangle(s, random.between(0.1, 2), [0, -random.between(1, 100), 0], random.between(0.1, 10))
      addParticles(s.collisions, corners, {
        radius,
        triangles: [0, 1, 2],
        surfaceContacts: true,
        friction: random.next(),
      })
      let energy = s.world.energy().kinetic
      for (let k = 0; k < 20; k++) {
        s.world.step()
        const after = s.world.energy().kinetic
        expect(after).toBeLessThan(energy * (1 + ROUND_OFF))
        energy = after
        const [a, b, c] = corners.map(({ position }) => position)
        // Where the face crosses the wall's plane, x = 0, it is above its edge.
        for (const [p, q] of [
          [a, b],
          [a, c],
        ]) {
          if (p[0] * q[0] >= 0) continue
          const share = p[0] / (p[0] - q[0])
          const z = p[2] + share * (q[2] - p[2])
          if (Math.abs(z) < 3) expect(p[1] + share * (q[1] - p[1])).toBeGreaterThan(0)
        }
      }
    })
    fc.assert(property, { numRuns: runs(60), seed: SEED })
  })
})

describe('a fast ball', () => {
  const size = 0.03

  test.each([true, false])(`that flies past a triangle keeps its way: with its faces %s (seed ${SEED})`, (faces) => {
    const property = fc.property(fc.integer(), (seed) => {
      const random = new Random(seed)
      const s = weightless()
      const corners = triangle(s, 0)
      addParticles(s.collisions, corners, { radius, triangles: [0, 1, 2], surfaceContacts: faces })
      const beyond = 1 + radius + size + random.between(1e-3, 0.1)
      const speed = random.between(10, 100)
      const ball = s.collisions.addBody({
        shape: sphere(size),
        position: [beyond, -random.between(0.1, 1), random.between(-0.1, 0.1)],
        velocity: [0, speed, 0],
        mass: random.between(0.001, 1),
      })
      const start = ball.position[1]
      for (let k = 1; k <= 4; k++) {
        s.world.step()
        expect(Math.abs(ball.position[0] - beyond)).toBeLessThan(ROUND_OFF)
        expect(Math.abs(ball.position[1] - start - (k * speed) / 60)).toBeLessThan(ROUND_OFF)
      }
    })
    fc.assert(property, { numRuns: runs(20), seed: SEED })
  })

  test('is not turned by a face without friction, and does not pass it', () => {
    for (const [slant, speed] of [
      [0, 50],
      [0.3, 100],
      [1, 80],
    ]) {
      const s = weightless()
      const corners = triangle(s, 0)
      const def = { radius, friction: 0, triangles: [0, 1, 2], selfCollision: false } as const
      addParticles(s.collisions, corners, { ...def, surfaceContacts: true })
      const ball = s.collisions.addBody({
        shape: sphere(size),
        position: [-0.3 * slant, -0.3, 0.05],
        velocity: [slant * speed, speed, 0],
        mass: 0.1,
        friction: 0,
      })
      for (let k = 0; k < 2; k++) s.world.step()
      expect(Math.hypot(...ball.angularVelocity)).toBeLessThan(1e-6 * (speed / size))
      const [a, b, c] = corners.map(({ position }) => position)
      expect(ball.position[1]).toBeLessThan((a[1] + b[1] + c[1]) / 3)
    }
  })
})

describe('cloth', () => {
  /** n × n particles, and a limb that comes from above at a speed. */
  function struck(surfaceContacts: boolean, speed: number): { s: Scene; limb: Body; particles: Body[] } {
    const s = weightless()
    const shape = capsule(0.02, 0.3)
    const limb = s.collisions.addBody({
      shape,
      type: 'kinematic',
      position: [0, 0.3, 0.005],
      orientation: [0, 0, Math.SQRT1_2, Math.SQRT1_2],
      velocity: [0, -speed, 0],
    })
    const n = 12
    const side = 0.1
    const particles: Body[] = []
    const triangles: number[] = []
    for (let k = 0; k < n * n; k++) {
      const position: vec3 = [side * ((k % n) - 0.5 * (n - 1)), 0, side * (Math.floor(k / n) - 0.5 * (n - 1))]
      particles.push(s.world.addParticle({ position, mass: 0.002 }))
    }
    for (let k = 0; k < n * n; k++) {
      const isRow = (k + 1) % n !== 0
      const isColumn = k + n < n * n
      if (isRow) s.world.add(distance, { a: particles[k], b: particles[k + 1] })
      if (isColumn) s.world.add(distance, { a: particles[k], b: particles[k + n] })
      if (isRow && isColumn) triangles.push(k, k + 1, k + n, k + 1, k + n + 1, k + n)
    }
    addParticles(s.collisions, particles, {
      radius: 0.01,
      friction: 0.5,
      triangles,
      surfaceContacts,
      selfCollision: false,
    })
    return { s, limb, particles }
  }

  test.each([5, 20])('is carried along by a limb of %f m/s, whose axis lies between its threads', (speed) => {
    const lowest = [false, true].map((surfaceContacts) => {
      const { s, limb, particles } = struck(surfaceContacts, speed)
      for (let k = 0; k < Math.ceil(90 / speed); k++) s.world.step()
      return Math.min(...particles.map(({ position }) => position[1])) - limb.position[1]
    })
    // Past them without; before it with: its radius, and theirs but for what is pressed in.
    expect(lowest[0]).toBeGreaterThan(0)
    expect(lowest[1]).toBeLessThan(-0.02)
  })

  test('a snapshot and JSON go on bit for bit; it sleeps, and a corner wakes it', () => {
    const s = scene({ substeps: 4 }, { sleeping: { time: 0.2, speed: 0.3 } })
    s.collisions.addCollider(null, {
      shape: box([0.2, 0.2, 0.2]),
      orientation: [0.1, 0, 0.1, Math.sqrt(0.98)],
      friction: 1,
    })
    const corners = triangle(s, 0.3)
    for (let k = 0; k < 3; k++) s.world.add(distance, { a: corners[k], b: corners[(k + 1) % 3] })
    addParticles(s.collisions, corners, { radius, friction: 1, triangles: [0, 1, 2], surfaceContacts: true })
    run(s, 10)
    const snapshot = s.world.snapshot()
    const text = JSON.stringify(s.world)
    const expected = future(s, 20)
    s.world.restore(snapshot)
    expect(future(s, 20)).toEqual(expected)
    const copy = fromJSON(text, [distance] as never, { collisions: collisionsFromJSON })
    expect(future({ world: copy }, 20)).toEqual(expected)
    expect(particleEvents(Collisions.of(copy)!)).toMatchObject([{ type: 'persist' }])
    expect(() =>
      fromJSON(text.replace('"activeFaces":', '"activeFaces":1e9,"x":'), [distance] as never, {
        collisions: collisionsFromJSON,
      }),
    ).toThrow()
    run(s, 300)
    expect(corners.every(({ asleep }) => asleep)).toBe(true)
    const still = s.world.hash()
    run(s, 5)
    expect(s.world.hash()).toBe(still)
    const [p, q, r] = corners.map(({ position }) => position)
    const over = [0, 1, 2].map((k) => 0.8 * p[k] + 0.1 * q[k] + 0.1 * r[k] + (k === 1 ? 0.2 : 0)) as vec3
    s.collisions.addBody({ shape: sphere(0.03), position: over, velocity: [0, -4, 0] })
    for (let k = 0; k < 30 && corners[0].asleep; k++) s.world.step()
    expect(corners[0].asleep).toBe(false)
  })
})
