// Installs what a command needs and what is missing: `node tools/setup.mjs start`, `test`, …, or everything. Runs before the commands of
// package.json. Plain JavaScript on Node alone, because nothing is installed yet. Everything it says goes to stderr, so that
// `npm run --silent demo -- --json` writes JSON and nothing else to stdout.
import { join } from 'node:path'
import { install } from './setup/install.mjs'
import { lock } from './setup/lock.mjs'
import { COMMANDS, PARTS, partsOf } from './setup/parts.mjs'
import { missingParts, readState, root, writeState } from './setup/state.mjs'

const names = process.argv.slice(2)
const unknown = names.find((name) => !(name in COMMANDS || name in PARTS))
if (unknown !== undefined) {
  const known = [...Object.keys(COMMANDS), ...Object.keys(PARTS)].join(', ')
  console.error(`set-up: arguments must be among ${known}, got ${unknown}`)
  process.exit(2)
}

const wanted = partsOf(names)
if (missingParts(wanted).length > 0) {
  const release = await lock(join(root, 'node_modules/.cache/tautline-setup.lock'))
  try {
    process.exitCode = await setUp()
  } finally {
    release()
  }
}

/** Installs the missing parts; returns the exit status. Another command may have installed them while this one waited. */
async function setUp() {
  const missing = missingParts(wanted)
  if (missing.length === 0) return 0
  const { parts } = readState()
  writeState({ inputs: '', parts }) // an install that fails may leave half of it
  const all = Object.keys(PARTS).filter((part) => parts.includes(part) || missing.includes(part))
  const fresh = missing.filter((part) => !parts.includes(part))
  const status = await install(all, fresh)
  if (status === 0) writeState({ parts: all })
  return status
}
