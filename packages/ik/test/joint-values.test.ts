/** Values of joints: what is written is read, as world places and limits show it, and errors name what is wrong. */

import { rotateVector } from '@tautline/core/kernel'
import { describe, expect, it } from 'vitest'
import { Random } from '../../core/test/support/random.js'
import { IkSolver, Pose, PositionGoal, readJoint, Rig, writeJoint } from '../src/index.js'

/** Round-off of a few products of numbers near 1. */
const EXACT = 1e-14

/** One of each kind, frames and axes anywhere. */
function rig(random = new Random(7)): Rig {
  const place = () => ({ position: random.vector(), rotation: random.rotation() })
  return Rig.from([
    { name: 'base', parent: null, ...place(), joint: { kind: 'locked' } },
    { name: 'hinge', parent: 'base', ...place(), joint: { kind: 'hinge', axis: random.direction() } },
    { name: 'cross', parent: 'hinge', ...place(), joint: { kind: 'universal', axisA: [0, 2, 0], axisB: [1, 0, 0] } },
    { name: 'slider', parent: 'cross', ...place(), joint: { kind: 'slider', axis: random.direction() } },
    { name: 'ball', parent: 'slider', ...place(), tip: [0, 1, 0] },
  ])
}

describe('values of joints', () => {
  it('reads what it wrote, and zeros at rest', () => {
    const arm = rig()
    const pose = new Pose(arm)
    for (const bone of ['hinge', 'cross', 'slider'])
      for (const x of readJoint(arm, pose, bone)) expect(Math.abs(x)).toBeLessThan(EXACT)
    const values = { hinge: [-2.9], cross: [1.2, -0.7], slider: [0.35] }
    for (const [bone, given] of Object.entries(values)) {
      writeJoint(arm, pose, bone, given)
      const read = readJoint(arm, pose, bone)
      expect(read.length).toBe(given.length)
      given.forEach((x, k) => expect(Math.abs(read[k] - x)).toBeLessThan(EXACT))
    }
    expect(readJoint(arm, pose, 'base')).toEqual([])
    writeJoint(arm, pose, 'base', [])
    expect(new IkSolver(arm).violation(pose)).toBeLessThan(EXACT)
  })

  it('turns about the axis by the right hand, and slides along it', () => {
    const arm = Rig.from([
      { name: 'a', parent: null, position: [0, 0, 0], joint: { kind: 'hinge', axis: [0, 0, 1] } },
      { name: 'b', parent: 'a', position: [1, 0, 0], joint: { kind: 'slider', axis: [1, 0, 0] }, tip: [1, 0, 0] },
    ])
    const pose = new Pose(arm)
    writeJoint(arm, pose, 'a', [Math.PI / 2])
    writeJoint(arm, pose, 1, [0.5])
    const x = new Float64Array(3)
    rotateVector(pose.rotations, 0, 1, 0, 0, x, 0)
    expect([x[0], x[1], x[2]].map((c) => Math.round(c * 1e12) / 1e12)).toEqual([0, 1, 0])
    expect(Array.from(pose.positions.slice(3))).toEqual([1.5, 0, 0])
  })

  it('counts in the turn around the middle of the limits', () => {
    const arm = Rig.from([
      {
        name: 'a',
        parent: null,
        position: [0, 0, 0],
        tip: [1, 0, 0],
        joint: { kind: 'hinge', axis: [0, 0, 1], limits: { min: 1, max: 6 } },
      },
    ])
    const pose = new Pose(arm)
    writeJoint(arm, pose, 'a', [5])
    expect(readJoint(arm, pose, 'a')[0]).toBeCloseTo(5, 12)
    const solver = new IkSolver(arm)
    solver.add(new PositionGoal(arm, 'a', [1, 0, 0]))
    solver.solve(pose)
    // The nearest to 2 π that the limits allow; a solve stays a little inside.
    expect(readJoint(arm, pose, 'a')[0]).toBeCloseTo(6, 9)
  })

  it('refuses balls, other bones and other values, and changes nothing then', () => {
    const arm = rig()
    const pose = new Pose(arm)
    expect(() => readJoint(arm, pose, 'ball')).toThrow(/readJoint: joint must be .* got the ball of "ball"/)
    expect(() => readJoint(arm, pose, 'tool')).toThrow(/readJoint: bone must be one of the rig, got tool/)
    expect(() => writeJoint(arm, pose, 'cross', [1])).toThrow(
      /writeJoint: values must be an array of 2 numbers, got 1 entries/,
    )
    expect(() => writeJoint(arm, pose, 'hinge', [NaN])).toThrow(/writeJoint: values\[0\] must be finite/)
    expect(pose).toEqual(new Pose(arm))
  })
})
