/** Rows 2 and 3: the heavy chain beside Rapier, and cost by length. */

import { contend, errorOf, ratioOf, type Timed, timedOf } from '../bench.js'
import { figure, figures, median, type Measured, type ReportRow, skipped } from '../report.js'
import { bench, NOT_INSTALLED } from './process.js'

/** What `bench/trees/chain.ts` prints. */
interface ChainResult {
  /** [µs] */
  median: number
  /** Newton's solves a step. */
  solves: number
}

const RATIOS = [1, 100, 1000]
const LINK = 0.5

interface Compared {
  readonly ratio: number
  readonly own: Timed
  readonly other: Timed
}

/** Share of a link that joints gape by [%]. */
function gapOf(timed: Timed): string {
  return figure((100 * errorOf(timed, 'gap')) / LINK)
}

async function compareAll(): Promise<Measured> {
  const compared: Compared[] = []
  for (const ratio of RATIOS) {
    const outcomes = await contend(`chain-${ratio}`, ['tautline', 'rapier-simd'])
    const [own, other] = [timedOf(outcomes, 'tautline', 1), timedOf(outcomes, 'rapier-simd', 4)]
    if ('failed' in own) throw new Error(own.failed)
    if ('failed' in other) return skipped(`rapier-simd: ${other.failed}`)
    compared.push({ ratio, own, other })
  }
  return {
    figures: compared
      .map(
        ({ ratio, own, other }) =>
          `R ${ratio}: ${figure(ratioOf(own, other))} of its time (${figure(1e3 * own.median)} and ${figure(1e3 * other.median)} µs), ${gapOf(own)} % and ${gapOf(other)} % of a link`,
      )
      .join('; '),
    holds: compared.every(({ own, other }) => ratioOf(own, other) <= 1),
  }
}

const beside: ReportRow = {
  id: '2',
  claim: 'The heavy chain in no more time than Rapier SIMD takes',
  asked: 'no more time than Rapier SIMD at its default 4 iterations, in one run; error of both',
  scene: `20 boxes of 0.5 m and 1 kg on ball joints, the last of R kg; 60 Hz, f64 plain TypeScript at one substep beside @dimforge/rapier3d-simd-compat 0.20 (f32 SIMD); bench scenes \`chain-R\`, by turns in ten rounds; worst gap of all steps as a share of a link`,
  measure: compareAll,
}

/** Links, and steps that are measured. */
const LENGTHS = [
  [10, 3000],
  [100, 600],
  [1000, 200],
  [10_000, 40],
] as const
const WITHIN = 0.3
const LENGTH_REPEATS = 3

async function chain(links: number, steps: number): Promise<ChainResult> {
  const result = await bench<ChainResult>('chain', ['--links', String(links), '--steps', String(steps)])
  if (result === NOT_INSTALLED) throw new Error('chain: a package of the workspace is missing')
  return result
}

/** Whether values lie within a share of the middle of the least and the most. */
function areWithin(values: readonly number[], share: number): boolean {
  const [least, most] = [Math.min(...values), Math.max(...values)]
  return most - least <= share * (most + least)
}

const linear: ReportRow = {
  id: '3',
  claim: 'Cost is linear in the number of joints',
  asked: `10, 100, 1000, 10 000 links: ns a joint within ± ${100 * WITHIN} %, of a step and of a solve`,
  scene: `chains of 0.5 m and 1 kg let go from the horizontal, one substep, 60 Hz; median step after 60 of warm-up, median of ${LENGTH_REPEATS} processes each, by turns`,
  async measure() {
    const steps: number[][] = LENGTHS.map(() => [])
    const solves: number[][] = LENGTHS.map(() => [])
    const counts: number[] = []
    for (let repeat = 0; repeat < LENGTH_REPEATS; repeat++) {
      for (const [k, [links, count]] of LENGTHS.entries()) {
        const result = await chain(links, count)
        counts[k] = result.solves
        steps[k].push((1e3 * result.median) / links)
        solves[k].push((1e3 * result.median) / links / counts[k])
      }
    }
    const [step, solve] = [steps.map(median), solves.map(median)]
    return {
      figures: `${figures(step)} ns a joint and step; ${figures(solve)} ns a joint and solve (${figures(counts)} solves a step)`,
      holds: areWithin(step, WITHIN) && areWithin(solve, WITHIN),
    }
  },
}

export const speed: readonly ReportRow[] = [beside, linear]
