/** Runs tests over changed sources: one that is changed for good, or all mutants of a sample in one run. */

import { spawn } from 'node:child_process'
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Entry, Plan } from './mutation-runner.js'

export const ROOT: string = fileURLToPath(new URL('..', import.meta.url))
const VITEST = [
  'node_modules/vitest/vitest.mjs',
  'run',
  '--config',
  'tools/mutation.vitest.config.ts',
  '--maxWorkers=1',
]
/** What the journal does not grow in is ended [ms]: a test and a mutant that get nowhere without a loop of ours. */
const PATIENCE = 240_000
/** How often the journal is looked at [ms]. */
const LOOK = 2000

const folder = mkdtempSync(join(tmpdir(), 'tautline-mutation-'))
/** The group of processes that runs tests at present. */
let running: number | undefined
const stop = (): void => {
  if (running !== undefined) process.kill(-running, 'SIGKILL')
}
process.once('exit', () => {
  stop()
  rmSync(folder, { recursive: true, force: true })
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(2))

export type Outcome = 'passes' | 'fails' | 'timeout'

/** Source texts by path from the root. */
export type Sources = ReadonlyMap<string, string>

function start(tests: readonly string[], sources: Sources, env: object, more: readonly string[]): Promise<boolean> {
  const texts = join(folder, 'sources.json')
  writeFileSync(texts, JSON.stringify(Object.fromEntries([...sources].map(([file, text]) => [join(ROOT, file), text]))))
  const child = spawn(process.execPath, [...VITEST, ...more, ...tests], {
    cwd: ROOT,
    stdio: 'ignore',
    detached: true,
    env: {
      ...process.env,
      FC_SEED: process.env['FC_SEED'] ?? '20261121',
      NODE_OPTIONS: `--import=${join(ROOT, 'tools/mutation-hook.mjs')}`,
      MUTATION_SOURCES: texts,
      MUTATION_TESTS: tests.join(','),
      ...env,
    },
  })
  running = child.pid
  return new Promise((resolve) => {
    child.once('exit', (code) => {
      running = undefined
      resolve(code === 0)
    })
  })
}

/** Runs test files, until one fails. What takes longer than `timeout` [ms] is ended with all that it has started. */
export async function run(
  tests: readonly string[],
  sources: Sources,
  timeout: number,
  more: readonly string[] = [],
): Promise<Outcome> {
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    stop()
  }, timeout)
  const passes = await start(tests, sources, {}, ['--bail', '1', '--no-isolate', ...more])
  clearTimeout(timer)
  return passes ? 'passes' : isLate ? 'timeout' : 'fails'
}

/** What one run over all mutants of a sample has found. */
export interface Found {
  /** By number of the mutant: which test, and how. */
  readonly killed: Map<number, { readonly by: string; readonly how: 'fails' | 'endless' | 'timeout' }>
  /** Of those that had runs of their own. */
  readonly alone: Map<number, Outcome>
  /** How many tests reach each. */
  readonly reached: Map<number, number>
  /** Tests that cannot be used: they fail over the sources as they are, or after a mutant. */
  readonly broken: Set<string>
  /** Time of the files of tests, over the sources as they are [s]. */
  readonly times: Map<string, number>
}

function read(journal: string, chosen: boolean): { entries: Entry[]; done: Set<string> } {
  const entries = readFileSync(journal, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Entry)
  return {
    entries,
    done: new Set(entries.flatMap((entry) => ('file' in entry && entry.chosen === chosen ? [entry.file] : []))),
  }
}

/**
 * Runs test files over switchable sources: first as they are, which tells what each test reaches, then each test over the mutants that
 * `choose` gives it. A process that stands still, or dies, has met a mutant that does not come back: it is killed, and the rest goes on
 * without it. `journal` is where an earlier run stopped, or will be.
 */
