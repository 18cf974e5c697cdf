/**
 * IK beside other solvers: rows B1 to B10.
 *
 *   run.ts                                all tasks and solvers, one after the other, a process each; a table a task
 *   run.ts --task NAME                    that task only, or all whose names begin so: reach, cone30, moving-7, …
 *   run.ts --solver NAME --task NAME      one measurement in this process, JSON; the errors to be timed at on stdin
 *   run.ts --solvers NAME,NAME            those solvers only
 *   run.ts --targets N                    of reach, limits and hand, instead of 1000; robots have ten times as many, of ours
 *   run.ts --json                         the whole run as JSON
 *
 * Run with `node --import tsx --conditions=@tautline/source bench/ik/run.ts`. The same links, starts and targets for all.
 * Absolute times are this machine's: only ratios of one run count. Robots, the humanoid and the motion are those of
 * `TAUTLINE_DATA` or ../shared/data beside the repository, and fail without; the hand is, else a generic one.
 */

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { table } from '../../examples/lib/table.js'
import {
  type FigureResult,
  type HandResult,
  measureFigure,
  measureHand,
  measureMoving,
  measureReach,
  measureStuck,
  type MovingResult,
  type ReachResult,
  type StuckResult,
} from './measure.js'
import { type BodyResult, measureBody, measureMocap, type MocapResult } from './measure-body.js'
import type { BodySolver, ChainSolver, Opponents, TreeSolver } from './solver.js'
import { FIGURE_LINKS, figureTask } from './tasks/figure10.js'
import { handTask } from './tasks/hand.js'
import { humanoidTask } from './tasks/humanoid.js'
import { LIMIT_LINKS, LIMIT_SETS, type LimitSet, limitTask } from './tasks/limits.js'
import { mocapTask } from './tasks/mocap.js'
import { MOVING_LINKS, movingTask } from './tasks/moving.js'
import { REACH_LINKS, reachTask } from './tasks/reach.js'
import { measureReplay, REPLAY_FLAGS, type ReplayResult } from './tasks/replay.js'
import { ROBOTS, robotTask } from './tasks/robot.js'
import { STUCK } from './tasks/stuck.js'

type Family = 'reach' | 'limits' | 'moving' | 'figure' | 'hand' | 'stuck' | 'robot' | 'humanoid' | 'mocap' | 'replay'

/** A solver that did not run. */
interface Failure {
  solver: string
  failed: string
}

interface Entry {
  readonly name: string
  readonly family: Family
  readonly text: string
  /** In this process. `reference`: smallest errors of another solver, a target each. */
  measure(opponents: Opponents, solver: string, reference: number[] | undefined): unknown
}

/** The file of `opponents/` that has each, and what it takes part in. */
const SOLVERS: Record<string, { file: string; in: readonly Family[] }> = {
  tautline: {
    file: 'tautline',
    in: ['reach', 'limits', 'moving', 'figure', 'hand', 'stuck', 'robot', 'humanoid', 'replay'],
  },
  // In a process of its own, as every solver.
  tautlineAgain: { file: 'tautline', in: ['replay'] },
  tautlineFigure: { file: 'tautline', in: ['mocap'] },
  byEffector: { file: 'tautline', in: ['humanoid'] },
  twoBone: { file: 'two-bone', in: ['mocap'] },
  ccdLimbs: { file: 'ccd', in: ['mocap'] },
  tautlineSoft: { file: 'tautline', in: ['moving'] },
  ccd: { file: 'ccd', in: ['reach', 'limits', 'moving', 'figure', 'hand', 'stuck'] },
  'ccd-inside': { file: 'ccd', in: ['limits'] },
  'closed-chain-ik': { file: 'closed-chain-ik', in: ['reach', 'limits', 'moving', 'stuck', 'robot'] },
  fabrik: { file: 'fabrik', in: ['reach', 'moving', 'figure', 'stuck'] },
  fabrikIterated: { file: 'fabrik', in: ['moving'] },
  pseudoInverse: { file: 'pseudo-inverse', in: ['reach', 'moving', 'figure', 'stuck'] },
  pseudoInverseSoft: { file: 'pseudo-inverse', in: ['moving'] },
  seedSigns: { file: 'seed', in: ['reach', 'moving', 'figure', 'stuck'] },
  seedAsPrinted: { file: 'seed', in: ['reach', 'figure'] },
}
/** Robots' targets of ours against those of others, which take longer, and the humanoid's. */
const MORE_TARGETS = 10
const HUMANOID_TARGETS = 300
/** At whose own best error the others are timed. */
const REFERENCE = 'ccd'

