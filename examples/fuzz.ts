/**
 * Fuzzing: `npm run fuzz -- [--seconds N] [--scenes N] [--files N] [--seed S]`. Random scenes with edits, wrong calls, extreme numbers,
 * snapshots and JSON, and mutated files, for so many seconds (60), or so many scenes and files, which is the same each time for a seed.
 * Prints what was done and, for each failure, the smallest script that shows it: save it in `examples`, and run it by
 * `npx tsx --conditions=@tautline/source FILE`. Exit status 1 when there was one, 2 when the call is wrong.
 */

import { parseArgs } from 'node:util'
import { counts, fuzz, type FuzzOptions } from './fuzz/fuzz.js'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string' },
    scenes: { type: 'string' },
    files: { type: 'string' },
    seed: { type: 'string', default: '1' },
  },
})

function count(name: 'seconds' | 'scenes' | 'files' | 'seed'): number | undefined {
  const text = values[name]
  if (text === undefined) return undefined
  const value = Number(text)
  if (Number.isInteger(value) && value >= 0) return value
  console.error(`fuzz: ${name} must be a whole number >= 0, got ${text}`)
  process.exit(2)
}

const options: FuzzOptions = {
  seed: count('seed') ?? 1,
  seconds: count('seconds'),
  scenes: count('scenes'),
  files: count('files'),
}
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
