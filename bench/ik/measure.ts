/** One solver on one task: how often, how fast, how exactly, and what the poses are like. */

import type { ChainRun, ChainSolver, Solved, TreeSolver } from './solver.js'
import { type ChainTask, endError, LENGTH, massDisplacement, stretch } from './tasks/chain.js'
import { type FigureTask, jointAngles } from './tasks/figure10.js'
import type { HandTask } from './tasks/hand.js'
import { angleBetween, chainPositions, distance, multiply, worstViolation } from './tasks/kinematics.js'
import { type MovingTask, zone } from './tasks/moving.js'
import type { StuckCase } from './tasks/stuck.js'

/** What counts as reached [m], the chain being 1 m long. */
export const COARSE = 1e-3 * LENGTH
export const FINE = 1e-4 * LENGTH
/** Beyond this a pose is outside its limits [rad]: 32-bit floats keep angles to 1e-7. */
export const LIMIT_SLACK = 1e-6

/** Solves whose time is not taken, and how long the others may take in all [ms] and how often each is timed. */
const WARM_UP = 100
const TIME = 4000
const ROUNDS = 5

/** Reported for a success that none of the solves had. JSON has no NaN. */
type OrNull = number | null

export interface ReachResult {
  solver: string
  note: string
  task: string
  targets: number
  /** Shares of the targets that were reached. */
  coarse: number
  fine: number
  /** Reached finely within the limits; as `fine` where there are none. */
  within: number
  /** Iterations of the solves that got there: to the coarse tolerance, and to the fine one. */
  coarseMedian: OrNull
  median: OrNull
  p95: OrNull
  /** Of a solve to the fine tolerance, failures timed in [µs]: mean, and 95th percentile. */
  micros: number
  microsP95: number
  /** Mean of a solve to the errors of `reference`: each target's, or the fine tolerance where that is larger [µs]. */
  microsAtReference: OrNull
  /** After all iterations: median and mean [m]. */
  errorMedian: number
  errorMean: number
  /** Largest of all poses [rad], and largest change of a link's length [m]; null where it has no rotations. */
  violation: OrNull
  stretch: number
  /** Mean over the finely reached of the mean squared displacement of mass [m²]. */
  massDisplacement: OrNull
  /** Smallest error of each target [m]: a reference for others. */
  best: number[]
}

/** B1, B2, and the mass displacement of B5. `reference`: errors of another solver, to be timed at. */
export function measureReach(solver: ChainSolver, task: ChainTask, reference?: readonly number[]): ReachResult {
  const { iterations, joints, links, start, targets } = task
  const count = targets.length / 3
  const run = solver.make(links, joints)
  const rows = Array.from({ length: count }, (_, i) => targets.subarray(3 * i, 3 * i + 3))
  const from = new Float64Array(3 * links.length + 3)
  const positions = from.slice()
  const rotations = new Float64Array(start.length)
  chainPositions(links, start, from)
  for (const target of rows.slice(0, WARM_UP)) {
    run.reset(start)
    run.solve(target, iterations, FINE)
  }
  let [worst, stretched] = [0, 0]
  const fine: { error: number; iterations: number; violation: number; moved: number }[] = rows.map((target, i) => {
    run.reset(start)
    const solved = run.solve(target, iterations, FINE)
    run.positions(positions)
    run.rotations?.(rotations)
    const outside = joints === undefined || run.rotations === undefined ? 0 : worstViolation(joints, rotations)
    worst = Math.max(worst, outside)
    stretched = Math.max(stretched, stretch(links, positions))
    const error = orInfinity(endError(positions, targets, i))
    const moved = massDisplacement(links, from, positions)
    return { error, iterations: solved.iterations, violation: outside, moved }
  })
  const coarse: number[] = []
  const best = rows.map((target, i) => {
    run.reset(start)
    const first = run.solve(target, iterations, COARSE)
    if (first.error <= COARSE) coarse.push(first.iterations)
    run.solve(target, iterations - first.iterations, 0)
    run.positions(positions)
    return Math.min(orInfinity(endError(positions, targets, i)), fine[i].error)
  })
  const reached = fine.filter(({ error }) => error <= FINE * (1 + 1e-9))
  const steps = reached.map((solve) => solve.iterations)
  const fineTimes = time(run, start, rows, iterations, () => FINE)
  const given = reference ?? best
  const atReference = time(run, start, rows, iterations, (i) => Math.max(FINE, given[i] * (1 + 1e-9)))
  return {
    solver: solver.name,
    note: solver.note,
    task: task.name,
    targets: count,
    coarse: coarse.length / count,
    fine: reached.length / count,
    within: reached.filter(({ violation }) => violation <= LIMIT_SLACK).length / count,
    coarseMedian: quantile(coarse, 0.5),
    median: quantile(steps, 0.5),
    p95: quantile(steps, 0.95),
    micros: mean(fineTimes) ?? 0,
    microsP95: quantile(fineTimes, 0.95) ?? 0,
    microsAtReference: mean(atReference),
    errorMedian: quantile(best, 0.5) ?? 0,
    errorMean: mean(best) ?? 0,
    violation: run.rotations === undefined ? null : worst,
    stretch: stretched,
    massDisplacement: mean(reached.map(({ moved }) => moved)),
    best,
  }
}

