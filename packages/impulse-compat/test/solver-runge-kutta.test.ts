/** Runge–Kutta 4, momentum as the state, and the two ways to turn. */

import { type Body, World } from '@tautline/core'
import { describe, expect, test } from 'vitest'
import { ballSocket, distance, force, spring } from '../../constraints/src/index.js'
import type { ImpulseOptions } from '../src/index.js'
import { G, ground, isFinite, length, limb, mixed, solverOf, stack, steps } from './support/solver-scenes.js'

/** Sums of a few hundred steps. */
const ROUND_OFF = 1e-12

/** log₂ of the ratio of two errors: the order, when the step was halved. */
const order = (errors: readonly number[]): number => Math.log2(errors[errors.length - 2] / errors[errors.length - 1])

/** Largest difference of two lists. */
const apart = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  Math.max(...Array.from(a, (x, k) => Math.abs(x - b[k])))

/** A body that tumbles about its middle axis for a second, and then. */
function tumbled(h: number, options: ImpulseOptions): { body: Body; world: World } {
  const world = new World({ gravity: [0, 0, 0], dt: h })
  const body = world.addBody({ inertia: [1, 2, 3], angularVelocity: [0.3, 4, 0.2], velocity: [1, 0, 0] })
  steps(solverOf(world, options), Math.round(1 / h))
  return { body, world }
}

describe('order', () => {
  /** Errors at steps of 1/50, 1/100 and 1/200 s against a run of 1/6400 s by Runge–Kutta. */
  function errors(run: (h: number, options: ImpulseOptions) => ArrayLike<number>, options: ImpulseOptions): number[] {
    const exact = run(1 / 6400, { integrator: 'rungeKutta4', stabilization: 'none' })
    return [1 / 50, 1 / 100, 1 / 200].map((h) => apart(run(h, options), exact))
  }

  const RK: ImpulseOptions = { integrator: 'rungeKutta4', stabilization: 'none', iterations: 30 }
  const EULER: ImpulseOptions = { stabilization: 'none', iterations: 30 }

  test('of ω of a body that tumbles: its stages carry the gyroscopic term', () => {
    const run = (h: number, options: ImpulseOptions): ArrayLike<number> => tumbled(h, options).body.angularVelocity
    // Orientations are of second order (mean of the stages in the Lie algebra), and ω is read in the world from them.
    expect(order(errors(run, RK))).toBeGreaterThan(1.8)
    expect(errors(run, RK)[2]).toBeLessThan(1e-3)
  })

  test('of a stone in a field of force: 4, against 1', () => {
    const field = force({
      name: 'field',
      bodies: 1,
      force: ([body], _h, out) => {
        const [x, y, z] = body.point([0, 0, 0])
        out.force(0, -9 * x, -9 * y, -9 * z)
      },
    })
    const run = (h: number, options: ImpulseOptions): ArrayLike<number> => {
      const world = new World({ gravity: [0, 0, 0], dt: h })
      const stone = world.addParticle({ position: [1, 0, 0], velocity: [0, 2, 0] })
      world.add(field, { bodies: [stone], params: {} } as never)
      steps(solverOf(world, options), Math.round(1 / h))
      return [...stone.position, ...stone.velocity]
    }
    expect(order(errors(run, EULER))).toBeCloseTo(1, 0)
    // A law is solved implicitly at each stage: of first order whatever the stages are.
    expect(order(errors(run, RK))).toBeGreaterThan(0.8)
  })

  test('of free fall with drag off: exact', () => {
    const world = new World({ dt: 1 / 10 })
    const stone = world.addParticle({ velocity: [1, 5, 0] })
    steps(solverOf(world, { integrator: 'rungeKutta4' }), 10)
    expect(stone.position[1]).toBeCloseTo(5 - G / 2, 12)
    expect(stone.position[0]).toBeCloseTo(1, 12)
    expect(stone.velocity[1]).toBeCloseTo(5 - G, 12)
  })

  test('of a pendulum: 1, as of Euler, since each stage brings V to the end of the step', () => {
    const run = (h: number, options: ImpulseOptions): ArrayLike<number> => {
      const world = new World({ dt: h })
      const bob = world.addParticle({ position: [1, 0, 0] })
      const a = world.addBody({ type: 'static' })
      world.add(distance, { a, b: bob })
      steps(solverOf(world, options), Math.round(1 / h))
      return [...bob.position, ...bob.velocity]
    }
    const [euler, rk] = [errors(run, EULER), errors(run, RK)]
    expect(order(euler)).toBeGreaterThan(0.8)
    expect(order(rk)).toBeGreaterThan(0.8)
    // Its constant is larger.
    expect(rk[2]).toBeLessThan(3 * euler[2])
  })
})

