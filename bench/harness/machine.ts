/** What a figure was measured on, and what else ran. */

import { execFileSync } from 'node:child_process'
import { cpus, loadavg, totalmem } from 'node:os'

/** Told with every run: only ratios of one run count, and those of a quiet machine. */
export interface Machine {
  readonly processor: string
  readonly cores: number
  /** [GB] */
  readonly memory: number
  readonly node: string
  /** Short name of the commit, and whether files differ from it. */
  readonly commit: string
  /** Processes that wanted to run in the last minute, before and after: on a quiet machine about 0 before. */
  readonly loads: readonly number[]
  /** Duration of the run [s]. */
  readonly seconds: number
}

/** Notes what the machine is and how busy; `close` gives what is told at the end. */
export function watchMachine(tree: string): { close(): Machine } {
  const [start, before] = [performance.now(), loadavg()[0]]
  return {
    close: () => ({
      processor: cpus()[0]?.model ?? 'unknown',
      cores: cpus().length,
      memory: Math.round(totalmem() / 2 ** 30),
      node: process.version,
      commit: commitOf(tree),
      loads: [before, loadavg()[0]].map((load) => Number(load.toFixed(2))),
      seconds: Math.round((performance.now() - start) / 1000),
    }),
  }
}

function commitOf(tree: string): string {
  try {
    return execFileSync('git', ['describe', '--always', '--dirty'], { cwd: tree, stdio: 'pipe' }).toString().trim()
  } catch {
    return 'unknown'
  }
}

/** In one line. */
export function machineText({ processor, cores, memory, node, commit, loads, seconds }: Machine): string {
  const [before, after] = loads
  return `${processor}, ${cores} cores, ${memory} GB, Node ${node}, commit ${commit}; load ${before} before and ${after} after; ${seconds} s`
}
