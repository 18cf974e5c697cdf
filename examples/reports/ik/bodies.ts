/** Rows B3, B6, B7, B8, B9, B10 and 14: robots, humanoids, figures and hands beside other solvers; replay, stuck cases, memory. */

import { figure, type ReportRow } from '../report.js'
import { bench, each, of, percent } from './bench.js'

/** Of `bench/ik/measure-body.ts` and `measure.ts`: what rows tell of. */
interface Body {
  targets: number
  solved: number
  reached: number
  median: number
  millis: number
  millisP95: number
}
interface Mocap {
  elbow: number
  knee: number
  ends: number
  millis: number
  millisP95: number
}
interface Hand {
  solved: number
  within: number
  median: number | null
  micros: number
  microsP95: number
}
interface Replay {
  cases: { name: string; first: string; second: string; bytes: number }[]
}
interface Stuck {
  solver: string
  case: string
  said: string
  isRight: boolean
  isFinite: boolean
  isUntouched: boolean
}

/** Of ik.md: other hardware, other targets. */
const PUBLISHED: Record<string, string> = {
  iiwa14:
    'as published, not measured here: TRAC-IK 99.84 % at 0.31 ms, KDL 37.6 % at 3.38 ms, KDL with restarts 93.7 % at 0.77 ms',
  ur5e: 'TRAC-IK’s table has no figure of a UR5e at these settings',
}

function robot(id: string, name: string): ReportRow {
  return {
    id,
    claim: `B3: ${name}`,
    asked: '≥ 99.9 %, mean < 0.05 ms (published for TRAC-IK on iiwa14: 99.84 %, 0.31 ms; KDL 88 % at 0.75 ms measured)',
    scene:
      '10 000 reachable places and orientations, from zero, 10⁻⁵ on six axes, slower than 5 ms is failed; metric identity, at most 1.5 rad a joint and the whole error an iteration, 14 iterations, 50 restarts; the opponent has 1000 targets and no restarts',
    async measure() {
      const [task] = await bench<Body>(`robot-${name}`)
      const own = of(task, 'tautline')
      const told = each(
        task,
        (r) =>
          `${percent(r.solved, 2)} of ${r.targets}, mean ${figure(r.millis)} ms, p95 ${figure(r.millisP95)} ms, p50 ${r.median} it`,
      )
      return { figures: `${told}; ${PUBLISHED[name]}`, holds: own.solved >= 0.999 && own.millis < 0.05 }
    },
  }
}

const humanoid: ReportRow = {
  id: 'B6',
  claim: 'B6: MuJoCo humanoid, 27 DoF, 5 effectors, free root',
  asked: '≥ 99 % at 1 mm, < 0.5 ms',
  scene:
    '300 poses inside limits, root moved by up to 0.5 m and 0.5 rad; hands and head placed, feet placed and turned to 1 mrad: 21 rows; byEffector is the same solver, an effector after another, 200 sweeps',
  async measure() {
    const [task] = await bench<Body>('humanoid')
    const own = of(task, 'tautline')
    const told = each(
      task,
      (r) => `${percent(r.solved)}, ${figure(r.millis)} (p95 ${figure(r.millisP95)}) ms, p50 ${r.median} it`,
    )
    return { figures: told, holds: own.solved >= 0.99 && own.millis < 0.5 }
  },
}

const mocap: ReportRow = {
  id: 'B7',
  claim: 'B7: five points of motion capture rebuild the pose',
  asked: '< 15° mean elbow and knee error, < 0.2 ms a frame',
  scene:
    'CMU 01_01, every 4th frame, from rest and then each from the one before; positions of head, hands, feet; turns of head and hands, and upright hips, as wishes; back straight; two-bone and CCD have limbs only, trunk told by the head',
  async measure() {
    const [task] = await bench<Mocap>('mocap')
    const own = of(task, 'tautlineFigure')
    const degrees = (angle: number): string => figure((180 / Math.PI) * angle)
    const told = each(
      task,
      (r) =>
        `elbow ${degrees(r.elbow)}°, knee ${degrees(r.knee)}°, points ${figure(1e3 * r.ends, 2)} mm, ${figure(r.millis)} (p95 ${figure(r.millisP95)}) ms`,
    )
    const most = (15 * Math.PI) / 180
    return { figures: told, holds: own.elbow < most && own.knee < most && own.millis < 0.2 }
  },
}

