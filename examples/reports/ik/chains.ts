/** Rows B1, B2, B4, B5 and 11: chains beside other solvers. */

import { figure, figures, type ReportRow } from '../report.js'
import { bench, each, of, percent, type Task } from './bench.js'

/** Of `bench/ik/measure.ts`: what rows tell of. */
interface Reach {
  fine: number
  within: number
  median: number | null
  p95: number | null
  micros: number
  microsAtReference: number | null
  violation: number | null
  massDisplacement: number | null
}
interface Moving {
  rough: number
  inside: number | null
  worstInside: number
  micros: number
}
interface Figure {
  steps: { name: string; turns: number[] }[]
  turns: number[]
  displacement: number
  work: number
}

const REACH = ['tautline', 'ccd', 'closed-chain-ik', 'fabrik', 'pseudoInverse', 'seedSigns', 'seedAsPrinted']

function reachText({ fine, microsAtReference, micros, p95 }: Reach): string {
  const own = microsAtReference === null ? '' : `, ${figure(microsAtReference)} µs to ccd’s own best error`
  return `${percent(fine)}, p95 ${p95 ?? '–'} it, ${figure(micros)} µs${own}`
}

function reach(id: string, links: number): ReportRow {
  const isLong = links === 100
  // Slow solvers on long chains take minutes.
  const targets = isLong ? 200 : 1000
  return {
    id,
    claim: `B1: ${links} free balls`,
    asked: isLong
      ? '100 % at 10⁻⁴; p95 ≤ 35 iterations; N = 100 < 0.2 ms, ≥ 20× faster than three’s CCDIKSolver at its own best error'
      : '100 % at 10⁻⁴; p95 ≤ 35 iterations',
    scene: `${targets} targets uniform in the 0.95 ball, 200 iterations, nearly straight start, a process a solver`,
    slow: true,
    async measure() {
      const [task] = await bench<Reach>(`reach-${links}`, { solvers: REACH, targets })
      const own = of(task, 'tautline')
      const ratio = (of(task, 'ccd').microsAtReference ?? 0) / (own.microsAtReference ?? Infinity)
      const isFast = !isLong || (own.micros < 200 && ratio >= 20)
      return {
        figures: `${figure(ratio)} times faster than ccd at its error; ${each(task, reachText)}`,
        holds: own.fine === 1 && (own.p95 ?? Infinity) <= 35 && isFast,
      }
    },
  }
}

const LIMITS = ['tautline', 'ccd', 'ccd-inside', 'closed-chain-ik']
/** Limits are measured by other sums than the solver’s [rad]. */
const ROUND_OFF = 1e-9

function limits(id: string, set: string, text: string): ReportRow {
  return {
    id,
    claim: `B2: limits, ${text}`,
    asked: '≥ 98 % for N ≤ 20 without restart; violation 0',
    scene: '3, 7 and 20 links, 300 targets of poses inside the limits, 10⁻⁴, 200 iterations, no restarts',
    slow: true,
    async measure() {
      const tasks = await bench<Reach>(`${set}-`, { solvers: LIMITS, targets: 300 })
      const ours = tasks.map((task) => of(task, 'tautline'))
      const all = tasks.map((task) => {
        const told = each(
          task,
          (result) => `${percent(result.within)} outside ${figure(result.violation ?? NaN, 2)} rad`,
        )
        return `N ${task.task.split('-')[1]}: ${told}`
      })
      return {
        figures: all.join(' | '),
        holds: ours.every(({ violation, within }) => within >= 0.98 && (violation ?? 1) <= ROUND_OFF),
      }
    },
  }
}

