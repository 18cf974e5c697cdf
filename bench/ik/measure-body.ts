/** One solver on a body: a robot's or humanoid's single poses, and a recorded motion. */

import { IkSolver, Pose, WorldPose } from '@tautline/ik'
import type { BodySolver } from './solver.js'
import { TARGET, targetErrors, writeTargets } from './tasks/body.js'
import { bendOf, type MocapTask } from './tasks/mocap.js'
import type { BodyTask } from './tasks/robot.js'

/** Solves whose time is not taken. */
const WARM_UP = 200
/** Frames after which a figure has come from its pose at rest into the motion. */
const SETTLED = 25
/** Errors count as within the tolerance with this much of it on top: the poses are measured by other sums. */
const ROUND_OFF = 1e-6

export interface BodyResult {
  solver: string
  note: string
  task: string
  targets: number
  /** Share of the targets that were reached in time, and within the limits. */
  solved: number
  /** Of those that were reached, however long it took. */
  reached: number
  /** Median and 95th percentile of the reached; 0 where none was. */
  median: number
  p95: number
  /** Of all solves, failures timed in [ms]. */
  millis: number
  millisMedian: number
  millisP95: number
  /** [m], [rad]: means over all. */
  far: number
  turned: number
  /** Worst [rad]. */
  violation: number
}

export function measureBody(solver: BodySolver, task: BodyTask): BodyResult {
  const { body, count, iterations, patience, start, targets, tolerance } = task
  const rig = body.rig()
  const size = TARGET * body.effectors.length
  const run = solver.make(body)
  const judge = new IkSolver(rig)
  const pose = new Pose(rig)
  const world = new WorldPose(rig)
  const is = new Float64Array(size)
  const rows = Array.from({ length: count }, (_, t) => targets.subarray(size * t, size * t + size))
  for (const row of rows.slice(0, WARM_UP)) {
    run.reset(start)
    run.solve(row, iterations, tolerance)
  }
  const asked = tolerance * (1 + ROUND_OFF)
  const solves = rows.map((row) => {
    run.reset(start)
    const before = performance.now()
    const solved = run.solve(row, iterations, tolerance)
    const millis = performance.now() - before
    run.pose(pose)
    writeTargets(body, rig, world, pose, is, 0)
    const [far, turned] = targetErrors(body, is, row, 0)
    const violation = judge.violation(pose)
    return { far, turned, millis, violation, iterations: solved.iterations, isThere: far <= asked && turned <= asked }
  })
  const there = solves.filter(({ isThere }) => isThere)
  const steps = there.map((solve) => solve.iterations)
  const times = solves.map(({ millis }) => millis)
  return {
    solver: solver.name,
    note: solver.note,
    task: task.name,
    targets: count,
    solved: there.filter(({ millis, violation }) => millis <= patience && violation <= 1e-6).length / count,
    reached: there.length / count,
    median: quantile(steps, 0.5),
    p95: quantile(steps, 0.95),
    millis: mean(times),
    millisMedian: quantile(times, 0.5),
    millisP95: quantile(times, 0.95),
    far: mean(solves.map(({ far }) => far)),
    turned: mean(solves.map(({ turned }) => turned)),
    violation: Math.max(...solves.map(({ violation }) => violation)),
  }
}

export interface MocapResult {
  solver: string
  note: string
  task: string
  frames: number
  /** Mean, and 95th percentile over frames and limbs, of the error of a bend [rad]: arms, then legs. */
  elbow: number
  knee: number
  bendP95: number
  /** Mean distance of all bones from where they were [m]; of the effectors from their targets. */
  joints: number
  ends: number
  /** Farthest that an elbow or knee went in a frame, beyond how far it went in the recording [m]. */
  jump: number
  /** [ms a frame] */
  millis: number
  millisP95: number
  violation: number
}

/** Frame after frame, each from the pose of the one before; twice, the first time to compile. */
export function measureMocap(solver: BodySolver, task: MocapTask): MocapResult {
  const { bends, body, frames, iterations, positions, start, targets, tolerance } = task
  const rig = body.rig()
  const size = TARGET * body.effectors.length
  const { limbs } = body
  const run = solver.make(body)
  const judge = new IkSolver(rig)
  const pose = new Pose(rig)
  const world = new WorldPose(rig)
  const before = new WorldPose(rig)
  const is = new Float64Array(size)
  const measure = (): MocapResult => {
    const errors: [number[], number[]] = [[], []]
    const [times, joints, ends]: number[][] = [[], [], []]
    let [jump, violation] = [0, 0]
    run.reset(start)
    for (let frame = 0; frame < frames; frame++) {
      const row = targets.subarray(size * frame, size * frame + size)
      const began = performance.now()
      run.solve(row, iterations, tolerance)
      times.push(performance.now() - began)
      run.pose(pose)
      before.positions.set(world.positions)
      writeTargets(body, rig, world, pose, is, 0)
      violation = Math.max(violation, judge.violation(pose))
      ends.push(targetErrors(body, is, row, 0)[0])
      const o = 3 * rig.count * frame
      for (let i = 0; i < rig.count; i++) {
        const [x, y, z] = [0, 1, 2].map((k) => world.positions[3 * i + k] - positions[o + 3 * i + k])
        joints.push(Math.sqrt(x * x + y * y + z * z))
      }
      limbs.forEach((limb, l) => {
        const error = Math.abs(bendOf(limb, world.positions) - bends[limbs.length * frame + l])
        errors[l < limbs.length / 2 ? 0 : 1].push(error)
        if (frame < SETTLED) return
        // How far the middle went in a frame, beyond how far it went in the recording.
        const went = moved(world.positions, before.positions, 3 * limb.middle)
        const asked = moved(positions, positions, o + 3 * limb.middle, o - 3 * rig.count + 3 * limb.middle)
        jump = Math.max(jump, went - asked)
      })
    }
    return {
      solver: solver.name,
      note: solver.note,
      task: task.name,
      frames,
      elbow: mean(errors[0]),
      knee: mean(errors[1]),
      bendP95: quantile(errors.flat(), 0.95),
      joints: mean(joints),
      ends: mean(ends),
      jump,
      millis: mean(times),
      millisP95: quantile(times, 0.95),
      violation,
    }
  }
  measure()
  return measure()
}

function moved(a: Float64Array, b: Float64Array, i: number, j = i): number {
  const [x, y, z] = [0, 1, 2].map((k) => a[i + k] - b[j + k])
  return Math.sqrt(x * x + y * y + z * z)
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length
}

function quantile(values: readonly number[], share: number): number {
  if (values.length === 0) return 0
  const sorted = [...values].sort((r, s) => r - s)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]
}
