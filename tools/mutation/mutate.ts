/**
 * Mutation testing by Stryker: `npm run mutate -- PATH… [--lines N] [--seed 1] [--json]`.
 *
 * Mutates the sources below each PATH and runs the unit tests that import them, or only the files of tests among the PATHs. `--lines`
 * draws N lines at random and mutates only these. Sources are changed in a copy of the repository. Exit status 1 below a score of 85 %,
 * 2 when the call is wrong.
 */

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { optionsOf, refuse } from '../options.js'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** The lowest score that passes. */
const ASKED = 0.85
const USAGE = 'npm run mutate -- PATH… [--lines N] [--seed 1] [--json]'

/** TypeScript files below a path, from the root. */
function filesBelow(path: string): string[] {
  if (!existsSync(join(ROOT, path))) return []
  if (statSync(join(ROOT, path)).isFile()) return path.endsWith('.ts') ? [path] : []
  const names = readdirSync(join(ROOT, path), { recursive: true, encoding: 'utf8' })
  return names.filter((name) => name.endsWith('.ts')).map((name) => join(path, name))
}

/** Numbers in [0, 1) that depend on the seed alone (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Lines drawn from the code of some files, as ranges that Stryker reads. */
function drawLines(files: readonly string[], count: number, seed: number): string[] {
  const lines = files.flatMap((file) =>
    readFileSync(join(ROOT, file), 'utf8')
      .split('\n')
      .flatMap((text, k) => (/^\s+[^\s/*]/.test(text) ? [`${file}:${k + 1}-${k + 1}`] : [])),
  )
  const random = randomOf(seed)
  return Array.from(
    { length: Math.min(count, lines.length) },
    () => lines.splice(Math.floor(random() * lines.length), 1)[0],
  )
}

const { counts, flags, paths } = optionsOf('mutate', {
  usage: USAGE,
  counts: { lines: { least: 1 }, seed: { least: 0, otherwise: 1 } },
  flags: ['json'],
  paths: true,
})
const isTest = (path: string): boolean => path.endsWith('.test.ts')
for (const path of paths) {
  if (filesBelow(path).length === 0) {
    refuse('mutate', USAGE, `PATH must have sources below it, from the root of the project, got ${path}`)
  }
}
const sources = [...new Set(paths.filter((path) => !isTest(path)).flatMap(filesBelow))].sort()
if (sources.length === 0) refuse('mutate', USAGE, 'PATH must name sources, got none')
const testFiles = paths.filter(isTest)

process.chdir(ROOT)
// Loaded when the call is right: `npm test` does not install it.
const { Stryker } = await import('@stryker-mutator/core')
const results = await new Stryker({
  mutate: counts.lines === undefined ? sources : drawLines(sources, counts.lines, counts.seed ?? 1),
  testRunner: 'vitest',
  plugins: [fileURLToPath(import.meta.resolve('@stryker-mutator/vitest-runner'))],
  vitest: { configFile: 'tools/mutation/vitest.config.ts', related: testFiles.length === 0 },
  ...(testFiles.length > 0 ? { testFiles } : {}),
  coverageAnalysis: 'perTest',
  concurrency: 2,
  timeoutMS: 1000,
  // The first run, over all tests that import the sources, may take long.
  dryRunTimeoutMinutes: 60,
  // Not below node_modules, where vitest finds no related tests.
  tempDirName: 'coverage/stryker',
  reporters: flags.json ? [] : ['progress', 'clear-text'],
  clearTextReporter: { logTests: false },
  logLevel: flags.json ? 'off' : 'info',
} as ConstructorParameters<typeof Stryker>[0]).runMutationTest()

const valid = results.filter(({ status }) => status !== 'CompileError' && status !== 'RuntimeError')
const timeouts = valid.filter(({ status }) => status === 'Timeout').length
const survivors = valid.filter(({ status }) => status !== 'Killed' && status !== 'Timeout')
const killed = valid.length - survivors.length
const score = killed / valid.length
if (flags.json) {
  console.log(
    JSON.stringify({
      mutants: valid.length,
      killed,
      timeouts,
      score,
      survivors: survivors.map(({ fileName, location, mutatorName, replacement, status }) => ({
        at: `${relative(ROOT, fileName)}:${location.start.line}`,
        text: `${mutatorName} → ${(replacement ?? '').replace(/\s+/g, ' ').slice(0, 80)}${status === 'NoCoverage' ? ', reached by no test' : ''}`,
      })),
    }),
  )
}
process.exitCode = score >= ASKED ? 0 : 1