export async function runSwitched(
  tests: readonly string[],
  sources: Sources,
  mutants: readonly number[],
  choose: (alive: readonly number[], reached: readonly Reached[]) => Record<string, number[]>,
  journal: string,
  tell: (text: string) => void,
): Promise<Found> {
  if (!existsSync(journal)) writeFileSync(journal, '')
  const lost = await runThrough(tests, sources, { chosen: null, mutants, journal }, tell)
  const { entries } = read(journal, false)
  const killed = new Set(entries.flatMap((entry) => ('killed' in entry ? [entry.killed] : [])))
  const alive = mutants.filter((k) => !killed.has(k))
  const chosen = choose(
    alive,
    entries.flatMap((entry) => ('reached' in entry ? [entry] : [])),
  )
  const needed = new Set(Object.keys(chosen).map(fileOf))
  const rest = tests.filter((test) => needed.has(test) && !lost.has(test))
  const stuck = await runThrough(rest, sources, { chosen, mutants, journal }, tell)
  return found(read(journal, true).entries, new Set([...lost, ...stuck]))
}

/** Which mutants a test reaches, and its time [s]. */
export interface Reached {
  readonly test: string
  readonly time: number
  readonly reached: readonly number[]
}

/** The file of a test by its name. */
export const fileOf = (test: string): string => test.split(' > ')[0]

/** Runs files of tests one after the other, as often as it takes; gives those that could not be run to their end. */
async function runThrough(
  tests: readonly string[],
  sources: Sources,
  plan: Plan,
  tell: (text: string) => void,
): Promise<Set<string>> {
  const { journal } = plan
  const isDone = (): Set<string> => read(journal, plan.chosen !== null).done
  const path = join(folder, 'plan.json')
  writeFileSync(path, JSON.stringify(plan))
  const lost = new Set<string>()
  for (;;) {
    const done = isDone()
    const rest = tests.filter((test) => !done.has(test) && !lost.has(test))
    if (rest.length === 0) return lost
    let seen = statSync(journal).size
    let since = Date.now()
    const timer = setInterval(() => {
      const { size } = statSync(journal)
      if (size !== seen) [seen, since] = [size, Date.now()]
      else if (Date.now() - since > PATIENCE) stop()
      tell(`${seen} bytes of journal`)
    }, LOOK)
    await start(rest, sources, { MUTATION_PLAN: path }, [])
    clearInterval(timer)
    const [next] = rest.filter((test) => !isDone().has(test))
    if (next === undefined) continue
    const last = read(journal, true)
      .entries.filter((entry) => 'starts' in entry && entry.starts.startsWith(next))
      .at(-1)
    if (last === undefined || !('starts' in last) || last.mutant < 0) lost.add(next)
    else {
      const entry: Entry = { killed: last.mutant, by: last.starts, how: 'timeout' }
      appendFileSync(journal, `${JSON.stringify(entry)}\n`)
    }
  }
}

function found(entries: readonly Entry[], lost: ReadonlySet<string>): Found {
  const result: Found = {
    killed: new Map(),
    alone: new Map(),
    reached: new Map(),
    broken: new Set(lost),
    times: new Map(),
  }
  const { killed, alone, reached, broken, times } = result
  for (const entry of entries) {
    if ('killed' in entry) killed.set(entry.killed, { by: entry.by, how: entry.how })
    else if ('alone' in entry) alone.set(entry.alone, entry.outcome)
    else if ('broken' in entry) broken.add(entry.broken)
    else if ('reached' in entry) {
      for (const k of entry.reached) reached.set(k, (reached.get(k) ?? 0) + 1)
      const file = fileOf(entry.test)
      times.set(file, (times.get(file) ?? 0) + entry.time)
    }
  }
  return result
}

/** Notes what came of a run of its own. */
export function noteAlone(journal: string, k: number, outcome: Outcome): void {
  const entry: Entry = { alone: k, outcome }
  appendFileSync(journal, `${JSON.stringify(entry)}\n`)
}