const { values } = parseArgs({
  options: {
    task: { type: 'string', default: '' },
    solver: { type: 'string' },
    solvers: { type: 'string' },
    targets: { type: 'string', default: '1000' },
    json: { type: 'boolean' },
  },
})
const targets = Number(values.targets)
if (!Number.isInteger(targets) || targets < 1) throw new Error(`run: targets must be a count, got ${values.targets}`)
const all = entries()
const wanted = all.filter(({ name }) => name === values.task || name.startsWith(values.task))
if (wanted.length === 0) throw new Error(`run: task must be one of ${all.map(({ name }) => name).join(', ')}`)

if (values.solver !== undefined) {
  const entry = wanted.find(({ name }) => name === values.task)
  if (entry === undefined) throw new Error('run: --solver needs the full name of a --task')
  if (SOLVERS[values.solver] === undefined)
    throw new Error(`run: solver must be one of ${Object.keys(SOLVERS).join(', ')}`)
  const given = process.stdin.isTTY === true ? '' : readFileSync(0, 'utf8')
  const reference = given === '' ? undefined : (JSON.parse(given) as number[])
  const { opponents } = (await import(`./opponents/${SOLVERS[values.solver].file}.js`)) as { opponents: Opponents }
  console.log(JSON.stringify(entry.measure(opponents, values.solver, reference)))
} else {
  const chosen = values.solvers?.split(',') ?? Object.keys(SOLVERS)
  const measured = wanted.map((entry) => {
    const results = measureAll(entry, chosen)
    if (values.json !== true) print(entry, results)
    return { task: entry.name, text: entry.text, results }
  })
  if (values.json === true) console.log(JSON.stringify(measured, null, 2))
}

function entries(): Entry[] {
  const reach = REACH_LINKS.map((n) => reachTask(n, targets))
  const limits = (Object.keys(LIMIT_SETS) as LimitSet[]).flatMap((set) =>
    LIMIT_LINKS.map((n) => limitTask(set, n, targets)),
  )
  const of = (family: Family, name: string, text: string, measure: Entry['measure']): Entry => ({
    name,
    family,
    text,
    measure,
  })
  const hand = handTask(targets, dataFile('hands/right.glb'))
  return [
    ...reach.map((task) => of('reach', task.name, task.text, (o, s, r) => measureReach(chainOf(o, s), task, r))),
    ...limits.map((task) => of('limits', task.name, task.text, (o, s, r) => measureReach(chainOf(o, s), task, r))),
    ...MOVING_LINKS.map(movingTask).map((task) =>
      of('moving', task.name, task.text, (o, s) => measureMoving(chainOf(o, s), task)),
    ),
    ...FIGURE_LINKS.map(figureTask).map((task) =>
      of('figure', task.name, task.text, (o, s) => measureFigure(chainOf(o, s), task)),
    ),
    of('hand', hand.name, hand.text, (o, s) => measureHand(treeOf(o, s), hand)),
    of('stuck', 'stuck', 'stuck cases', (o, s) => measureStuck(chainOf(o, s), STUCK)),
    // Their tasks are made where they are measured: files are read, and targets are many.
    ...ROBOTS.map((robot) =>
      of('robot', `robot-${robot}`, `${robot}: places and orientations, from zero, 1e-5 on six axes, 5 ms`, (o, s) =>
        measureBody(bodyOf(o, s), present(robotTask(robot, s === 'tautline' ? MORE_TARGETS * targets : targets))),
      ),
    ),
    of('humanoid', 'humanoid', 'MuJoCo’s humanoid: free root, 5 effectors, 21 rows, 1 mm and 1 mrad', (o, s) =>
      measureBody(bodyOf(o, s), present(humanoidTask(HUMANOID_TARGETS))),
    ),
    of('mocap', 'mocap', 'CMU 01_01: head, hands and feet rebuild the pose, every 4th frame', (o, s) =>
      measureMocap(bodyOf(o, s), present(mocapTask())),
    ),
    of('replay', 'replay', 'replay and allocation', (_, s) => measureReplay(s)),
  ]
}

function present<T>(task: T | undefined): T {
  if (task === undefined) throw new Error('file of the data folder is absent: TAUTLINE_DATA or ../shared/data')
  return task
}

function dataFile(name: string): string {
  const beside = fileURLToPath(new URL('../../../shared/data', import.meta.url))
  return join(process.env.TAUTLINE_DATA ?? beside, name)
}

function chainOf({ chains }: Opponents, name: string): ChainSolver {
  const found = chains.find((solver) => solver.name === name)
  if (found === undefined) throw new Error(`run: no chain solver ${name}`)
  return found
}

