/** What two revisions differ by. */

import type { Outcome, Result } from './contest.js'
import { quantile } from './statistics.js'
import { digits, markdown } from './tables.js'

/** Share of the time from which a difference is flagged. */
export const FLAG = 0.03

export interface Difference {
  readonly scene: string
  readonly engine: string
  readonly work: number
  /** Medians of a step here and there [ms]. */
  readonly here?: number
  readonly there?: number
  /** Of the time there: quartiles and middle of the ratios of the rounds. */
  readonly ratio?: number
  readonly spread?: readonly [number, number]
  /** Of the processor time there. */
  readonly busy?: number
  /** Whether the states ended with the same bits; nothing where they have no hash. */
  readonly sameBits?: boolean
  readonly flag: 'slower' | 'faster' | 'same' | 'unsure' | 'failed'
  readonly failed?: string
}

/** Compares outcomes of one contender here and there. */
export function difference(scene: string, here: Outcome, there: Outcome): Difference {
  const { engine, work } = here
  const named = { scene, engine, work }
  if ('failed' in here) return { ...named, flag: 'failed', failed: `here: ${here.failed}` }
  if ('failed' in there) return { ...named, flag: 'failed', failed: `there: ${there.failed}` }
  const ratios = here.rounds.map((time, round) => time / there.rounds[round])
  const [low, ratio, high] = [0.25, 0.5, 0.75].map((share) => quantile(ratios, share))
  return {
    ...named,
    here: here.median,
    there: there.median,
    ratio,
    spread: [low, high],
    busy: here.busy / there.busy,
    ...(isHashed(here) && isHashed(there) && { sameBits: here.hash === there.hash }),
    flag: flagOf(low, ratio, high),
  }
}

function isHashed({ hash }: Result): boolean {
  return hash !== undefined && hash !== ''
}

/** A difference that half of the rounds do not bear out is none to rely on. */
function flagOf(low: number, ratio: number, high: number): Difference['flag'] {
  if (ratio > 1 + FLAG) return low > 1 ? 'slower' : 'unsure'
  if (ratio < 1 - FLAG) return high < 1 ? 'faster' : 'unsure'
  return 'same'
}

/** One line a contender. */
export function differenceTable(revision: string, differences: readonly Difference[]): string {
  const head = ['scene', 'work', 'here ms', `${revision} ms`, 'ratio', 'quartiles', 'CPU ratio', 'bits', '']
  const rows = differences.map((one) => {
    const { scene, engine, work, here, there, ratio, spread, busy, sameBits, flag, failed } = one
    const name = engine === 'tautline' ? scene : `${scene} (${engine})`
    if (here === undefined || there === undefined || ratio === undefined || spread === undefined) {
      return [name, String(work), '', '', '', '', '', '', failed ?? flag]
    }
    const bits = sameBits === undefined ? '' : sameBits ? 'same' : 'differ'
    const quartiles = spread.map((value) => value.toFixed(3)).join(' to ')
    const numbers = [digits(here), digits(there), ratio.toFixed(3), quartiles, (busy ?? NaN).toFixed(3)]
    return [name, String(work), ...numbers, bits, flag === 'same' ? '' : flag]
  })
  return markdown(head, rows)
}