/** µs a solve of each target, the least of its rounds; only as many targets as there is time for, but 20 of them. */
function time(
  run: ChainRun,
  start: Float64Array,
  targets: readonly Float64Array[],
  iterations: number,
  tolerance: (i: number) => number,
): number[] {
  const times: number[] = []
  const end = performance.now() + TIME
  for (let round = 0; round < ROUNDS && (round === 0 || performance.now() < end); round++) {
    for (let i = 0; i < targets.length && (i < 20 || performance.now() < end); i++) {
      const wanted = tolerance(i)
      run.reset(start)
      const before = performance.now()
      run.solve(targets[i], iterations, wanted)
      times[i] = Math.min(times[i] ?? Infinity, 1e3 * (performance.now() - before))
    }
  }
  return times
}

export interface MovingResult {
  solver: string
  note: string
  task: string
  /** Of the links' directions over three frames: root of the mean square, and largest. */
  rough: number
  roughest: number
  /** Largest turn of a link in a frame [rad]. */
  turn: number
  /** Mean error [m] with the target in 0.95 of the reach; between that and the reach; and what it exceeds the reach by. */
  inside: OrNull
  near: OrNull
  outside: OrNull
  /** Largest error with the target in 0.95 of the reach [m]. */
  worstInside: number
  /** Mean, and 95th percentile [µs a frame]. */
  micros: number
  microsP95: number
}

/** B4. */
export function measureMoving(solver: ChainSolver, task: MovingTask): MovingResult {
  const { frames, iterations, links, path, start, tolerance, warmUp } = task
  const run = solver.make(links)
  const n = links.length
  // Twice: the first compiles, the second counts.
  const positions = new Float64Array(3 * n + 3)
  let result: MovingResult | undefined
  for (let pass = 0; pass < 2; pass++) {
    const errors = { inside: [] as number[], near: [] as number[], outside: [] as number[] }
    const times: number[] = []
    let [u, v, w] = [new Float64Array(3 * n), new Float64Array(3 * n), new Float64Array(3 * n)]
    let [sum, roughest, turn] = [0, 0, 0]
    run.reset(start)
    for (let frame = 0; frame < frames; frame++) {
      const target = path.subarray(3 * frame, 3 * frame + 3)
      const before = performance.now()
      run.solve(target, iterations, tolerance)
      const spent = performance.now() - before
      run.positions(positions)
      ;[u, v, w] = [v, w, u]
      for (let k = 0; k < 3 * n; k++) w[k] = (positions[k + 3] - positions[k]) / links[Math.floor(k / 3)]
      if (frame < warmUp) continue
      times.push(1e3 * spent)
      const where = zone(path, frame)
      const beyond = where === 'outside' ? Math.sqrt(target[0] ** 2 + target[1] ** 2 + target[2] ** 2) - LENGTH : 0
      errors[where].push(endError(positions, target, 0) - beyond)
      for (let k = 0; k < 3 * n; k += 3) {
        const [x, y, z] = [0, 1, 2].map((c) => w[k + c] - 2 * v[k + c] + u[k + c])
        const square = x * x + y * y + z * z
        sum += square
        roughest = Math.max(roughest, Math.sqrt(square))
        turn = Math.max(turn, angleBetween(v, k, w, k))
      }
    }
    result = {
      solver: solver.name,
      note: solver.note,
      task: task.name,
      rough: Math.sqrt(sum / (n * (frames - warmUp))),
      roughest,
      turn,
      inside: mean(errors.inside),
      near: mean(errors.near),
      outside: mean(errors.outside),
      worstInside: Math.max(...errors.inside),
      micros: mean(times) ?? 0,
      microsP95: quantile(times, 0.95) ?? 0,
    }
  }
  if (result === undefined) throw new Error('measureMoving: no pass')
  return result
}

