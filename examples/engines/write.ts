/**
 * Writes the list of state hashes anew, from V8, and says what changed: after a change of the method, or of a scene. `npm run hashes`.
 */

import { bundle, ENGINES } from './engines.js'
import type { SceneRun } from './entry.js'
import { differences, LONG, parseRuns, scenesOf, SHORT, writeRecorded } from './recorded.js'

async function runFor(steps: number): Promise<SceneRun[]> {
  return parseRuns(await ENGINES[0].output(await bundle(scenesOf(steps), steps)))
}

const [short, long] = [await runFor(SHORT), await runFor(LONG)]
for (const [runs, steps] of [
  [short, SHORT],
  [long, LONG],
] as const) {
  for (const message of differences(runs, steps)) console.log(`${steps} steps: ${message}`)
}
writeRecorded(short, long)
console.log(`${short.length} scenes written`)
