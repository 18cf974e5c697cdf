/** What a user hands in and gets wrong: an error that names it, or a solve that says so and leaves the pose. */

import { describe, expect, test } from 'vitest'
import {
  AimGoal,
  CentreGoal,
  IkSolver,
  OrientationGoal,
  PinGoal,
  PoleGoal,
  Pose,
  PositionGoal,
  Retarget,
  Rig,
} from '../src/index.js'
import { randomPose } from './support/rigs.js'

/** A chain a, b, c of half a metre each along x, and a twig d on a. */
function chain(): Rig {
  const tip = [0.5, 0, 0] as const
  return Rig.from([
    { name: 'a', parent: null, position: [0, 0, 0], tip },
    { name: 'b', parent: 'a', position: [0.5, 0, 0], tip },
    { name: 'c', parent: 'b', position: [0.5, 0, 0], tip },
    { name: 'd', parent: 'a', position: [0, 0.2, 0], tip },
  ])
}

/** As a caller without types writes it. */
function loose<T>(value: unknown): T {
  return value as T
}

describe('a rig', () => {
  const bone = { name: 'a', parent: null, position: [0, 0, 0], tip: [1, 0, 0] } as const
  const hinge = { kind: 'hinge', axis: [1, 0, 0] } as const
  test.each([
    ['a field', () => Rig.from([loose({ ...bone, positon: [0, 0, 0] })]), /bone "a" must have known .* got positon: /],
    ['no bone', () => Rig.from([loose(null)]), /bone 0 must be an object, got null$/],
    ['an option', () => Rig.from([bone], loose({ densty: 2 })), /options must have known .* got densty: /],
    ['mobility', () => chain().root('free', loose({ lin: 2 })), /mobility must have known .* got lin: /],
    ['a joint', () => chain().joint('b', loose({ ...hinge, limit: {} })), /"b": hinge must have known .* got limit: /],
    ['a list as a range', () => chain().joint('b', loose({ ...hinge, limits: [0, 1] })), /limits must be an object/],
    ['a range', () => chain().joint('b', loose({ ...hinge, limits: { mn: 0 } })), /limits must have known .* got mn: /],
    ['swing', () => chain().joint('b', loose({ kind: 'ball', swing: { x: {} } })), /swing must have known .* got x: /],
    ['swing y', () => chain().joint('b', loose({ kind: 'ball', swing: { y: [0, 1] } })), /swing.y must be an object/],
  ])('%s: a TypeError that names it', (_, make, message) => {
    expect(make).toThrow(message)
    expect(make).toThrow(TypeError)
  })

  test('a joint that is refused changes nothing', () => {
    const rig = chain()
    const [before, { revision }] = [rig.joints[1], rig]
    expect(() => rig.joint('b', loose({ ...hinge, limits: [0, 1] }))).toThrow(TypeError)
    expect([rig.joints[1], rig.revision]).toEqual([before, revision])
  })
})

describe('a goal', () => {
  const rig = chain()
  const up = { axis: [0, 1, 0], towards: [0, 1, 0], weigth: 1 } as const
  test.each([
    ['position', () => new PositionGoal(rig, 'c', [0, 0, 0], loose({ wieght: 1 })), /position: .* got wieght: /],
    ['orientation', () => new OrientationGoal(rig, 'c', [0, 0, 0, 1], loose({ fre: [] })), /orientation: .* got fre: /],
    ['aim', () => new AimGoal(rig, 'c', [0, 0, 0], loose({ axes: [1, 0, 0] })), /aim: .* got axes: /],
    ['up', () => new AimGoal(rig, 'c', [0, 0, 0], loose({ up })), /aim: up .* got weigth: /],
    ['pole', () => new PoleGoal(rig, { start: 0, middle: 1, end: 2 }, [0, 0, 0], loose({ w: 1 })), /pole: .* got w: /],
    ['centre', () => new CentreGoal(rig, loose({ target: [0, 0, 0], axis: [] })), /centre: .* got axis: /],
    ['a chain of the centre', () => new CentreGoal(rig, { target: [0, 0, 0] }, loose({ chain: 0 })), /got chain: /],
    ['pin', () => new PinGoal(rig, 'c', loose({ orient: true })), /pin: .* got orient: /],
    ['no rig', () => new PositionGoal(loose('c'), 'c', [0, 0, 0]), 'position: rig must be a Rig, got "c"'],
    ['no options', () => new PositionGoal(rig, 'c', [0, 0, 0], loose(3)), 'options must be an object, got 3'],
    ['no rig of a solver', () => new IkSolver(loose(undefined)), 'IkSolver: rig must be a Rig, got undefined'],
  ])('%s: a TypeError that names it', (_, make, message) => {
    expect(make).toThrow(message)
    expect(make).toThrow(TypeError)
  })

  test.each([
    ['priority', () => new PositionGoal(rig, 'c', [0, 0, 0], { priority: 0.5 }), 'priority must be an integer >= 0'],
    [
      'a chain beside',
      () => new PositionGoal(rig, 'c', [0, 0, 0], { chain: 'd' }),
      'chain must be "c" or above it, got "d"',
    ],
    ['a chain below', () => new OrientationGoal(rig, 'b', [0, 0, 0, 1], { chain: 'c' }), 'got "c"'],
    ['of an aim', () => new AimGoal(rig, 'b', [0, 0, 0], { chain: 'd' }), 'got "d"'],
    ['of a pin', () => new PinGoal(rig, 'b', { chain: 'd' }), 'got "d"'],
    [
      'of a pole',
      () => new PoleGoal(rig, { start: 'a', middle: 'b', end: 'c' }, [0, 0, 0], { chain: 'b' }),
      'chain must be "a" or above it, got "b"',
    ],
  ])('%s: a RangeError that names it', (_, make, message) => {
    expect(make).toThrow(message)
    expect(make).toThrow(RangeError)
  })

  test('a chain may be the bone itself', () => {
    expect(new PositionGoal(rig, 'c', [0, 0, 0], { chain: 'c' }).chain).toBe(2)
  })

  test('of another rig is not added', () => {
    const solver = new IkSolver(rig)
    const make = (): unknown => solver.add(new PositionGoal(chain(), 'c', [0, 0, 0]))
    expect(make).toThrow(RangeError)
    expect(make).toThrow("goal must be of the solver's rig")
    expect(solver.goals).toEqual([])
  })

  test('feet of a Retarget: all or none', () => {
    const solver = new IkSolver(rig.root('free'))
    const retarget = new Retarget(rig, rig, { a: 'a', c: 'c' }, { hips: 'a', feet: ['c'] })
    expect(() => retarget.addFeet(solver, { orientationWeight: -1 })).toThrow('orientationWeight must be >= 0')
    expect(solver.goals).toEqual([])
  })
})

