/** Distance and ball socket against what can be written down: pendulums, springs, a spinning rod. */

import { type Body, solidBox, World } from '@tautline/core'
import { describe, expect, test } from 'vitest'
import { ballSocket, pointContact, distance } from '../src/index.js'

const G = 9.81
/** A recurrence in the same arithmetic, over a hundred substeps. */
const SAME = 1e-11
/** Period at h = 1/6000 s: the scheme's own error is of the order of (ωh)² and damping h ω²/2 a second. */
const PERIOD = 2e-5
/** Settled by damping over ten seconds. */
const SETTLED = 1e-8
/** Force of one substep of 1/3840 s against the mean acceleration of its body: of first order in h. */
const FORCE = 5e-3
/** L(t) of the rotating rod against its differential equation, h = 1/6000 s. */
const ROD = 1e-4

/** Period [s] from the first and the last of `count` upward zero crossings of `angle`. */
function period(world: World, count: number, angle: () => number): number {
  const crossings: number[] = []
  let last = angle()
  let time = 0
  world.onVelocities((_, h) => {
    time += h
    const now = angle()
    if (last < 0 && now >= 0) crossings.push(time - (h * now) / (now - last))
    last = now
  })
  while (crossings.length < count) world.step()
  return (crossings[count - 1] - crossings[0]) / (count - 1)
}

describe('pendulum', () => {
  const amplitude = 0.02
  /** Of a swing of that amplitude, over 2π√(l/g). */
  const stretched = 1 + amplitude ** 2 / 16

  test('a mass on a rigid distance: T = 2π √(l/g)', () => {
    const l = 0.7
    const world = new World({ gravity: [0, -G, 0], substeps: 100 })
    const bob = world.addBody({ position: [l * Math.sin(amplitude), -l * Math.cos(amplitude), 0] })
    world.add(distance, { a: null, b: bob, anchorA: [0, 0, 0] })
    const T = period(world, 4, () => Math.atan2(bob.position[0], -bob.position[1]))
    expect(Math.abs(T / (2 * Math.PI * Math.sqrt(l / G) * stretched) - 1)).toBeLessThan(PERIOD)
  })

  test.each(['scalar', 'block'] as const)('a box on a ball socket, %s: T = 2π √((I + m l²)/(m g l))', (form) => {
    const [m, l] = [3, 0.5]
    const inertia = solidBox(m, [0.2, 0.8, 0.3])
    const world = new World({ gravity: [0, -G, 0], substeps: 100 })
    const [s, c] = [Math.sin(amplitude / 2), Math.cos(amplitude / 2)]
    const position = [l * Math.sin(amplitude), -l * Math.cos(amplitude), 0] as const
    const box = world.addBody({ mass: m, inertia, position, orientation: [0, 0, s, c] })
    world.add(ballSocket, { a: null, b: box, point: [0, 0, 0], form })
    const T = period(world, 4, () => Math.atan2(box.position[0], -box.position[1]))
    const exact = 2 * Math.PI * Math.sqrt((inertia[2] + m * l * l) / (m * G * l))
    expect(Math.abs(T / (exact * stretched) - 1)).toBeLessThan(PERIOD)
  })
})

describe('static sag', () => {
  const [m, compliance] = [4, 2e-3]

  test.each([
    [
      'distance',
      (world: World, b: Body) => world.add(distance, { a: null, b, anchorA: [0, 1, 0], compliance, damping: 200 }),
    ],
    [
      'distance off centre',
      (world: World, b: Body) =>
        world.add(distance, { a: null, b, anchorA: [0, 1, 0], anchorB: [0, 0.4, 0], compliance, damping: 200 }),
    ],
    [
      'ball socket, scalar',
      (world: World, b: Body) =>
        world.add(ballSocket, { a: null, b, point: [0, 0.4, 0], compliance, damping: 200, form: 'scalar' }),
    ],
    [
      'ball socket, block',
      (world: World, b: Body) => world.add(ballSocket, { a: null, b, point: [0, 0.4, 0], compliance, damping: 200 }),
    ],
  ] as const)('%s: compliance · m g, whatever the substeps', (_, join) => {
    for (const substeps of [1, 8]) {
      const world = new World({ gravity: [0, -G, 0], substeps })
      const body = world.addBody({ mass: m, inertia: 0.1 })
      const joint = join(world, body)
      for (let k = 0; k < 600; k++) world.step()
      expect(Math.abs(-body.position[1] - compliance * m * G)).toBeLessThan(SETTLED)
      expect(Math.abs(joint.error - compliance * m * G)).toBeLessThan(SETTLED)
      expect(Math.abs(joint.force - m * G)).toBeLessThan(1e4 * SETTLED)
    }
  })
})

