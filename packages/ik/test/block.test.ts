/** A step of the block against the same system written out and solved by elimination. */

import { BLOCK } from '@tautline/core/kernel'
import { describe, expect, test } from 'vitest'
import { Random } from '../../core/test/support/random.js'
import { Block } from '../src/block.js'
import { AimGoal, CentreGoal, type Goal, OrientationGoal, PoleGoal, PositionGoal, Rig } from '../src/index.js'
import { FREEDOMS } from '../src/joints.js'
import { Kinematics } from '../src/kinematics.js'
import { writeMobility } from '../src/metric.js'
import { Subproblems } from '../src/subproblems.js'
import { GoalRows } from '../src/rows.js'
import { randomPose, randomRig } from './support/rigs.js'

const DAMPING = 0.03
/** Of the block's own. */
const LEAST_DAMPING = 1e-10
/** Systems here are of six bones and damped. */
const ROUND_OFF = 1e-9

/** A chain of three balls with a branch of three more. */
function branched(): Rig {
  return Rig.from(
    Array.from({ length: 6 }, (_, i) => ({
      name: `${i}`,
      parent: i === 0 ? null : i === 3 ? 0 : i - 1,
      position: i === 0 ? [0, 0, 0] : ([0.3, 0.05 * i, 0.02 * i] as const),
      tip: [0.2, 0.1, 0] as const,
    })),
  )
}

const GOALS: Record<string, (rig: Rig) => Goal[]> = {
  'a place': (rig) => [new PositionGoal(rig, 5, [0.3, 0.4, 0.1])],
  'a place and a turn': (rig) => [
    new PositionGoal(rig, 5, [0.3, 0.4, 0.1]),
    new OrientationGoal(rig, 5, [0, 0.6, 0, 0.8]),
  ],
  'a place of one bone and a turn of another': (rig) => [
    new PositionGoal(rig, 2, [0.3, 0.4, 0.1]),
    new OrientationGoal(rig, 5, [0, 0.6, 0, 0.8]),
  ],
  'two places and the centre': (rig) => [
    new PositionGoal(rig, 2, [0.3, 0.4, 0.1]),
    new PositionGoal(rig, 5, [0.5, -0.1, 0.3]),
    new CentreGoal(rig, { target: [0.2, 0.1, 0] }),
  ],
  'nine rows that are not in threes': (rig) => [
    new AimGoal(rig, 2, [1, 1, 1], { axis: [1, 0, 0] }),
    new PositionGoal(rig, 5, [0.5, -0.1, 0.3]),
    new AimGoal(rig, 5, [0, 1, 1], { axis: [1, 0, 0] }),
    new PositionGoal(rig, 1, [0.2, 0.2, 0], { axes: [true, false, true] }),
  ],
  'four rows': (rig) => [
    new PoleGoal(rig, { start: 0, middle: 1, end: 2 }, [0, 1, 2]),
    new PositionGoal(rig, 5, [0.5, -0.1, 0.3]),
  ],
}

/** Δq = M⁻¹ Jᵀ (J M⁻¹ Jᵀ + A)⁻¹ (−e). */
function written(
  { freedoms: D, kinds, rig, firstFreedom }: Kinematics,
  rows: GoalRows,
  mobility: Float64Array,
): number[] {
  const { J, capacity: S, count: E, error } = rows
  const T = Array.from({ length: D }, () => new Array<number>(E).fill(0))
  for (let i = 0; i < rig.count; i++) {
    const size = FREEDOMS[kinds[i]]
    for (let r = 0; r < size; r++) {
      for (let c = 0; c < size; c++) {
        const m = mobility[BLOCK * i + size * r + c]
        for (let k = 0; k < E; k++) T[firstFreedom[i] + r][k] += m * J[S * (firstFreedom[i] + c) + k]
      }
    }
  }
  const A = Array.from({ length: E }, (_, k) =>
    Array.from({ length: E + 1 }, (_, l) =>
      l === E ? -error[k] : T.reduce((sum, t, d) => sum + J[S * d + k] * t[l], 0),
    ),
  )
  const mean = A.reduce((sum, row, k) => sum + row[k], 0) / E
  A.forEach((row, k) => (row[k] += (DAMPING + LEAST_DAMPING) * mean))
  for (let k = 0; k < E; k++) {
    for (let r = 0; r < E; r++) {
      if (r === k) continue
      const f = A[r][k] / A[k][k]
      for (let c = k; c <= E; c++) A[r][c] -= f * A[k][c]
    }
  }
  return T.map((t) => t.reduce((sum, x, k) => sum + (x * A[k][E]) / A[k][k], 0))
}

describe('a step', () => {
  for (const [name, make] of Object.entries(GOALS)) {
    test(`for ${name} is that of the system written out`, () => {
      for (let seed = 0; seed < 20; seed++) {
        const random = new Random(seed)
        const rig =
          seed % 2 === 0 && !name.includes('nine') && name !== 'four rows' ? randomRig(seed, 6, false) : branched()
        rig.root(random.below(2) === 0 ? 'pinned' : 'free')
        const goals = make(rig)
        const kinematics = new Kinematics(rig)
        const subproblems = new Subproblems(kinematics, goals, true)
        const rows = new GoalRows(kinematics, 12)
        const block = new Block(kinematics, rows, subproblems)
        kinematics.read(randomPose(rig, seed))
        kinematics.update()
        rows.clear()
        for (const goal of goals) {
          rows.begin()
          goal.write(rows)
        }
        subproblems.endRow[0] = rows.count
        const { damping, mobility } = block.system
        writeMobility(kinematics, { metric: 'inertia', blend: 0.1 }, mobility)
        damping[0] = DAMPING
        const wanted = written(kinematics, rows, mobility)
        block.solve(0, new Uint8Array(rig.count), false)
        const largest = Math.max(...wanted.map(Math.abs))
        wanted.forEach((q, d) => expect(Math.abs(block.step[d] - q)).toBeLessThan(ROUND_OFF * largest))
      }
    })
  }
})

describe('subproblems', () => {
  test('are goals that share a joint', () => {
    const rig = branched()
    const goals = [2, 5].map((bone) => new PositionGoal(rig, bone, [0, 0, 0]))
    expect(new Subproblems(new Kinematics(rig), goals, false).count).toBe(1)
    rig.joint(0, { kind: 'locked' })
    const { count, ofBone, ofGoal } = new Subproblems(new Kinematics(rig), goals, false)
    expect(count).toBe(2)
    expect(Array.from(ofGoal)).toEqual([0, 1])
    expect(Array.from(ofBone)).toEqual([0, 0, 0, 1, 1, 1])
  })
})
