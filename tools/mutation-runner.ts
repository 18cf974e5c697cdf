/**
 * Before each test: the test over the sources as they are, which tells what it reaches, or over each of the mutants that were chosen for
 * it and that still live. Notes all of it in a journal, a line each, so that nothing is lost where the process has to be ended.
 */

import { appendFileSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { afterAll, beforeEach, expect, type RunnerTestCase as RunnerTask } from 'vitest'
import { getFn, getHooks, setFn } from 'vitest/suite'

/** What `mutate.ts` asks for. */
export interface Plan {
  /** Numbers of the mutants by test; `null`: it is to be found out which of `mutants` each reaches. */
  readonly chosen: Readonly<Record<string, readonly number[]>> | null
  readonly mutants: readonly number[]
  readonly journal: string
}

/** A line of the journal: what begins, so that it is known if it does not end, and what came of it. */
export type Entry =
  | { readonly starts: string; readonly mutant: number }
  | { readonly killed: number; readonly by: string; readonly how: 'fails' | 'endless' | 'timeout' }
  | { readonly test: string; readonly time: number; readonly reached: readonly number[] }
  | { readonly alone: number; readonly outcome: 'passes' | 'fails' | 'timeout' }
  | { readonly broken: string }
  | { readonly file: string; readonly chosen: boolean }

/** A mutant may make so many times the passes of loops of the original, and so many more. */
const SLOWER = 10
const MORE = 1e7

const plan = JSON.parse(readFileSync(process.env['MUTATION_PLAN'] ?? '', 'utf8')) as Plan
const { __hit, __active, __fuel } = (globalThis as unknown as { __mutation: Record<string, Float64Array> }).__mutation

const note = (entry: Entry): void => appendFileSync(plan.journal, `${JSON.stringify(entry)}\n`)
const seconds = (): number => process.cpuUsage().user / 1e6

const killed = new Set<number>()
for (const line of readFileSync(plan.journal, 'utf8').split('\n').filter(Boolean)) {
  const entry = JSON.parse(line) as Entry
  if ('killed' in entry) killed.add(entry.killed)
}

// A property that fails has told enough: the smallest failure is not looked for. Seeds are in names of tests, which must stay.
fc.configureGlobal({ ...fc.readConfigureGlobal(), endOnFailure: true, seed: Number(process.env['FC_SEED']) })

/** Runs a test over a mutant, −1 for none: whether it passes, and the passes of loops that it made. */
async function run(fn: () => unknown, mutant: number, fuel: number): Promise<[boolean, number]> {
  __active[0] = mutant
  __fuel[0] = fuel
  let passes = true
  try {
    await fn()
  } catch {
    passes = false
  }
  const left = __fuel[0]
  __active[0] = -1
  __fuel[0] = Infinity
  return [passes, fuel - left]
}

const original = (fn: () => unknown): Promise<[boolean, number]> => run(fn, -1, Number.MAX_SAFE_INTEGER)

async function findReached(fn: () => unknown, test: string): Promise<void> {
  __hit.fill(0)
  note({ starts: test, mutant: -1 })
  const start = seconds()
  const [passes] = await original(fn)
  if (!passes) return note({ broken: test })
  note({ test, time: seconds() - start, reached: plan.mutants.filter((k) => __hit[k] === 1) })
}

async function kill(fn: () => unknown, test: string, mutants: readonly number[]): Promise<void> {
  const alive = mutants.filter((k) => !killed.has(k))
  if (alive.length === 0) return
  note({ starts: test, mutant: -1 })
  const [, loops] = await original(fn)
  const fuel = SLOWER * loops + MORE
  for (const k of alive) {
    note({ starts: test, mutant: k })
    const [lives, used] = await run(fn, k, fuel)
    if (lives && used <= fuel) continue
    // What a mutant left behind in a module would be taken for this one's.
    const [isSound] = await original(fn)
    if (!isSound) return note({ broken: test })
    killed.add(k)
    note({ killed: k, by: test, how: used > fuel ? 'endless' : 'fails' })
  }
}

/** A test by its file, suites and name. */
function nameOf({ name, suite, file }: RunnerTask): string {
  const suites: string[] = []
  for (let above = suite; above !== undefined; above = above.suite) if (above.name !== '') suites.unshift(above.name)
  return [file.name, ...suites, name].join(' > ')
}

/** A test with what its suites do before and after each of theirs; hooks of the file itself are ours. */
function wholeOf(task: RunnerTask): () => Promise<void> {
  const fn = getFn(task) as () => unknown
  const before: Hook[] = []
  const after: Hook[] = []
  for (let suite = task.suite; suite !== undefined && suite !== task.file; suite = suite.suite) {
    const hooks = getHooks(suite)
    before.unshift(...(hooks.beforeEach as Hook[]))
    after.push(...(hooks.afterEach as Hook[]))
  }
  return async () => {
    for (const hook of before) await hook(task.context, task.suite)
    await fn()
    for (const hook of after) await hook(task.context, task.suite)
  }
}

type Hook = (context: unknown, suite: unknown) => unknown

let isBusy = false

beforeEach(async ({ task }) => {
  // Properties call the hooks of their suites themselves, between their runs.
  if (isBusy) return
  isBusy = true
  const fn = wholeOf(task)
  const test = nameOf(task)
  if (plan.chosen === null) await findReached(fn, test)
  else await kill(fn, test, plan.chosen[test] ?? [])
  isBusy = false
  // It has been run.
  setFn(task, () => undefined as never)
})

afterAll(() => {
  const file = (expect.getState().testPath ?? '').slice(process.cwd().length + 1)
  note({ file, chosen: plan.chosen !== null })
})