export interface FigureResult {
  solver: string
  note: string
  task: string
  /** A single small move: turns of all joints against their parents, root to tip [rad], and what is left of the error [m]. */
  steps: { name: string; turns: number[]; error: number; displacement: number }[]
  /** The long path, frame by frame: turns from first to last pose, their share in the outer half, Σ |turn| over frames [rad]. */
  turns: number[]
  outerShare: number
  work: number
  /** Mean squared displacement of mass from first to last pose, and summed over frames [m²]. */
  displacement: number
  displacementSum: number
  error: number
}

/** B5. */
export function measureFigure(solver: ChainSolver, task: FigureTask): FigureResult {
  const { iterations, links, path, positions: from, start, tolerance } = task
  const run = solver.make(links)
  const positions = new Float64Array(from.length)
  const rest = jointAngles(from)
  const steps = task.steps.map(({ name, target }) => {
    run.reset(start)
    run.solve(target, iterations, tolerance)
    run.positions(positions)
    const turns = jointAngles(positions).map((angle, k) => wrap(angle - rest[k]))
    const displacement = massDisplacement(links, from, positions)
    return { name, turns: [...turns], error: orInfinity(endError(positions, target, 0)), displacement }
  })
  let [work, displacementSum, error] = [0, 0, 0]
  let before = from.slice()
  run.reset(start)
  for (let i = 0; i < path.length / 3; i++) {
    run.solve(path.subarray(3 * i, 3 * i + 3), iterations, tolerance)
    run.positions(positions)
    const [now, then] = [jointAngles(positions), jointAngles(before)]
    work += now.reduce((sum, angle, k) => sum + Math.abs(wrap(angle - then[k])), 0)
    displacementSum += massDisplacement(links, before, positions)
    error = Math.max(error, orInfinity(endError(positions, path, i)))
    before = positions.slice()
  }
  const turns = [...jointAngles(positions).map((angle, k) => wrap(angle - rest[k]))]
  const sizes = turns.map(Math.abs)
  const outer = sizes.slice(sizes.length >> 1)
  return {
    solver: solver.name,
    note: solver.note,
    task: task.name,
    steps,
    turns,
    outerShare: total(outer) / total(sizes),
    work,
    displacement: massDisplacement(links, from, positions),
    displacementSum,
    error,
  }
}

export interface HandResult {
  solver: string
  note: string
  task: string
  poses: number
  /** Share of poses with all fingertips within the tolerance, and of those the ones inside all limits. */
  solved: number
  within: number
  median: OrNull
  p95: OrNull
  /** [µs a pose] */
  micros: number
  microsP95: number
  /** [m], [rad] */
  errorMean: number
  violation: number
}