const moving: ReportRow = {
  id: 'B4',
  claim: 'B4: a target that leaves the reach',
  asked: 'not rougher than FABRIK (rms second difference), error ≤ 10⁻⁵ in reach',
  scene: '900 frames, 4 iterations a frame, 7 and 20 links; ours is tautlineSoft, targets eased onto 0.98 of the reach',
  async measure() {
    const tasks = await bench<Moving>('moving-')
    const told = tasks.map((task) => {
      const text = each(
        task,
        ({ micros, rough, worstInside }) =>
          `${figure(rough, 2)} rough, error ${figure(worstInside, 2)}, ${figure(micros, 2)} µs`,
      )
      return `${task.task}: ${text}`
    })
    return {
      figures: told.join(' | '),
      holds: tasks.every((task) => {
        const [own, other] = [of(task, 'tautlineSoft'), of(task, 'fabrik')]
        return own.rough <= other.rough && own.worstInside <= 1e-5
      }),
    }
  },
}

const displacement: ReportRow = {
  id: 'B5',
  claim: 'B5: displacement of mass',
  asked: '≥ 10 % under the pseudo-inverse for N 3–20; FABRIK’s figure beside it',
  scene: 'mean squared displacement of the mass of the reached of 1000 targets of B1, 3, 7 and 20 links',
  async measure() {
    const tasks: Task<Reach>[] = []
    for (const links of [3, 7, 20]) {
      tasks.push(...(await bench<Reach>(`reach-${links}`, { solvers: ['tautline', 'pseudoInverse', 'fabrik'] })))
    }
    const chosen = tasks.filter(({ task }) => ['reach-3', 'reach-7', 'reach-20'].includes(task))
    const less = chosen.map(
      (task) => 1 - (of(task, 'tautline').massDisplacement ?? 1) / (of(task, 'pseudoInverse').massDisplacement ?? 1),
    )
    const told = chosen.map(
      (task, k) =>
        `${task.task}: ${percent(less[k])} less; ${each(task, (result) => figure(result.massDisplacement ?? NaN))}`,
    )
    return { figures: told.join(' | '), holds: less.every((share) => share >= 0.1) }
  },
}

const figure10: ReportRow = {
  id: '11',
  claim: 'Figure 10: planar chain, side by side with the pseudo-inverse',
  asked: 'turn at root and tip, mass displacement: less at the root and more at the tip than the pseudo-inverse',
  scene: 'chains of 3, 8 and 20 links bent by 90°, end moved by 1 % across and inwards, then along 120° about the root',
  async measure() {
    const tasks = await bench<Figure>('figure10-', {
      solvers: ['tautline', 'pseudoInverse', 'fabrik', 'seedSigns', 'seedAsPrinted'],
    })
    const ends = (turns: readonly number[]): string => figures([1e3 * turns[0], 1e3 * turns[turns.length - 1]])
    const told = tasks.map((task) => {
      const text = each(task, ({ displacement: moved, steps, turns }) => {
        const parts = steps.map((step) => `${step.name} ${ends(step.turns)}`)
        return `${parts.join(', ')}, path ${ends(turns)}, mass ${figure(moved)}`
      })
      return `${task.task} (root, tip in mrad): ${text}`
    })
    const holds = tasks.every((task) => {
      const [own, other] = [of(task, 'tautline'), of(task, 'pseudoInverse')]
      return own.steps.every(({ turns }, s) => {
        const beside = other.steps[s].turns
        const last = turns.length - 1
        return Math.abs(turns[0]) < Math.abs(beside[0]) && Math.abs(turns[last]) > Math.abs(beside[last])
      })
    })
    return { figures: told.join(' | '), holds }
  },
}

export const chains: readonly ReportRow[] = [
  reach('B1.1', 3),
  reach('B1.2', 7),
  reach('B1.3', 20),
  reach('B1.4', 100),
  limits('B2.1', 'cone30', 'cones of 30°'),
  limits('B2.2', 'cone60', 'cones of 60°'),
  limits('B2.3', 'hinges', 'hinges ±60°'),
  limits('B2.4', 'limbs', 'cones of 60° and hinges in turns'),
  moving,
  displacement,
  figure10,
]
