/**
 * Runs the tests that a change affects: those of the folders that it touches, and of every folder whose files import from these.
 * `npm run test:changed -- [--base REVISION] [--list] [VITEST OPTIONS]`; without a base, what differs from where main was left.
 */

import { execFileSync, spawnSync } from 'node:child_process'
import { refuse } from '../options.js'
import { affectedTests, importGraph, trackedFiles } from './affected.js'

const USAGE = 'npm run test:changed -- [--base REVISION] [--list] [VITEST OPTIONS]'
const args = process.argv.slice(2)

/** Takes an option and its value out of the arguments. */
function taken(name: string): string | undefined {
  const at = args.indexOf(name)
  if (at < 0) return undefined
  const [, value] = args.splice(at, 2)
  if (value === undefined) refuse('test:changed', USAGE, `${name} must have a value, got nothing`)
  return value
}

function git(...command: string[]): string {
  return execFileSync('git', command, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
}

function isRevision(name: string): boolean {
  try {
    git('rev-parse', '--verify', `${name}^{commit}`)
    return true
  } catch {
    return false
  }
}

/** The commit at which this branch left main. */
function branchPoint(): string {
  for (const main of ['origin/main', 'main', 'origin/master', 'master']) {
    try {
      return git('merge-base', 'HEAD', main)
    } catch {
      // There is no such branch.
    }
  }
  return 'HEAD'
}

const given = taken('--base')
if (given !== undefined && !isRevision(given)) {
  refuse('test:changed', USAGE, `--base must be a revision of this repository, got ${given}`)
}
const base = given ?? branchPoint()
const changed = [git('diff', '--name-only', base), git('ls-files', '--others', '--exclude-standard')]
  .flatMap((text) => text.split('\n'))
  .filter((path) => path !== '')
const paths = affectedTests(changed, importGraph(trackedFiles()))
const isList = args.includes('--list')
console.log(
  paths === 'all'
    ? `${changed.length} files changed since ${base.slice(0, 12)}, some of which concern every package`
    : `${changed.length} files changed since ${base.slice(0, 12)}: ${paths.length === 0 ? 'no tests' : paths.join(' ')}`,
)
if (!isList && paths.length > 0) {
  const { status } = spawnSync('npx', ['vitest', 'run', ...(paths === 'all' ? [] : paths), ...args], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  process.exitCode = status ?? 1
}
