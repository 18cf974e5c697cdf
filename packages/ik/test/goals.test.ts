/** What each goal and option does to a figure of a few bones. */

import { describe, expect, test } from 'vitest'
import {
  AimGoal,
  type BoneDef,
  CentreGoal,
  IkSolver,
  OrientationGoal,
  PinGoal,
  PoleGoal,
  Pose,
  PositionGoal,
  Rig,
  WorldPose,
} from '../src/index.js'
import { randomPose } from './support/rigs.js'

/** Errors of goals that were met, as a share of the reach or in radians: the tolerance asked. */
const MET = 1e-6
const OPTIONS = { tolerance: MET, iterations: 200 } as const

/** A trunk along y with two arms of two links along ±x, each link 0.4 m. */
function figure(): Rig {
  const bones: BoneDef[] = [
    { name: 'hips', parent: null, position: [0, 1, 0], tip: [0, 0.3, 0] },
    { name: 'chest', parent: 'hips', position: [0, 0.3, 0], tip: [0, 0.3, 0] },
    { name: 'head', parent: 'chest', position: [0, 0.4, 0], tip: [0, 0.2, 0] },
  ]
  for (const [side, sign] of [
    ['left', 1],
    ['right', -1],
  ] as const) {
    bones.push(
      { name: `${side} upper`, parent: 'chest', position: [0.15 * sign, 0.3, 0], tip: [0.4 * sign, 0, 0] },
      { name: `${side} lower`, parent: `${side} upper`, position: [0.4 * sign, 0, 0], tip: [0.4 * sign, 0, 0] },
      { name: `${side} hand`, parent: `${side} lower`, position: [0.4 * sign, 0, 0], tip: [0.1 * sign, 0, 0] },
    )
  }
  return Rig.from(bones)
}

function place(rig: Rig, pose: Pose, bone: string): number[] {
  const i = rig.indexOf(bone)
  return Array.from(new WorldPose(rig).update(rig, pose).positions.slice(3 * i, 3 * i + 3))
}

function distance(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])
}