/** B8. */
export function measureHand(solver: TreeSolver, task: HandTask): HandResult {
  const { iterations, poses, start, targets, tolerance, tree } = task
  const { bones, ends } = tree
  const run = solver.make(tree)
  const joints = bones.map(({ joint }) => joint)
  const positions = new Float64Array(3 * bones.length)
  const rotations = new Float64Array(4 * bones.length)
  const turned = rotations.slice()
  const size = 3 * ends.length
  const solveOne = (k: number): Solved => {
    run.reset(start)
    return run.solve(targets.subarray(size * k, size * k + size), iterations, tolerance)
  }
  for (let k = 0; k < Math.min(WARM_UP, poses); k++) solveOne(k)
  const solves = Array.from({ length: poses }, (_, k) => {
    const before = performance.now()
    const solved = solveOne(k)
    const micros = 1e3 * (performance.now() - before)
    run.positions(positions)
    run.rotations(rotations)
    const errors = ends.map((end, e) => orInfinity(distance(positions, 3 * end, targets, size * k + 3 * e)))
    bones.forEach(({ rotation }, i) => fromRest(rotation, rotations, 4 * i, turned))
    return {
      error: Math.max(...errors),
      iterations: solved.iterations,
      micros,
      // The wrist stands still by itself.
      violation: worstViolation(joints, turned),
    }
  })
  const reached = solves.filter(({ error }) => error <= tolerance * (1 + 1e-9))
  return {
    solver: solver.name,
    note: solver.note,
    task: task.name,
    poses,
    solved: reached.length / poses,
    within: reached.filter(({ violation }) => violation <= LIMIT_SLACK).length / poses,
    median: quantile(
      reached.map((solve) => solve.iterations),
      0.5,
    ),
    p95: quantile(
      reached.map((solve) => solve.iterations),
      0.95,
    ),
    micros: mean(solves.map(({ micros }) => micros)) ?? 0,
    microsP95:
      quantile(
        solves.map(({ micros }) => micros),
        0.95,
      ) ?? 0,
    errorMean: mean(solves.map(({ error }) => error)) ?? 0,
    violation: Math.max(...solves.map(({ violation }) => violation)),
  }
}

export interface StuckResult {
  solver: string
  case: string
  /** What it reports or throws; empty where it reports nothing. */
  said: string
  /** Whether that is one of those that the case allows. */
  isRight: boolean
  /** Whether the pose is finite, and where the target is not, whether it stayed. */
  isFinite: boolean
  isUntouched: boolean
  /** Above the smallest that is possible [m]; null where the target or the pose is not finite. */
  excess: OrNull
  iterations: number
}

/** Of a case with limits, for a solver that has none. */
const SKIPPED = { said: 'no limits', isRight: false, isFinite: true, isUntouched: true, excess: null, iterations: 0 }

/** B10. */
export function measureStuck(solver: ChainSolver, cases: readonly StuckCase[]): StuckResult[] {
  return cases.map(({ best, iterations, joints, links, name, start, status, target, tolerance }) => {
    const from = new Float64Array(3 * links.length + 3)
    chainPositions(links, start, from)
    const positions = from.slice()
    if (joints !== undefined && !solver.limits) return { solver: solver.name, case: name, ...SKIPPED }
    let solved: Solved = { iterations: 0, error: Infinity }
    let said: string
    try {
      const run = solver.make(links, joints)
      run.reset(start)
      try {
        solved = run.solve(target, iterations, tolerance)
        said = solved.status ?? ''
      } finally {
        run.positions(positions)
      }
    } catch (error) {
      said = error instanceof Error ? error.name : String(error)
    }
    const isFinitePose = positions.every(Number.isFinite)
    const moved = positions.map((coordinate, k) => Math.abs(coordinate - from[k]))
    return {
      solver: solver.name,
      case: name,
      said,
      isRight: status.includes(said),
      isFinite: isFinitePose,
      // Positions by another order of sums, or in 32 bits.
      isUntouched: isFinitePose && Math.max(...moved) < LIMIT_SLACK,
      excess: isFinitePose && Number.isFinite(best) ? Math.max(0, endError(positions, target, 0) - best) : null,
      iterations: solved.iterations,
    }
  })
}

/** turned = r̄ q, the part of a rotation that its joint made. */
function fromRest([x, y, z, w]: readonly number[], q: Float64Array, i: number, turned: Float64Array): void {
  multiply([-x, -y, -z, w], 0, q, i, turned, i)
}

/** A pose that is not finite is nowhere near. JSON has no Infinity. */
function orInfinity(error: number): number {
  return Number.isFinite(error) ? error : 1e9
}

function wrap(angle: number): number {
  return angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI))
}

function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0)
}

function mean(values: readonly number[]): OrNull {
  return values.length === 0 ? null : total(values) / values.length
}

function quantile(values: readonly number[], share: number): OrNull {
  const sorted = [...values].sort((r, s) => r - s)
  return sorted.length === 0 ? null : sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]
}
