import { type Body, fromJSON, World, type WorldOptions } from '@tautline/core'
import { describe, expect, test } from 'vitest'
import { ballSocket, distance, type ElasticReport, neoHookean, type NeoHookeanDef } from '../../src/index.js'
import { addBlock, block } from '../support/blocks.js'
import { sample } from '../../../core/test/support/runs.js'

/** What a load by a row may do otherwise than the same as a force, beside the sag: what the last turns leave. */
const AS_A_FORCE = 5e-3
/** The same at one substep: what Newton's last iteration leaves. */
const AT_ONE = 0.05
/** What a body that hangs by a row may store otherwise than by a static node: the same. */
const AS_HELD = 0.02
/** Round-off of momenta, beside the largest summand: rows of others go by the masses of their bodies, a piece by its factor. */
const ROUND_OFF = 1e-11
/** What a distance may be off [m]: it is swept last, and the piece is solved after it. */
const MET = 1e-4
/** Energy that thrown bodies may gain, beside all there is. */
const GAIN = 1e-3

const shape = block(6, 2, 2)
const cube = block(3, 3, 3)
const SIZE = 0.05
const STIFF = { youngsModulus: 2e6, poissonRatio: 0.3, damping: 5e-4 }

function reportOf(world: World): ElasticReport {
  return world.report.solvers.elastic as ElasticReport
}

function bar(options: WorldOptions, material: Partial<NeoHookeanDef> = {}): { world: World; bodies: Body[] } {
  const world = new World(options)
  return { world, bodies: addBlock(world, shape, SIZE, 1000, { ...STIFF, ...material }, ([x]) => x === 0) }
}

/** Steps to rest without a swing. */
function settle(world: World, bodies: Iterable<Body>, steps: number, act: () => void = () => undefined): void {
  for (let k = 0; k < steps; k++) {
    for (const body of bodies) {
      const [x, y, z] = body.velocity
      if (body.type === 'dynamic') body.setVelocity([0.9 * x, 0.9 * y, 0.9 * z])
    }
    act()
    world.step()
  }
}

/** The point in the middle of the end of the bar. */
const END = shape.points.findIndex(([x, y, z]) => x === 6 && y === 1 && z === 1)

