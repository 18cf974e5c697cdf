/** Momenta of what nothing holds (core, step/free-momenta.ts): kept to round-off however it is solved, and of no more energy for it. */

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Body, type ConstraintType, World } from '@tautline/core'
import { runs } from '../../core/test/support/runs.js'
import { Random } from '../../core/test/support/random.js'
import { SEED } from '../../core/test/support/seed.js'
import {
  attachment,
  ballSocket,
  dihedralBend,
  distance,
  hinge,
  lineDistance,
  pulley,
  spring,
  swingTwist,
} from '../src/index.js'

/** Of the sum of |r| |m v| over some hundred substeps of some dozen bodies. */
const ROUND_OFF = 1e-11
/** Share of the energy at the start. */
const GAIN = 1e-9
const STEPS = 60

type Vec3 = [number, number, number]

/** About the centre of mass. */
function angular(world: World): Vec3 {
  const bodies = world.bodies.all().filter(({ type }) => type === 'dynamic')
  const mass = bodies.reduce((sum, body) => sum + body.mass, 0)
  const [x, y, z] = [0, 1, 2].map((k) => bodies.reduce((sum, body) => sum + body.mass * body.position[k], 0) / mass)
  const { linear: p, angular: L } = world.momentum()
  return [L[0] - (y * p[2] - z * p[1]), L[1] - (z * p[0] - x * p[2]), L[2] - (x * p[1] - y * p[0])]
}

function sizeOf(world: World): number {
  return world.bodies
    .all()
    .reduce((sum, { position, velocity, mass }) => sum + mass * Math.hypot(...position) * Math.hypot(...velocity), 0)
}

/** Most that L about the centre of mass is off, as a share of what it is a sum of, and most that energy rises, of that at the start. */
function run(world: World, steps = STEPS): { lost: number; gain: number } {
  const before = angular(world)
  const { kinetic, elastic } = world.energy()
  const total = kinetic + elastic
  let [lost, gain] = [0, 0]
  for (let step = 0; step < steps; step++) {
    world.step()
    const off = Math.hypot(...angular(world).map((x, k) => x - before[k])) / sizeOf(world)
    if (!(off <= lost)) lost = off
    // What soft rows seem to store is more than they bear where a sweep leaves them.
    const risen = (world.energy().kinetic - total) / (kinetic + elastic)
    if (!(risen <= gain)) gain = risen
  }
  return { lost, gain }
}

const JOINTS: Record<string, (random: Random) => [ConstraintType<never>, object]> = {
  ballSocket: () => [ballSocket as never, {}],
  hinge: (random) => [hinge as never, { axis: random.direction() }],
  swingTwist: (random) => [swingTwist as never, { axis: random.direction(), swing: { y: { min: -0.9, max: 0.9 } } }],
  soft: (random) => [ballSocket as never, { compliance: 10 ** random.between(-5, -3) }],
  swept: () => [ballSocket as never, { solver: 'sweep' }],
}

/** A chain of boxes, thrown and spun. */
function chain(kind: string, random: Random): World {
  const world = new World({ gravity: [0, 0, 0], substeps: 1 + random.below(8) })
  const bodies: Body[] = []
  for (let k = 0; k < 6; k++) {
    const mass = 10 ** random.between(-1, 1)
    const inertia: Vec3 = [mass * 0.02, mass * random.between(0.02, 0.03), mass * random.between(0.02, 0.03)]
    bodies.push(world.addBody({ position: [0.5 * k, 0.2 * random.between(-1, 1), 0], mass, inertia }))
    const [type, def] = JOINTS[kind](random)
    if (k > 0) world.add(type, { ...def, a: bodies[k - 1], b: bodies[k], point: [0.5 * k - 0.25, 0, 0] } as never)
  }
  throwAll(bodies, random)
  return world
}

/** As one rigid body, and each by itself a little. */
function throwAll(bodies: readonly Body[], random: Random): void {
  const [v, w] = [random.vector(3), random.vector(3)]
  for (const body of bodies) {
    const [x, y, z] = body.position
    const [a, b, c] = random.vector(0.3)
    body.setVelocity([v[0] + w[1] * z - w[2] * y + a, v[1] + w[2] * x - w[0] * z + b, v[2] + w[0] * y - w[1] * x + c])
    if (!body.isParticle) body.setAngularVelocity(w as Vec3)
  }
}

/** A sheet of particles, with a box that hangs on it. */
function sheet(type: typeof distance, random: Random): World {
  const world = new World({ gravity: [0, 0, 0], substeps: 1 + random.below(8) })
  const at = Array.from({ length: 5 }, (_, i) =>
    Array.from({ length: 5 }, (_, j) =>
      world.addParticle({ position: [0.2 * i, 0.2 * j, 0], mass: random.between(0.01, 0.1) }),
    ),
  )
  for (let i = 0; i < 5; i++) {
    for (let j = 0; j < 5; j++) {
      if (i > 0) world.add(type, { a: at[i - 1][j], b: at[i][j] })
      if (j > 0) world.add(type, { a: at[i][j - 1], b: at[i][j] })
      if (i > 0 && j > 0) world.add(distance, { a: at[i - 1][j - 1], b: at[i][j], compliance: 1e-4 })
      if (i > 0 && j > 0)
        world.add(dihedralBend, { bodies: [at[i - 1][j - 1], at[i][j], at[i - 1][j], at[i][j - 1]], compliance: 1 })
    }
  }
  const box = world.addBody({ position: [1, -0.3, 0], mass: 0.5, inertia: [0.01, 0.02, 0.03] })
  world.add(attachment, { bodies: [at[4][0], box], count: 1, anchors: [0, 0, 0, -0.2, 0.3, 0] })
  throwAll(
    world.bodies.all().filter(({ type: kind }) => kind === 'dynamic'),
    random,
  )
  return world
}

