/** Row 12: speed beside other engines, in one run. */

import { type Contended, contend, errorOf, millimetres, type Timed, timedText } from '../bench.js'
import type { ReportRow } from '../report.js'

/** Whom Tautline has to be faster than: the engines in plain JavaScript. */
const SLOWER = ['crashcat', 'cannon-es']

function text(timed: Timed): string {
  const lost = errorOf(timed, 'lost')
  return `${millimetres('penetration', 'overlap')(timed)}${lost > 0 ? `, ${lost} lost` : ''} [${timed.note}]`
}

/** Whether an outcome of ours is faster than another engine's, at no more overlap. */
function beats(own: Contended, other: Contended): boolean {
  if ('failed' in own || errorOf(own, 'lost') > 0) return false
  if ('failed' in other) return other.failed.startsWith('not installed')
  return own.median < other.median && errorOf(own, 'penetration') <= errorOf(other, 'penetration')
}

function speed(id: string, claim: string, scene: string, name: string): ReportRow {
  return {
    id,
    claim,
    asked: `median below ${SLOWER.join(' and ')}, those that are installed, at no more overlap; no body lost`,
    scene: `${scene}; a process an engine, by turns, nothing sleeps, 60 Hz, 60 steps of warm-up, median of 300; overlap at the end`,
    async measure() {
      const outcomes = await contend(name)
      const own = outcomes.filter((outcome) => outcome.engine === 'tautline')
      const others = outcomes.filter(({ engine }) => SLOWER.includes(engine))
      return {
        figures: outcomes.map((outcome) => timedText(outcome, text)).join('; '),
        holds: own.some((outcome) => others.every((other) => beats(outcome, other))),
      }
    },
  }
}

export const speeds: readonly ReportRow[] = [
  speed('12.1', 'Speed: pyramid of 210 boxes', 'base 20, boxes of 1 m', 'pyramid'),
  speed('12.2', 'Speed: 1000 mixed shapes', 'five kinds dropped into a pit of 6.4 m, seed 12', 'mixed'),
]
