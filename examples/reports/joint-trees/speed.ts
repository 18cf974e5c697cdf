/** Rows 2 and 3: the heavy chain beside Rapier, and cost by length. */

import { figure, figures, median, type ReportRow, skipped } from '../report.js'
import { bench, NOT_INSTALLED } from './process.js'

/** What `bench/trees/chain.ts` prints. */
interface ChainResult {
  engine: string
  /** [µs] */
  median: number
  /** [m] */
  gap: number | null
  solves: number | null
}

const RATIOS = [1, 100, 1000]
/** Processes an engine and ratio, by turns. */
const REPEATS = 5
const LINK = 0.5

function chain(
  engine: string,
  ratio: number,
  links: number = 20,
  steps: number = 600,
): Promise<ChainResult | typeof NOT_INSTALLED> {
  const sizes = ['--ratio', String(ratio), '--links', String(links), '--steps', String(steps)]
  return bench<ChainResult>('chain', ['--engine', engine, ...sizes])
}

interface Compared {
  ratio: number
  own: number
  other: number
  ownGap: number
  otherGap: number
}

/** Medians of the repeats, by turns; nothing where Rapier is not installed. */
async function compare(ratio: number): Promise<Compared | undefined> {
  const [own, other]: ChainResult[][] = [[], []]
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    const [ours, theirs] = [await chain('tautline', ratio), await chain('rapier-simd', ratio)]
    if (ours === NOT_INSTALLED || theirs === NOT_INSTALLED) return undefined
    own.push(ours)
    other.push(theirs)
  }
  const time = (results: ChainResult[]): number => median(results.map((result) => result.median))
  const gap = (results: ChainResult[]): number => Math.max(...results.map((result) => result.gap ?? Infinity))
  return { ratio, own: time(own), other: time(other), ownGap: gap(own), otherGap: gap(other) }
}

const beside: ReportRow = {
  id: '2',
  claim: 'The heavy chain in no more time than Rapier SIMD takes',
  asked: 'no more time than Rapier SIMD at its default 4 iterations, in one run; error of both',
  scene: `20 boxes of 0.5 m and 1 kg on ball joints, the last of R kg; 60 Hz, f64 plain TypeScript at one substep beside @dimforge/rapier3d-simd-compat 0.20 (f32 SIMD); median step of 600 after 60 of warm-up, median of ${REPEATS} processes each, by turns; worst gap of all steps as a share of a link`,
  async measure() {
    const compared: Compared[] = []
    for (const ratio of RATIOS) {
      const result = await compare(ratio)
      if (result === undefined) return skipped('@dimforge/rapier3d-simd-compat is not installed')
      compared.push(result)
    }
    return {
      figures: compared
        .map(
          ({ ratio, own, other, ownGap, otherGap }) =>
            `R ${ratio}: ${figure(own / other)} of its time (${figure(own)} and ${figure(other)} µs), ${figure((100 * ownGap) / LINK)} % and ${figure((100 * otherGap) / LINK)} % of a link`,
        )
        .join('; '),
      holds: compared.every(({ own, other }) => own <= other),
    }
  },
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
        const result = (await chain('tautline', 1, links, count)) as ChainResult
        counts[k] = result.solves ?? NaN
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