describe('a solve of what is invalid', () => {
  const rig = chain()
  const at = [0.5, 0.5, 0.5] as const
  const straight = [0, 0, 0, 1] as const

  /** Status and reason of a goal after `spoil`, which must leave the pose as it was. */
  function after<G extends PositionGoal | OrientationGoal | AimGoal | CentreGoal | PinGoal>(
    goal: G,
    spoil: (goal: G) => void,
  ): string {
    const solver = new IkSolver(rig)
    solver.add(goal)
    spoil(goal)
    const pose = randomPose(rig, 3)
    const before = new Pose(rig).copy(pose)
    const { status, reason, error } = solver.solve(pose)
    expect(pose).toEqual(before)
    expect([status, error]).toEqual(['invalid', Infinity])
    return reason
  }

  test.each([
    ['zero', [0, 0, 0, 0]],
    ['not finite', [0, NaN, 0, 1]],
    ['far from unit', [0, 0, 0, 1.1]],
  ])('an orientation that is %s', (_, target) => {
    const reason = after(new OrientationGoal(rig, 'c', straight), (goal) => goal.target.set(target))
    expect(reason).toBe('orientation: target must be a unit quaternion')
  })

  test.each([
    ['weight', NaN],
    ['weight', -1],
    ['weight', Infinity],
    ['compliance', 1],
    ['compliance', -0.1],
    ['compliance', NaN],
  ] as const)('%s %d', (field, value) => {
    for (const goal of [new PositionGoal(rig, 'c', at), new PinGoal(rig, 'c')]) {
      expect(after(goal, (spoilt) => (spoilt[field] = value))).toMatch(`: ${field} must be `)
    }
  })

  test('points, axes and supports that are not finite', () => {
    expect(after(new PositionGoal(rig, 'c', at), ({ point }) => point.fill(NaN))).toBe('position: point must be finite')
    expect(after(new AimGoal(rig, 'c', at), ({ axis }) => axis.fill(NaN))).toBe('aim: axis must be finite')
    const up = { axis: [0, 1, 0], towards: [0, 1, 0] } as const
    expect(after(new AimGoal(rig, 'c', at, { up }), (goal) => (goal.up!.weight = NaN))).toMatch('aim: up')
    const support: [number, number][] = [
      [0, 0],
      [1, 0],
      [0, 1],
    ]
    expect(after(new CentreGoal(rig, { support }), (goal) => goal.support.fill(NaN))).toMatch('centre: support')
  })

  test('a pose of another rig, or none, or one that is not finite', () => {
    const solver = new IkSolver(rig)
    solver.add(new PositionGoal(rig, 'c', at))
    const other = new Pose(Rig.from([{ name: 'a', parent: null, position: [0, 0, 0], tip: [1, 0, 0] }]))
    expect(solver.solve(other)).toMatchObject({
      status: 'invalid',
      reason: 'pose must have the 4 bones of the rig, got 1',
    })
    expect(solver.solve(loose(undefined))).toMatchObject({ status: 'invalid', reason: 'pose must be a Pose' })
    const pose = randomPose(rig, 5)
    pose.rotations[6] = NaN
    const before = new Pose(rig).copy(pose)
    expect(solver.solve(pose)).toMatchObject({ status: 'invalid', reason: 'pose must be finite' })
    expect(pose).toEqual(before)
    // And goes on as if nothing had been.
    expect(solver.solve(new Pose(rig))).toMatchObject({ status: 'converged', reason: '' })
  })
})

test('a pin is as soft as it is told later', () => {
  const rig = chain()
  const solver = new IkSolver(rig)
  const pin = solver.add(new PinGoal(rig, 'c', { orientation: true }))
  pin.compliance = 0.5
  solver.solve(new Pose(rig))
  expect([pin.position.compliance, pin.orientation!.compliance]).toEqual([0.5, 0.5])
})
