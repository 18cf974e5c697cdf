/**
 * Mutation testing: `npm run mutate -- PATH… [--count 300] [--seed 1] [--budget 150] [--json]`.
 *
 * Of all small changes of the sources below PATH (`mutants.ts`) a sample is drawn; each is made in memory, and the unit tests that run the
 * changed function are run until one fails, the fastest first and for no longer than the budget [s]: what they let live is alive, though
 * slower tests might have killed it. A run that takes far too long counts as killed. Which tests run which function is found by running
 * those of the packages once, and kept below node_modules/.cache; `--trace` finds it anew. `--named` runs the mutants that `mutants.json` names
 * instead, each against the tests named with it. Exit status 1 below a score of 85 %, or where a named one lives.
 */

import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type Mutant, mutantsOf } from './mutants.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const cache = join(root, 'node_modules/.cache/tautline-mutation')
const VITEST = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'tools/mutation.vitest.config.ts']
/** A run may take this [ms], and so often its prediction. */
const PATIENCE = 20_000
const SLOWER = 4
/** What the issue asks for. */
const ASKED = 0.85

/** A test file: how long it takes [ms], and numbers of the functions it runs, by source. */
interface Traced {
  readonly test: string
  readonly time: number
  readonly functions: Readonly<Record<string, readonly number[]>>
}

interface Named {
  readonly what: string
  readonly file: string
  readonly find: string
  readonly replacement: string
  readonly tests: readonly string[]
  /** What the names of the tests must hold. */
  readonly name: string
}

interface Survivor {
  readonly file: string
  readonly text: string
  readonly replacement: string
  readonly reason: string
}

interface Change {
  readonly file: string
  readonly start: number
  readonly end: number
  readonly replacement: string
}

/** The group of processes that runs tests at present. */
let running: number | undefined
const stop = (): void => {
  if (running !== undefined) process.kill(-running, 'SIGKILL')
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    stop()
    process.exit(2)
  })
}

/** Runs test files; true where all pass. What takes longer than `timeout` [ms] is ended with all that it has started. */
function passes(
  tests: readonly string[],
  change: Change | null,
  timeout: number,
  more: readonly string[] = [],
): Promise<boolean> {
  const env = { ...process.env, MUTATION: JSON.stringify(change), FC_SEED: process.env['FC_SEED'] ?? '20261121' }
  const options = ['--bail', '1', '--maxWorkers=1', ...more, ...tests]
  const child = spawn(process.execPath, [...VITEST, ...options], { cwd: root, stdio: 'ignore', detached: true, env })
  running = child.pid
  const timer = setTimeout(stop, timeout)
  return new Promise((resolve) => {
    child.once('exit', (code) => {
      clearTimeout(timer)
      running = undefined
      resolve(code === 0)
    })
  })
}

/** What is known of the tests; found out by running those of the packages of `files` once, with marks in the sources, where `anew`. */
function traced(files: readonly string[], anew: boolean): Traced[] {
  if (anew || !existsSync(cache)) {
    rmSync(cache, { recursive: true, force: true })
    mkdirSync(cache, { recursive: true })
    const folders = new Set(files.map((file) => `${file.split('/').slice(0, 2).join('/')}/test`))
    console.error(`finding out which tests run what: ${[...folders].join(', ')}, once`)
    spawnSync(process.execPath, [...VITEST, ...folders], {
      cwd: root,
      stdio: 'ignore',
      env: { ...process.env, TRACE: cache },
    })
  }
  return readdirSync(cache).map((name) => JSON.parse(readFileSync(join(cache, name), 'utf8')) as Traced)
}

