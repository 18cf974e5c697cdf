/**
 * Gradients, mass and steps against other ways to find them, as JSON. Masses of MuJoCo's humanoid come in on stdin, poses of
 * `{ qpos, M }`, where there are any. Run natively: node --import tsx --conditions=@tautline/source oracle.ts
 */

import { readFileSync } from 'node:fs'
import { rotateVector } from '@tautline/core/kernel'
import { Random } from '../../../core/test/support/random.js'
import { Block } from '../../src/block.js'
import { writeCoordinates } from '../../src/coordinates.js'
import { FullMass } from '../../src/full-mass.js'
import { CentreGoal, type Goal, OrientationGoal, PositionGoal, Rig } from '../../src/index.js'
import { HINGE } from '../../src/joints.js'
import { Kinematics } from '../../src/kinematics.js'
import { Subproblems } from '../../src/subproblems.js'
import { parseMjcf } from '../../src/rigs/mjcf.js'
import { GoalRows } from '../../src/rows.js'
import { dataFile } from './data.js'
import { nudge, randomPose, randomRig } from './rigs.js'

/** Of central differences [rad or m]. */
const STEP = 1e-5
const SEEDS = 200

/** What is printed: largest differences, of masses and steps as shares of the largest entry. */
export interface Oracle {
  gradients: Record<string, number>
  /** `null` where no masses came in. */
  mass: { poses: number; freedoms: number; worst: number } | null
  step: { chains: number; worst: number }
}

const input = process.stdin.isTTY === true ? '' : readFileSync(0, 'utf8')
const masses = input.trim() === '' ? undefined : (JSON.parse(input) as { qpos: number[]; M: number[] }[])
const oracle: Oracle = {
  gradients: {
    position: gradients((rig) => new PositionGoal(rig, 5, [0.3, -0.2, 0.5], { point: [0.1, 0.2, -0.1] })),
    orientation: gradients((rig, kinematics) => {
      // Near its target, where its error is the small rotation.
      const [x, y, z, w] = kinematics.world.rotations.subarray(20, 24)
      return new OrientationGoal(rig, 5, [x, y, z, w])
    }),
    centre: gradients((rig) => new CentreGoal(rig, { target: [0.1, 0.2, 0.3] })),
  },
  mass: masses === undefined ? null : mass(masses),
  step: step(),
}
console.log(JSON.stringify(oracle))

function kinematicsOf(rig: Rig, seed: number): Kinematics {
  const kinematics = new Kinematics(rig)
  kinematics.read(randomPose(rig, seed))
  kinematics.update()
  kinematics.carry()
  return kinematics
}

function rowsOf(kinematics: Kinematics, goals: readonly Goal[]): GoalRows {
  const rows = new GoalRows(
    kinematics,
    goals.reduce((sum, goal) => sum + goal.most, 0),
  )
  kinematics.update()
  kinematics.carry()
  rows.clear()
  for (const goal of goals) {
    rows.begin()
    goal.write(rows)
  }
  return rows
}

/** Largest difference of J from central differences of the errors, over random rigs of all joints. */
function gradients(make: (rig: Rig, kinematics: Kinematics) => Goal): number {
  let worst = 0
  for (let seed = 0; seed < SEEDS; seed++) {
    const rig = randomRig(seed, 6, false).root(seed % 2 === 0 ? 'pinned' : 'free')
    const at = (freedom: number, amount: number): GoalRows => {
      const kinematics = kinematicsOf(rig, seed)
      nudge(kinematics, freedom, amount)
      return rowsOf(kinematics, [goal])
    }
    const goal = make(rig, kinematicsOf(rig, seed))
    const { J, capacity, count } = rowsOf(kinematicsOf(rig, seed), [goal])
    const { freedoms } = new Kinematics(rig)
    for (let d = 0; d < freedoms; d++) {
      const [up, down] = [at(d, STEP).error, at(d, -STEP).error]
      for (let k = 0; k < count; k++) {
        worst = Math.max(worst, Math.abs((up[k] - down[k]) / (2 * STEP) - J[capacity * d + k]))
      }
    }
  }
  return worst
}