describe('goals', () => {
  test('two hands at once, and an orientation', () => {
    const rig = figure()
    const solver = new IkSolver(rig, OPTIONS)
    solver.add(new PositionGoal(rig, 'left hand', [0.4, 1.5, 0.4], { point: [0, 0, 0] }))
    solver.add(new PositionGoal(rig, 'right hand', [-0.3, 1.3, 0.5], { point: [0, 0, 0] }))
    const turned = [0, Math.SQRT1_2, 0, Math.SQRT1_2] as const
    solver.add(new OrientationGoal(rig, 'left hand', turned))
    const pose = new Pose(rig)
    expect(solver.solve(pose).status).toBe('converged')
    expect(distance(place(rig, pose, 'left hand'), [0.4, 1.5, 0.4])).toBeLessThan(2 * MET)
    expect(distance(place(rig, pose, 'right hand'), [-0.3, 1.3, 0.5])).toBeLessThan(2 * MET)
    const q = new WorldPose(rig).update(rig, pose).rotations.slice(4 * rig.indexOf('left hand'))
    expect(Math.abs(q[0] * turned[0] + q[1] * turned[1] + q[2] * turned[2] + q[3] * turned[3])).toBeGreaterThan(1 - MET)
  })

  test('an axis that is free is left alone', () => {
    const rig = figure()
    const solver = new IkSolver(rig, OPTIONS)
    const goal = solver.add(new OrientationGoal(rig, 'head', [0, 0, 0, 1], { free: [false, true, false] }))
    const pose = randomPose(rig, 5, 0.4)
    expect(solver.solve(pose).status).toBe('converged')
    expect(goal.error).toBeLessThan(MET)
  })

  test('aim looks there, with up as upright as it can be', () => {
    const rig = figure()
    const solver = new IkSolver(rig, OPTIONS)
    const goal = solver.add(
      new AimGoal(rig, 'head', [1, 2, 2], {
        axis: [0, 0, 1],
        up: { axis: [0, 1, 0], towards: [0, 1, 0] },
        chain: 'head',
      }),
    )
    const pose = new Pose(rig)
    expect(solver.solve(pose).status).toBe('converged')
    expect(goal.error).toBeLessThan(MET)
    const world = new WorldPose(rig).update(rig, pose)
    // Chain: what is above the head has not moved.
    expect(Array.from(pose.rotations.slice(4, 8))).toEqual([0, 0, 0, 1])
    const q = world.rotations.slice(4 * rig.indexOf('head'), 4 * rig.indexOf('head') + 4)
    // The head's x axis stays level: up is in the plane of sight and the vertical.
    expect(Math.abs(2 * (q[0] * q[1] + q[3] * q[2]))).toBeLessThan(1e-5)
  })

  test('a pole turns the elbow to its side and leaves the hand', () => {
    const rig = figure()
    for (const side of [1, -1]) {
      const solver = new IkSolver(rig, OPTIONS)
      const hand = solver.add(
        new PositionGoal(rig, 'left hand', [0.5, 1.6, 0.3], { point: [0, 0, 0], chain: 'left upper' }),
      )
      const pole = solver.add(
        new PoleGoal(rig, { start: 'left upper', middle: 'left lower', end: 'left hand' }, [0.4, 1.6, 3 * side], {
          chain: 'left upper',
        }),
      )
      const pose = randomPose(rig, 2, 0.2)
      solver.solve(pose)
      expect(hand.error).toBeLessThan(2 * MET)
      expect(pole.error).toBeLessThan(1e-3)
    }
  })

  test('the centre of mass at a point, and over its support', () => {
    const rig = figure().root('free')
    const at = new IkSolver(rig, OPTIONS)
    at.add(new CentreGoal(rig, { target: [0.1, 1.2, -0.1] }))
    expect(at.solve(new Pose(rig)).status).toBe('converged')
    const over = new IkSolver(rig, OPTIONS)
    const square: [number, number][] = [
      [0.2, 0.2],
      [0.2, 0.4],
      [0.4, 0.4],
      [0.4, 0.2],
    ]
    // Either way round.
    for (const support of [square, square.slice().reverse()]) {
      const goal = over.add(new CentreGoal(rig, { support }))
      const pose = new Pose(rig)
      expect(over.solve(pose).status).toBe('converged')
      expect(goal.error).toBeLessThan(MET)
      // Inside it asks nothing.
      expect(over.solve(pose).iterations).toBe(0)
      over.remove(goal)
    }
  })

  test('a pin holds its bone while another reaches', () => {
    const rig = figure().root('free')
    const solver = new IkSolver(rig, OPTIONS)
    const pose = randomPose(rig, 4, 0.3)
    const before = place(rig, pose, 'right hand')
    solver.add(new PinGoal(rig, 'right hand'))
    solver.add(new PositionGoal(rig, 'left hand', [0.6, 1.7, 0.2], { point: [0, 0, 0] }))
    expect(solver.solve(pose).status).toBe('converged')
    expect(distance(place(rig, pose, 'right hand'), before)).toBeLessThan(3 * MET)
  })

  test('weights share what cannot be met, priorities do not', () => {
    const rig = figure()
    const meet = (weight: number, priority: number): number[] => {
      const solver = new IkSolver(rig, { iterations: 400, damping: 1 })
      const first = solver.add(new PositionGoal(rig, 'left hand', [3, 1.6, 0], { point: [0, 0, 0] }))
      const second = solver.add(
        new PositionGoal(rig, 'right hand', [-3, 1.6, 0], { point: [0, 0, 0], weight, priority }),
      )
      solver.solve(randomPose(rig, 1, 0.3))
      return [first.error, second.error]
    }
    const [a, b] = meet(0.01, 0)
    expect(a).toBeLessThan(b)
    const [c, d] = meet(1, 1)
    expect(c).toBeLessThan(d)
  })

  test('a compliant goal keeps its share of the error', () => {
    const rig = Rig.from([
      { name: 'arm', parent: null, position: [0, 0, 0], tip: [1, 0, 0], joint: { kind: 'hinge', axis: [0, 0, 1] } },
    ])
    const solver = new IkSolver(rig, { iterations: 60, blend: 0 })
    const goal = solver.add(new PositionGoal(rig, 'arm', [Math.cos(0.01), Math.sin(0.01), 0], { compliance: 0.25 }))
    const pose = new Pose(rig)
    solver.solve(pose)
    expect(goal.error / (2 * Math.sin(0.005))).toBeCloseTo(0.25, 2)
  })
})

