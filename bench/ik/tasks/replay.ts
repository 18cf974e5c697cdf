/** B9: the same solves give the same bits, and allocate nothing. Run with `REPLAY_FLAGS`. */

import {
  type BoneDef,
  type IkOptions,
  IkSolver,
  type JointDef,
  OrientationGoal,
  Pose,
  PoleGoal,
  PositionGoal,
  Rig,
} from '@tautline/ik'
import { Random } from './random.js'

/** So that the heap can be emptied, and fills without being collected. */
export const REPLAY_FLAGS = ['--expose-gc', '--min-semi-space-size=256', '--max-semi-space-size=512']

export interface ReplayResult {
  solver: string
  note: string
  cases: {
    name: string
    /** FNV-1a of the bits of all rotations of all poses, twice from the start. */
    first: string
    second: string
    /** A solve, the least of some rounds, what reading the heap costs taken off [B]. */
    bytes: number
    iterations: number
  }[]
}

const SOLVES = 500
/** Until everything is compiled. */
const WARM_UP = 3000
const MEASURED = 2000
/** The least of so many: the compiler works beside, and leaves its own. */
const ROUNDS = 7
const SEED = 97

const BALL: JointDef = { kind: 'ball' }
const CONE: JointDef = {
  kind: 'ball',
  swingShape: 'cone',
  swing: { y: { min: -0.6, max: 0.6 }, z: { min: -0.5, max: 0.7 } },
  twist: { min: -0.5, max: 0.5 },
}

function chain(count: number, joint: (k: number) => JointDef): BoneDef[] {
  return Array.from({ length: count }, (_, k) => ({
    name: `link ${k}`,
    parent: k === 0 ? null : k - 1,
    position: [k === 0 ? 0 : 1 / count, 0, 0],
    tip: [1 / count, 0, 0],
    joint: joint(k),
  }))
}

/** A solver with its goals, all of which are aimed at random places. */
interface Run {
  readonly solver: IkSolver
  readonly goals: readonly PositionGoal[]
}

function run(bones: BoneDef[], options: IkOptions, ends: readonly number[], extra?: (solver: IkSolver) => void): Run {
  const rig = Rig.from(bones)
  const solver = new IkSolver(rig, options)
  const goals = ends.map((end) => solver.add(new PositionGoal(rig, end, [0, 0, 0])))
  extra?.(solver)
  return { solver, goals }
}

const CASES: Record<string, () => Run> = {
  'balls, 20': () =>
    run(
      chain(20, () => BALL),
      {},
      [19],
    ),
  'cones, 7': () =>
    run(
      chain(7, () => CONE),
      { posture: 0.1, smoothing: 0.2 },
      [6],
    ),
  'hinges, 7, pose': () => {
    const axes = [[0, 0, 1] as const, [0, 1, 0] as const]
    const hinge = (k: number): JointDef => ({ kind: 'hinge', axis: axes[k % 2], limits: { min: -2, max: 2 } })
    return run(chain(7, hinge), { iterations: 20, restarts: 3 }, [6], (solver) => {
      solver.add(new OrientationGoal(solver.rig, 6, [0, 0, 0, 1]))
    })
  },
  'three limbs, free root, pole': () => {
    const limb = (l: number): BoneDef[] =>
      chain(3, () => BALL).map((bone, k) => ({
        ...bone,
        name: `${l}:${k}`,
        parent: k === 0 ? 'trunk' : `${l}:${k - 1}`,
        position: k === 0 ? [0, 0.2 * l, 0.1] : bone.position,
      }))
    const bones: BoneDef[] = [{ name: 'trunk', parent: null, position: [0, 0, 0], tip: [0, 0.5, 0] }]
    return run([...bones, ...limb(0), ...limb(1), ...limb(2)], {}, [3, 6, 9], (solver) => {
      solver.rig.root('free')
      solver.add(new PoleGoal(solver.rig, { start: 1, middle: 2, end: 3 }, [0, 0, 2], { priority: 1 }))
    })
  },
}

export function measureReplay(name: string): ReplayResult {
  const collect = (globalThis as { gc?: () => void }).gc
  if (collect === undefined) throw new Error('replay: run with --expose-gc')
  const cases = Object.entries(CASES).map(([title, make]) => {
    const [first, second] = [hashOf(make()), hashOf(make())]
    const { goals, solver } = make()
    const start = new Pose(solver.rig)
    const pose = new Pose(solver.rig)
    const places = Float64Array.from({ length: 3 * 256 }, () => 0)
    const random = new Random(SEED)
    for (let k = 0; k < places.length; k += 3) places.set(random.inBall(0.9), k)
    let taken = 0
    const solve = (count: number): void => {
      for (let n = 0; n < count; n++) {
        pose.copy(start)
        for (let g = 0; g < goals.length; g++) {
          const { target } = goals[g]
          const o = 3 * ((n + g) % 256)
          target[0] = places[o]
          target[1] = places[o + 1]
          target[2] = places[o + 2]
        }
        taken += solver.solve(pose).iterations
      }
    }
    solve(WARM_UP)
    taken = 0
    solve(MEASURED)
    const iterations = taken / MEASURED
    // Reading the heap's size costs a little itself: the same reading without solves is taken off.
    let [bytes, reading] = [Infinity, Infinity]
    for (let round = 0; round < ROUNDS; round++) {
      reading = Math.min(
        reading,
        grown(collect, () => solve(0)),
      )
      bytes = Math.min(
        bytes,
        grown(collect, () => solve(MEASURED)),
      )
    }
    return { name: title, first, second, bytes: (bytes - reading) / MEASURED, iterations }
  })
  return { solver: name, note: `${SOLVES} solves a case twice; bytes of ${MEASURED} solves after ${WARM_UP}`, cases }
}

function grown(collect: () => void, work: () => void): number {
  collect()
  const before = process.memoryUsage().heapUsed
  work()
  return process.memoryUsage().heapUsed - before
}

function hashOf({ goals, solver }: Run): string {
  const random = new Random(SEED)
  const pose = new Pose(solver.rig)
  const words = new Uint32Array(pose.rotations.buffer)
  let hash = 0x811c9dc5
  for (let n = 0; n < SOLVES; n++) {
    for (const { target } of goals) target.set(random.inBall(0.9))
    solver.solve(pose)
    for (const word of words) hash = Math.imul(hash ^ word, 0x01000193) >>> 0
  }
  return hash.toString(16).padStart(8, '0')
}
