/** Row 6: hanging cloth by lines, beside Jolt's soft body and beside row by row, in one run. */

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { figure, type Measured, type ReportRow, skipped } from '../report.js'

const run = promisify(execFile)

/** What `bench/trees/cloth.ts` prints for one engine. */
interface ClothResult {
  engine: string
  note: string
  /** Substeps, or iterations. */
  work: number
  /** Processor time of a step [ms]. */
  busy: number
  /** Shares of a length; `null` when they are not finite. */
  max: number | null
  mean: number | null
  maxShear: number | null
  meanShear: number | null
}
type Outcome = ClothResult | { engine: string; failed: string }

type Contender = readonly [engine: string, work: number]

async function bench(cloth: string, [engine, work]: Contender): Promise<Outcome> {
  const script = new URL('../../../bench/trees/cloth.ts', import.meta.url).pathname
  const node = ['--import', 'tsx', '--conditions=@tautline/source', script]
  try {
    const given = ['--engine', engine, '--cloth', cloth, '--work', String(work)]
    return JSON.parse((await run(process.execPath, [...node, ...given])).stdout) as ClothResult
  } catch (error) {
    const text = String((error as { stderr?: string }).stderr ?? error)
    const reason = text.split('\n').find((line) => line.includes('Error')) ?? text
    return { engine, failed: text.includes('ERR_MODULE_NOT_FOUND') ? 'not installed' : reason.trim() }
  }
}

/** Turns that each contender has, one after the other, so that a busy machine is busy for all. */
const TURNS = 3

/** Each contender's result, with the least of its times over the turns: all else is the same in every turn. */
async function inTurns(cloth: string, contenders: readonly Contender[]): Promise<Outcome[]> {
  const turns: Outcome[][] = []
  for (let turn = 0; turn < TURNS; turn++) {
    const outcomes: Outcome[] = []
    for (const contender of contenders) outcomes.push(await bench(cloth, contender))
    turns.push(outcomes)
  }
  return turns[0].map((outcome, k) => {
    const all = turns.map((outcomes) => outcomes[k])
    const failed = all.find((one) => 'failed' in one)
    return failed ?? { ...outcome, busy: Math.min(...all.map((one) => (one as ClothResult).busy)) }
  })
}

const share = (value: number | null): string => (value === null ? 'not finite' : `${figure(100 * value, 2)} %`)

function text(outcome: Outcome): string {
  if ('failed' in outcome) return `${outcome.engine} ${outcome.failed}`
  const { engine, work, max, mean, maxShear, meanShear } = outcome
  const shear = (maxShear ?? 0) > 0 ? `, shear ${share(maxShear)} and ${share(meanShear)}` : ''
  return `${engine} ${work}: ${figure(outcome.busy)} ms, max ${share(max)}, mean ${share(mean)}${shear}`
}

const isResult = (outcome: Outcome): outcome is ClothResult => !('failed' in outcome)

const JOLT_ITERATIONS = 10
/** Substeps that are tried beside Jolt: the most that take no more time count. */
const SUBSTEPS = [2, 3, 4]

async function besideJolt(cloth: string): Promise<Measured> {
  const contenders: Contender[] = SUBSTEPS.map((work) => ['tautline-lines', work])
  const [jolt, ...own] = await inTurns(cloth, [['jolt', JOLT_ITERATIONS], ...contenders])
  const figures = [jolt, ...own].map(text).join('; ')
  if (!isResult(jolt)) return jolt.failed === 'not installed' ? skipped(figures) : { figures, holds: false }
  const inTime = own.filter(isResult).filter((one) => one.busy <= jolt.busy)
  const best = inTime.at(-1)
  if (best === undefined) return { figures: `${figures}; none in its time`, holds: false }
  const ratio = (theirs: number | null, ours: number | null): number => (theirs ?? Infinity) / (ours ?? Infinity)
  const [max, mean] = [ratio(jolt.max, best.max), ratio(jolt.mean, best.mean)]
  return {
    figures: `${figures}; in its time ${best.work} substeps: max 1/${figure(max)}, mean 1/${figure(mean)}`,
    holds: max >= 10 && mean >= 100,
  }
}

const BUNNY_SUBSTEPS = 8

async function besideRows(cloth: string): Promise<Measured> {
  const first = await inTurns(cloth, [
    ['tautline-lines', BUNNY_SUBSTEPS],
    ['tautline-rows', BUNNY_SUBSTEPS],
  ])
  if (!first.every(isResult)) return { figures: first.map(text).join('; '), holds: false }
  const [lines, rows] = first
  // As many substeps as take the time of the lines, rounded in favour of the rows.
  const work = Math.ceil((BUNNY_SUBSTEPS * lines.busy) / rows.busy)
  const [equal] = await inTurns(cloth, [['tautline-rows', work]])
  const figures = [lines, rows, equal].map(text).join('; ')
  if (!isResult(equal)) return { figures, holds: false }
  const ratio = (equal.mean ?? Infinity) / (lines.mean ?? Infinity)
  return { figures: `${figures}; at equal time mean 1/${figure(ratio)}`, holds: ratio >= 10 }
}

const HUNG =
  'flat at the start, 5 s at 60 Hz, drag 0.1 1/s, processor time of a step from the first to the fourth second, least of three turns, ' +
  'stretch averaged over the last second; a process an engine'

function sheetRow(id: string, n: number): ReportRow {
  return {
    id,
    claim: `Cloth ${n}×${n} hung by two corners, warp and weft by lines, beside Jolt`,
    asked: `at no more than the time of jolt-physics at ${JOLT_ITERATIONS} iterations: max stretch ≤ 1/10, mean ≤ 1/100 of its own`,
    scene: `2 m and 1 kg, corners as far apart as it is wide; edges and both diagonals as distance rows in both, f64 against f32; ${HUNG}; the most of ${SUBSTEPS.join(', ')} substeps that take no more time; stretch of warp and weft, shear beside it`,
    measure: () => besideJolt(`sheet-${n}`),
  }
}

export const cloth: readonly ReportRow[] = [
  sheetRow('6.1', 32),
  sheetRow('6.2', 64),
  {
    id: '6.3',
    claim: 'The Stanford bunny as cloth by a path cover, beside row by row',
    asked: 'mean stretch ≤ 1/10 of row by row at equal time',
    scene: `1839 vertices, 5511 edges that resist lengthening, 1 m, 0.2 kg/m², held at the tips of its ears; ${HUNG}; ${BUNNY_SUBSTEPS} substeps by lines, row by row as many as take as long`,
    measure: () => besideRows('bunny'),
  },
]
