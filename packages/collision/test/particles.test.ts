/** Particles on shapes: closed forms against every kind, both ways, and fast ones. */

import { type Body } from '@tautline/core'
import type { BodyColumns } from '@tautline/core/kernel'
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
  convexHull,
  cylinder,
  particleContacts,
  plane,
  type Shape,
  sphere,
  taperedCapsule,
  triangleMesh,
} from '../src/index.js'
import { bringParticles } from '../src/particles/add-particles.js'
import { FLOORS, run, scene, type Scene, weightless } from './support/scene.js'
import { ALL } from './support/shapes.js'

const radius = 0.1
/** Rows are met exactly; what is left is a fall of a substep along a curved surface. */
const MET = 1e-9
/** Round-off of sums. */
const ROUND_OFF = 1e-12
/** Of the energy that there was, in a step: the midpoint rule of a body that is struck into a spin of radians a substep. */
const GAIN = 2e-3
/** A second of stick friction. */
const CREEP = 1e-9

/** Seeds that failed: three particles in a row press on each other, so that momentum passes more than one contact. */
const ROWS = [-249689170, 421, 1134]

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
    const set = addParticles(s.collisions, [particle], { radius, friction: 0.3 })
    expect(set.bodies).toEqual([particle])
    expect(set.material.friction).toBe(0.3)
    run(s, 60)
    expect(Math.abs(particle.position[1] - 1 - top - radius)).toBeLessThan(MET)
    expect(speed(particle)).toBeLessThan(MET)
    const [contact] = particleContacts(s.collisions, set)
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
    addParticles(s.collisions, [particle], { radius, friction })
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
      addParticles(s.collisions, [particle], { radius, restitution: e })
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
    addParticles(s.collisions, [particle], { radius, maxPushOut: 0.5 })
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
      addParticles(s.collisions, particles, { radius, friction: random.next() })
      // Friction acts where the normal has moved both bodies of a contact to: each no farther than a substep goes [m].
      const lever = (2 * 20) / 60 / s.world.settings.substeps
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
      // In a row each pushes those before it: the momentum of the third passes three contacts, each with friction.
      const passed = 20 * particles.reduce((sum, { mass }, place) => sum + (place + 1) * mass, 0)
      for (let k = 0; k < 3; k++) {
        expect(Math.abs(after.linear[k] - before.linear[k])).toBeLessThan(1e-9 * scale)
        expect(Math.abs(after.angular[k] - before.angular[k])).toBeLessThan(lever * passed)
      }
    })
    fc.assert(property, { numRuns: runs(60), seed: SEED, examples: ROWS.map((seed) => [seed]) })
  })

  test('a crate is carried by particles that stand on the ground', () => {
    const s = scene()
    s.collisions.addCollider(null, { shape: plane([0, 1, 0]) })
    const legs = [-1, 1].flatMap((x) =>
      [-1, 1].map((z) => s.world.addParticle({ position: [0.3 * x, radius, 0.3 * z], mass: 1 })),
    )
    addParticles(s.collisions, legs, { radius })
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
    addParticles(s.collisions, [particle], { radius, friction: 1 })
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
      addParticles(s.collisions, particles, {
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
    fc.assert(property, { numRuns: runs(100), seed: SEED })
  })

  test('they do not pass what comes at them', () => {
    const s = weightless()
    s.collisions.addBody({ shape: box([0.01, 2, 2]), type: 'kinematic', position: [-3, 0, 0], velocity: [200, 0, 0] })
    const particle = s.world.addParticle({})
    addParticles(s.collisions, [particle], { radius: 0.01 })
    run(s, 10)
    expect(particle.velocity[0]).toBeGreaterThan(199)
  })
})

/** A particle row's error by its definition. */
function errorOf(s: Scene, bodies: BodyColumns): { c: number[]; J: Float64Array; count: number } {
  const { batch } = bringParticles(s.collisions).points
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
  addParticles(s.collisions, [particle], { radius })
  run(s, 1)
  const { columns } = s.world.bodies
  const { batch } = bringParticles(s.collisions).points
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

/** Limbs that come along x at a speed, and turn. */
const LIMBS: [string, () => Shape][] = [
  ['capsule', () => capsule(0.04, 0.3)],
  ['tapered capsule', () => taperedCapsule(0.05, 0.03, 0.3)],
  ['thin box', () => box([0.005, 0.3, 0.3])],
  ['thin mesh', () => triangleMesh([0, -0.3, -0.3, 0, 0.3, -0.3, 0, 0.3, 0.3, 0, -0.3, 0.3], [0, 1, 2, 0, 2, 3])],
]

test.each(LIMBS)(
  `a %s of 20 m/s and more takes along what it meets, at the settings there are (seed ${SEED})`,
  (name, make) => {
    const property = fc.property(fc.integer(), (seed) => {
      const random = new Random(seed)
      const s = weightless()
      const turns = name.startsWith('thin') ? 0 : random.between(-30, 30)
      const limb = s.collisions.addBody({
        shape: make(),
        type: 'kinematic',
        position: [-0.6, 0, 0],
        velocity: [random.between(20, 60), 0, 0],
        angularVelocity: [0, turns, 0],
      })
      const particles = Array.from({ length: 30 }, () =>
        s.world.addParticle({
          position: [random.between(-0.3, 0.5), random.between(-0.25, 0.25), random.between(-0.02, 0.02)],
          mass: 0.01,
        }),
      )
      addParticles(s.collisions, particles, { radius: 0.008, friction: 0.5, selfCollision: false })
      while (limb.position[0] < 0.7) s.world.step()
      for (const particle of particles) expect(speed(particle)).toBeGreaterThan(0)
    })
    fc.assert(property, { numRuns: runs(15), seed: SEED })
  },
)