/** The tests of a mutant, the fastest first; those of a constant of a file are all that run any function of it. */
function testsOf({ file, within }: Mutant, known: readonly Traced[], budget: number): Traced[] {
  const able = known
    .filter(({ functions }) => (within < 0 ? (functions[file]?.length ?? 0) > 0 : functions[file]?.includes(within)))
    .sort((a, b) => a.time - b.time)
  let sum = 0
  return able.filter(({ time }, k) => (sum += time) <= 1000 * budget || k === 0)
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

function sampleOf<T>(all: readonly T[], count: number, seed: number): T[] {
  const rest = all.slice()
  const random = randomOf(seed)
  return Array.from(
    { length: Math.min(count, all.length) },
    () => rest.splice(Math.floor(random() * rest.length), 1)[0],
  )
}

/** Sources below a folder, from the root. */
function sourcesBelow(folder: string): string[] {
  const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
  return names.filter((name) => name.endsWith('.ts')).map((name) => join(folder, name))
}

const sourceOf = (file: string): string => readFileSync(join(root, file), 'utf8')
const listed = JSON.parse(readFileSync(join(root, 'tools/mutants.json'), 'utf8')) as {
  named: Named[]
  survivors: Survivor[]
}

/** Named mutants: those that live, and those whose tests fail without them or whose place is gone. */
async function runNamed(): Promise<{ killed: number; faults: string[] }> {
  const faults: string[] = []
  let killed = 0
  const tests = [...new Set(listed.named.flatMap((mutant) => mutant.tests))]
  const names = listed.named.map(({ name }) => name).join('|')
  if (!(await passes(tests, null, PATIENCE * SLOWER, ['-t', names]))) {
    return { killed, faults: ['the tests fail without any mutant'] }
  }
  for (const { what, file, find, replacement, tests: own, name } of listed.named) {
    const start = sourceOf(file).indexOf(find)
    if (start < 0) faults.push(`${what}: ${file} has no such place`)
    else if (await passes(own, { file, start, end: start + find.length, replacement }, PATIENCE, ['-t', name]))
      faults.push(`${what}: lives`)
    else killed++
  }
  return { killed, faults }
}

/** A mutant as people read it. */
function described({ file, line, start, end, replacement }: Mutant): { at: string; text: string; reason: string } {
  const text = sourceOf(file).split('\n')[line - 1].trim()
  const reason = listed.survivors.find(
    (s) => s.file === file && s.text === text && s.replacement === replacement,
  )?.reason
  const change = `${sourceOf(file).slice(start, end)} → ${replacement}`.replace(/\s+/g, ' ')
  return {
    at: `${file}:${line}`,
    text: `${change.slice(0, 80)} in ${text.slice(0, 120)}`,
    reason: reason ?? 'no reason noted',
  }
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    budget: { type: 'string', default: '150' },
    json: { type: 'boolean', default: false },
    named: { type: 'boolean', default: false },
    trace: { type: 'boolean', default: false },
  },
})

if (values.named) {
  const { killed, faults } = await runNamed()
  if (values.json) console.log(JSON.stringify({ named: listed.named.length, killed, faults }))
  else
    console.log(
      `${killed} of ${listed.named.length} named mutants killed${faults.map((fault) => `\n  ${fault}`).join('')}`,
    )
  process.exitCode = killed === listed.named.length ? 0 : 1
} else {
  const files = positionals.flatMap((path) => (path.endsWith('.ts') ? [path] : sourcesBelow(path)))
  if (files.length === 0) throw new RangeError(`mutate: PATH must have sources, got ${positionals.join(' ') || 'none'}`)
  const known = traced(files, values.trace)
  const all = files.sort().flatMap((file) => mutantsOf(file, sourceOf(file)))
  const drawn = sampleOf(all, Number(values.count), Number(values.seed))
  const alive: Mutant[] = []
  for (const [k, mutant] of drawn.entries()) {
    const tests = testsOf(mutant, known, Number(values.budget))
    const time = tests.reduce((sum, test) => sum + test.time, 0)
    const lives =
      tests.length === 0 ||
      (await passes(
        tests.map(({ test }) => test),
        mutant,
        PATIENCE + SLOWER * time,
      ))
    if (lives) alive.push(mutant)
    const { at, text } = described(mutant)
    console.error(`${k + 1}/${drawn.length} ${lives ? 'LIVES ' : 'killed'} ${at} ${text} (${tests.length} test files)`)
  }
  const killed = drawn.length - alive.length
  const score = killed / drawn.length
  const survivors = alive.map(described)
  if (values.json) console.log(JSON.stringify({ all: all.length, sampled: drawn.length, killed, score, survivors }))
  else {
    console.log(
      `${killed} of ${drawn.length} mutants killed (of ${all.length}, seed ${values.seed}): ${(100 * score).toFixed(1)} %`,
    )
    for (const { at, text, reason } of survivors) console.log(`  ${at}  ${text}: ${reason}`)
  }
  process.exitCode = score >= ASKED ? 0 : 1
}
