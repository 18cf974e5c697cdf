/**
 * This checkout beside another revision of itself: `npm run bench:compare -- REV`, see HELP. The scenes are those of this checkout; the packages are those
 * of the revision, in a checkout of its own that is gone afterwards. Both run by turns, a process each.
 */

import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { bundled } from './harness/bundle.js'
import { checkout } from './harness/checkout.js'
import { contest, type Outcome } from './harness/contest.js'
import { difference, differenceTable, FLAG } from './harness/difference.js'
import { machineText, watchMachine } from './harness/machine.js'
import { OPTIONS, type Options, readOptions } from './harness/options.js'
import { progressBar } from './harness/progress.js'
import type { BenchScene } from './harness/scene.js'
import { SCENES } from './scenes/index.js'

const HELP = `npm run bench:compare -- REV [options]      this checkout beside the packages of a revision

  --scene NAME,…     those scenes only, or all whose names begin so; left out: ${defaults().join(', ')}
  --work N,…         those settings only, instead of the usual
  --quick            fewer steps
  --json             as JSON

Flags what differs by more than ${100 * FLAG} % in the middle of the rounds. Exit status 1 where something is slower by more. Let nothing else run.
`

const root = fileURLToPath(new URL('..', import.meta.url))
const { help, json, quick, scene, work } = OPTIONS
const { values, positionals } = parseArgs({ allowPositionals: true, options: { help, json, quick, scene, work } })

if (values.help === true || positionals.length !== 1) {
  console.log(HELP)
  process.exitCode = values.help === true ? 0 : 2
} else {
  const chosen = readOptions({ scene: defaults().join(','), ...values }, SCENES)
  await compare(positionals[0], chosen)
}

/** What a change is likely to show in: one of each family, none of which takes long. */
function defaults(): string[] {
  return [
    'chain-1000',
    'grid',
    'ragdolls-10',
    'figures-1-15',
    'pyramid',
    'cloth-32',
    'drape-50',
    'soft-cube',
    'ik-20',
    'snapshot-heap',
    'set-up',
  ]
}

async function compare(revision: string, options: Options): Promise<void> {
  const other = checkout(root, revision)
  const machine = watchMachine(root)
  const progress = progressBar()
  try {
    const scripts = [await bundled(root), await bundled(other.tree)]
    const differences = []
    for (const [k, scene] of options.scenes.entries()) {
      const samples = options.quick ? (scene.quick ?? scene.samples) : scene.samples
      const entries = ownOf(scene, options).flatMap((entry) => [
        { ...entry, tree: root, script: scripts[0] },
        { ...entry, tree: other.tree, script: scripts[1] },
      ])
      const outcomes = await contest(scene, entries, samples, (text) => {
        progress.say(`${k + 1} of ${options.scenes.length}, ${text}`)
      })
      progress.clear()
      for (let pair = 0; pair < outcomes.length; pair += 2) {
        differences.push(difference(scene.name, outcomes[pair], outcomes[pair + 1]))
      }
    }
    if (options.json) console.log(JSON.stringify({ revision, machine: machine.close(), differences }, null, 1))
    else console.log(`${differenceTable(revision, differences)}\n\n${machineText(machine.close())}`)
    if (differences.some(({ flag }) => flag === 'slower' || flag === 'failed')) process.exitCode = 1
  } finally {
    other.remove()
  }
}

/** Our own contenders of a scene. */
function ownOf({ contenders }: BenchScene, { works }: Options): Pick<Outcome, 'engine' | 'work' | 'isUsual'>[] {
  return contenders
    .filter(({ engine }) => engine.startsWith('tautline'))
    .flatMap(({ engine, usual }) => (works ?? usual).map((work) => ({ engine, work, isUsual: true })))
}
