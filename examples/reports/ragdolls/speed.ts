/** Row 2: figures of every level of detail in a pile, beside other engines. */

import { contend, type Contended, errorOf, loadText, millimetres, ratioOf, timedOf, timedText } from '../bench.js'
import { figure, type Measured, type ReportRow } from '../report.js'

const DETAILS = [11, 15, 20]
/** Of one figure on the ground [ms]. */
const ONE = 0.4
/** [m] */
const MOST_GAP = 2e-3
const ENGINES = ['tautline', 'crashcat', 'jolt', 'rapier-simd']

interface Level {
  readonly detail: number
  readonly outcomes: readonly Contended[]
}

async function levels(count: number): Promise<Level[]> {
  const measured: Level[] = []
  for (const detail of DETAILS)
    measured.push({ detail, outcomes: await contend(`figures-${count}-${detail}`, ENGINES) })
  return measured
}

function textOf({ detail, outcomes }: Level): string {
  return `${detail} parts: ${outcomes.map((one) => timedText(one, millimetres('gap', 'gap'))).join('; ')}`
}

/** Time and gap of one figure. */
function isLight({ outcomes }: Level): boolean {
  const own = timedOf(outcomes, 'tautline')
  return !('failed' in own) && own.median <= ONE && errorOf(own, 'gap') <= MOST_GAP
}

/** Share of Jolt's time; NaN where one did not run. */
function shareOf({ outcomes }: Level): number {
  const [own, jolt] = [timedOf(outcomes, 'tautline'), timedOf(outcomes, 'jolt')]
  return 'failed' in own || 'failed' in jolt ? NaN : ratioOf(own, jolt)
}

function isFast(level: Level): boolean {
  const own = timedOf(level.outcomes, 'tautline')
  return !('failed' in own) && shareOf(level) <= 1 && errorOf(own, 'gap') <= MOST_GAP
}

async function one(): Promise<Measured> {
  const measured = await levels(1)
  return { figures: `${measured.map(textOf).join(' · ')}; ${loadText()}`, holds: measured.every(isLight) }
}

async function pile(count: number): Promise<Measured> {
  const measured = await levels(count)
  const shares = measured.map(shareOf).map((share) => figure(share))
  return {
    figures: `${shares.join(', ')} of jolt's time; ${measured.map(textOf).join(' · ')}; ${loadText()}`,
    holds: measured.every(isFast),
  }
}

const SCENE =
  'ragdoll() of the mannequin with limits and its defaults, 4 substeps; the others the same parts on joints with limits, Rapier without; a process an engine, by turns, 300 steps after 60; median, worst gap of all steps'

export const speedRows: readonly ReportRow[] = [
  {
    id: '2.1',
    claim: 'One figure of 11, 15 and 20 parts on the ground',
    asked: `≤ ${ONE} ms a step, gap ≤ 2 mm`,
    scene: SCENE,
    measure: one,
  },
  ...[10, 40, 100].map((count, k): ReportRow => ({
    id: `2.${k + 2}`,
    claim: `Pile of ${count} figures of 11, 15 and 20 parts`,
    asked: '≤ 1.0 × Jolt, gap ≤ 2 mm',
    scene: SCENE,
    slow: true,
    measure: () => pile(count),
  })),
]