function treeOf({ trees }: Opponents, name: string): TreeSolver {
  const found = trees?.find((solver) => solver.name === name)
  if (found === undefined) throw new Error(`run: no tree solver ${name}`)
  return found
}

function bodyOf({ bodies }: Opponents, name: string): BodySolver {
  const found = bodies?.find((solver) => solver.name === name)
  if (found === undefined) throw new Error(`run: no solver of bodies ${name}`)
  return found
}

function measureAll(entry: Entry, chosen: readonly string[]): unknown[] {
  const taking = chosen.filter((name) => SOLVERS[name]?.in.includes(entry.family))
  const isTimed = entry.family === 'reach' || entry.family === 'limits'
  // The reference first: the others are timed at its errors.
  const order =
    isTimed && taking.includes(REFERENCE) ? [REFERENCE, ...taking.filter((name) => name !== REFERENCE)] : taking
  let reference: number[] | undefined
  const results = order.map((name) => {
    const result = spawn(name, entry.name, reference)
    if (isTimed && name === REFERENCE && !('failed' in (result as object))) reference = (result as ReachResult).best
    return result
  })
  return taking.map((name) => results[order.indexOf(name)])
}

/** One measurement in a process of its own: what one solver teaches the compiler must not slow the next. */
function spawn(solver: string, task: string, reference: number[] | undefined): unknown {
  const script = fileURLToPath(import.meta.url)
  const args = ['--solver', solver, '--task', task, '--targets', String(targets)]
  const input = reference === undefined ? '' : JSON.stringify(reference)
  try {
    const flags = task === 'replay' ? REPLAY_FLAGS : []
    const output = execFileSync(process.execPath, [...flags, ...process.execArgv, script, ...args], {
      input,
      stdio: 'pipe',
      maxBuffer: 1 << 26,
    })
    return JSON.parse(output.toString())
  } catch (error) {
    const text = String((error as { stderr?: Buffer }).stderr ?? error)
    const reason = text.split('\n').find((line) => line.includes('Error')) ?? text
    const failed = text.includes('ERR_MODULE_NOT_FOUND') ? 'not installed' : reason.trim()
    return { solver, failed } satisfies Failure
  }
}

function print({ family, text }: Entry, results: readonly unknown[]): void {
  console.log(`\n${text}\n`)
  const failures = results.filter(
    (result): result is Failure => typeof result === 'object' && result !== null && 'failed' in result,
  )
  const rest = results.filter((result) => !failures.includes(result as Failure))
  if (family === 'reach' || family === 'limits') printReach(rest as ReachResult[], family === 'limits')
  else if (family === 'moving') printMoving(rest as MovingResult[])
  else if (family === 'figure') printFigure(rest as FigureResult[])
  else if (family === 'hand') printHand(rest as HandResult[])
  else if (family === 'stuck') printStuck(rest as StuckResult[][])
  else if (family === 'mocap') printMocap(rest as MocapResult[])
  else if (family === 'replay') printReplay(rest as ReplayResult[])
  else printBody(rest as BodyResult[])
  for (const { solver, failed } of failures) console.log(`${solver}: ${failed}`)
}

function printReach(results: readonly ReachResult[], isLimited: boolean): void {
  const head = ['solver', '% 1e-3', '% 1e-4']
  if (isLimited) head.push('% within', 'outside mrad')
  head.push('it 1e-3', 'it p50', 'it p95', 'µs mean', 'µs p95', 'µs at ccd’s', 'best p50', 'best mean', 'mass')
  const rows = results.map((result) => {
    const row = [result.solver, percent(result.coarse), percent(result.fine)]
    if (isLimited)
      row.push(percent(result.within), result.violation === null ? '' : (1e3 * result.violation).toFixed(2))
    return [
      ...row,
      count(result.coarseMedian),
      count(result.median),
      count(result.p95),
      micros(result.micros),
      micros(result.microsP95),
      micros(result.microsAtReference),
      small(result.errorMedian),
      small(result.errorMean),
      result.massDisplacement?.toFixed(3) ?? '',
    ]
  })
  console.log(table(head, rows))
}

function printMoving(results: readonly MovingResult[]): void {
  const head = [
    'solver',
    'rms 2nd diff',
    'max',
    'turn rad',
    'error inside',
    'max',
    '0.95 … 1',
    'beyond',
    'µs mean',
    'µs p95',
  ]
  const rows = results.map((result) => [
    result.solver,
    small(result.rough),
    small(result.roughest),
    result.turn.toFixed(3),
    small(result.inside),
    small(result.worstInside),
    small(result.near),
    small(result.outside),
    micros(result.micros),
    micros(result.microsP95),
  ])
  console.log(table(head, rows))
}

