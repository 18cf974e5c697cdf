/** Limits hold in every pose that a solve returns; statuses; targets that cannot be. */

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../../core/test/support/runs.js'
import { Random } from '../../core/test/support/random.js'
import { SEED } from '../../core/test/support/seed.js'
import { IkSolver, OrientationGoal, Pose, PositionGoal, Rig } from '../src/index.js'
import { randomPose, randomRig } from './support/rigs.js'

const seeds = fc.integer()

/** A straight chain of balls along x, one metre in all. */
function straight(count: number): Rig {
  const length = 1 / count
  return Rig.from(
    Array.from({ length: count }, (_, k) => ({
      name: `${k}`,
      parent: k === 0 ? null : k - 1,
      position: [k === 0 ? 0 : length, 0, 0] as const,
      tip: [length, 0, 0] as const,
    })),
  )
}

describe(`limits (seed ${SEED})`, () => {
  test('are never violated, from any pose, towards anything', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const random = new Random(seed)
        const rig = randomRig(seed, 3 + random.below(6), true)
        const solver = new IkSolver(rig, {
          // Few, or enough for the fallback of what cannot be met.
          iterations: seed % 4 === 0 ? 24 : 12,
          restarts: seed % 3 === 0 ? 1 : 0,
          posture: seed % 2 === 0 ? 0.1 : 0,
          smoothing: seed % 7 === 0 ? 0.5 : 0,
        })
        const goal = solver.add(new PositionGoal(rig, rig.count - 1, [0, 0, 0]))
        if (seed % 5 === 0) solver.add(new OrientationGoal(rig, rig.count - 1, [0, 0, 0, 1], { weight: 0.3 }))
        const pose = randomPose(rig, seed, 2)
        for (let k = 0; k < 10; k++) {
          for (let c = 0; c < 3; c++) goal.target[c] = 2 * random.between(-1, 1)
          solver.solve(pose)
          expect(solver.violation(pose)).toBe(0)
          expect(pose.rotations.every((value) => value - value === 0)).toBe(true)
        }
      }),
      { seed: SEED, numRuns: runs(300) },
    )
  })
})

describe('status', () => {
  test('a straight chain along its error is freed, the same way each time', () => {
    const rig = straight(5)
    const run = (): { status: string; rotations: string } => {
      const solver = new IkSolver(rig)
      solver.add(new PositionGoal(rig, 4, [0.4, 0, 0]))
      const pose = new Pose(rig)
      return { status: solver.solve(pose).status, rotations: Array.from(pose.rotations).join() }
    }
    expect(run().status).toBe('converged')
    expect(run()).toEqual(run())
  })

  test('a target beyond the reach is called so, and pointed at', () => {
    const rig = straight(5)
    const solver = new IkSolver(rig, { iterations: 100 })
    solver.add(new PositionGoal(rig, 4, [0, 3, 0]))
    const pose = new Pose(rig)
    const result = solver.solve(pose)
    expect(result.status).toBe('unreachable')
    expect(result.error).toBeLessThan(2.01)
  })

  test('a target at the root is met', () => {
    const rig = straight(4)
    const solver = new IkSolver(rig)
    solver.add(new PositionGoal(rig, 3, [0, 0, 0]))
    expect(solver.solve(new Pose(rig)).status).toBe('converged')
  })

  test('a target that is not finite leaves the pose as it was', () => {
    const rig = straight(3)
    const solver = new IkSolver(rig)
    const goal = solver.add(new PositionGoal(rig, 2, [0, 0, 0]))
    goal.target[1] = NaN
    const pose = randomPose(rig, 3)
    const before = pose.rotations.slice()
    expect(solver.solve(pose)).toMatchObject({ status: 'invalid', reason: 'position: target must be finite' })
    expect(pose.rotations).toEqual(before)
  })

  test('met at once it takes no step, and an all locked rig stalls', () => {
    const rig = straight(3)
    const solver = new IkSolver(rig)
    solver.add(new PositionGoal(rig, 2, [1, 0, 0]))
    expect(solver.solve(new Pose(rig))).toMatchObject({ status: 'converged', iterations: 0 })
    for (let k = 0; k < 3; k++) rig.joint(k, { kind: 'locked' })
    ;(solver.goals[0] as PositionGoal).target.set([0, 1, 0])
    expect(solver.solve(new Pose(rig)).status).toBe('stalled')
  })
})