describe('momentum as the state', () => {
  test('keeps ℓ of a body that tumbles to round-off, where velocity as the state does not', () => {
    const drift = (options: ImpulseOptions, gyroscopic: 'midpoint' | 'none'): number => {
      const world = new World({ gravity: [0, 0, 0], gyroscopic })
      world.addBody({ inertia: [1, 2, 3], angularVelocity: [1, 4, 2] })
      const before = world.momentum().angular
      steps(solverOf(world, options), 600)
      return apart(world.momentum().angular, before)
    }
    for (const rotation of ['exponential', 'increment'] as const) {
      expect(drift({ state: 'momentum', rotation }, 'midpoint')).toBeLessThan(100 * ROUND_OFF)
      // The setting of the world does not matter: ω always follows from ℓ.
      expect(drift({ state: 'momentum', rotation }, 'none')).toBeLessThan(100 * ROUND_OFF)
    }
    // The implicit midpoint is swept six times: (|ω|h/2)^6 of a turn are left.
    expect(drift({ state: 'velocity' }, 'midpoint')).toBeLessThan(1e-7)
    expect(drift({ state: 'velocity' }, 'none')).toBeGreaterThan(0.1)
  })

  test('with Runge–Kutta the gyroscopic term is in the stages, whatever the setting of the world', () => {
    const spin = (state: 'momentum' | 'velocity', gyroscopic: 'midpoint' | 'none'): number[] => {
      const world = new World({ gravity: [0, 0, 0], gyroscopic, dt: 1 / 240 })
      const body = world.addBody({ inertia: [1, 2, 3], angularVelocity: [0.3, 4, 0.2] })
      const before = world.momentum().angular
      steps(solverOf(world, { state, integrator: 'rungeKutta4' }), 480)
      if (state === 'momentum') expect(apart(world.momentum().angular, before)).toBeLessThan(5e-3)
      return [...body.angularVelocity]
    }
    const reference = spin('velocity', 'midpoint')
    expect(spin('momentum', 'midpoint')).toEqual(reference)
    expect(spin('momentum', 'none')).toEqual(reference)
    expect(apart(spin('velocity', 'none'), reference)).toBeGreaterThan(0.05)
  })

  test('and joints hold', () => {
    const world = new World()
    const bodies = limb(world, 4)
    steps(solverOf(world, { state: 'momentum', iterations: 30 }), 120)
    expect(isFinite(world)).toBe(true)
    for (const constraint of world.constraints()) expect(constraint.error).toBeLessThan(0.05)
    expect(bodies[3].position[1]).toBeLessThan(-0.3)
  })
})

describe('turning', () => {
  test('by the exponential is exact about an axis, by the increment atan(hω/2) short', () => {
    const turned = (rotation: 'exponential' | 'increment'): number => {
      const world = new World({ gravity: [0, 0, 0] })
      const body = world.addBody({ inertia: 1, angularVelocity: [0, 0, 6] })
      solverOf(world, { rotation }).step()
      const [, , z, w] = body.orientation
      expect(Math.hypot(z, w)).toBeCloseTo(1, 15)
      return 2 * Math.atan2(z, w)
    }
    expect(turned('exponential')).toBeCloseTo(0.1, 15)
    expect(turned('increment')).toBeCloseTo(2 * Math.atan(0.05), 15)
  })

  test('the increment is q + ½ ω q about any axis, from any pose', () => {
    const q = [0.1, -0.5, 0.3, 0.8].map((x) => x / Math.hypot(0.1, 0.5, 0.3, 0.8)) as [number, number, number, number]
    const after = (rotation: 'exponential' | 'increment', h: number): number[] => {
      const world = new World({ gravity: [0, 0, 0], dt: h })
      const body = world.addBody({ inertia: 1, orientation: q, angularVelocity: [3, -2, 5] })
      solverOf(world, { rotation }).step()
      return [...body.orientation]
    }
    // They differ by (hω)³/24: an eighth at half the step.
    const [a, b] = [1 / 60, 1 / 120].map((h) => apart(after('exponential', h), after('increment', h)))
    expect(a / b).toBeGreaterThan(7.5)
    expect(a / b).toBeLessThan(8.5)
    expect(a).toBeLessThan((6.2 / 60) ** 3 / 20)
  })
})

describe('Runge–Kutta in a world', () => {
  test('kinematic bodies move, static ones do not, and what hangs on them follows', () => {
    const world = new World()
    const handle = world.addBody({ type: 'kinematic', velocity: [0.6, 0, 0], angularVelocity: [0, 1, 0], inertia: 1 })
    const bob = world.addBody({ position: [0, -1, 0], inertia: 1 })
    world.add(ballSocket, { a: handle, b: bob, point: [0, 0, 0] })
    steps(solverOf(world, { integrator: 'rungeKutta4' }), 60)
    expect(handle.position[0]).toBeCloseTo(0.6, 12)
    expect(handle.orientation[1]).toBeCloseTo(Math.sin(0.5), 12)
    expect(length([...bob.position].map((x, k) => x - handle.position[k]))).toBeCloseTo(1, 1)
    handle.setTarget([1, 0, 0])
    solverOf(world, { integrator: 'rungeKutta4' }).step()
    expect(handle.position[0]).toBeCloseTo(1, 12)
  })

  test('a stack stands, a mixed scene stays finite, and both repeat', () => {
    const scene = ground()
    const boxes = stack(scene, 3)
    steps(solverOf(scene.world, { integrator: 'rungeKutta4', iterations: 20 }), 120)
    boxes.forEach((cube, k) => {
      expect(cube.position[1]).toBeCloseTo(0.25 + 0.5 * k, 1)
      expect(Math.abs(cube.position[0])).toBeLessThan(0.05)
    })
    const hashes = [0, 1].map(() => {
      const { world } = mixed()
      steps(solverOf(world, { integrator: 'rungeKutta4' }), 60)
      expect(isFinite(world)).toBe(true)
      return world.hash()
    })
    expect(hashes[0]).toBe(hashes[1])
  })

  test('a spring is not stiffer than a step allows', () => {
    const world = new World()
    const bob = world.addParticle({ position: [0, -1, 0] })
    world.add(spring, { a: bob, anchorA: [0, 0, 0], anchorB: [0, 0, 0], length: 0, stiffness: 1e6, damping: 1 })
    steps(solverOf(world, { integrator: 'rungeKutta4' }), 60)
    expect(isFinite(world)).toBe(true)
    expect(length(bob.position)).toBeLessThan(1)
  })
})
