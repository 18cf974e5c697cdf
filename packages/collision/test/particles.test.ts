/** Particles that collide: closed forms against every shape, both ways, fast ones, events, sleep, and what comes back. */

import { distance } from '../../constraints/src/index.js'
import { type Body, fromJSON } from '@tautline/core'
import type { BodyColumns } from '@tautline/core/kernel'
import fc from 'fast-check'
import type { vec3 } from 'gl-matrix'
import { describe, expect, test } from 'vitest'
import { Random } from '../../core/test/support/random.js'
import { SEED } from '../../core/test/support/seed.js'
import {
  box,
  capsule,
  closestParticle,
  Collisions,
  collisionsFromJSON,
  convexHull,
  cylinder,
  overlapParticles,
  type ParticleSet,
  plane,
  rayCastParticles,
  type Shape,
  sphere,
  taperedCapsule,
  triangleMesh,
} from '../src/index.js'
import { FLOORS, future, run, scene, type Scene, weightless } from './support/scene.js'
import { ALL } from './support/shapes.js'

const radius = 0.1
/** Rows are met exactly; what is left is a fall of a substep along a curved surface. */
const MET = 1e-9
/** Round-off of sums. */
const ROUND_OFF = 1e-12
/** Of the energy that there was, in a step: the midpoint rule of a body that is struck into a spin of radians a substep. */
const GAIN = 2e-3
/** Of a column of three [m]: rows begin without load, and each gives way by a share of g h² for what stands on it. */
const SAG = 5e-3
/** A second of stick friction. */
const CREEP = 1e-9

const RISE = 0.1
/** Shapes about the origin, and the height of their top above it. */
const TOPS: [string, () => Shape, number][] = [
  ...Object.entries(FLOORS).map(([name, make]) => [`${name} as a floor`, make, 0] as [string, () => Shape, number]),
  ['sphere', () => sphere(0.5), 0.5],
  ['capsule', () => capsule(0.3, 0.5), 0.8],
  ['taperedCapsule', () => taperedCapsule(0.3, 0.5, 0.6), 0.9],
  ['box', () => box([0.5, 0.2, 0.5]), 0.2],
  ['cylinder', () => cylinder(0.5, 0.3), 0.3],
  ['convexHull', () => convexHull([-1, 0, -1, 1, 0, -1, 1, 0, 1, -1, 0, 1, 0, -2, 0]), 0],
]

function speed({ velocity: [x, y, z] }: Body): number {
  return Math.sqrt(x * x + y * y + z * z)
}

describe('a particle on a shape', () => {
  test.each(TOPS)('rests on a %s', (_, shape, top) => {
    const s = scene()
    s.collisions.addCollider(null, { shape: shape(), position: [0, 1, 0] })
    const particle = s.world.addParticle({ position: [0, 1 + top + radius + RISE, 0], mass: 0.3 })
    const set = s.collisions.addParticles([particle], { radius, friction: 0.3 })
    expect(set.bodies).toEqual([particle])
    expect(set.material.friction).toBe(0.3)
    run(s, 60)
    expect(Math.abs(particle.position[1] - 1 - top - radius)).toBeLessThan(MET)
    expect(speed(particle)).toBeLessThan(MET)
    const [contact] = s.collisions.particleContacts(set)
    expect(contact.normal[1]).toBeCloseTo(1, 9)
    expect(contact.point[1]).toBeCloseTo(1 + top, 6)
    // Its weight over the step.
    expect(contact.impulse).toBeCloseTo((0.3 * 9.81) / 60, 9)
  })

  test.each([
    [0.3, 0.29],
    [0.3, 0.31],
  ])('with ν %f it sticks on a slope of tan %f or slides as Coulomb says', (friction, slope) => {
    const s = scene()
    const normal: [number, number, number] = [slope / Math.hypot(1, slope), 1 / Math.hypot(1, slope), 0]
    s.collisions.addCollider(null, { shape: plane(normal, 0), friction })
    const at = normal.map((n) => radius * n) as vec3
    const particle = s.world.addParticle({ position: at })
    s.collisions.addParticles([particle], { radius, friction })
    const time = 1
    run(s, 60 * time)
    const way = Math.hypot(particle.position[0] - at[0], particle.position[1] - at[1])
    const g = Math.hypot(...s.world.settings.gravity)
    const cos = normal[1]
    const gain = Math.max(0, g * cos * (slope - friction))
    const h = 1 / 480
    // Semi-implicit: v grows before x moves, half a substep ahead.
    const expected = 0.5 * gain * time * (time + h)
    expect(Math.abs(way - expected)).toBeLessThan(gain === 0 ? CREEP : 1e-6 + 1e-9)
  })

  test('it comes back to the height of its restitution', () => {
    for (const e of [0.5, 0.9]) {
      const s = scene({ substeps: 20 })
      s.collisions.addCollider(null, { shape: plane([0, 1, 0]) })
      const particle = s.world.addParticle({ position: [0, 1 + radius, 0] })
      s.collisions.addParticles([particle], { radius, restitution: e })
      let highest = 0
      let fell = false
      for (let k = 0; k < 90; k++) {
        s.world.step()
        if (particle.velocity[1] > 0) fell = true
        if (fell) highest = Math.max(highest, particle.position[1] - radius)
      }
      // A substep of the fall may be lost at the impact: 2 h v.
      expect(highest).toBeLessThan(e * e + 1e-9)
      expect(highest).toBeGreaterThan(e * e - 0.02)
    }
  })

  test('overlap at the start goes at no more than the push-out, and leaves no speed', () => {
    const s = weightless()
    s.collisions.addCollider(null, { shape: plane([0, 1, 0]) })
    const particle = s.world.addParticle({ position: [0, -0.3, 0] })
    s.collisions.addParticles([particle], { radius, maxPushOut: 0.5 })
    let before = -0.3
    for (let k = 0; k < 200; k++) {
      s.world.step()
      expect(particle.position[1] - before).toBeLessThan(0.5 / 60 + ROUND_OFF)
      expect(speed(particle)).toBeLessThan(ROUND_OFF)
      before = particle.position[1]
    }
    expect(Math.abs(particle.position[1] - radius)).toBeLessThan(1e-6)
  })
})

