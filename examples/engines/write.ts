/** Writes hashes.json anew, from V8: after a change that was meant to change what moves. */

import { writeFileSync } from 'node:fs'
import { bundle, ENGINES } from './engines.js'
import { engineScenes } from './scenes.js'

const hashes: Record<string, Record<string, string>> = {}
for (const steps of [60, 600]) {
  const output = await ENGINES[0].output(await bundle(engineScenes(), steps))
  const lines = output
    .trim()
    .split('\n')
    .map((line) => line.split(' '))
  hashes[steps] = Object.fromEntries(lines) as Record<string, string>
}
writeFileSync(new URL('hashes.json', import.meta.url), `${JSON.stringify(hashes, null, 2)}\n`)
