/**
 * A sheet that falls on a sphere and a floor: ms a step, with the stretch beside it, as JSON.
 *
 *   cloth.ts --engine tautline --n 100 --work 5 --on 'sphere and floor' [--self]
 *
 * Run with `node --import tsx --conditions=@tautline/source bench/assemblies/cloth.ts`, a process a measurement. dt 1/60 s, nothing sleeps; times are of
 * all steps after a warm-up in the air. Absolute times are this machine's: only ratios of one run count.
 */

import { parseArgs } from 'node:util'
import { meanStretch, type SheetChoice, type SheetEngine, sheetOf } from './sheet.js'

/** What one process measured. */
export interface SheetResult {
  engine: string
  note: string
  rows: number
  /** Of a step [ms]. */
  median: number
  p95: number
  /** Processor time of a step [ms]. */
  busy: number
  /** Mean over the last steps; `null` where it is not finite. */
  stretch: number | null
}

const DT = 1 / 60
const STEPS = 180
const WARM_UP = 20
/** Steps at the end over which stretch is averaged. */
const LAST = 30

async function engineOf(name: string | undefined): Promise<SheetEngine> {
  if (name === 'jolt') return (await import('./engines/jolt.js')).engine
  if (name === 'rapier') return (await import('./engines/rapier.js')).engine
  if (name === 'tautline') return (await import('./engines/tautline.js')).engine
  if (name === 'plain') return (await import('./engines/plain.js')).engine
  throw new Error(`cloth: --engine must be tautline, jolt, rapier or plain, got ${name ?? 'none'}`)
}

function measure(engine: SheetEngine, choice: SheetChoice): SheetResult {
  const sheet = sheetOf(choice.n)
  const rows = engine.setup(choice)
  const now = new Float64Array(sheet.positions.length)
  const times: number[] = []
  let [stretch, busy] = [0, 0]
  for (let step = 0; step < STEPS; step++) {
    const [before, start] = [performance.now(), process.cpuUsage()]
    engine.step(DT)
    const { user, system } = process.cpuUsage(start)
    if (step >= WARM_UP) {
      times.push(performance.now() - before)
      busy += (user + system) / 1000 / (STEPS - WARM_UP)
    }
    if (step < STEPS - LAST) continue
    engine.positions(now)
    stretch += meanStretch(sheet, now) / LAST
  }
  times.sort((r, s) => r - s)
  const p95 = times[Math.floor(0.95 * times.length)]
  const { name, note } = engine
  return {
    engine: name,
    note,
    rows,
    median: times[times.length >> 1],
    p95,
    busy,
    stretch: Number.isFinite(stretch) ? stretch : null,
  }
}

const { values } = parseArgs({
  options: {
    engine: { type: 'string' },
    n: { type: 'string' },
    work: { type: 'string' },
    on: { type: 'string' },
    self: { type: 'boolean' },
  },
})
const ON = ['nothing', 'sphere', 'sphere and floor'] as const
const on = ON.find((known) => known === values.on)
if (on === undefined) throw new Error(`cloth: --on must be one of ${ON.join(', ')}, got ${values.on ?? 'none'}`)
const [n, work] = [Number(values.n), Number(values.work)]
if (!(n >= 2) || !(work >= 1))
  throw new Error(`cloth: --n and --work must be given, got ${values.n} and ${values.work}`)
const engine = await engineOf(values.engine)
await engine.load()
console.log(JSON.stringify(measure(engine, { n, work, on, self: values.self === true })))
