/** The same bits on every engine. */

import { bundle, type Engine, ENGINES } from '../engines/engines.js'
import { differences, LONG, parseRuns, readHashes, scenesOf, SHORT } from '../engines/recorded.js'
import { type Measured, type Report, type ReportRow, skipped } from './report.js'

const scripts = new Map<number, Promise<string>>()

function scriptOf(steps: number): Promise<string> {
  let script = scripts.get(steps)
  if (script === undefined) scripts.set(steps, (script = bundle(scenesOf(steps), steps)))
  return script
}

async function measure(engine: Engine, steps: number): Promise<Measured> {
  const missing = engine.missing()
  if (missing !== undefined) return skipped(missing)
  const count = Object.keys(readHashes()[steps]).length
  const others = differences(parseRuns(await engine.output(await scriptOf(steps))), steps)
  return {
    figures: others.length === 0 ? `all ${count} scenes have the hashes of the list` : others.join('; '),
    holds: others.length === 0,
  }
}

function row(engine: Engine, id: string, steps: number): ReportRow {
  return {
    id,
    claim: `The same bits on ${engine.name}`,
    asked: 'all hashes as in the list',
    scene: `${scenesOf(steps).length} scenes (${steps === SHORT ? 'every constraint type, ' : ''}joints, contacts, nets, lines, impulses, a soft body), ${steps} steps each, out of JSON`,
    ...(steps === LONG && { slow: true }),
    measure: () => measure(engine, steps),
  }
}

export const engines: Report = {
  name: 'engines',
  title: 'Engines: the same bits on each',
  rows: [
    ...ENGINES.map((engine, k) => row(engine, `1.${k + 1}`, SHORT)),
    ...ENGINES.map((engine, k) => row(engine, `2.${k + 1}`, LONG)),
  ],
}
