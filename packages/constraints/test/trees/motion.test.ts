import { type ConstraintType, solidBox, World } from '@tautline/core'
import { describe, expect, test } from 'vitest'
import { Random } from '../../../core/test/support/random.js'
import { ballSocket, pointContact, distance, fixed, hinge } from '../../src/index.js'
import { EXACT, chain, G, particles, run, worst } from './support.js'

/** A solved joint [m, rad]; the bound of the solver is a tenth of it, a row. */
const MET = 1e-8
/** Linear momentum after a minute, as a share of that of its parts: forces are equal and opposite, up to rounding. */
const LINEAR = 1e-12
/**
 * Angular momentum of plane motion with gradients of the start, as a share of it, over a tenth of a second: each solve leaves
 * bodies up to 1e-9 of their pushes unbalanced.
 */
const PLANE = 1e-7

/** A free tree that tumbles: a chain with a branch. */
function tumbling(options = {}, plane = false) {
  const { world, bodies, joints } = chain({ links: 6, fixed: false, options: { gravity: [0, 0, 0], ...options } })
  const random = new Random(3)
  const side = world.addBody({ position: [1.25, 0.5, 0], mass: 4, inertia: solidBox(4, [0.1, 1, 0.1]) })
  joints.push(world.add(ballSocket, { a: bodies[2], b: side, point: [1.25, 0, 0] }))
  for (const body of [...bodies, side]) {
    const [x, y, z] = random.vector(1)
    body.setVelocity([x, y, plane ? 0 : z])
  }
  return { world, bodies: [...bodies, side], joints }
}

function length(v: ArrayLike<number>): number {
  return Math.hypot(v[0], v[1], v[2])
}

describe('momentum of a free tree', () => {
  test('linear: to round-off', () => {
    const { world } = tumbling()
    const before = world.momentum().linear
    const parts = world.bodies.all().reduce((sum, body) => sum + body.mass * length(body.velocity), 0)
    run(world, 3600)
    const after = world.momentum().linear
    for (let k = 0; k < 3; k++) expect(Math.abs(after[k] - before[k])).toBeLessThan(LINEAR * parts)
  })

  /** Share of it that is lost in a tenth of a second, from after the blow that the joints deal at once. */
  function drift(jacobians: 'fresh' | 'start', rate: number, plane = false): number {
    const { world } = tumbling({ jacobians, solver: 'direct' }, plane)
    world.step(1 / rate)
    const before = world.momentum().angular
    for (let step = 0; step < rate / 10; step++) world.step(1 / rate)
    const after = world.momentum().angular
    return length([after[0] - before[0], after[1] - before[1], after[2] - before[2]]) / length(before)
  }

  test.each(['fresh', 'start'] as const)('angular: to round-off, gradients %s', (jacobians) => {
    expect(drift(jacobians, 240, true)).toBeLessThan(PLANE)
    expect(drift(jacobians, 240)).toBeLessThan(PLANE)
    expect(drift(jacobians, 960)).toBeLessThan(PLANE)
  })
})

describe('mass ratios and ends', () => {
  test.each([1, 1e3, 1e6])('a heavy end of %s kg: no joint parts at one substep', (ratio) => {
    const { world, joints } = chain({ links: 12, mass: (k) => (k === 11 ? ratio : 1) })
    for (let step = 0; step < 120; step++) {
      world.step(1 / 60)
      expect(worst(joints)).toBeLessThan(MET)
    }
    expect(world.report.direct).toMatchObject({ trees: 1, joints: 12, unsolved: 0 })
  })

  test('particles between two rigid bodies, hinged and fixed', () => {
    const world = new World({ ...EXACT, gravity: [0, -G, 0], substeps: 1 })
    const { bodies, joints } = particles(world, 5)
    const end = world.addBody({ position: [1.25, 0, 0], mass: 100, inertia: solidBox(100, [0.5, 0.2, 0.2]) })
    joints.push(world.add(ballSocket, { a: bodies[4], b: end, anchorA: [0, 0, 0], anchorB: [-0.25, 0, 0] }))
    const next = world.addBody({ position: [1.75, 0, 0], inertia: solidBox(1, [0.5, 0.1, 0.1]) })
    joints.push(world.add(hinge, { a: end, b: next, point: [1.5, 0, 0], axis: [0, 0, 1] }))
    const last = world.addBody({ position: [2.25, 0, 0], inertia: solidBox(1, [0.5, 0.1, 0.1]) })
    joints.push(world.add(fixed, { a: next, b: last, point: [2, 0, 0] }))
    for (let step = 0; step < 120; step++) {
      world.step(1 / 60)
      expect(worst(joints)).toBeLessThan(MET)
    }
  })

  test('what is locked does not turn or leave its plane, and the rest holds on to it', () => {
    const { world, bodies, joints } = chain({ links: 5 })
    const locked = world.addBody({
      position: [2.75, 0, 0],
      inertia: solidBox(1, [0.5, 0.1, 0.1]),
      lockRotation: [true, true, true],
      lockTranslation: [false, false, true],
      velocity: [0, 0, 1],
    })
    joints.push(world.add(ballSocket, { a: bodies[4], b: locked, point: [2.5, 0, 0] }))
    run(world, 60)
    expect(locked.position[1]).toBeLessThan(-1)
    expect(locked.position[2]).toBe(0)
    expect([...locked.orientation]).toEqual([0, 0, 0, 1])
    expect(worst(joints)).toBeLessThan(MET)
  })

  test('both solvers tell the same force of a settled chain', () => {
    const of = (solver: 'direct' | 'sweep'): number => {
      const { world, joints } = chain({ links: 3, hanging: true, options: { solver, iterations: 50 } })
      run(world, 30)
      return joints[0].force
    }
    expect(of('direct')).toBeCloseTo(of('sweep'), 4)
  })
})

test('only types that can be joints are gathered', () => {
  const types: ConstraintType<never>[] = [ballSocket, distance, fixed, hinge] as never
  for (const type of types) expect(type.joint).toBeDefined()
})

describe('a blow', () => {
  /** What a substep at most leaves of it [m]: below, trees are not solved again. */
  const LEFT = 1.5e-3

  test('of the ground on a chain of ten links at 10 m/s parts no joint by more than a millimetre or so', () => {
    const { world, bodies, joints } = chain({ links: 10, fixed: false, options: { substeps: 8 } })
    bodies.forEach((b, k) => {
      b.setVelocity([0, -10, 0])
      for (const end of [0, 0.5]) {
        const x = 0.5 * k + end
        world.add(pointContact, { a: null, b, pointA: [x, -1 - 0.05 * k, 0], pointB: [x, 0, 0], normal: [0, -1, 0] })
      }
    })
    let widest = 0
    for (let step = 0; step < 60; step++) {
      world.step(1 / 60)
      widest = Math.max(widest, worst(joints))
    }
    expect(widest).toBeLessThan(LEFT)
    expect(world.report.nonFinite).toHaveLength(0)
  })
})