describe('loads on soft bodies as a whole', () => {
  test.each(sample([8, 2, 1]))('what hangs on a node is as heavy as a force, at %i substeps', (substeps) => {
    const WEIGHT = 3
    const byForce = bar({})
    settle(byForce.world, byForce.bodies, 300, () => byForce.bodies[END].applyForce([0, -9.81 * WEIGHT, 0]))
    const byRow = bar({ substeps })
    const [x, y, z] = byRow.bodies[END].position
    const load = byRow.world.addParticle({ position: [x, y - 0.2, z], mass: WEIGHT })
    byRow.world.add(distance, { a: byRow.bodies[END], b: load })
    settle(byRow.world, [...byRow.bodies, load], 300)
    const start = shape.points[END][1] * SIZE
    const [one, other] = [byForce, byRow].map(({ bodies }) => start - bodies[END].position[1])
    expect(reportOf(byRow.world)).toMatchObject({ pieces: 1, swept: 0 })
    expect(one).toBeGreaterThan(SIZE / 5)
    expect(Math.abs(other / one - 1)).toBeLessThan(substeps === 1 ? AT_ONE : AS_A_FORCE)
    expect(Math.abs(byRow.bodies[END].position[1] - load.position[1] - 0.2)).toBeLessThan(MET)
  })

  test('a body on a joint that is solved directly likewise', { tags: ['thorough'] }, () => {
    const { world, bodies } = bar({})
    const load = world.addBody({ position: bodies[END].position, mass: 3, inertia: [0.01, 0.01, 0.01] })
    world.add(ballSocket, { a: bodies[END], b: load, point: bodies[END].position })
    settle(world, [...bodies, load], 300)
    const byForce = bar({})
    settle(byForce.world, byForce.bodies, 300, () => byForce.bodies[END].applyForce([0, -9.81 * 3, 0]))
    const sag = (of: Body[]): number => shape.points[END][1] * SIZE - of[END].position[1]
    expect(world.report.direct.joints).toBe(1)
    expect(Math.abs(sag(bodies) / sag(byForce.bodies) - 1)).toBeLessThan(AS_A_FORCE)
    expect(Math.abs(load.position[1] - bodies[END].position[1])).toBeLessThan(MET)
  })

  test.each(sample([4, 8, 1]))(
    'what hangs by a node is strained as if that were static, at %i substeps',
    (substeps) => {
      const top = cube.points.findIndex(([x, y, z]) => x === 1 && y === 3 && z === 1)
      const stored = [true, false].map((isStatic) => {
        const world = new World({ substeps })
        const bodies = addBlock(world, cube, SIZE, 1000, STIFF, (point) => isStatic && point === cube.points[top])
        if (!isStatic) world.add(distance, { a: bodies[top], b: null, anchorB: [SIZE, 4 * SIZE, SIZE] })
        settle(world, bodies, 400)
        expect(reportOf(world)).toMatchObject({ pieces: 1, swept: 0 })
        return world.energy().elastic
      })
      expect(Math.abs(stored[1] / stored[0] - 1)).toBeLessThan(AS_HELD)
    },
  )

  test('momenta are kept, masses are given back, and nothing is gained', () => {
    const world = new World({ gravity: [0, 0, 0], substeps: 4 })
    const bodies = addBlock(world, cube, SIZE, 1000, STIFF)
    const masses = bodies.map(({ mass }) => mass)
    const heavy = world.addParticle({ position: [3 * SIZE, 4 * SIZE, 0], mass: 5, velocity: [3, 0, 4] })
    const turning = world.addBody({
      position: [0, -SIZE, 0],
      mass: 2,
      inertia: [0.01, 0.02, 0.015],
      velocity: [-3, 2, 0],
    })
    world.add(distance, { a: bodies[cube.points.length - 1], b: heavy })
    world.add(ballSocket, { a: bodies[0], b: turning, anchorB: [0, SIZE, 0] })
    const all = [...bodies, heavy, turning]
    const momentum = (): number[] =>
      [0, 1, 2].map((k) => all.reduce((p, { mass, velocity }) => p + mass * velocity[k], 0))
    const before = momentum()
    const start = world.energy()
    const SCALE = 5 * 5 + 2 * Math.hypot(3, 2)
    for (let k = 0; k < 120; k++) {
      world.step()
      momentum().forEach((p, axis) => expect(Math.abs(p - before[axis])).toBeLessThan(ROUND_OFF * SCALE))
      expect(world.energy().kinetic).toBeLessThan((1 + GAIN) * start.kinetic)
      expect(bodies.map(({ mass }) => mass)).toEqual(masses)
    }
    expect(reportOf(world)).toMatchObject({ pieces: 1 })
  })

  test('a row of another type makes no difference to who is whole', () => {
    const { world, bodies } = bar({})
    world.step()
    expect(reportOf(world).pieces).toBe(1)
    const tie = world.add(distance, { a: bodies[END], b: null, anchorB: [0.3, 1, 0] })
    world.step()
    expect(reportOf(world).pieces).toBe(1)
    tie.remove()
    world.step()
    expect(reportOf(world).pieces).toBe(1)
  })

  test.each(sample([12, 4, 40]))('the same bits from a snapshot and from JSON after %i steps', (steps) => {
    const { world, bodies } = bar({}, { youngsModulus: 1e7 })
    const load = world.addParticle({ position: [6 * SIZE, -0.2, SIZE], mass: 3 })
    world.add(distance, { a: bodies[END], b: load })
    for (let k = 0; k < steps; k++) world.step()
    const snapshot = world.snapshot()
    const read = fromJSON(JSON.parse(JSON.stringify(world)), [neoHookean, distance])
    for (let k = 0; k < 5; k++) world.step()
    const hash = world.hash()
    world.restore(snapshot)
    for (const other of [world, read]) {
      for (let k = 0; k < 5; k++) other.step()
      expect(other.hash()).toBe(hash)
    }
  })
})
