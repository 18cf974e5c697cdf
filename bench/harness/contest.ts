/**
 * All contenders of a scene by turns: each in a process of its own, which stays alive between its turns, so that a machine that is busy for a while is
 * busy for all of them. In each round everyone runs the same number of samples; who begins changes from round to round.
 */

import { median, quantile } from './statistics.js'
import type { BenchScene, Figures } from './scene.js'
import { type Entry, NotRunning, Runner } from './process.js'

/** Who it was. */
interface Named {
  readonly engine: string
  readonly work: number
  /** Whether tables show it, or only plots. */
  readonly isUsual: boolean
}

/** What one contender was measured at. Times in [ms]. */
export interface Result extends Named {
  readonly note: string
  readonly init: number
  readonly setup: number
  readonly median: number
  readonly p95: number
  readonly worst: number
  /** Median of the processor time of a sample, all threads: a busy machine does not lengthen it as much. */
  readonly busy: number
  /** Median of each round. */
  readonly rounds: readonly number[]
  readonly figures: Figures
  /** Largest memory of the process [MB]. */
  readonly memory: number
  readonly hash?: string
}

/** A contender that did not run. */
export interface Failure extends Named {
  readonly failed: string
}

export type Outcome = Result | Failure

/** Rounds that the measured samples are cut into. */
const ROUNDS = 10

interface Runs {
  readonly runner: Runner
  readonly ready: { note: string; init: number; setup: number }
  readonly times: number[]
  readonly rounds: number[]
  readonly busy: number[]
}

/** Measures entries of a scene; outcomes in their order. `samples` are measured after the scene's warm-up. */
export async function contest(
  scene: BenchScene,
  entries: readonly Entry[],
  samples: number,
  progress: (text: string) => void = () => undefined,
): Promise<Outcome[]> {
  const failures = new Map<Entry, string>()
  const running: Runs[] = []
  // What goes wrong with one is told of it, and the others go on.
  const guarded = async (entry: Entry, act: () => Promise<void>): Promise<void> => {
    try {
      await act()
    } catch (error) {
      if (!(error instanceof NotRunning)) throw error
      failures.set(entry, error.message)
    }
  }
  const runners: Runner[] = []
  try {
    for (const entry of entries) {
      progress(`${scene.name}: ${entry.engine} ${entry.work} starts`)
      const runner = new Runner(entry, scene.name)
      runners.push(runner)
      await guarded(entry, async () => {
        running.push({ runner, ready: await runner.ready(), times: [], rounds: [], busy: [] })
      })
    }
    const alive = (): Runs[] => running.filter(({ runner }) => !failures.has(runner.entry))
    for (const { runner } of alive()) {
      await guarded(runner.entry, async () => void (await runner.run(scene.warmUp, false)))
    }
    const rounds = Math.min(ROUNDS, samples)
    for (let round = 0; round < rounds; round++) {
      const count = Math.floor(((round + 1) * samples) / rounds) - Math.floor((round * samples) / rounds)
      progress(`${scene.name}: round ${round + 1} of ${rounds}, ${alive().length} engines`)
      const turn = alive()
      for (let k = 0; k < turn.length; k++) {
        const runs = turn[(k + round) % turn.length]
        await guarded(runs.runner.entry, () => oneTurn(runs, count))
      }
    }
    const results = new Map<Entry, Result>()
    for (const runs of alive()) {
      await guarded(runs.runner.entry, async () => void results.set(runs.runner.entry, await resultOf(runs)))
    }
    return entries.map((entry) => {
      return results.get(entry) ?? { ...nameOf(entry), failed: failures.get(entry) ?? 'no result' }
    })
  } finally {
    for (const runner of runners) runner.stop()
  }
}

async function oneTurn(runs: Runs, count: number): Promise<void> {
  const { times, busy } = await runs.runner.run(count, true)
  runs.times.push(...times)
  runs.rounds.push(median(times))
  runs.busy.push(...busy)
}

async function resultOf({ runner, ready, times, rounds, busy }: Runs): Promise<Result> {
  const middle = median(times)
  return {
    ...nameOf(runner.entry),
    ...ready,
    median: middle,
    p95: quantile(times, 0.95),
    worst: Math.max(...times),
    busy: median(busy),
    rounds,
    ...(await runner.finish(middle)),
  }
}

function nameOf({ engine, work, isUsual }: Entry): Named {
  return { engine, work, isUsual }
}
