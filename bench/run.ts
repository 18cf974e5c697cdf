/**
 * Tautline beside other engines: `npm run bench`, see HELP. A process an engine, all of a scene alive at once and run by turns, so that what else the machine
 * does hits all alike; absolute times are this machine's, and only ratios of one run count.
 */

import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { bundled } from './harness/bundle.js'
import { contest } from './harness/contest.js'
import { machineText, watchMachine } from './harness/machine.js'
import { entriesOf, HELP, OPTIONS, type Options, readOptions } from './harness/options.js'
import { progressBar } from './harness/progress.js'
import { type BenchRun, readRuns } from './harness/run-data.js'
import type { Entry } from './harness/process.js'
import type { BenchScene } from './harness/scene.js'
import { type Measured, sceneTable } from './harness/tables.js'
import { sceneNamed, SCENES } from './scenes/index.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const { values } = parseArgs({ options: OPTIONS })

if (values.help === true) console.log(`${HELP}\nScenes: ${SCENES.map(({ name }) => name).join(', ')}`)
else if (values.budget === true) {
  const { budgetText } = await import('./budget.js')
  console.log(budgetText(root))
} else {
  const options = readOptions(values, SCENES)
  const run = options.from === undefined ? await measureAll(options) : readRuns(options.from)
  if (options.json) console.log(JSON.stringify(run, null, 1))
  else if (options.docs) {
    const { writeDocs } = await import('./harness/docs.js')
    writeDocs(root, run)
  } else if (options.from !== undefined) for (const measured of run.scenes) print(measured)
}

async function measureAll(options: Options): Promise<BenchRun> {
  const machine = watchMachine(root)
  const progress = progressBar()
  const at = { tree: root, script: await bundled(root) }
  const scenes: Measured[] = []
  for (const [k, scene] of options.scenes.entries()) {
    const measured = await measure(scene, entriesOf(scene, options, at), options, (text) => {
      progress.say(`${k + 1} of ${options.scenes.length}, ${text}`)
    })
    scenes.push(measured)
    progress.clear()
    if (!options.json && !options.docs) print(measured)
    // So that a run that is stopped has not run for nothing.
    if (options.save !== undefined) save(options.save, { machine: machine.close(), quick: options.quick, scenes })
  }
  const run = { machine: machine.close(), quick: options.quick, scenes }
  if (!options.json) console.log(`\n${machineText(run.machine)}`)
  return run
}

async function measure(
  scene: BenchScene,
  entries: readonly Entry[],
  options: Options,
  progress: (text: string) => void,
): Promise<Measured> {
  const samples = options.quick ? (scene.quick ?? scene.samples) : scene.samples
  return { scene: scene.name, outcomes: await contest(scene, entries, samples, progress) }
}

function print({ scene, outcomes }: Measured): void {
  console.log(`\n${sceneTable(sceneNamed(scene), outcomes)}`)
}

function save(file: string, run: BenchRun): void {
  writeFileSync(file, `${JSON.stringify(run, null, 1)}\n`)
}