const hand: ReportRow = {
  id: 'B8',
  claim: 'B8: hand, 25 joints, 5 fingertips',
  asked: '100 %, < 0.2 ms',
  scene: '1000 poses inside limits, 0.1 mm, 200 iterations, 10 restarts of fingers that are not there',
  async measure() {
    const [task] = await bench<Hand>('hand')
    const own = of(task, 'tautline')
    const told = each(
      task,
      (r) => `${percent(r.within)}, ${figure(r.micros)} (p95 ${figure(r.microsP95)}) µs, p50 ${r.median ?? '–'} it`,
    )
    return { figures: told, holds: own.within === 1 && own.micros < 200 }
  },
}

const replay: ReportRow = {
  id: 'B9',
  claim: 'B9: replay',
  asked: 'bit-equal',
  scene: 'hash of all rotations of 500 solves a case, twice in a process, and in two processes',
  async measure() {
    const [task] = await bench<Replay>('replay')
    const [one, other] = [of(task, 'tautline'), of(task, 'tautlineAgain')]
    const isEqual = one.cases.map(({ first, second }, k) => first === second && first === other.cases[k].first)
    return {
      figures: one.cases
        .map(({ first, name }, k) => `${name}: ${isEqual[k] ? 'equal' : 'UNEQUAL'} ${first}`)
        .join('; '),
      holds: isEqual.every(Boolean),
    }
  },
}

/** Below the smallest object a solve: what the compiler leaves of its own [B]. */
const NOTHING = 8

const memory: ReportRow = {
  id: '14',
  claim: 'Memory',
  asked: '0 bytes allocated a solve after warm-up',
  scene:
    'growth of the heap over 2000 solves after 3000, least of 7 rounds, reading it taken off, nothing collected meanwhile',
  async measure() {
    const [task] = await bench<Replay>('replay', { solvers: ['tautline'] })
    const { cases } = of(task, 'tautline')
    return {
      figures: cases.map(({ bytes, name }) => `${name}: ${figure(bytes)} B`).join('; '),
      holds: cases.every(({ bytes }) => bytes < NOTHING),
    }
  },
}

const stuck: ReportRow = {
  id: 'B10',
  claim: 'B10: stuck cases',
  asked: 'right status, no NaN',
  scene:
    'ten cases: straight chains, targets at the root, out of reach and not finite, all at their limits, a bone without length',
  async measure() {
    const [{ results }] = await bench<Stuck[]>('stuck')
    // Here a solver's result is the list of its cases.
    const lists = results as unknown as (Stuck[] | { solver: string; failed: string })[]
    const told = lists.map((list) => {
      if (!Array.isArray(list)) return `${list.solver} ${list.failed}`
      const bad = list.filter(({ isFinite }) => !isFinite).map((one) => one.case)
      const wrong = list.filter(({ isRight, said }) => said !== '' && said !== 'no limits' && !isRight)
      return `${list[0].solver}: NaN in ${bad.length === 0 ? 'none' : bad.join(', ')}, ${wrong.length} wrong statuses`
    })
    const own = lists.find((list): list is Stuck[] => Array.isArray(list) && list[0].solver === 'tautline')
    return {
      figures: `${own?.map((one) => `${one.case}: ${one.said}`).join(', ') ?? ''}; ${told.join('; ')}`,
      holds:
        own?.every((one) => one.isRight && one.isFinite && (!one.case.startsWith('target NaN') || one.isUntouched)) ??
        false,
    }
  },
}

export const bodies: readonly ReportRow[] = [
  robot('B3.1', 'iiwa14'),
  robot('B3.2', 'ur5e'),
  humanoid,
  mocap,
  hand,
  replay,
  stuck,
  memory,
]
