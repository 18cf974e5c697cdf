/** Row 12: speed beside other engines, in one run. */

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { figure, type ReportRow } from '../report.js'

const run = promisify(execFile)

/** What `bench/contacts/run.ts` prints for one engine. */
interface EngineTimes {
  engine: string
  note: string
  median: number
  p95: number
  /** [m]; `null` when a pose was not finite. */
  penetration: number | null
  /** Bodies that fell through the floor or flew away. */
  lost: number
}
type Outcome = EngineTimes | { engine: string; failed: string }

/** Whom Tautline has to be faster than: the engines in plain JavaScript. */
const SLOWER = ['crashcat', 'cannon-es']

async function bench(scene: string): Promise<Outcome[]> {
  const script = new URL('../../../bench/contacts/run.ts', import.meta.url).pathname
  const node = ['--import', 'tsx', '--conditions=@tautline/source', script, '--json', '--scene', scene]
  const { stdout } = await run(process.execPath, node, { maxBuffer: 1 << 24 })
  return (JSON.parse(stdout) as { results: Outcome[] }[])[0].results
}

function text(outcome: Outcome): string {
  if ('failed' in outcome) return `${outcome.engine} ${outcome.failed}`
  const { engine, note, median, p95, penetration, lost } = outcome
  const depth = penetration === null ? 'not finite' : `${figure(1e3 * penetration, 2)} mm deep`
  return `${engine} ${figure(median)} (p95 ${figure(p95)}) ms, ${depth}${lost > 0 ? `, ${lost} lost` : ''} [${note}]`
}

/** Whether an outcome of ours is faster than another engine's, at no more overlap. */
function beats(own: Outcome, other: Outcome): boolean {
  if ('failed' in own || own.lost > 0 || own.penetration === null) return false
  if ('failed' in other) return other.failed === 'not installed'
  return own.median < other.median && own.penetration <= (other.penetration ?? Infinity)
}

function speed(id: string, claim: string, scene: string, name: string): ReportRow {
  return {
    id,
    claim,
    asked: `median below ${SLOWER.join(' and ')}, those that are installed, at no more overlap; no body lost`,
    scene: `${scene}; a process an engine, nothing sleeps, 60 Hz, 60 steps of warm-up, median of 300; overlap at the end`,
    async measure() {
      const outcomes = await bench(name)
      const own = outcomes.filter((outcome) => outcome.engine === 'tautline')
      const others = outcomes.filter(({ engine }) => SLOWER.includes(engine))
      return {
        figures: outcomes.map(text).join('; '),
        holds: own.some((outcome) => others.every((other) => beats(outcome, other))),
      }
    },
  }
}

export const speeds: readonly ReportRow[] = [
  speed('12.1', 'Speed: pyramid of 210 boxes', 'base 20, boxes of 1 m', 'pyramid'),
  speed('12.2', 'Speed: 1000 mixed shapes', 'five kinds dropped into a pit of 6.4 m, seed 12', 'mixed'),
]
