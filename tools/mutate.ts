/**
 * Mutation testing: `npm run mutate -- PATH… [--count 300] [--seed 1] [--budget 20] [--json]`.
 *
 * A PATH that is a file of tests is none of sources: then only such tests are run.
 *
 * Of all small changes of the sources below PATH (`mutants.ts`) a sample is drawn. All of them are put into the sources at once, each
 * behind a switch, in memory; the unit tests are run once, and each test again over every mutant that it reaches and that still lives,
 * as long as the tests of that mutant have not taken the budget [s]: what they let live is alive, though slower tests might have killed
 * it. A mutant that makes more than ten times the passes of loops counts as killed, and is named so. What is read once, as a file is
 * loaded, cannot be switched: each such mutant has runs of its own. `--named` runs the mutants that `mutants.json` names instead, each
 * against the tests named with it. A run that was stopped goes on where it was, as long as sources, tests and options are the same. Exit status 1 below a score of 85 %, or where a named
 * one lives; 2 when the call is wrong.
 */

import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Mutant, mutantsOf, switchable } from './mutants.js'
import {
  fileOf,
  type Found,
  noteAlone,
  type Outcome,
  type Reached,
  ROOT,
  run,
  runSwitched,
  type Sources,
} from './mutation-runs.js'
import { optionsOf, refuse } from './options.js'

/** A run of one mutant may take this, and so often the time of its tests [ms]. */
const PATIENCE = 90_000
const SLOWER = 10
/** What a test takes at least, besides its own time [s]. */
const LEAST_TIME = 1e-3
/** What the issue asks for. */
const ASKED = 0.85
/** Whose tests run what is in core, besides its own. */
const USERS_OF_CORE = ['packages/core', 'packages/constraints', 'packages/collision', 'packages/assemblies']

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

const sourceOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8')
const listed = JSON.parse(readFileSync(join(ROOT, 'tools/mutants.json'), 'utf8')) as {
  named: Named[]
  survivors: Survivor[]
}

/** A source with one change for good. */
function changed(file: string, start: number, end: number, replacement: string): Map<string, string> {
  const text = sourceOf(file)
  return new Map([[file, text.slice(0, start) + replacement + text.slice(end)]])
}

/** Named mutants: those that live, and those whose tests fail without them or whose place is gone. */
async function runNamed(): Promise<{ killed: number; faults: string[] }> {
  const faults: string[] = []
  let killed = 0
  const tests = [...new Set(listed.named.flatMap((mutant) => mutant.tests))]
  const names = listed.named.map(({ name }) => name).join('|')
  if ((await run(tests, new Map(), 4 * PATIENCE, ['-t', names])) !== 'passes') {
    return { killed, faults: ['the tests fail without any mutant'] }
  }
  for (const { what, file, find, replacement, tests: own, name } of listed.named) {
    const start = sourceOf(file).indexOf(find)
    if (start < 0) faults.push(`${what}: ${file} has no such place`)
    else if (
      (await run(own, changed(file, start, start + find.length, replacement), PATIENCE, ['-t', name])) === 'passes'
    )
      faults.push(`${what}: lives`)
    else killed++
  }
  return { killed, faults }
}

/** A mutant as people read it. */
interface Described {
  at: string
  text: string
  reason: string
}

