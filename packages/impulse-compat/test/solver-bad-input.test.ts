/** What the impulse solver does not take, and what it says then. */

import { World } from '@tautline/core'
import { shown } from '@tautline/core/kernel'
import { describe, expect, test } from 'vitest'
import { ballSocket, distance } from '../../constraints/src/index.js'
import { type ImpulseOptions, ImpulseSolver } from '../src/index.js'
import { lemke } from '../src/mlcp/lemke.js'
import { rope, steps } from './support/solver-scenes.js'

/** Wrong values by field. What the message says of one: `String` of it. */
const BAD: Record<string, readonly unknown[]> = {
  method: ['pgs', '', null, 3],
  iterations: [0, -1, 1.5, NaN, Infinity, '10'],
  tolerance: [-1e-9, NaN, Infinity, '1'],
  relaxation: [0, -1, 2, 2.5, NaN, Infinity],
  substeps: [0, -3, 0.5, NaN],
  stabilization: ['push', null],
  beta: [-0.1, 1.1, NaN, Infinity, '0.2', null],
  slop: [-1e-3, NaN, Infinity],
  maxPush: [-1, NaN, '1'],
  contactFrequency: [0, -30, NaN, Infinity],
  contactDampingRatio: [-1, NaN],
  jointFrequency: [0, NaN, Infinity],
  jointDampingRatio: [-0.1, NaN],
  relaxIterations: [0, -1, 1.5, NaN],
  warmStart: [-0.1, 1.1, NaN],
  friction: ['box', 1],
  contacts: ['face', 4],
  bound: ['mass', true],
  restitution: ['newton', 0.5],
  restitutionThreshold: [-1, NaN, Infinity],
  integrator: ['euler', 4],
  rotation: ['exact'],
  state: ['energy'],
  trace: [1, 'yes', null],
}

const CASES = Object.entries(BAD).flatMap(([field, values]) => values.map((value) => [field, value] as const))

/** Runs it, and gives what it throws. */
function thrown(run: () => unknown): Error {
  try {
    run()
  } catch (error) {
    return error as Error
  }
  throw new Error('nothing was thrown')
}