/** Largest difference of M from MuJoCo's, whose angular velocity of the root is in the root's axes. */
function mass(poses: readonly { qpos: number[]; M: number[] }[]): Oracle['mass'] {
  const bytes = dataFile('robots/humanoid.xml')
  if (bytes === undefined) return null
  const { bones } = parseMjcf(new TextDecoder().decode(bytes))
  const rig = Rig.from(bones).root('free')
  const kinematics = new Kinematics(rig)
  const D = kinematics.freedoms
  let worst = 0
  for (const { qpos, M: asked } of poses) {
    const { coordinates, kinds, pose } = kinematics
    pose.positions.set(qpos.slice(0, 3))
    pose.rotations.set([qpos[4], qpos[5], qpos[6], qpos[3]])
    let at = 7
    for (let i = 0; i < rig.count; i++) {
      if (kinds[i] !== HINGE) continue
      coordinates[2 * i] = qpos[at++]
      writeCoordinates(rig, i, HINGE, pose, coordinates, kinematics.stretch, false)
    }
    kinematics.update()
    kinematics.carry()
    const full = new FullMass(kinematics)
    full.update(0)
    const own = intoRootAxes(full.M, D, pose.rotations)
    const largest = asked.reduce((most, entry) => Math.max(most, Math.abs(entry)), 0)
    asked.forEach((entry, k) => (worst = Math.max(worst, Math.abs(entry - own[k]) / largest)))
  }
  return { poses: poses.length, freedoms: D, worst }
}

/** Bᵀ M B with B the root's axes in rows and columns 3 to 5. */
function intoRootAxes(M: Float64Array, D: number, rotation: Float64Array): Float64Array {
  const axes = [0, 1, 2].map((c) => {
    const axis = new Float64Array(3)
    rotateVector(rotation, 0, c === 0 ? 1 : 0, c === 1 ? 1 : 0, c === 2 ? 1 : 0, axis, 0)
    return axis
  })
  const out = M.slice()
  for (let r = 0; r < D; r++) {
    const row = [3, 4, 5].map((c) => out[D * r + c])
    for (let c = 0; c < 3; c++) out[D * r + 3 + c] = row[0] * axes[c][0] + row[1] * axes[c][1] + row[2] * axes[c][2]
  }
  for (let c = 0; c < D; c++) {
    const column = [3, 4, 5].map((r) => out[D * r + c])
    for (let r = 0; r < 3; r++) {
      out[D * (3 + r) + c] = column[0] * axes[r][0] + column[1] * axes[r][1] + column[2] * axes[r][2]
    }
  }
  return out
}

/**
 * A step of a chain of balls for the whole mass against the same in maximal coordinates: all bodies move by v_i of their
 * centres and ω_i so that joints stay together and the end gets to its target, with the least Σ m v² + ω·I ω.
 */
function step(): Oracle['step'] {
  const chains = 40
  let worst = 0
  for (let seed = 0; seed < chains; seed++) {
    const random = new Random(seed)
    const count = 2 + random.below(6)
    const rig = Rig.from(
      Array.from({ length: count }, (_, i) => ({
        name: `${i}`,
        parent: i === 0 ? null : i - 1,
        position: [0, 1, 2].map(() => (i === 0 ? 0 : random.between(-0.5, 0.5))) as [number, number, number],
        tip: [random.between(0.2, 0.5), random.between(-0.3, 0.3), random.between(-0.3, 0.3)] as const,
      })),
    )
    const kinematics = kinematicsOf(rig, seed)
    const goal = new PositionGoal(rig, count - 1, [random.between(-1, 1), random.between(-1, 1), 0.3])
    const rows = rowsOf(kinematics, [goal])
    const parts = new Subproblems(kinematics, [goal], true)
    const block = new Block(kinematics, rows, parts)
    block.fullMass = new FullMass(kinematics)
    block.fullMass.update(0)
    block.solve(0, new Uint8Array(rig.count), false)
    const wanted = maximal(kinematics, goal.point, rows.error)
    // A body turns by the sum of the turns of its joint and all before it.
    const sum = [0, 0, 0]
    let largest = 0
    for (const x of wanted) largest = Math.max(largest, Math.abs(x))
    for (let i = 0; i < count; i++) {
      for (let k = 0; k < 3; k++) {
        sum[k] += block.step[3 * i + k]
        worst = Math.max(worst, Math.abs(sum[k] - wanted[3 * i + k]) / largest)
      }
    }
  }
  return { chains, worst }
}