function described({ file, line, start, end, replacement }: Mutant): Described {
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

/** Sources below a path, from the root; none where there are none. */
function sourcesBelow(path: string): string[] {
  if (!existsSync(join(ROOT, path))) return []
  if (statSync(join(ROOT, path)).isFile()) return path.endsWith('.ts') ? [path] : []
  const names = readdirSync(join(ROOT, path), { recursive: true, encoding: 'utf8' })
  return names.filter((name) => name.endsWith('.ts')).map((name) => join(path, name))
}

const packageOf = (file: string): string => file.split('/').slice(0, 2).join('/')

/** Unit tests of the packages of some sources, the smallest first. */
function testsFor(files: readonly string[]): string[] {
  const packages = new Set(
    files.flatMap((file) => (packageOf(file) === 'packages/core' ? USERS_OF_CORE : [packageOf(file)])),
  )
  const isUnit = (test: string): boolean => test.endsWith('.test.ts') && !test.includes('/test/scenes/')
  const tests = [...packages].flatMap((folder) => sourcesBelow(`${folder}/test`).filter(isUnit))
  return tests.sort((a, b) => statSync(join(ROOT, a)).size - statSync(join(ROOT, b)).size || (a < b ? -1 : 1))
}

interface Result {
  all: number
  sampled: number
  killed: number
  score: number
  /** Of those that were killed: that made too many passes, or did not come back. */
  endless: number
  survivors: Described[]
}

async function runSample(paths: readonly string[], count: number, seed: number, budget: number): Promise<Result> {
  const isTest = (path: string): boolean => path.endsWith('.test.ts')
  const files = [...new Set(paths.filter((path) => !isTest(path)).flatMap(sourcesBelow))].sort()
  const all = files.flatMap((file) => mutantsOf(file, sourceOf(file)))
  const drawn = sampleOf(all, count, seed)
  const named = paths.filter(isTest)
  const tests = named.length > 0 ? named : testsFor(files)

  // Loops of all that the tests run are counted, wherever the mutant is.
  const sources = new Map(
    [
      ...new Set([...files, ...[...new Set(tests.map(packageOf))].flatMap((folder) => sourcesBelow(`${folder}/src`))]),
    ].map((file) => {
      const own = new Map([...drawn.entries()].filter(([, mutant]) => mutant.file === file))
      return [file, switchable(file, sourceOf(file), own)]
    }),
  )
  const journal = journalOf(drawn, sources, tests, budget)
  const numbers = [...drawn.keys()].filter((k) => drawn[k].form !== 'load')
  const found = await runSwitched(
    tests,
    sources,
    numbers,
    (alive, reached) => chosenOf(alive, reached, budget),
    journal,
    say,
  )
  for (const test of found.broken) console.error(`not used, as it fails over the sources as they are: ${test}`)

  const unfit = new Set([...found.broken].map(fileOf))
  const usable = tests.filter((test) => !unfit.has(test)).sort((a, b) => timeOf(found, a) - timeOf(found, b))
  for (const [k, mutant] of drawn.entries()) {
    if (mutant.form !== 'load' || found.alone.has(k)) continue
    say(`alone: ${mutant.file}:${mutant.line}`)
    const own = usable.filter((test) => packageOf(test) === packageOf(mutant.file))
    found.alone.set(k, await runAlone(mutant, within(own, budget, found), found, journal, k))
  }
  const how = (k: number): string | undefined => found.alone.get(k) ?? found.killed.get(k)?.how
  drawn.forEach((mutant, k) => {
    const { at, text } = described(mutant)
    const killer = found.killed.get(k)?.by ?? 'its own run'
    const fate = how(k) ?? 'passes'
    const by = fate === 'passes' ? `LIVES (${found.reached.get(k) ?? 0} tests reach it)` : `${fate} in ${killer}`
    console.error(`${k + 1}/${drawn.length} ${at} ${text}: ${by}`)
  })
  const survivors = drawn.filter((_, k) => (how(k) ?? 'passes') === 'passes')
  const killed = drawn.length - survivors.length
  return {
    all: all.length,
    sampled: drawn.length,
    killed,
    score: killed / drawn.length,
    endless: [...drawn.keys()].filter((k) => how(k) === 'endless' || how(k) === 'timeout').length,
    survivors: survivors.map(described),
  }
}

/** Where the run is noted: the same for the same sources, tests and options. */
function journalOf(drawn: readonly Mutant[], sources: Sources, tests: readonly string[], budget: number): string {
  const hash = createHash('sha256').update(JSON.stringify([drawn, [...sources], tests.map(sourceOf), budget]))
  const folder = join(ROOT, 'node_modules/.cache/tautline-mutation')
  mkdirSync(folder, { recursive: true })
  return join(folder, `${hash.digest('hex').slice(0, 16)}.jsonl`)
}

/**
 * Tests by mutant, as many as the budget [s] allows: those first that take little time and reach little else, and not many of one file.
 * Returned by test.
 */
function chosenOf(mutants: readonly number[], reached: readonly Reached[], budget: number): Record<string, number[]> {
  const chosen: Record<string, number[]> = {}
  for (const k of mutants) {
    const byFile = new Map<string, Reached[]>()
    for (const test of reached) {
      if (!test.reached.includes(k)) continue
      const file = fileOf(test.test)
      byFile.set(file, [...(byFile.get(file) ?? []), test])
    }
    const cost = ({ time, reached: others }: Reached): number => (time + LEAST_TIME) * others.length
    const queues = [...byFile.values()].map((tests) => ({ tests: tests.sort((a, b) => cost(a) - cost(b)), taken: 0 }))
    for (let sum = 0; ;) {
      let best: (typeof queues)[number] | undefined
      let least = Infinity
      for (const queue of queues) {
        if (queue.taken === queue.tests.length) continue
        const price = cost(queue.tests[queue.taken]) * (1 + queue.taken)
        if (price < least) [least, best] = [price, queue]
      }
      if (best === undefined) break
      const { test, time } = best.tests[best.taken++]
      sum += time
      if (sum > budget && sum > time) break
      ;(chosen[test] ??= []).push(k)
    }
  }
  return chosen
}

/** Time of a file of tests [s]. */
const timeOf = ({ times }: Found, test: string): number => times.get(test) ?? 0

/** The first of some tests, as many as the budget [s] allows. */
function within(tests: readonly string[], budget: number, found: Found): string[] {
  let sum = 0
  return tests.filter((test, k) => (sum += timeOf(found, test)) <= budget || k === 0)
}

async function runAlone(
  { file, start, end, replacement }: Mutant,
  tests: readonly string[],
  found: Found,
  journal: string,
  k: number,
): Promise<Outcome> {
  const time = tests.reduce((sum, test) => sum + 1000 * timeOf(found, test), 0)
  const outcome = await run(tests, changed(file, start, end, replacement), PATIENCE + SLOWER * time)
  noteAlone(journal, k, outcome)
  return outcome
}

function say(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${text}\x1b[K`)
}

const USAGE =
  'npm run mutate -- PATH… [--count 300] [--seed 1] [--budget 20] [--json], or npm run mutate -- --named [--json]'
const { counts, flags, paths } = optionsOf('mutate', {
  usage: USAGE,
  counts: {
    count: { least: 1, otherwise: 300 },
    seed: { least: 0, otherwise: 1 },
    budget: { least: 1, otherwise: 20 },
  },
  flags: ['json', 'named'],
  paths: true,
})

if (flags.named) {
  const { killed, faults } = await runNamed()
  const named = listed.named.length
  if (flags.json) console.log(JSON.stringify({ named, killed, faults }))
  else console.log(`${killed} of ${named} named mutants killed${faults.map((fault) => `\n  ${fault}`).join('')}`)
  process.exitCode = killed === named ? 0 : 1
} else {
  if (paths.length === 0) refuse('mutate', USAGE, 'PATH must be given, got none')
  for (const path of paths) {
    if (sourcesBelow(path).length === 0) {
      refuse('mutate', USAGE, `PATH must have sources below it, from the root of the project, got ${path}`)
    }
  }
  const { count = 0, seed = 0, budget = 0 } = counts
  const result = await runSample(paths, count, seed, budget)
  const { all, sampled, killed, score, endless, survivors } = result
  if (flags.json) console.log(JSON.stringify(result))
  else {
    const share = (100 * score).toFixed(1)
    console.log(`${killed} of ${sampled} mutants killed (of ${all}, seed ${seed}), ${endless} as endless: ${share} %`)
    for (const { at, text, reason } of survivors) console.log(`  ${at}  ${text}: ${reason}`)
  }
  process.exitCode = score >= ASKED ? 0 : 1
}
