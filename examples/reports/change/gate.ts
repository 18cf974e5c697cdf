/** Rows 1.1 to 1.3: the acceptance gate. */

import { fileURLToPath } from 'node:url'
import { type Difference, isLoss } from '../../accept/compare.js'
import { type Fault, FAULTS, plant } from '../../accept/faults.js'
import { runGate } from '../../accept/gate.js'
import { judge, knownFailures } from '../../accept/known.js'
import { PROCESSES } from '../../accept/pool.js'
import type { Run } from '../../accept/saved.js'
import { SCENES } from '../../accept/scenes/index.js'
import { quantity } from '../../accept/table.js'
import { figure, type Measured, type ReportRow } from '../report.js'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
/** Asked: longest run [s], and how many scenes. */
const LONGEST = 180
const SCENES_ASKED = 30

interface Timed {
  readonly run: Run
  /** By the clock, and of the processor over all processes [s]. */
  readonly wall: number
  readonly busy: number
}

let measured: Promise<Timed> | undefined

/** One run of the gate for both rows. */
function wholeRun(): Promise<Timed> {
  measured ??= timedRun()
  return measured
}

async function timedRun(): Promise<Timed> {
  const known = knownFailures()
  const start = performance.now()
  const run = await runGate({
    scenes: SCENES.map(({ name }) => name),
    known,
  })
  const busy = run.results.reduce((sum, { busy: seconds }) => sum + seconds, 0)
  return { run, wall: (performance.now() - start) / 1000, busy }
}

/** On a machine that does something else as well the clock says nothing of the gate: then the processor time, shared out among the processes, is judged. */
async function duration(): Promise<Measured> {
  const { run, wall, busy } = await wholeRun()
  const quiet = busy / run.processes
  const failed = run.results.filter((result) => result.failed !== undefined)
  return {
    figures: `${figure(wall)} s by the clock; ${figure(busy)} s of processor time, ${figure(quiet)} s in each of ${run.processes} processes; ${failed.length} scenes ended with an error`,
    holds: Math.min(wall, quiet) < LONGEST && failed.length === 0,
  }
}

async function extent(): Promise<Measured> {
  const { run } = await wholeRun()
  const verdicts = judge(run.results, knownFailures())
  const count = (standing: string): number => verdicts.filter((verdict) => verdict.standing === standing).length
  const news = verdicts.filter(({ isNews }) => isNews)
  const names = news.map(({ scene, metric }) => `${scene} ${metric.name}`)
  return {
    figures: `${run.results.length} scenes, ${verdicts.length} metrics: ${count('holds')} hold, ${count('known')} known failures, ${news.length} new${news.length > 0 ? ` (${names.join(', ')})` : ''}`,
    holds: run.results.length >= SCENES_ASKED && news.length === 0,
  }
}

async function seen(fault: Fault): Promise<Measured> {
  const differences = await plant(ROOT, fault)
  const losses = differences.filter(isLoss)
  const text = (one: Difference): string =>
    `${one.scene}, ${one.name}: ${quantity(one.before, one.unit)} → ${quantity(one.after, one.unit)}`
  return {
    figures: `${losses.length} of ${differences.length} metrics worse${losses.length > 0 ? ` (${losses.map(text).join('; ')})` : ''}`,
    holds: losses.length > 0,
  }
}

const faultRow = (id: string, fault: Fault): ReportRow => ({
  id,
  claim: `The gate sees ${fault.name}`,
  asked: 'a metric becomes worse than its tolerance',
  scene: `one expression of ${fault.file} replaced in a copy; ${fault.scenes.join(', ')}`,
  measure: () => seen(fault),
})

export const gate: readonly ReportRow[] = [
  {
    id: '1.1',
    claim: 'The acceptance gate is quick',
    asked: `< ${LONGEST} s on two quiet cores`,
    scene: `\`npm run accept\`: ${SCENES.length} scenes at default settings, ${PROCESSES} processes at once`,
    measure: duration,
  },
  {
    id: '1.2',
    claim: 'The acceptance gate covers what the library does',
    asked: `≥ ${SCENES_ASKED} scenes, no failure that is not known`,
    scene: 'the same run',
    measure: extent,
  },
  faultRow('1.3.1', FAULTS.friction),
  faultRow('1.3.2', FAULTS.softJoint),
  faultRow('1.3.3', FAULTS.energy),
]