/** A message with all parts; text that is quoted may be in either quotes. */
function expectMessage(error: Error, ...parts: readonly string[]): void {
  expect(error instanceof TypeError || error instanceof RangeError).toBe(true)
  for (const part of parts) expect(error.message.replace(/["']/g, '')).toContain(part)
}

describe('options', () => {
  test.each(CASES)('%s: %s', (field, value) => {
    const options = { [field]: value } as ImpulseOptions
    const world = new World()
    expectMessage(
      thrown(() => new ImpulseSolver(world, options)),
      'ImpulseSolver',
      field,
      `got ${String(value)}`,
    )
    // With good ones beside it, nothing is changed.
    const solver = new ImpulseSolver(world, { beta: 0.3, trace: true })
    const before = { ...solver.settings }
    expectMessage(
      thrown(() => solver.configure({ slop: 0.1, method: 'lemke', ...options })),
      'configure',
      field,
    )
    expect(solver.settings).toEqual(before)
  })

  test('all of them were tried', () => {
    expect(Object.keys(new ImpulseSolver(new World()).settings).sort()).toEqual(Object.keys(BAD).sort())
  })

  test('names that are none', () => {
    const world = new World()
    expectMessage(
      thrown(() => new ImpulseSolver(world, { betta: 0.1 } as never)),
      'ImpulseSolver',
      'betta',
    )
    expectMessage(
      thrown(() => new ImpulseSolver(world, null as never)),
      'options',
      'null',
    )
    expectMessage(
      thrown(() => new ImpulseSolver(world, 3 as never)),
      'options',
      'got 3',
    )
    const solver = new ImpulseSolver(world)
    expectMessage(
      thrown(() => solver.configure({ Beta: 0.1 } as never)),
      'configure',
      'Beta',
    )
  })

  test('Runge–Kutta with what needs a velocity for positions', () => {
    const world = new World()
    for (const stabilization of ['singleFrame', 'split', 'soft'] as const) {
      const error = thrown(() => new ImpulseSolver(world, { integrator: 'rungeKutta4', stabilization }))
      expectMessage(error, 'stabilization', 'rungeKutta4', stabilization)
      const solver = new ImpulseSolver(world, { integrator: 'rungeKutta4' })
      expectMessage(
        thrown(() => solver.configure({ stabilization })),
        'stabilization',
        stabilization,
      )
      expect(solver.settings.stabilization).toBe('baumgarte')
    }
    // Left out, it is one that goes with it.
    const solver = new ImpulseSolver(world)
    solver.configure({ integrator: 'rungeKutta4' })
    expect(solver.settings.stabilization).toBe('baumgarte')
  })

  test('what is left out or undefined is the default, or stays', () => {
    const world = new World()
    expect(new ImpulseSolver(world, { beta: undefined } as never).settings).toEqual(new ImpulseSolver(world).settings)
    const solver = new ImpulseSolver(world, { beta: 0.4, iterations: 3, restitutionThreshold: 2 })
    solver.configure({ iterations: 5 })
    expect(solver.settings).toMatchObject({ beta: 0.4, iterations: 5, restitutionThreshold: 2 })
  })

  test('ends of ranges are taken', () => {
    const world = new World()
    for (const beta of [0, 1]) expect(new ImpulseSolver(world, { beta }).settings.beta).toBe(beta)
    const ends = { slop: 0, maxPush: 0, warmStart: 1, iterations: 1, contactDampingRatio: 0, relaxation: 1.99 }
    expect(new ImpulseSolver(world, ends).settings).toMatchObject(ends)
    expect(new ImpulseSolver(world, { maxPush: Infinity }).settings.maxPush).toBe(Infinity)
  })
})

test.each([null, undefined, {}, 'world', 3])('a world that is none: %s', (world) => {
  expectMessage(
    thrown(() => new ImpulseSolver(world as never)),
    'world',
    'World',
    `got ${shown(world).replaceAll('"', '')}`,
  )
})

test.each([0, -1 / 60, NaN, Infinity, '1'])('a step of %s', (dt) => {
  const world = new World()
  const body = world.addBody({ velocity: [1, 0, 0] })
  const solver = new ImpulseSolver(world)
  const before = world.hash()
  expectMessage(
    thrown(() => solver.step(dt as number)),
    'step',
    'dt',
    `got ${dt}`,
  )
  expect(world.hash()).toBe(before)
  expect(body.position[0]).toBe(0)
})

describe('a singular system', () => {
  /** Two bodies joined twice at one point, so that three rows depend on three others. */
  function doubled(regularization: number): { world: World; joints: { force: number }[] } {
    const world = new World()
    const body = world.addBody({ position: [1, 0, 0], inertia: 1 })
    const joints = [0, 1].map(() => world.add(ballSocket, { b: body, point: [0, 0, 0], regularization }))
    return { world, joints }
  }

  test('is an error of lemke() that says which row and what to do, and none of a step', () => {
    const { world, joints } = doubled(0)
    const solver = new ImpulseSolver(world, { method: 'lemke' })
    steps(solver, 20)
    expect(solver.report.fallback).toMatch(/lemke: row \d+ must not depend/)
    expectMessage(
      thrown(() => lemke(solver.problem())),
      'lemke: row',
      'depend',
      'regularization',
    )
    // Sweeps solve it: the two share the load.
    const reference = doubled(0)
    steps(new ImpulseSolver(reference.world, { method: 'assembled' }), 20)
    expect(world.hash()).toBe(reference.world.hash())
    expect(joints[0].force).toBeGreaterThan(0)
  })

  test('is solved with regularization, and the report says so', () => {
    const { world, joints } = doubled(1e-3)
    const solver = new ImpulseSolver(world, { method: 'lemke' })
    steps(solver, 20)
    expect(solver.report.fallback).toBe('')
    expect(lemke(solver.problem()).status).toBe('solved')
    expect(joints[0].force).toBeCloseTo(joints[1].force, 6)
  })

  test('the reason goes when the cause does', () => {
    const { world } = doubled(0)
    const solver = new ImpulseSolver(world, { method: 'lemke' })
    solver.step()
    expect(solver.report.fallback).not.toBe('')
    world.constraints()[1].remove()
    solver.step()
    expect(solver.report.fallback).toBe('')
  })
})

test('a step takes whatever becomes of the world: bodies and constraints come and go', () => {
  const world = new World()
  const solver = new ImpulseSolver(world)
  solver.step()
  const { bodies } = rope(world, 8)
  solver.step()
  bodies[4].remove()
  solver.step()
  const more = Array.from({ length: 200 }, (_, k) => world.addBody({ position: [k, 5, 0], inertia: 1 }))
  for (let k = 1; k < 200; k++) world.add(distance, { a: more[k - 1], b: more[k] })
  steps(solver, 5)
  expect(solver.report.rows).toBe(199 + 6)
  for (const body of more) body.remove()
  steps(solver, 2)
  expect([...bodies[3].position].every(Number.isFinite)).toBe(true)
})
