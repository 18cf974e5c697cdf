/** Gradients of all goals by differences, carried matter by the energy of a motion, mobilities by their masses. */

import { BLOCK } from '@tautline/core/kernel'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { SEED } from '../../core/test/support/seed.js'
import { AimGoal, CentreGoal, type Goal, OrientationGoal, PoleGoal, PositionGoal, type Rig } from '../src/index.js'
import { FREEDOMS } from '../src/joints.js'
import { Kinematics } from '../src/kinematics.js'
import { writeMobility } from '../src/metric.js'
import { GoalRows } from '../src/rows.js'
import { nudge, randomPose, randomRig } from './support/rigs.js'

/** Step of central differences [rad or m], and what they are good for: h² and ε/h. */
const STEP = 1e-5
const DIFFERENCES = 1e-8
/** Kinetic energy by differences of positions, each to ε/h. */
const ENERGY = 1e-6

const seeds = fc.integer()

function always(property: (seed: number) => void, runs = 60): void {
  fc.assert(fc.property(seeds, property), { seed: SEED, numRuns: runs })
}

/** Errors of a goal's rows at a kinematics' present pose. */
function errors(kinematics: Kinematics, goal: Goal): { e: Float64Array; J: Float64Array; count: number } {
  const rows = new GoalRows(kinematics, goal.most)
  kinematics.update()
  kinematics.carry()
  rows.clear()
  goal.write(rows)
  return { e: rows.error.slice(), J: rows.J.slice(), count: rows.count }
}

/** J of position-like goals against differences of their errors. */
function check(rig: Rig, seed: number, goal: Goal): void {
  const kinematics = new Kinematics(rig)
  kinematics.read(randomPose(rig, seed))
  const { J, count } = errors(kinematics, goal)
  for (let d = 0; d < kinematics.freedoms; d++) {
    kinematics.update()
    nudge(kinematics, d, STEP)
    const up = errors(kinematics, goal).e
    kinematics.read(randomPose(rig, seed))
    kinematics.update()
    nudge(kinematics, d, -STEP)
    const down = errors(kinematics, goal).e
    kinematics.read(randomPose(rig, seed))
    kinematics.update()
    for (let k = 0; k < count; k++) {
      const slope = (up[k] - down[k]) / (2 * STEP)
      expect(Math.abs(slope - J[goal.most * d + k])).toBeLessThan(DIFFERENCES)
    }
  }
}

describe(`gradients (seed ${SEED})`, () => {
  test('position', () => {
    always((seed) => {
      const rig = randomRig(seed, 6, false).root(seed % 2 === 0 ? 'pinned' : 'free')
      check(rig, seed, new PositionGoal(rig, 5, [0.3, -0.2, 0.5], { point: [0.1, 0.2, -0.1] }))
    })
  })

  test('orientation, near its target where its error is the small rotation', () => {
    always((seed) => {
      const rig = randomRig(seed, 6, false).root(seed % 2 === 0 ? 'pinned' : 'free')
      const kinematics = new Kinematics(rig)
      kinematics.read(randomPose(rig, seed))
      kinematics.update()
      const target = Array.from(kinematics.world.rotations.slice(20, 24)) as [number, number, number, number]
      check(rig, seed, new OrientationGoal(rig, 5, target))
    })
  })

  test('centre of mass', () => {
    always((seed) => {
      const rig = randomRig(seed, 6, false).root(seed % 2 === 0 ? 'pinned' : 'free')
      check(rig, seed, new CentreGoal(rig, { target: [0.1, 0.2, 0.3] }))
    })
  })

  test('aim: a step along its rows turns the axis as they say', () => {
    always((seed) => {
      const rig = randomRig(seed, 4, false)
      const kinematics = new Kinematics(rig)
      kinematics.read(randomPose(rig, seed))
      const goal = new AimGoal(rig, 3, [2, 1, -1])
      const { J, count } = errors(kinematics, goal)
      if (count === 0 || goal.error > 3) return
      for (let d = 0; d < kinematics.freedoms; d++) {
        if (kinematics.angular[d] === 0) continue
        const before = goal.error
        kinematics.update()
        nudge(kinematics, d, STEP)
        // Of the first row the error is the angle itself; moving the bone shifts the target's direction too.
        errors(kinematics, goal)
        const moved = kinematics.world.positions.slice(9, 12)
        kinematics.read(randomPose(rig, seed))
        kinematics.update()
        const shift = Math.hypot(...moved.map((x, k) => x - kinematics.world.positions[9 + k]))
        const slope = (before - goal.error) / STEP
        const told = J[goal.most * d] / (rig.size / 3)
        const lever = (shift / STEP) * 2
        expect(Math.abs(slope - told)).toBeLessThan(1e-3 + lever)
        errors(kinematics, goal)
      }
    })
  })

  test('pole: turning the chain about its line changes the angle one to one', () => {
    always((seed) => {
      const rig = randomRig(seed, 3, false)
      const chain = new PoleGoal(randomChain(rig), { start: 0, middle: 1, end: 2 }, [0.5, 1, -0.7])
      const kinematics = new Kinematics(randomChain(rig))
      kinematics.read(randomPose(randomChain(rig), seed))
      const { e, J, count } = errors(kinematics, chain)
      if (count === 0) return
      // e = −bend · angle; the row of turning the root about the line is bend².
      const [x, y, z] = [0, 1, 2].map((k) => kinematics.world.positions[6 + k] - kinematics.world.positions[k])
      const length = Math.hypot(x, y, z)
      const along = [x, y, z].map((v) => v / length)
      const turned = along.reduce((sum, v, k) => sum + v * J[k], 0)
      expect(Math.abs(e[0])).toBeCloseTo(turned * chain.error, 9)
    })
  })
})