describe('stretch', () => {
  test('a chain lengthens as far as it may, and no more than it has to', () => {
    const rig = figure()
    const solver = new IkSolver(rig, OPTIONS)
    const goal = solver.add(
      new PositionGoal(rig, 'left hand', [1.05, 1.6, 0], { point: [0, 0, 0], chain: 'left upper', stretch: 1.2 }),
    )
    const pose = new Pose(rig)
    expect(solver.solve(pose).status).toBe('converged')
    const lower = 3 * rig.indexOf('left lower')
    // 0.9 m from the shoulder to the target, 0.8 m of arm.
    expect(pose.positions[lower] / 0.4).toBeCloseTo(0.9 / 0.8, 6)
    goal.target.set([3, 1.6, 0])
    solver.solve(pose)
    expect(pose.positions[lower] / 0.4).toBeCloseTo(1.2, 9)
    goal.target.set([0.5, 1.5, 0.2])
    expect(solver.solve(pose).status).toBe('converged')
    expect(pose.positions[lower]).toBe(0.4)
  })
})

describe('options', () => {
  test('a free root goes along, a pre-pull first', () => {
    for (const mode of ['free', 'prePull'] as const) {
      const rig = figure().root(mode)
      const solver = new IkSolver(rig, OPTIONS)
      solver.add(new PositionGoal(rig, 'left hand', [5, 1, 2], { point: [0, 0, 0] }))
      expect(solver.solve(new Pose(rig)).status).toBe('converged')
    }
  })

  test('posture: what the goals leave free goes to what joints prefer', () => {
    const rig = figure()
    const run = (posture: number): number => {
      const solver = new IkSolver(rig, { ...OPTIONS, posture, tolerance: 1e-9, iterations: 100 })
      solver.add(new PositionGoal(rig, 'left hand', [0.5, 1.5, 0.3], { point: [0, 0, 0] }))
      const pose = randomPose(rig, 9, 0.5)
      solver.solve(pose)
      // The right arm is of no use to the goal.
      return Math.abs(pose.rotations[4 * rig.indexOf('right lower') + 3])
    }
    expect(run(0.3)).toBeGreaterThan(1 - 1e-6)
    expect(run(0)).toBeLessThan(0.999)
  })

  test('smoothing goes part of the way, and there in the end', () => {
    const rig = figure()
    const solver = new IkSolver(rig, { smoothing: 0.5 })
    solver.add(new PositionGoal(rig, 'left hand', [0.4, 1.5, 0.4], { point: [0, 0, 0] }))
    const pose = new Pose(rig)
    const far: number[] = []
    for (let frame = 0; frame < 30; frame++) {
      solver.solve(pose)
      far.push(distance(place(rig, pose, 'left hand'), [0.4, 1.5, 0.4]))
    }
    expect(far[0]).toBeGreaterThan(0.1)
    expect(far[1]).toBeLessThan(0.8 * far[0])
    expect(far[29]).toBeLessThan(2e-3)
  })

  test('from the input the same call gives the same bits; from the previous pose it goes on', () => {
    const rig = figure()
    const solve = (start: 'input' | 'previous'): number[][] => {
      const solver = new IkSolver(rig, { start, iterations: 2, tolerance: 0 })
      solver.add(new PositionGoal(rig, 'left hand', [0.4, 1.5, 0.4], { point: [0, 0, 0] }))
      return [0, 1].map(() => {
        const pose = new Pose(rig)
        solver.solve(pose)
        return Array.from(pose.rotations)
      })
    }
    const [first, again] = solve('input')
    expect(again).toEqual(first)
    const [one, two] = solve('previous')
    expect(two).not.toEqual(one)
  })

  test('metrics: the tip bends first by inertia, all alike by the pseudo-inverse', () => {
    const length = 0.125
    const rig = Rig.from(
      Array.from({ length: 8 }, (_, k) => ({
        name: `${k}`,
        parent: k === 0 ? null : k - 1,
        position: [k === 0 ? 0 : length, 0, 0] as const,
        tip: [length, 0, 0] as const,
        joint: { kind: 'hinge', axis: [0, 0, 1] } as const,
      })),
    )
    const turns = (metric: 'inertia' | 'identity' | 'fullMass'): number[] => {
      const solver = new IkSolver(rig, { metric, iterations: 1, tolerance: 0, blend: 0 })
      solver.add(new PositionGoal(rig, 7, [1, 0.01, 0], { axes: [false, true, false] }))
      const pose = new Pose(rig)
      solver.solve(pose)
      return Array.from({ length: 8 }, (_, k) => 2 * pose.rotations[4 * k + 2])
    }
    const inertia = turns('inertia')
    const identity = turns('identity')
    expect(inertia[7]).toBeGreaterThan(3 * inertia[0])
    // The lever is longest at the root.
    expect(identity[0]).toBeGreaterThan(identity[7])
    expect(turns('fullMass').every((turn) => Number.isFinite(turn))).toBe(true)
  })
})