/** ω of all bodies, from the dense system of masses and rows. */
function maximal(kinematics: Kinematics, point: Float64Array, error: Float64Array): number[] {
  const { rig, world } = kinematics
  const n = rig.count
  const size = 9 * n + 3
  const A = Array.from({ length: size }, () => new Float64Array(size))
  const b = new Float64Array(size)
  const centres = Array.from({ length: n }, (_, i) => {
    const out = new Float64Array(3)
    kinematics.pointOf(i, rig.centre.slice(3 * i, 3 * i + 3), out)
    return out
  })
  for (let i = 0; i < n; i++) {
    for (let r = 0; r < 3; r++) {
      A[6 * i + r][6 * i + r] = rig.mass[i]
      for (let c = 0; c < 3; c++) A[6 * i + 3 + r][6 * i + 3 + c] = inertia(kinematics, i)[3 * r + c]
    }
  }
  // The point of body i at `at` moves by v + ω × d, d = at − centre, times `sign` in three rows from `row` on.
  const write = (row: number, i: number, at: ArrayLike<number>, sign: number): void => {
    const [x, y, z] = [0, 1, 2].map((k) => sign * (at[k] - centres[i][k]))
    const turn = [
      [0, z, -y],
      [-z, 0, x],
      [y, -x, 0],
    ]
    for (let r = 0; r < 3; r++) {
      A[row + r][6 * i + r] = A[6 * i + r][row + r] = sign
      for (let c = 0; c < 3; c++) A[row + r][6 * i + 3 + c] = A[6 * i + 3 + c][row + r] = turn[r][c]
    }
  }
  for (let i = 0; i < n; i++) {
    const joint = world.positions.subarray(3 * i, 3 * i + 3)
    write(6 * n + 3 * i, i, joint, 1)
    if (i > 0) write(6 * n + 3 * i, i - 1, joint, -1)
  }
  const end = new Float64Array(3)
  kinematics.pointOf(n - 1, point, end)
  write(9 * n, n - 1, end, 1)
  for (let k = 0; k < 3; k++) b[9 * n + k] = -error[k]
  const x = eliminate(A, b)
  return Array.from({ length: 3 * n }, (_, k) => x[6 * Math.floor(k / 3) + 3 + (k % 3)])
}

/** World inertia of a bone about its centre, nine numbers. */
function inertia({ rig, world }: Kinematics, i: number): number[] {
  const axes = [0, 1, 2].map((c) => {
    const axis = new Float64Array(3)
    rotateVector(rig.inertiaFrame, 4 * i, c === 0 ? 1 : 0, c === 1 ? 1 : 0, c === 2 ? 1 : 0, axis, 0)
    rotateVector(world.rotations, 4 * i, axis[0], axis[1], axis[2], axis, 0)
    return axis
  })
  return Array.from({ length: 9 }, (_, k) => {
    const [r, c] = [Math.floor(k / 3), k % 3]
    return axes.reduce((sum, axis, a) => sum + rig.moments[3 * i + a] * axis[r] * axis[c], 0)
  })
}

/** Gauss with the largest pivot of each column. */
function eliminate(A: Float64Array[], b: Float64Array): Float64Array {
  const n = b.length
  for (let k = 0; k < n; k++) {
    let best = k
    for (let r = k + 1; r < n; r++) if (Math.abs(A[r][k]) > Math.abs(A[best][k])) best = r
    ;[A[k], A[best]] = [A[best], A[k]]
    ;[b[k], b[best]] = [b[best], b[k]]
    for (let r = k + 1; r < n; r++) {
      const share = A[r][k] / A[k][k]
      if (share === 0) continue
      for (let c = k; c < n; c++) A[r][c] -= share * A[k][c]
      b[r] -= share * b[k]
    }
  }
  for (let k = n - 1; k >= 0; k--) {
    for (let c = k + 1; c < n; c++) b[k] -= A[k][c] * b[c]
    b[k] /= A[k][k]
  }
  return b
}
