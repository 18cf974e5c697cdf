/**
 * Fuzzing: `npm run fuzz -- [--seconds N] [--scenes N] [--files N] [--seed S]`. Random scenes with edits, wrong calls, extreme numbers,
 * snapshots and JSON, and mutated files, for so many seconds (60), or so many scenes and files, which is the same each time for a seed.
 * Prints what was done and, for each failure, the smallest script that shows it: save it in `examples`, and run it by
 * `npx tsx --conditions=@tautline/source FILE`. Exit status 1 when there was one, 2 when the call is wrong.
 */

import { optionsOf } from '../tools/options.js'
import { counts, fuzz, type FuzzOptions } from './fuzz/fuzz.js'

const { counts: given } = optionsOf('fuzz', {
  usage: 'npm run fuzz -- [--seconds 60] [--scenes N] [--files N] [--seed 1]',
  counts: { seconds: { least: 0 }, scenes: { least: 0 }, files: { least: 0 }, seed: { least: 0, otherwise: 1 } },
})
const { seconds, scenes, files, seed: first = 1 } = given
const options: FuzzOptions = { seed: first, seconds, scenes, files }
const result = await fuzz(
  options,
  (text) => {
    if (process.stderr.isTTY) process.stderr.write(`\r${text}   `)
  },
  ({ name }, seed) => console.error(`found with seed ${seed}: ${name}`),
)
if (process.stderr.isTTY) process.stderr.write('\r\x1b[K')

console.log(`seed ${options.seed}: ${counts(result)}`)
for (const { failure, seen, seed } of result.failures) {
  console.log(`\n## ${failure.kind}: ${failure.message}\n\nseen ${seen} times, first with seed ${seed}:\n`)
  console.log(failure.script)
}
process.exit(result.failures.length > 0 ? 1 : 0)
