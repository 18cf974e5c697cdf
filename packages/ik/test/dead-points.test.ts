/** Goals in line with straight limbs, whose joints may be at their stops: default settings. */

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../../core/test/support/runs.js'
import { IkSolver, type JointDef, Pose, PositionGoal, Rig } from '../src/index.js'

/** A straight limb along y, a bone a length, hinges of the same limits between them. */
function limb(lengths: readonly number[], root: JointDef, limits: { min: number; max: number }): Rig {
  const joint: JointDef = { kind: 'hinge', axis: [0, 0, 1], limits }
  return Rig.from(
    [0, ...lengths].map((length, k) => ({
      name: `b${k}`,
      parent: k === 0 ? null : `b${k - 1}`,
      position: [0, length, 0] as const,
      joint: k === 0 ? root : joint,
    })),
  )
}

const ROOTS: readonly JointDef[] = [
  { kind: 'ball' },
  { kind: 'hinge', axis: [0, 0, 1] },
  { kind: 'hinge', axis: [0, 0, 1], limits: { min: -Math.PI / 2, max: Math.PI / 2 } },
]

describe('a straight limb', () => {
  test('reaches goals in line with it, or nearly so, from its stops', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0.3, max: 1, noNaN: true }), { minLength: 2, maxLength: 3 }),
        fc.constantFrom(...ROOTS),
        fc.double({ min: 1, max: 2.4, noNaN: true }),
        fc.constantFrom<'low' | 'high' | 'both'>('low', 'high', 'both'),
        fc.double({ min: 0.3, max: 0.98, noNaN: true }),
        fc.constantFrom(0, 1e-6, -1e-6, 1e-3, -1e-3),
        (lengths, root, range, side, share, aside) => {
          const limits = { min: side === 'high' ? 0 : -range, max: side === 'low' ? 0 : range }
          const rig = limb(lengths, root, limits)
          const end = `b${lengths.length}`
          // Within reach with all joints bent alike by a share of their range.
          const bent = side === 'high' ? range : -range
          let [x, y, angle] = [0, 0, 0]
          lengths.forEach((length, k) => {
            if (k > 0) angle += share * bent
            x -= length * Math.sin(angle)
            y += length * Math.cos(angle)
          })
          const target = [aside, Math.hypot(x, y), 0] as const
          const chord = Math.atan2(x, y)
          fc.pre(Math.abs(chord) < 1.4)
          const poses = [0, 1].map(() => {
            const solver = new IkSolver(rig)
            solver.add(new PositionGoal(rig, end, target, { point: [0, 0, 0] }))
            const pose = new Pose(rig)
            expect(solver.solve(pose).status).toBe('converged')
            expect(solver.violation(pose)).toBe(0)
            return Array.from(pose.rotations)
          })
          expect(poses[0]).toEqual(poses[1])
        },
      ),
      { numRuns: runs(300) },
    )
  })

  test('stays as it is for a goal beyond its reach, without further starts', () => {
    const rig = limb([0.5, 0.4], ROOTS[0], { min: -2, max: 0 })
    const solver = new IkSolver(rig)
    solver.add(new PositionGoal(rig, 'b2', [0, 1.5, 0], { point: [0, 0, 0] }))
    const pose = new Pose(rig)
    const { status, iterations } = solver.solve(pose)
    expect(status).toBe('unreachable')
    expect(iterations).toBeLessThan(100)
    expect(Math.abs(pose.rotations[4 * 1 + 2])).toBeLessThan(0.05)
  })
})