describe('both ways', () => {
  test(`what is struck takes the momentum, also in spin (seed ${SEED})`, () => {
    const property = fc.property(fc.integer(), (seed) => {
      const random = new Random(seed)
      const s = weightless({ substeps: 1 + random.below(8) })
      const name = (['box', 'capsule', 'cylinder', 'convexHull', 'compound'] as const)[random.below(5)]
      s.collisions.addBody({
        shape: (ALL[name] as (random: Random) => Shape)(random),
        orientation: random.rotation(),
        density: random.between(1, 1000),
        friction: random.next(),
        restitution: random.chance(0.5) ? random.next() : 0,
      })
      const from = Array.from(random.direction())
      const offset = random.vector(0.2)
      const particles = [3, 4, 5].map((far) => {
        const position = from.map((x, k) => far * x + offset[k]) as vec3
        return s.world.addParticle({
          position,
          velocity: from.map((x) => -20 * x) as vec3,
          mass: random.between(0.1, 9),
        })
      })
      s.collisions.addParticles(particles, { radius, friction: random.next() })
      // Friction pushes where the normal has moved both to: no farther than a substep goes [m].
      const way = 20 / 60 / s.world.settings.substeps
      const before = s.world.momentum()
      let energy = s.world.energy().kinetic
      const most = GAIN * energy
      for (let k = 0; k < 40; k++) {
        s.world.step()
        const after = s.world.energy().kinetic
        expect(after).toBeLessThan(energy + most)
        energy = after
      }
      expect(s.world.report.guard.components).toBe(0)
      const after = s.world.momentum()
      const scale = 20 * particles.reduce((sum, { mass }) => sum + mass, 0)
      for (let k = 0; k < 3; k++) {
        expect(Math.abs(after.linear[k] - before.linear[k])).toBeLessThan(1e-9 * scale)
        expect(Math.abs(after.angular[k] - before.angular[k])).toBeLessThan(2 * way * scale)
      }
    })
    fc.assert(property, { numRuns: 60, seed: SEED })
  })

  test('a crate is carried by particles that stand on the ground', () => {
    const s = scene()
    s.collisions.addCollider(null, { shape: plane([0, 1, 0]) })
    const legs = [-1, 1].flatMap((x) =>
      [-1, 1].map((z) => s.world.addParticle({ position: [0.3 * x, radius, 0.3 * z], mass: 1 })),
    )
    s.collisions.addParticles(legs, { radius })
    const crate = s.collisions.addBody({ shape: box([0.5, 0.2, 0.5]), position: [0, 0.45, 0], mass: 1 })
    run(s, 120)
    expect(Math.abs(crate.position[1] - 0.4)).toBeLessThan(5e-3)
    expect(speed(crate)).toBeLessThan(1e-2)
  })

  test('a kinematic floor carries them along', () => {
    const s = scene()
    const belt = s.collisions.addBody({
      shape: box([9, 0.5, 9]),
      type: 'kinematic',
      position: [0, -0.5, 0],
      velocity: [1, 0, 0],
    })
    const particle = s.world.addParticle({ position: [0, radius, 0] })
    s.collisions.addParticles([particle], { radius, friction: 1 })
    run(s, 60)
    expect(particle.velocity[0]).toBeCloseTo(1, 9)
    belt.setAngularVelocity([0, 1, 0])
    run(s, 30)
    const [x, , z] = [particle.position[0] - belt.position[0], 0, particle.position[2] - belt.position[2]]
    expect(particle.velocity[0]).toBeCloseTo(1 + z, 2)
    expect(particle.velocity[2]).toBeCloseTo(-x, 2)
  })
})