describe(`what is free keeps its angular momentum (seed ${SEED})`, () => {
  const scenes: Record<string, (random: Random) => World> = {
    ...Object.fromEntries(Object.keys(JOINTS).map((kind) => [kind, (random: Random) => chain(kind, random)])),
    sheet: (random) => sheet(distance, random),
    lines: (random) => sheet(lineDistance as never, random),
  }
  test.each(Object.keys(scenes))('%s', (name) => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const { lost, gain } = run(scenes[name](new Random(seed)))
        expect(lost).toBeLessThan(ROUND_OFF)
        expect(gain).toBeLessThan(GAIN)
      }),
      { seed: SEED, numRuns: runs(8) },
    )
  })
})

test('what is held at its centres does not begin to spin', () => {
  const world = new World({ gravity: [0, 0, 0] })
  const bodies = [-0.5, 0.5].map((x) =>
    world.addBody({
      position: [x, 0, 0],
      velocity: [0, 4 * x, 0],
      inertia: [0.1, 0.1, 0.1],
      angularVelocity: [0, 2 * x, 0],
    }),
  )
  world.add(distance, { a: bodies[0], b: bodies[1] })
  expect(run(world).lost).toBeLessThan(ROUND_OFF)
  bodies.forEach((body, k) => {
    const [x, y, z] = body.angularVelocity
    expect(Math.hypot(x, y - (2 * k - 1), z)).toBeLessThan(ROUND_OFF)
  })
})

describe('what something takes from does not', () => {
  /** L that two bodies at 1 m, thrown across, have lost after a while. */
  function lost(build: (world: World, a: Body, b: Body) => void, inertia?: Vec3): number {
    const world = new World({ gravity: [0, 0, 0] })
    const [a, b] = [-0.5, 0.5].map((x) =>
      world.addBody({ position: [x, 0, 0], velocity: [0, 4 * x, 0], ...(inertia && { inertia }) }),
    )
    build(world, a, b)
    return run(world).lost
  }
  const box: Vec3 = [0.1, 0.1, 0.1]

  test('beside it, two that hang together alone do', () => {
    expect(lost((world, a, b) => world.add(distance, { a, b }))).toBeLessThan(ROUND_OFF)
    expect(lost((world, a, b) => world.add(spring, { a, b, stiffness: 50, length: 0.8 }), box)).toBeLessThan(ROUND_OFF)
  })

  test('a particle that is held beside its centre: what keeps it from rotating', () => {
    expect(lost((world, a, b) => world.add(distance, { a, b, anchorA: [0, 0.3, 0] }))).toBeGreaterThan(1e3 * ROUND_OFF)
  })

  test('a pulley over a point of the world', () => {
    const anchors = [0, 0, 0, 0, 2, 0, 0, 0, 0]
    const fall = lost((world, a, b) => world.add(pulley, { bodies: [a, b], path: [0, -1, 1], anchors }))
    expect(fall).toBeGreaterThan(1e3 * ROUND_OFF)
  })

  test('a locked axis', () => {
    const world = new World({ gravity: [0, 0, 0] })
    const a = world.addBody({ position: [-0.5, 0, 0], velocity: [0, -2, 0], lockTranslation: [true, false, false] })
    const b = world.addBody({ position: [0.5, 0, 0], velocity: [0, 2, 0] })
    world.add(distance, { a, b })
    expect(run(world).lost).toBeGreaterThan(1e3 * ROUND_OFF)
    expect(a.position[0]).toBe(-0.5)
  })
})

test('what bears nothing goes its way to the last bit', () => {
  const make = (joined: boolean): Body[] => {
    const world = new World()
    const bodies = [0, 1].map((x) =>
      world.addBody({
        position: [x, 0, 0],
        velocity: [x, 1, 0.3],
        inertia: [0.1, 0.2, 0.15],
        angularVelocity: [1, 2, 3],
      }),
    )
    if (joined) world.add(distance, { a: bodies[0], b: bodies[1], mode: 'rope', length: 100, anchorA: [0.1, 0, 0] })
    for (let step = 0; step < STEPS; step++) world.step()
    return bodies
  }
  const [alone, joined] = [false, true].map(make)
  alone.forEach((body, k) => {
    expect(Array.from(joined[k].position)).toEqual(Array.from(body.position))
    expect(Array.from(joined[k].angularVelocity)).toEqual(Array.from(body.angularVelocity))
  })
})
