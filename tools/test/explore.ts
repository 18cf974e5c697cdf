/**
 * Runs tests that draw at random with one free seed after another, for as long as it is told to:
 * `npm run explore -- [--minutes N] [PATH…]`. Ends with the seeds that failed, and how each is run again.
 */

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { optionsOf, refuse } from '../options.js'
import { trackedFiles } from './affected.js'

/** Files that are run with one seed: few, so that the end comes in time. */
const FILES = 8
/** Words of a test that draws at random. */
const DRAWS = /\b(SEED|fast-check)\b/

interface Failure {
  seed: number
  file: string
  name: string
}

const USAGE = 'npm run explore -- [--minutes N] [PATH…]'
const { counts, paths } = optionsOf('explore', {
  usage: USAGE,
  counts: { minutes: { least: 1, otherwise: 10 } },
  paths: true,
})
const end = Date.now() + 60_000 * (counts.minutes ?? 0)

function drawingFiles(): string[] {
  return trackedFiles()
    .filter((path) => path.endsWith('.test.ts') && (paths.length === 0 || paths.some((part) => path.includes(part))))
    .filter((path) => DRAWS.test(readFileSync(path, 'utf8')))
}

/** Tests of some files that fail with a seed. */
function failuresOf(files: readonly string[], seed: number): Failure[] {
  const folder = mkdtempSync(join(tmpdir(), 'explore-'))
  const output = join(folder, 'result.json')
  const reporters = ['--reporter=json', `--outputFile=${output}`]
  const { status, stderr } = spawnSync('npx', ['vitest', 'run', '--mode', 'all', ...reporters, ...files], {
    env: { ...process.env, FC_SEED: String(seed) },
    encoding: 'utf8',
    shell: process.platform === 'win32',
  })
  try {
    const { testResults } = JSON.parse(readFileSync(output, 'utf8')) as {
      testResults: { name: string; status: string; assertionResults: { status: string; fullName: string }[] }[]
    }
    return testResults
      .filter((file) => file.status === 'failed')
      .flatMap(({ name, assertionResults }) => {
        const failed = assertionResults.filter((test) => test.status === 'failed').map(({ fullName }) => fullName)
        const file = relative(process.cwd(), name)
        return (failed.length === 0 ? ['(does not load)'] : failed).map((test) => ({ seed, file, name: test }))
      })
  } catch (error) {
    if (status === 0) throw error
    return [{ seed, file: files.join(' '), name: stderr.trim().split('\n')[0] }]
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const all = drawingFiles()
if (all.length === 0) refuse('explore', USAGE, `PATH must have tests that draw at random, got ${paths.join(' ')}`)
console.log(`${all.length} files, for ${counts.minutes} min`)
const failures: Failure[] = []
let runs = 0
for (let at = 0; runs === 0 || Date.now() < end; at = (at + FILES) % all.length) {
  const files = all.slice(at, at + FILES)
  const seed = Math.floor(2 ** 31 * Math.random())
  const found = failuresOf(files, seed)
  runs++
  failures.push(...found)
  console.log(`seed ${seed}: ${files.length} files, ${found.length} failed`)
}
for (const { seed, file, name } of failures) {
  console.log(`\n${file}: ${name}\n  FC_SEED=${seed} npx vitest run --mode all ${file}`)
}
console.log(`\n${runs} seeds, ${failures.length} tests failed`)
process.exitCode = failures.length > 0 ? 1 : 0