describe('fast ones', () => {
  test(`none passes a thin wall, and none gains (seed ${SEED})`, () => {
    const property = fc.property(fc.integer(), (seed) => {
      const random = new Random(seed)
      const s = weightless({ substeps: 1 + random.below(8) })
      const thick = random.between(0.0005, 0.05)
      const walls = [
        box([5, thick, 5]),
        plane([0, 1, 0]),
        triangleMesh([-5, 0, -5, 5, 0, -5, 5, 0, 5, -5, 0, 5], [0, 2, 1, 0, 3, 2]),
        FLOORS.heightfield(),
        convexHull([-5, 0, -5, 5, 0, -5, 5, 0, 5, -5, 0, 5, 0, -2 * thick, 0]),
        cylinder(5, thick),
      ]
      s.collisions.addCollider(null, { shape: walls[random.below(walls.length)] })
      const r = random.between(0.002, 0.05)
      const particles = Array.from({ length: 20 }, () =>
        s.world.addParticle({
          position: [random.between(-1, 1), random.between(0.2, 3), random.between(-1, 1)],
          velocity: [random.between(-5, 5), -random.between(1, 300), random.between(-5, 5)],
        }),
      )
      s.collisions.addParticles(particles, {
        radius: r,
        friction: random.next(),
        restitution: random.next(),
        selfCollision: false,
      })
      const fastest = Math.max(...particles.map(speed))
      const dt = [1 / 30, 1 / 60, 1 / 144][random.below(3)]
      for (let k = 0; k < 20; k++) s.world.step(dt)
      for (const particle of particles) {
        if (Math.abs(particle.position[0]) < 3 && Math.abs(particle.position[2]) < 3)
          expect(particle.position[1]).toBeGreaterThan(0)
        expect(speed(particle)).toBeLessThan(fastest * (1 + 1e-9))
      }
    })
    fc.assert(property, { numRuns: 100, seed: SEED })
  })

  test('they do not pass what comes at them', () => {
    const s = weightless()
    s.collisions.addBody({ shape: box([0.01, 2, 2]), type: 'kinematic', position: [-3, 0, 0], velocity: [200, 0, 0] })
    const particle = s.world.addParticle({})
    s.collisions.addParticles([particle], { radius: 0.01 })
    run(s, 10)
    expect(particle.velocity[0]).toBeGreaterThan(199)
  })
})

/** A particle row's error by its definition. */
function errorOf(s: Scene, bodies: BodyColumns): { c: number[]; J: Float64Array; count: number } {
  const { batch } = s.collisions.particles.points
  batch.rows.clear()
  batch.type.evaluate(bodies, batch, 0, batch.rows)
  return { c: Array.from(batch.rows.c), J: batch.rows.J.slice(), count: batch.rows.count }
}

test('the gradient of a row on a body that turns is that of its error', () => {
  const s = weightless()
  s.collisions.addBody({
    shape: box([0.5, 0.2, 0.5]),
    orientation: [0.1, 0.2, 0.3, Math.sqrt(0.86)],
    angularVelocity: [1, 2, 3],
  })
  const particle = s.world.addParticle({ position: [0.1, 1, 0.2], velocity: [0, -40, 0] })
  s.collisions.addParticles([particle], { radius })
  run(s, 1)
  const { columns } = s.world.bodies
  const { batch } = s.collisions.particles.points
  expect(batch.active).toBe(1)
  const { c, J } = errorOf(s, columns)
  const step = 1e-7
  for (let body = 0; body < 2; body++) {
    const i = batch.ids[body]
    for (let axis = 0; axis < 3; axis++) {
      columns.position[4 * i + axis] += step
      const moved = errorOf(s, columns).c[0]
      columns.position[4 * i + axis] -= step
      expect((moved - c[0]) / step).toBeCloseTo(J[6 * body + axis], 5)
    }
  }
  const b = batch.ids[1]
  const kept = columns.orientation.slice(4 * b, 4 * b + 4)
  for (let axis = 0; axis < 3; axis++) {
    const [x, y, z, w] = kept
    const d = [0, 0, 0]
    d[axis] = 0.5 * step
    columns.orientation.set(
      [
        x + d[0] * w + d[1] * z - d[2] * y,
        y + d[1] * w + d[2] * x - d[0] * z,
        z + d[2] * w + d[0] * y - d[1] * x,
        w - d[0] * x - d[1] * y - d[2] * z,
      ],
      4 * b,
    )
    expect((errorOf(s, columns).c[0] - c[0]) / step).toBeCloseTo(J[9 + axis], 5)
    columns.orientation.set(kept, 4 * b)
  }
})

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
  return { particles, set: collisions.addParticles(particles, { radius: 0.02, friction: 0.5 }) }
}

