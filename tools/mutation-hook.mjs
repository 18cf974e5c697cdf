/**
 * Sources other than those on the disk, for a process and what it starts: `NODE_OPTIONS=--import=…/mutation-hook.mjs`, before tsx.
 *   MUTATION_SOURCES  JSON file: texts by path
 */

import { readFileSync } from 'node:fs'
import { register } from 'node:module'
import { pathToFileURL } from 'node:url'

const stuck = () => {
  throw new Error('the mutant makes far more passes of loops than the original')
}
/** What switchable sources read and write: see `switchable` in mutants.ts. */
globalThis.__mutation = {
  __hit: new Uint8Array(100_000),
  __active: Int32Array.of(-1),
  __fuel: Float64Array.of(Infinity),
  __stuck: stuck,
}

const texts = JSON.parse(readFileSync(process.env.MUTATION_SOURCES, 'utf8'))
const byUrl = Object.fromEntries(Object.entries(texts).map(([path, text]) => [pathToFileURL(path).href, text]))

register('./mutation-load.mjs', import.meta.url, { data: byUrl })