describe('a compliant row is backward Euler', () => {
  const [m, k] = [2, 300]
  const omega = Math.sqrt(k / m)

  function released(damping: number): { world: World; body: Body; h: number } {
    const world = new World({ gravity: [0, 0, 0], substeps: 4 })
    const body = world.addBody({ position: [1.1, 0, 0], mass: m })
    world.add(distance, { a: null, b: body, anchorA: [0, 0, 0], length: 1, stiffness: k, damping })
    return { world, body, h: 1 / 240 }
  }

  test.each([0, 5])('the recurrence itself, damping %d N s/m', (damping) => {
    const { world, body, h } = released(damping)
    let [x, v] = [0.1, 0]
    for (let step = 0; step < 60; step++) {
      world.step()
      for (let n = 0; n < 4; n++) {
        v = (v - (h * k * x) / m) / (1 + (h * damping + h * h * k) / m)
        x += h * v
      }
      expect(Math.abs(body.position[0] - 1 - x)).toBeLessThan(SAME)
      expect(Math.abs(body.velocity[0] - v)).toBeLessThan(100 * SAME)
    }
  })

  test('amplitude falls by (1 + (ωh)²)^(−1/2) a substep', () => {
    const { world, body, h } = released(0)
    const amplitude = (): number => Math.hypot(body.position[0] - 1, body.velocity[0] / omega)
    const start = amplitude()
    for (let step = 0; step < 30; step++) world.step()
    const factor = (amplitude() / start) ** (1 / 120)
    expect(Math.abs(factor - (1 + (omega * h) ** 2) ** -0.5)).toBeLessThan(1e-3 * (1 - factor))
  })

  test('a frequency is that of the joined masses: two bodies against each other', () => {
    const world = new World({ gravity: [0, 0, 0], substeps: 100 })
    const [a, b] = [1, 3].map((mass, i) => world.addBody({ position: [i, 0, 0], mass }))
    world.add(distance, { a, b, length: 0.9, frequency: 3, dampingRatio: 0 })
    const T = period(world, 4, () => b.position[0] - a.position[0] - 0.9)
    expect(Math.abs(T * 3 - 1)).toBeLessThan(1e-4)
  })
})

describe('a rotating rod', () => {
  /** Of a type that does not say that it keeps momenta, as those of users may not: by the scheme alone. */
  const plain = { ...distance, name: 'plain', keepsMomenta: () => false }

  function rod(
    jacobians: 'fresh' | 'start',
    iterations: number,
    type: typeof distance,
  ): { world: World; omega: number } {
    const omega = 4
    const world = new World({ gravity: [0, 0, 0], substeps: 100, jacobians, iterations })
    const [a, b] = [-0.5, 0.5].map((x) => world.addBody({ position: [x, 0, 0], velocity: [0, omega * x, 0] }))
    world.add(type, { a, b })
    return { world, omega }
  }

  test('by the scheme alone loses angular momentum as (1 + 2 ω₀² h t)^(−1/2)', () => {
    const { world, omega } = rod('fresh', 1, plain)
    const L0 = world.momentum().angular[2]
    for (let k = 0; k < 60; k++) {
      world.step()
      const expected = (1 + (2 * omega * omega * world.time) / 6000) ** -0.5
      expect(Math.abs(world.momentum().angular[2] / L0 - expected)).toBeLessThan(ROD)
    }
  })

  test('keeps it to round-off with gradients of the start', () => {
    const { world } = rod('start', 5, plain)
    const L0 = world.momentum().angular[2]
    for (let k = 0; k < 60; k++) world.step()
    expect(Math.abs(world.momentum().angular[2] / L0 - 1)).toBeLessThan(1e-10)
    expect(world.residual().plain.linear?.max).toBeLessThan(1e-9)
  })

  test('keeps it to round-off by what the component is given back', () => {
    const { world } = rod('fresh', 1, distance)
    const L0 = world.momentum().angular[2]
    const { kinetic } = world.energy()
    for (let k = 0; k < 60; k++) {
      world.step()
      expect(world.energy().kinetic).toBeLessThanOrEqual(kinetic * (1 + SAME))
    }
    expect(Math.abs(world.momentum().angular[2] / L0 - 1)).toBeLessThan(1e-10)
  })
})