describe('each other', () => {
  test('they stack, by their radii', () => {
    const s = scene()
    s.collisions.addCollider(null, { shape: plane([0, 1, 0]) })
    const column = [0, 1, 2].map((k) => s.world.addParticle({ position: [0, 0.1 + 0.25 * k, 0] }))
    s.collisions.addParticles(column, { radius })
    run(s, 120)
    column.forEach((particle, k) => expect(Math.abs(particle.position[1] - 0.1 - 0.2 * k)).toBeLessThan(SAG))
    expect(s.collisions.particleEvents).toHaveLength(1)
  })

  test.each([{ group: -1 }, { selfCollision: false }])('not where %o says so', (def) => {
    const s = scene()
    s.collisions.addCollider(null, { shape: plane([0, 1, 0]) })
    const column = [0, 1].map((k) => s.world.addParticle({ position: [0, 0.1 + 0.25 * k, 0] }))
    s.collisions.addParticles(column, { radius, ...(def as object) })
    run(s, 60)
    for (const particle of column) expect(Math.abs(particle.position[1] - 0.1)).toBeLessThan(MET)
  })

  test('what was nearer when the set was made stays as near', () => {
    const s = weightless()
    const near = [0, 1, 2].map((k) => s.world.addParticle({ position: [0.05 * k, 0, 0] }))
    s.collisions.addParticles(near, { radius })
    run(s, 30)
    near.forEach((particle, k) => expect(particle.position[0]).toBeCloseTo(0.05 * k, 12))
  })

  test('two that fly at each other do not pass, however fast', () => {
    for (const speedOf of [1, 30, 300]) {
      const s = weightless({ substeps: 2 })
      const two = [-1, 1].map((side) =>
        s.world.addParticle({ position: [side, 0, 0], velocity: [-side * speedOf, 0, 0] }),
      )
      s.collisions.addParticles(two, { radius: 0.3 })
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
    const set = s.collisions.addParticles(pair, { radius })
    const log: string[] = []
    for (let k = 0; k < 60; k++) {
      s.world.step()
      for (const { type, other } of s.collisions.particleEvents) {
        if (type !== 'persist') log.push(`${type} ${other === floor ? 'floor' : other === gate ? 'gate' : '?'}`)
      }
    }
    expect(log).toEqual(['begin gate', 'begin floor', 'end gate'].sort((a, b) => log.indexOf(a) - log.indexOf(b)))
    const [event] = s.collisions.particleEvents
    expect(event).toMatchObject({ type: 'persist', count: 2, sensor: false })
    expect(event.set).toBe(set)
    expect(event.impulse).toBeCloseTo((2 * 9.81) / 60, 9)
    expect(s.collisions.particleContacts(set).map(({ particle }) => particle)).toEqual([0, 1])
    floor.remove()
    s.world.step()
    expect(s.collisions.particleEvents).toMatchObject([{ type: 'end', impulse: 0 }])
    expect(s.collisions.particleEvents[0].other).toBe(floor)
    run(s, 30)
    expect(pair[0].position[1]).toBeLessThan(-0.5)
  })

  test('a particle that is removed leaves the set, the others stay; a set that is removed falls', () => {
    const s = scene()
    s.collisions.addCollider(null, { shape: plane([0, 1, 0]) })
    const row = [0, 1, 2].map((x) => s.world.addParticle({ position: [x, radius, 0] }))
    const set = s.collisions.addParticles(row, { radius, name: 'row' })
    run(s, 5)
    row[1].remove()
    expect(set.bodies).toEqual([row[0], null, row[2]])
    run(s, 5)
    expect(s.collisions.particleContacts(set).map(({ particle }) => particle)).toEqual([0, 2])
    expect(s.collisions.particleSets).toEqual([set])
    set.remove()
    expect(set.alive).toBe(false)
    expect(() => set.set({ friction: 1 })).toThrow(
      /^particles: particles 0 of generation 0 must exist, got removed ones/,
    )
    s.world.step()
    expect(s.collisions.particleEvents.map(({ type, set: of }) => [type, of === set])).toEqual([['end', true]])
    run(s, 30)
    expect(row[0].position[1]).toBeLessThan(-0.5)
  })

  test('set changes what is named; layers and groups say who meets', () => {
    const s = scene()
    s.collisions.addCollider(null, { shape: plane([0, 1, 0]), layer: 2 })
    const particle = s.world.addParticle({ position: [0, radius, 0] })
    const set = s.collisions.addParticles([particle], { radius, mask: 1 })
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
    s.collisions.addParticles([held, free], { radius, selfCollision: false })
    run(s, 60)
    expect(held.position[0]).toBe(0.3)
    expect(free.position[0]).toBeLessThan(-0.5)
  })

  test('wrong definitions are refused, and nothing is added', () => {
    const s = scene()
    const [a, b] = [0, 1].map((x) => s.world.addParticle({ position: [x, 0, 0] }))
    const crate = s.collisions.addBody({ shape: box([1, 1, 1]) })
    const add = (bodies: readonly Body[], def: object) => () => s.collisions.addParticles(bodies, def as never)
    expect(add([a, a], { radius })).toThrow(/bodies\[1\] must be another body/)
    expect(add([crate], { radius })).toThrow(/bodies\[0\] must be a particle, got body/)
    expect(add([a, b], { radius: [1] })).toThrow(/radius must be one a particle, 2, got 1/)
    expect(add([a, b], { radius, triangles: [0, 1] })).toThrow(/triangles must be 3 indices each, got 2/)
    expect(add([a, b], { radius, edges: [0, 2] })).toThrow(/edges\[1\] must be an index from 0 to 1, got 2/)
    expect(add([a, b], { radius, edges: [1, 1] })).toThrow(/edges\[1\] must be another particle, got 1 twice/)
    expect(add([a, b], { radius, selfCollision: 'surface' })).toThrow(/must have triangles or edges, got none/)
    expect(add([a, b], { radius, selfCollision: true })).toThrow(/selfCollision/)
    expect(add([a, b], { radius, shape: sphere(1) })).toThrow(/shape/)
    expect(s.collisions.particleSets).toEqual([])
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
    s.collisions.addParticles(rope, { radius: 0.02 })
    const { particles } = cloth(s, 9, 0.8)
    return { ...s, particles }
  }

  test('a snapshot and JSON go on bit for bit', () => {
    const s = full(false)
    run(s, 50)
    const snapshot = s.world.snapshot()
    const text = JSON.stringify(s.world)
    const expected = future(s, 30)
    const events = s.collisions.particleEvents.map(({ type, count }) => [type, count])
    s.particles[3].remove()
    run(s, 3)
    s.world.restore(snapshot)
    expect(future(s, 30)).toEqual(expected)
    expect(s.collisions.particleEvents.map(({ type, count }) => [type, count])).toEqual(events)
    const copy = fromJSON(text, [distance] as never, { collisions: collisionsFromJSON })
    expect(copy.hash()).toBe(
      fromJSON(JSON.stringify(copy), [distance] as never, { collisions: collisionsFromJSON }).hash(),
    )
    const again = { world: copy, collisions: Collisions.of(copy)! }
    expect(future(again, 30)).toEqual(expected)
    expect(again.collisions.particleEvents.map(({ type, count }) => [type, count])).toEqual(events)
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
      for (let k = 0; k < 40 && Array.from(collisions.particleSets[1].bodies).every((body) => body!.asleep); k++)
        world.step()
      expect(Array.from(collisions.particleSets[1].bodies).some((body) => body!.asleep)).toBe(false)
      expect(ball.position[1]).toBeLessThan(1.5)
    }
  })
})

test('queries name the set and the particle', () => {
  const s = weightless()
  const cloud = Array.from({ length: 20 }, (_, x) => s.world.addParticle({ position: [x, 2, 0] }))
  const set = s.collisions.addParticles(cloud, { radius, layer: 4 })
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
  s.collisions.addParticles([particle], { radius })
  const { violation } = s.world.project()
  expect(violation).toBeLessThan(MET)
  expect(particle.position[0]).toBeCloseTo(0.6, 9)
})