/** The same bones in one chain of balls. */
function randomChain(rig: Rig): Rig {
  return (rig.constructor as typeof Rig).from(
    Array.from({ length: rig.count }, (_, i) => ({
      name: rig.names[i],
      parent: i - 1 < 0 ? null : i - 1,
      position: [0, 1, 2].map((k) => (i === 0 ? 0 : 0.2 + 0.1 * ((i + k) % 3))) as [number, number, number],
      tip: [0.2, 0, 0] as [number, number, number],
    })),
  )
}

describe('metric', () => {
  test('M_k is twice the kinetic energy of turning at joint k alone', () => {
    always((seed) => {
      const rig = randomRig(seed, 6, false).root(seed % 2 === 0 ? 'pinned' : 'free')
      const kinematics = new Kinematics(rig)
      kinematics.read(randomPose(rig, seed))
      kinematics.update()
      kinematics.carry()
      const mobility = new Float64Array(BLOCK * rig.count)
      writeMobility(kinematics, { metric: 'inertia', blend: 0 }, mobility)
      for (let i = 0; i < rig.count; i++) {
        const size = FREEDOMS[kinematics.kinds[i]]
        for (let c = 0; c < size; c++) {
          const d = kinematics.firstFreedom[i] + c
          // Row c of M: solve P m = e_c by the blocks' own inverse: M P = 1.
          const energy = motionEnergy(rig, seed, d)
          const mass = invertedEntry(mobility, BLOCK * i, size, c)
          expect(Math.abs(energy / mass - 1)).toBeLessThan(ENERGY)
        }
      }
    }, 30)
  })
})

/** Entry (c, c) of the inverse of a block, by elimination. */
function invertedEntry(block: Float64Array, o: number, n: number, c: number): number {
  const A = Array.from({ length: n }, (_, r) => Array.from({ length: n }, (_, k) => block[o + n * r + k]))
  const x = Array.from({ length: n }, (_, r) => (r === c ? 1 : 0))
  for (let k = 0; k < n; k++) {
    for (let r = k + 1; r < n; r++) {
      const f = A[r][k] / A[k][k]
      for (let l = k; l < n; l++) A[r][l] -= f * A[k][l]
      x[r] -= f * x[k]
    }
  }
  for (let k = n - 1; k >= 0; k--) {
    for (let l = k + 1; l < n; l++) x[k] -= A[k][l] * x[l]
    x[k] /= A[k][k]
  }
  return x[c]
}

/** Σ m v² + ω·I ω of all bones when one degree of freedom moves at speed 1, by differences. */
function motionEnergy(rig: Rig, seed: number, freedom: number): number {
  const at = (amount: number): Kinematics => {
    const kinematics = new Kinematics(rig)
    kinematics.read(randomPose(rig, seed))
    kinematics.update()
    nudge(kinematics, freedom, amount)
    kinematics.update()
    return kinematics
  }
  const [up, down, here] = [at(STEP), at(-STEP), at(0)]
  let sum = 0
  const centre = (k: Kinematics, i: number): Float64Array => {
    const out = new Float64Array(3)
    k.pointOf(i, rig.centre.slice(3 * i, 3 * i + 3), out)
    return out
  }
  for (let i = 0; i < rig.count; i++) {
    const [a, b] = [centre(up, i), centre(down, i)]
    for (let k = 0; k < 3; k++) sum += rig.mass[i] * ((a[k] - b[k]) / (2 * STEP)) ** 2
    // ω in the bone's principal axes from the quaternion's change.
    const q = here.world.rotations.slice(4 * i, 4 * i + 4)
    const dq = up.world.rotations
      .slice(4 * i, 4 * i + 4)
      .map((v, k) => (v - down.world.rotations[4 * i + k]) / (2 * STEP))
    const f = rig.inertiaFrame.slice(4 * i, 4 * i + 4)
    const body = multiply(conjugate(q), dq).map((v) => 2 * v)
    const principal = multiply(multiply(conjugate(f), body), f)
    for (let k = 0; k < 3; k++) sum += rig.moments[3 * i + k] * principal[k] ** 2
  }
  return sum
}

function conjugate(q: ArrayLike<number>): number[] {
  return [-q[0], -q[1], -q[2], q[3]]
}

function multiply(a: ArrayLike<number>, b: ArrayLike<number>): number[] {
  return [
    a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
    a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
    a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
    a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
  ]
}
