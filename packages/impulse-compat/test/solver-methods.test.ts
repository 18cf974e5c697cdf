/** The methods of the impulse solver against each other, and what it tells of a solve. */

import { World } from '@tautline/core'
import { describe, expect, test } from 'vitest'
import { sphere } from '../../collision/src/index.js'
import { ballSocket, distance } from '../../constraints/src/index.js'
import { Random } from '../../core/test/support/random.js'
import { type ImpulseOptions, ImpulseSolver } from '../src/index.js'
import { lemke } from '../src/mlcp/lemke.js'
import { complementarityResidual } from '../src/mlcp/problem.js'
import { ground, limb, mixed, rope, share, solverOf, stack, steps, stir, velocities } from './support/solver-scenes.js'

/** Impulses and velocities of two ways to the one solution, as a share: what a direct solve and a stop at 1e-14 leave. */
const AGREE = 1e-8
/** Sweeps until nothing changes by more than 1e-14. */
const CONVERGED: ImpulseOptions = { iterations: 20_000, tolerance: 1e-14 }

/** Velocities after one step from the present state, which stays. */
function after(world: World, options: ImpulseOptions): { V: number[]; solver: ImpulseSolver } {
  const before = world.snapshot()
  const solver = solverOf(world, options)
  solver.step()
  const V = velocities(world)
  world.restore(before)
  return { V, solver }
}

function chain(links: number): World {
  const world = new World()
  rope(world, links)
  return world
}

/** Scenes whose solution is one: joints alone, or contacts of which each body has few. */
const SCENES: Record<string, () => World> = {
  rope: () => chain(6),
  limb: () => {
    const world = new World()
    limb(world, 4)
    stir(world, 3)
    return world
  },
  'a ball on a floor': () => {
    const { world, collisions } = ground()
    const body = collisions.addBody({ shape: ball(), position: [0, 0.29, 0], velocity: [1, -1, 0.3] })
    body.setAngularVelocity([1, 2, 3])
    return world
  },
  'balls in a row, pressed together': () => {
    const { world, collisions } = ground({ friction: 0.1 })
    const random = new Random(2)
    for (let k = 0; k < 4; k++) {
      const body = collisions.addBody({ shape: ball(), position: [0.595 * k, 0.3, 0.02 * k], mass: 1 + k })
      body.setVelocity(random.vector())
    }
    return world
  },
}

function ball(): ReturnType<typeof sphere> {
  return sphere(0.3)
}

describe('methods agree', () => {
  test.each(Object.keys(SCENES))('lemke and converged sweeps: %s', (name) => {
    const world = SCENES[name]()
    for (let k = 0; k < 10; k++) {
      const exact = after(world, { method: 'lemke', iterations: 200, friction: 'pyramid' })
      expect(exact.solver.report.fallback).toBe('')
      for (const method of ['sequential', 'assembled'] as const) {
        const swept = after(world, { ...CONVERGED, method, friction: 'pyramid' })
        expect(swept.solver.report.iterations).toBeLessThan(2 * 20_000)
        expect(share(exact.V, swept.V, 1)).toBeLessThan(AGREE)
      }
      steps(solverOf(world), 1)
    }
  })

  test('Jacobi on a pair of links, and not on what is coupled more; less of a step damps it', () => {
    const world = chain(2)
    const exact = after(world, { method: 'lemke' }).V
    const jacobi = (options: ImpulseOptions, of = world): number => {
      const { V } = after(of, { method: 'jacobi', iterations: 400, warmStart: 0, stabilization: 'none', ...options })
      return share(exact, V, 1)
    }
    expect(jacobi({})).toBeLessThan(AGREE)
    expect(jacobi({ relaxation: 0.5 })).toBeLessThan(AGREE)

    // A body on six rods: the spectral radius of D⁻¹A is near 6, beyond 2.
    const star = new World()
    const hub = star.addParticle({ position: [0, 0, 0] })
    for (let k = 0; k < 6; k++) {
      const a = star.addBody({ type: 'static', position: [3 + 0.01 * k, 2 + 0.1 * k, 0.05 * k] })
      star.add(distance, { a, b: hub, regularization: 0.01 })
    }
    const wild = after(star, { method: 'jacobi', iterations: 50, trace: true, stabilization: 'none' }).solver.report
      .trace
    expect(wild[50]).toBeGreaterThan(1e3 * wild[0])
    const tame = after(star, { method: 'jacobi', iterations: 50, relaxation: 0.2, trace: true, stabilization: 'none' })
    expect(tame.solver.report.trace[50]).toBeLessThan(0.1 * tame.solver.report.trace[0])
  })

  test('Gauss–Seidel is projected Gauss–Seidel where there is nothing to project, and glues where there is', () => {
    const joints = new World()
    const bodies = limb(joints, 1)
    joints.add(ballSocket, { a: bodies[0], b: joints.addBody({ position: [1, 0, 0], inertia: 1 }), point: [0.5, 0, 0] })
    rope(joints, 5)
    const sequential = solverOf(joints)
    for (let k = 0; k < 20; k++) {
      const a = after(joints, {}).V
      const b = after(joints, { method: 'gaussSeidel' }).V
      expect(a).toEqual(b)
      sequential.step()
    }
    const leaving = (method: 'gaussSeidel' | 'sequential'): number => {
      const { world, collisions } = ground({}, { gravity: [0, 0, 0] })
      const body = collisions.addBody({ shape: ball(), position: [0, 0.3, 0], velocity: [0, 0.1, 0] })
      solverOf(world, { method }).step()
      return body.velocity[1]
    }
    expect(leaving('sequential')).toBe(0.1)
    expect(Math.abs(leaving('gaussSeidel'))).toBeLessThan(1e-12)
  })

  test('problem() is the problem of the step: Lemke’s impulses are those that sweeps found', () => {
    const world = SCENES['balls in a row, pressed together']()
    const solver = solverOf(world, { ...CONVERGED, friction: 'pyramid', stabilization: 'none' })
    world.configure({ gyroscopic: 'none' })
    for (let k = 0; k < 5; k++) {
      solver.step()
      const problem = solver.problem()
      const { impulse, rows } = solver.system
      expect(problem.size).toBe(rows)
      expect(complementarityResidual(problem, impulse.subarray(0, rows))).toBeLessThan(1e-9)
      // Impulses need not be one where four balls rub on a floor, but speeds are.
      const found = lemke(problem)
      expect(found.status).toBe('solved')
      expect(share([...found.lambda], [...impulse.subarray(0, rows)], 1)).toBeLessThan(1e-6)
    }
    expect(new ImpulseSolver(new World()).problem().size).toBe(0)
  })
})