describe('a rig that changes', () => {
  test('is noticed by its solvers, joints and root', () => {
    const rig = straight(3)
    const solver = new IkSolver(rig)
    const goal = solver.add(new PositionGoal(rig, 2, [0.5, 0.3, 0.2]))
    expect(solver.solve(new Pose(rig)).status).toBe('converged')
    for (const name of rig.names) rig.joint(name, { kind: 'locked' })
    expect(solver.solve(new Pose(rig)).status).toBe('stalled')
    goal.target.set([1, 1, 1])
    expect(solver.solve(new Pose(rig)).status).toBe('unreachable')
    rig.root('free')
    expect(solver.solve(new Pose(rig)).status).toBe('converged')
    // A pose is outside of new limits before any solve.
    rig.joint(1, { kind: 'hinge', axis: [0, 0, 1], limits: { min: 0.5, max: 1 } })
    expect(solver.violation(new Pose(rig))).toBeGreaterThan(0.4)
  })
})

describe('bad input', () => {
  const bone = { name: 'a', parent: null, position: [0, 0, 0], tip: [1, 0, 0] } as const
  test.each([
    ['no bones', () => Rig.from([]), 'bones must be an array with at least one, got 0 entries'],
    ['twice a name', () => Rig.from([bone, { ...bone, parent: 'a' }]), 'name must be unique'],
    ['a parent behind', () => Rig.from([{ ...bone, parent: 'b' }]), 'parent must be a bone before it'],
    ['no length', () => Rig.from([{ name: 'a', parent: null, position: [0, 0, 0] }]), 'bones must have a length'],
    ['NaN', () => Rig.from([{ ...bone, position: [NaN, 0, 0] }]), 'position'],
    [
      'a cone without 0',
      () =>
        Rig.from([
          {
            ...bone,
            joint: { kind: 'ball', swingShape: 'cone', swing: { y: { min: 1, max: 2 }, z: { min: -1, max: 1 } } },
          },
        ]),
      'must include 0',
    ],
    [
      'min above max',
      () => Rig.from([{ ...bone, joint: { kind: 'hinge', axis: [1, 0, 0], limits: { min: 1, max: 0 } } }]),
      'min must be <= max',
    ],
    [
      'axes askew',
      () => Rig.from([{ ...bone, joint: { kind: 'universal', axisA: [1, 0, 0], axisB: [1, 1, 0] } }]),
      'right angles',
    ],
    ['an option', () => new IkSolver(Rig.from([bone]), { iterations: 0 }), 'iterations must be an integer >= 1'],
    ['an unknown option', () => new IkSolver(Rig.from([bone]), { speed: 1 } as never), 'must have known fields only'],
    [
      'a goal of no bone',
      () => new PositionGoal(Rig.from([bone]), 'b', [0, 0, 0]),
      'bone must be one of the rig, got b',
    ],
    ['a target', () => new PositionGoal(Rig.from([bone]), 'a', [0, 0, Infinity]), 'target'],
  ])('%s', (_name, make, message) => {
    expect(make).toThrow(message)
  })
})

describe('poses given', () => {
  test('a pinned root and bones that were moved stay where they are', () => {
    const rig = straight(4)
    const solver = new IkSolver(rig)
    solver.add(new PositionGoal(rig, 3, [5.3, 2.1, 0]))
    const pose = new Pose(rig)
    pose.positions[0] = 5
    pose.positions[1] = 2
    pose.positions[3] = 0.3
    expect(solver.solve(pose).status).toBe('converged')
    expect([pose.positions[0], pose.positions[1], pose.positions[3]]).toEqual([5, 2, 0.3])
  })

  test('angles are taken in the turn of their limits', () => {
    const rig = Rig.from([
      {
        name: 'a',
        parent: null,
        position: [0, 0, 0],
        tip: [1, 0, 0],
        joint: { kind: 'hinge', axis: [0, 0, 1], limits: { min: 0, max: 3.5 } },
      },
    ])
    const solver = new IkSolver(rig)
    const pose = new Pose(rig)
    pose.rotations.set([0, 0, Math.sin(1.7), Math.cos(1.7)])
    expect(solver.violation(pose)).toBe(0)
    solver.add(new PositionGoal(rig, 'a', [Math.cos(3.4), Math.sin(3.4), 0]))
    expect(solver.solve(pose)).toMatchObject({ status: 'converged', iterations: 0 })
  })
})