function printFigure(results: readonly FigureResult[]): void {
  const names = results[0]?.steps.map(({ name }) => name) ?? []
  const steps = names.flatMap((name) => [`${name}: root mrad`, 'tip mrad', 'mass'])
  const head = [
    'solver',
    ...steps,
    'path: root mrad',
    'tip mrad',
    'outer half',
    'work rad',
    'mass',
    'mass Σ',
    'max error',
  ]
  const rows = results.map((result) => [
    result.solver,
    ...result.steps.flatMap(({ turns, displacement }) => [...ends(turns), small(displacement)]),
    ...ends(result.turns),
    percent(result.outerShare),
    result.work.toFixed(3),
    result.displacement.toFixed(4),
    small(result.displacementSum),
    small(result.error),
  ])
  console.log(table(head, rows))
}

function ends(turns: readonly number[]): [string, string] {
  return [(1e3 * turns[0]).toFixed(2), (1e3 * turns[turns.length - 1]).toFixed(2)]
}

function printHand(results: readonly HandResult[]): void {
  const head = [
    'solver',
    '% solved',
    '% within',
    'outside mrad',
    'it p50',
    'it p95',
    'µs mean',
    'µs p95',
    'error mean mm',
  ]
  const rows = results.map((result) => [
    result.solver,
    percent(result.solved),
    percent(result.within),
    (1e3 * result.violation).toFixed(2),
    count(result.median),
    count(result.p95),
    micros(result.micros),
    micros(result.microsP95),
    (1e3 * result.errorMean).toFixed(4),
  ])
  console.log(table(head, rows))
}

function printBody(results: readonly BodyResult[]): void {
  const head = [
    'solver',
    'targets',
    '% solved',
    '% reached',
    'it p50',
    'it p95',
    'ms mean',
    'ms p50',
    'ms p95',
    'outside',
  ]
  const rows = results.map((result) => [
    result.solver,
    String(result.targets),
    (100 * result.solved).toFixed(2),
    (100 * result.reached).toFixed(2),
    String(result.median),
    String(result.p95),
    ...[result.millis, result.millisMedian, result.millisP95].map((millis) => millis.toFixed(3)),
    small(result.violation),
  ])
  console.log(table(head, rows))
}

function printMocap(results: readonly MocapResult[]): void {
  const head = ['solver', 'elbow °', 'knee °', 'p95 °', 'bones mm', 'points mm', 'jump mm', 'ms mean', 'ms p95']
  const rows = results.map((result) => [
    result.solver,
    ...[result.elbow, result.knee, result.bendP95].map((angle) => ((180 / Math.PI) * angle).toFixed(1)),
    ...[result.joints, result.ends, result.jump].map((length) => (1e3 * length).toFixed(1)),
    ...[result.millis, result.millisP95].map((millis) => millis.toFixed(3)),
  ])
  console.log(table(head, rows))
}

function printReplay(results: readonly ReplayResult[]): void {
  const head = ['solver', 'case', 'first', 'second', 'B a solve', 'it']
  const rows = results.flatMap(({ cases, solver }) =>
    cases.map(({ bytes, first, iterations, name, second }) => [
      solver,
      name,
      first,
      second,
      bytes.toFixed(2),
      iterations.toFixed(1),
    ]),
  )
  console.log(table(head, rows))
}

/** A cell: what it says, the error above the least, and what is wrong with the pose. */
function printStuck(results: readonly StuckResult[][]): void {
  const head = ['case', ...results.map(([{ solver }]) => solver)]
  const rows = STUCK.map(({ name, best }, i) => [
    name,
    ...results.map((cases) => {
      const { excess, isFinite, isRight, isUntouched, said } = cases[i]
      if (said === 'no limits') return said
      const pose = !isFinite ? 'NaN' : Number.isFinite(best) ? `+${small(excess)}` : isUntouched ? 'untouched' : 'moved'
      return said === '' ? pose : `${pose} ${said}${isRight ? '' : ' (!)'}`
    }),
  ])
  console.log(table(head, rows))
}

function percent(share: number): string {
  return (100 * share).toFixed(1)
}

function count(value: number | null): string {
  return value === null ? '–' : String(value)
}

function micros(value: number | null): string {
  return value === null ? '' : value.toFixed(value < 100 ? 1 : 0)
}

function small(value: number | null): string {
  return value === null ? '–' : value.toExponential(1)
}
