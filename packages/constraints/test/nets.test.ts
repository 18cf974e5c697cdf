import { type Body, World } from '@tautline/core'
import { expect, test } from 'vitest'
import { ballSocket, dihedralBend, distance, lineDistance, spring } from '../src/index.js'

const DT = 1 / 60
/** Of Newton's method in trees [m]. */
const NO_GAP = 1e-6
const ROUND_OFF = 1e-9

test('a cloth with both diagonals does not gain energy (a sweep in one direction gains 10⁵ J)', () => {
  const [columns, rows, cell] = [17, 53, 0.05]
  const world = new World()
  const bodies: Body[] = []
  for (let j = 0; j < rows; j++) {
    for (let i = 0; i < columns; i++) {
      const isCorner = j === 0 && (i === 0 || i === columns - 1)
      const mass = isCorner ? Infinity : 0.2 / (columns * rows)
      bodies.push(world.addParticle({ position: [i * cell, -j * cell, 0], mass }))
    }
  }
  const join = (a: number, b: number): unknown => world.add(distance, { a: bodies[a], b: bodies[b] })
  for (let j = 0; j < rows; j++) {
    for (let i = 0; i < columns; i++) {
      const k = j * columns + i
      if (i + 1 < columns) join(k, k + 1)
      if (j + 1 < rows) join(k, k + columns)
      if (i + 1 === columns || j + 1 === rows) continue
      join(k, k + columns + 1)
      join(k + 1, k + columns)
    }
  }
  const start = world.energy().total
  for (let step = 0; step < 140; step++) {
    world.step(DT)
    expect(world.energy().total).toBeLessThanOrEqual(start)
  }
})

test('a fold that is wrong at the start is repaired without speed', () => {
  const world = new World({ gravity: [0, 0, 0] })
  const at = [
    [0, 0, 0],
    [1, 0, 0],
    [0.5, 1, 0],
    [0.5, -1, 0],
  ] as const
  const bodies = at.map((position) => world.addParticle({ position, mass: 1 }))
  for (let a = 0; a < 4; a++)
    for (let b = 0; b < a; b++) if (a + b !== 5) world.add(distance, { a: bodies[a], b: bodies[b] })
  world.add(dihedralBend, { bodies, angle: 2 })
  world.step(DT)
  // 2 rad in a substep would be 10³ rad/s.
  for (const { velocity } of bodies) expect(Math.hypot(...velocity)).toBeLessThan(1.5)
  for (let step = 0; step < 240; step++) world.step(DT)
  expect(world.residual().dihedralBend.angular?.max).toBeLessThan(1e-2)
})

test('what is pressed through length 0 within a substep gains nothing (turned about it gains half)', () => {
  const [length, stiffness] = [0.2, 130]
  const rows = {
    spring: (world: World, a: Body, b: Body) => world.add(spring, { a, b, length, stiffness }),
    distance: (world: World, a: Body, b: Body) => world.add(distance, { a, b, length, compliance: 1 / stiffness }),
    lines: (world: World, a: Body, b: Body) => world.add(lineDistance, { a, b, length, compliance: 1 / stiffness }),
    anchored: (world: World, a: Body, b: Body) =>
      world.add(distance, { a, b, length, compliance: 1 / stiffness, anchorB: [0, 1e-3, 0] }),
  }
  for (const [name, join] of Object.entries(rows)) {
    const world = new World({ gravity: [0, 0, 0], substeps: 1, energyGuard: false, solver: 'sweep' })
    const a = world.addParticle({ position: [0, 0, 0], mass: 0.25 })
    const b = world.addBody({
      position: [0.25, 0, 0],
      mass: 0.25,
      velocity: [-15.3, 0, 0],
      ...(name === 'anchored' && { inertia: 1 }),
    })
    join(world, a, b)
    const start = world.energy().total
    for (let step = 0; step < 30; step++) {
      world.step(DT)
      expect(world.energy().total, name).toBeLessThanOrEqual(start * (1 + ROUND_OFF))
    }
  }
})

test('a rope by lines with a crate on it goes to the trees, a cloth by lines stays', () => {
  const world = new World()
  const nodes = Array.from({ length: 20 }, (_, k) => world.addParticle({ position: [0.1 * (k + 1), 0, 0], mass: 0.02 }))
  const crate = world.addBody({ position: [2.25, 0, 0], mass: 40, inertia: 1.7 })
  const held = [world.add(ballSocket, { a: nodes[0], b: null, point: [0.1, 0, 0] })]
  const rows = nodes.slice(1).map((b, k) => world.add(lineDistance, { a: nodes[k], b }))
  held.push(world.add(ballSocket, { a: nodes[19], b: crate, point: [2, 0, 0] }))
  for (let step = 0; step < 60; step++) {
    world.step(DT)
    for (const joint of [...held, ...rows]) expect(Math.abs(joint.error)).toBeLessThan(NO_GAP)
  }
  expect(world.report.direct.joints).toBe(21)
  // A ring is none of the trees: the crate's own joint alone is left.
  world.add(lineDistance, { a: nodes[3], b: nodes[9] })
  world.step(DT)
  expect(world.report.direct.joints).toBe(1)
})

test('two joints suffice where a body hangs on a particle', () => {
  const world = new World()
  const particle = world.addParticle({ position: [1, 0, 0], mass: 0.02 })
  const crate = world.addBody({ position: [1.25, 0, 0], mass: 40, inertia: 1.7 })
  const held = [
    world.add(distance, { a: particle, b: null, anchorB: [0, 0, 0] }),
    world.add(ballSocket, { a: particle, b: crate, point: [1, 0, 0] }),
  ]
  for (let step = 0; step < 60; step++) {
    world.step(DT)
    for (const joint of held) expect(Math.abs(joint.error)).toBeLessThan(NO_GAP)
  }
})