describe('what a solve tells', () => {
  test('the trace falls at every sweep for equalities, to round-off, and has one entry more than sweeps', () => {
    for (const method of ['sequential', 'assembled', 'gaussSeidel'] as const) {
      const world = chain(5)
      stir(world, 1)
      const solver = solverOf(world, { method, iterations: 300, trace: true, warmStart: 0, stabilization: 'none' })
      steps(solver, 3)
      const { trace } = solver.report
      expect(trace.length).toBe(301)
      expect(trace[0]).toBeGreaterThan(0.1)
      expect(trace[300]).toBeLessThan(1e-12)
      // The energy norm falls at every sweep; the largest entry may rise a little on the way.
      for (let k = 10; k < trace.length; k += 10) expect(trace[k]).toBeLessThanOrEqual(trace[k - 10] + 1e-12)
    }
  })

  test('rows, iterations and the change of the last; nothing is traced unless asked for', () => {
    const world = chain(4)
    const solver = solverOf(world, { iterations: 7 })
    solver.step()
    expect(solver.report).toMatchObject({ rows: 4, trace: [], fallback: '' })
    // Of positions and of velocities.
    expect(solver.report.iterations).toBe(14)
    expect(world.report.iterations).toBe(14)
    solver.configure({ stabilization: 'baumgarte', substeps: 3 })
    solver.step()
    expect(solver.report.iterations).toBe(7)
    expect(solver.report.change).toBeGreaterThan(0)
    solver.configure({ iterations: 2000 })
    solver.step()
    expect(solver.report.change).toBeLessThan(1e-12)
    solver.configure({ stabilization: 'soft', iterations: 7, relaxIterations: 2 })
    solver.step()
    expect(solver.report.iterations).toBe(9)
  })

  test('a tolerance stops early, and no later than the count', () => {
    const made = (tolerance: number, iterations = 1000): number => {
      const world = chain(5)
      const solver = solverOf(world, { tolerance, iterations, stabilization: 'none' })
      steps(solver, 5)
      expect(solver.report.change <= tolerance || solver.report.iterations === iterations).toBe(true)
      return solver.report.iterations
    }
    const counts = [1e-2, 1e-6, 1e-10].map((tolerance) => made(tolerance))
    expect(counts[0]).toBeLessThan(counts[1])
    expect(counts[1]).toBeLessThan(counts[2])
    expect(counts[2]).toBeLessThan(1000)
    expect(made(1e-10, 3)).toBe(3)
  })

  test('a warm start saves sweeps where a stack rests', () => {
    const sweeps = (warmStart: number): number => {
      const scene = ground()
      stack(scene, 5)
      const solver = solverOf(scene.world, { warmStart, tolerance: 1e-4, iterations: 500, stabilization: 'baumgarte' })
      steps(solver, 60)
      return solver.report.iterations
    }
    expect(sweeps(1)).toBeLessThan(0.5 * sweeps(0))
  })

  test('a dead row of a problem has λ = 0, whatever the method', () => {
    const world = new World()
    const [a, b] = [world.addBody({ type: 'static' }), world.addBody({ type: 'kinematic', position: [1, 0, 0] })]
    const rod = world.add(distance, { a, b, length: 2 })
    world.add(distance, { a, b: world.addParticle({ position: [0, 1, 0] }) })
    for (const method of ['sequential', 'assembled', 'jacobi', 'gaussSeidel', 'lemke'] as const) {
      const solver = solverOf(world, { method })
      solver.step()
      expect(solver.report.fallback).toBe('')
      expect(rod.force).toBe(0)
    }
  })

  test('relaxation: more than 1 is quicker on a long rope, and less is slower', () => {
    const left = (relaxation: number): number => {
      const world = chain(20)
      stir(world, 1)
      const solver = solverOf(world, { relaxation, iterations: 60, trace: true, warmStart: 0, stabilization: 'none' })
      steps(solver, 1)
      return solver.report.trace[60]
    }
    expect(left(1.6)).toBeLessThan(left(1))
    expect(left(1)).toBeLessThan(left(0.5))
  })

  test('two solvers of one world, and of two, do not know of each other', () => {
    const [p, q, r] = [mixed(), mixed(), mixed()]
    const one = solverOf(p.world)
    const others = [solverOf(q.world), solverOf(q.world)]
    const third = solverOf(r.world)
    for (let k = 0; k < 20; k++) {
      one.step()
      others[k % 2].step()
      third.step()
      expect(q.world.hash()).toBe(p.world.hash())
      expect(r.world.hash()).toBe(p.world.hash())
    }
  })
})