describe('inequalities', () => {
  test('a rope lets its end come near and holds it from afar; a strut the other way round', () => {
    const world = new World({ gravity: [0, 0, 0] })
    const flown = (mode: 'rope' | 'strut', v: number): Body => {
      const body = world.addBody({ position: [1, 0, 0], velocity: [v, 0, 0] })
      world.add(distance, { a: null, b: body, anchorA: [0, 0, 0], mode, length: 1.2 - 0.4 * Number(mode === 'strut') })
      return body
    }
    const [ropeOut, ropeIn, strutOut, strutIn] = [
      flown('rope', 0.5),
      flown('rope', -0.5),
      flown('strut', 0.5),
      flown('strut', -0.5),
    ]
    for (let k = 0; k < 60; k++) world.step()
    expect(ropeOut.position[0]).toBeCloseTo(1.2, 9)
    expect(ropeIn.position[0]).toBeCloseTo(0.5, 9)
    expect(strutOut.position[0]).toBeCloseTo(1.5, 9)
    expect(strutIn.position[0]).toBeCloseTo(0.8, 9)
  })
})

describe('pointContact', () => {
  test('a rod that slides off on its foot: the force told is the one that bends its path', () => {
    const [size, lean, h] = [[0.1, 0.6, 0.2] as const, 0.4, 1 / 3840]
    const world = new World({ gravity: [0, -G, 0], dt: h, substeps: 1 })
    const foot = [0.3 * Math.sin(lean), -0.3 * Math.cos(lean), 0] as const
    const rod = world.addBody({
      mass: 1,
      inertia: solidBox(1, size),
      position: [-foot[0], -foot[1], 0],
      orientation: [0, 0, Math.sin(lean / 2), Math.cos(lean / 2)],
    })
    const floor = world.add(pointContact, { a: rod, b: null, pointA: [0, 0, 0], pointB: [0, 0, 0], normal: [0, 1, 0] })
    for (let k = 0; k < 960; k++) world.step()
    const before = rod.velocity[1]
    world.step()
    const needed = (rod.velocity[1] - before) / h + G
    expect(needed).toBeGreaterThan(1)
    expect(Math.abs(floor.force / needed - 1)).toBeLessThan(FORCE)
  })
})

describe('damping of bodies', () => {
  test.each([
    ['auto', 0.5, 8],
    ['auto', 10, 1],
    ['auto', 50, 1],
    ['sweep', 10, 1],
    ['sweep', 50, 2],
  ] as const)(
    'takes nothing of the weight of what hangs: solver %s, %d/s, %i substeps',
    (solver, damping, substeps) => {
      const world = new World({ substeps, solver })
      const weight = world.addBody({
        position: [0, -1, 0],
        mass: 4,
        inertia: 1,
        linearDamping: damping,
        angularDamping: damping,
      })
      const joint = world.add(ballSocket, { b: weight, point: [0, 0, 0] })
      for (let step = 0; step < 120; step++) world.step()
      expect(Math.abs(joint.force / (4 * G) - 1)).toBeLessThan(SETTLED)
    },
  )
})
