/**
 * Before each test: the test over the sources as they are, which tells what it reaches, and then over each mutant that it reaches and
 * that still lives. Notes all of it in a journal, a line each, so that nothing is lost where the process has to be ended.
 */

import { appendFileSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { afterAll, beforeEach, expect } from 'vitest'
import { getFn, setFn } from 'vitest/suite'

/** What `mutate.ts` asks for. */
export interface Plan {
  /** Numbers of the mutants. */
  readonly mutants: readonly number[]
  /** Time of tests that a mutant may take [s]. */
  readonly budget: number
  readonly journal: string
}

/** A line of the journal: what begins, so that it is known if it does not end, and what came of it. */
export type Entry =
  | { readonly starts: string; readonly mutant: number }
  | { readonly spent: number; readonly mutant: number }
  | { readonly killed: number; readonly by: string; readonly how: 'fails' | 'endless' | 'timeout' }
  | { readonly test: string; readonly time: number; readonly reached: readonly number[] }
  | { readonly alone: number; readonly outcome: 'passes' | 'fails' | 'timeout' }
  | { readonly broken: string }
  | { readonly file: string; readonly time: number }

/** A mutant may make so many times the passes of loops of the original, and so many more. */
const SLOWER = 4
const MORE = 1e6
/** Between measurements of the time of the process, which are no finer [s]. */
const TICK = 1e-3

const plan = JSON.parse(readFileSync(process.env['MUTATION_PLAN'] ?? '', 'utf8')) as Plan
const { __hit, __active, __fuel } = (globalThis as unknown as { __mutation: Record<string, Float64Array> }).__mutation

const note = (entry: Entry): void => appendFileSync(plan.journal, `${JSON.stringify(entry)}\n`)
const seconds = (): number => process.cpuUsage().user / 1e6

const alive = new Set(plan.mutants)
const spent = new Map<number, number>()
for (const line of readFileSync(plan.journal, 'utf8').split('\n').filter(Boolean)) {
  const entry = JSON.parse(line) as Entry
  if ('killed' in entry) alive.delete(entry.killed)
  else if ('spent' in entry) spent.set(entry.mutant, (spent.get(entry.mutant) ?? 0) + entry.spent)
}

// A property that fails has told enough: the smallest failure is not looked for.
fc.configureGlobal({ ...fc.readConfigureGlobal(), endOnFailure: true })

/** Runs a test over a mutant, −1 for none: whether it passes, its time [s], and the passes of loops that it made. */
async function run(fn: () => unknown, mutant: number, fuel: number): Promise<[boolean, number, number]> {
  const start = seconds()
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
  return [passes, seconds() - start, fuel - left]
}

beforeEach(async ({ task }) => {
  const fn = getFn(task) as () => unknown
  const test = `${task.file.name} > ${task.name}`
  __hit.fill(0)
  note({ starts: test, mutant: -1 })
  const [passes, time, loops] = await run(fn, -1, Number.MAX_SAFE_INTEGER)
  // It has been run.
  setFn(task, () => undefined as never)
  if (!passes) return note({ broken: test })
  const reached = plan.mutants.filter((k) => __hit[k] === 1)
  note({ test, time, reached })
  for (const k of reached) {
    const before = spent.get(k) ?? 0
    if (!alive.has(k) || before + time > plan.budget) continue
    note({ starts: test, mutant: k })
    const fuel = SLOWER * loops + MORE
    const [lives, took, used] = await run(fn, k, fuel)
    spent.set(k, before + took)
    if (took > TICK) note({ spent: took, mutant: k })
    if (lives && used <= fuel) continue
    // What a mutant left behind in a module would be taken for this one's.
    const [isSound] = await run(fn, -1, Number.MAX_SAFE_INTEGER)
    if (!isSound) return note({ broken: test })
    alive.delete(k)
    note({ killed: k, by: test, how: used > fuel ? 'endless' : 'fails' })
  }
})

const start = seconds()
afterAll(() => {
  const file = (expect.getState().testPath ?? '').slice(process.cwd().length + 1)
  note({ file, time: seconds() - start })
})
