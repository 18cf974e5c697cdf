/**
 * Hanging cloth beside Jolt's: ms a step, with the stretch beside it.
 *
 *   cloth.ts                                       all, one after the other, a process each; a table a cloth
 *   cloth.ts --engine NAME --cloth NAME --work N   one measurement in this process, JSON
 *
 * Run with `node --import tsx --conditions=@tautline/source bench/trees/cloth.ts`. The same vertices, masses, edges and drag for
 * all, dt 1/60 s, nothing sleeps; 5 s, times over what follows the first second, stretch over the last second. Absolute times
 * are this machine's: only ratios of one run count.
 */

import { execFileSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { table } from '../../examples/lib/table.js'
import { type ClothChoice, clothOf, HANGING_CLOTH, stretchOf } from '../../examples/scenes/trees/cloth.js'
import type { ClothEngine } from './engine.js'

/** What one process measured. */
export interface ClothResult {
  engine: string
  note: string
  cloth: string
  work: number
  /** Processor time of a step, which a busy machine does not lengthen as much [ms]. */
  busy: number
  /** Of a step by the clock [ms]. */
  median: number
  p95: number
  /** Mean over the last second of the largest and the mean stretch of edges, of diagonals; `null` when it is not finite. */
  max: number | null
  mean: number | null
  maxShear: number | null
  meanShear: number | null
}

const DT = 1 / 60
const STEPS = 300
const WARM_UP = 60
/** Steps at the end over which stretch is averaged: the cloth still swings. */
const LAST = 60

const ENGINES = ['tautline-lines', 'tautline-rows', 'jolt'] as const
const CLOTHS: Record<string, ClothChoice> = {
  'sheet-32': { kind: 'sheet', n: 32 },
  'sheet-64': { kind: 'sheet', n: 64 },
  bunny: { kind: 'bunny' },
}

async function engineOf(name: string): Promise<ClothEngine> {
  if (name === 'jolt') return (await import('./engines/jolt.js')).engine
  const { lines, rows } = await import('./engines/tautline.js')
  return name === 'tautline-lines' ? lines : rows
}

async function measure(engine: ClothEngine, choice: ClothChoice, work: number): Promise<ClothResult> {
  await engine.load()
  const cloth = clothOf(choice)
  engine.setup(choice, { work, drag: HANGING_CLOTH.drag })
  const now = new Float64Array(cloth.positions.length)
  const times: number[] = []
  const sums = [0, 0, 0, 0]
  let start = process.cpuUsage()
  let busy = 0
  for (let step = 0; step < STEPS; step++) {
    if (step === WARM_UP) start = process.cpuUsage()
    const before = performance.now()
    engine.step(DT)
    if (step >= WARM_UP) times.push(performance.now() - before)
    if (step === STEPS - LAST - 1) {
      const { user, system } = process.cpuUsage(start)
      busy = (user + system) / 1000 / (STEPS - LAST - WARM_UP)
    }
    if (step < STEPS - LAST) continue
    engine.positions(now)
    const { max, mean, maxShear, meanShear } = stretchOf(cloth, now)
    for (const [k, value] of [max, mean, maxShear, meanShear].entries()) sums[k] += value / LAST
  }
  times.sort((r, s) => r - s)
  const [max, mean, maxShear, meanShear] = sums.map((value) => (Number.isFinite(value) ? value : null))
  return {
    engine: engine.name,
    note: engine.note,
    cloth: cloth.name,
    work,
    busy,
    median: times[times.length >> 1],
    p95: times[Math.floor(0.95 * times.length)],
    max,
    mean,
    maxShear,
    meanShear,
  }
}

/** One measurement in a process of its own: what one engine teaches the compiler must not slow the next. */
function spawn(engine: string, cloth: string, work: number): ClothResult {
  const script = new URL(import.meta.url).pathname
  const args = ['--engine', engine, '--cloth', cloth, '--work', String(work)]
  return JSON.parse(execFileSync(process.execPath, [...process.execArgv, script, ...args]).toString()) as ClothResult
}

const { values } = parseArgs({
  options: { engine: { type: 'string' }, cloth: { type: 'string' }, work: { type: 'string' } },
})
if (values.engine === undefined) {
  for (const name of Object.keys(CLOTHS)) {
    const results = ENGINES.flatMap((engine) => {
      if (engine === 'jolt' && name === 'bunny') return []
      return (engine === 'jolt' ? [5, 10, 20] : [1, 2, 4, 8, 16]).map((work) => spawn(engine, name, work))
    })
    console.log(`\n${results[0].cloth}\n`)
    const head = ['engine', 'work', 'busy ms', 'median ms', 'p95 ms', 'max %', 'mean %', 'max shear %', 'mean shear %']
    const share = (value: number | null): string => (value === null ? 'not finite' : (100 * value).toPrecision(3))
    const body = results.map(({ engine, note, work, busy, median, p95, max, mean, maxShear, meanShear }) => [
      `${engine}: ${note}`,
      String(work),
      busy.toFixed(3),
      median.toFixed(3),
      p95.toFixed(3),
      ...[max, mean, maxShear, meanShear].map(share),
    ])
    console.log(table(head, body))
  }
} else {
  const cloth = CLOTHS[values.cloth ?? '']
  const work = Number(values.work)
  if (cloth === undefined) throw new Error(`cloth: --cloth must be one of ${Object.keys(CLOTHS).join(', ')}`)
  if (!(work >= 1)) throw new Error(`cloth: --work must be a number from 1 up, got ${values.work ?? 'none'}`)
  if (!(ENGINES as readonly string[]).includes(values.engine)) {
    throw new Error(`cloth: --engine must be one of ${ENGINES.join(', ')}, got ${values.engine}`)
  }
  console.log(JSON.stringify(await measure(await engineOf(values.engine), cloth, work)))
}
