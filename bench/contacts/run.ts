/**
 * Contacts beside other engines: ms a step, with the error beside it.
 *
 *   run.ts                                 all engines and scenes, one after the other, a process each; a table a scene
 *   run.ts --scene NAME                    that scene only
 *   run.ts --engine NAME --scene NAME      one measurement in this process, JSON
 *   run.ts --json                          the whole run as JSON
 *   run.ts --substeps N --iterations N     Tautline's settings; left out: 8 and 1, and in a whole run 4 and 1 besides
 *
 * Run with `node --import tsx --conditions=@tautline/source bench/contacts/run.ts`. The same shapes, poses, masses and
 * friction for all, dt 1/60 s, nothing sleeps; 60 steps of warm-up, then the median and the 95th percentile of the rest.
 * Absolute times are this machine's: only ratios of one run count.
 */

import { execFileSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { table } from '../../examples/lib/table.js'
import type { Engine, Settings } from './engine.js'
import { measureContacts, type Result } from './measure.js'
import { SCENES, type SceneName } from './scenes.js'

/** An engine that did not run. */
interface Failure {
  engine: string
  failed: string
}

const ENGINES = ['tautline', 'crashcat', 'cannon-es', 'rapier', 'rapier-simd', 'jolt', 'havok'] as const
const SCENE_NAMES = Object.keys(SCENES) as SceneName[]

const { values } = parseArgs({
  options: {
    engine: { type: 'string' },
    scene: { type: 'string' },
    json: { type: 'boolean' },
    substeps: { type: 'string' },
    iterations: { type: 'string' },
  },
})
const settings: Settings = { substeps: Number(values.substeps ?? 8), iterations: Number(values.iterations ?? 1) }
const scenes = values.scene === undefined ? SCENE_NAMES : [oneOf('scene', SCENE_NAMES, values.scene)]

if (values.engine !== undefined) {
  const name = oneOf('engine', ENGINES, values.engine)
  if (scenes.length > 1) throw new Error('run: --engine needs a --scene')
  const { engine } = (await import(`./engines/${name}.js`)) as { engine: Engine }
  console.log(JSON.stringify(await measureContacts(engine, settings, SCENES[scenes[0]]())))
} else {
  const tries: [string, Settings][] = ENGINES.map((name) => [name, settings])
  if (values.substeps === undefined) tries.splice(1, 0, ['tautline', { ...settings, substeps: 4 }])
  const measured = scenes.map((scene) => ({ scene, results: tries.map(([name, given]) => spawn(name, given, scene)) }))
  if (values.json === true) console.log(JSON.stringify(measured, null, 2))
  else measured.forEach(({ scene, results }) => print(scene, results))
}

function oneOf<T extends string>(what: string, allowed: readonly T[], given: string): T {
  const found = allowed.find((name) => name === given)
  if (found === undefined) throw new Error(`run: ${what} must be one of ${allowed.join(', ')}, got ${given}`)
  return found
}

/** One measurement in a process of its own: what one engine teaches the compiler must not slow the next. */
function spawn(name: string, { substeps, iterations }: Settings, scene: SceneName): Result | Failure {
  const script = new URL(import.meta.url).pathname
  const args = ['--engine', name, '--scene', scene, '--substeps', String(substeps), '--iterations', String(iterations)]
  try {
    const output = execFileSync(process.execPath, [...process.execArgv, script, ...args], { stdio: 'pipe' })
    return JSON.parse(output.toString()) as Result
  } catch (error) {
    const text = String((error as { stderr?: Buffer }).stderr ?? error)
    const reason = text.split('\n').find((line) => line.includes('Error')) ?? text
    return { engine: name, failed: text.includes('ERR_MODULE_NOT_FOUND') ? 'not installed' : reason.trim() }
  }
}

function print(scene: SceneName, results: readonly (Result | Failure)[]): void {
  console.log(`\n${SCENES[scene]().text}\n`)
  const head = ['engine', 'init ms', 'set-up ms', 'median ms', 'p95 ms', 'penetration mm', 'sideways mm', 'lost']
  const rows = results.map((result) => {
    if ('failed' in result) return [`${result.engine}: ${result.failed}`, '', '', '', '', '', '', '']
    const { engine, init, setup, median, p95, penetration, sideways, lost, note } = result
    const times = [init.toFixed(0), setup.toFixed(0), median.toFixed(3), p95.toFixed(3)]
    // In a heap everything moves: there sideways says nothing.
    const drift = scene === 'pyramid' ? millimetres(sideways) : ''
    return [`${engine}: ${note}`, ...times, millimetres(penetration), drift, String(lost)]
  })
  console.log(table(head, rows))
}

function millimetres(length: number | null): string {
  return length === null ? 'not finite' : (1e3 * length).toFixed(2)
}
