/** The same bits on every engine. */

import { readFileSync } from 'node:fs'
import { bundle, type Engine, ENGINES } from '../engines/engines.js'
import { engineScenes } from '../engines/scenes.js'
import { type Measured, type Report, type ReportRow, skipped } from './report.js'

/** Steps of the sample, and of the whole. */
const FEW = 60
const ALL = 600

/** By steps and scene: what V8 gave when it was last looked at on purpose (`npm run engines`). */
type Hashes = Record<string, Record<string, string>>

const scripts = new Map<number, Promise<string>>()

function scriptOf(steps: number): Promise<string> {
  let script = scripts.get(steps)
  if (script === undefined) scripts.set(steps, (script = bundle(engineScenes(), steps)))
  return script
}

async function measure(engine: Engine, steps: number): Promise<Measured> {
  const missing = engine.missing()
  if (missing !== undefined) return skipped(missing)
  const path = new URL('../engines/hashes.json', import.meta.url)
  const wanted = (JSON.parse(readFileSync(path, 'utf8')) as Hashes)[steps]
  const output = await engine.output(await scriptOf(steps))
  const found = Object.fromEntries(
    output
      .trim()
      .split('\n')
      .map((line) => line.split(' ')),
  ) as Record<string, string>
  const names = Object.keys(wanted)
  const others = names.filter((name) => found[name] !== wanted[name])
  return {
    figures: `${names.length - others.length} of ${names.length} scenes have the bits of the list${others.length > 0 ? `; others: ${others.join(', ')}` : ''}`,
    holds: others.length === 0 && Object.keys(found).length === names.length,
  }
}

function row(engine: Engine, id: string, steps: number): ReportRow {
  return {
    id,
    claim: `The same bits on ${engine.name}`,
    asked: 'all hashes as in the list',
    scene: `${engineScenes().length} scenes (joints, contacts, nets, lines, impulses, a soft body), ${steps} steps each, out of JSON`,
    ...(steps === ALL && { slow: true }),
    measure: () => measure(engine, steps),
  }
}

export const engines: Report = {
  name: 'engines',
  title: 'Engines: the same bits on each',
  rows: [
    ...ENGINES.map((engine, k) => row(engine, `1.${k + 1}`, FEW)),
    ...ENGINES.map((engine, k) => row(engine, `2.${k + 1}`, ALL)),
  ],
}
