/** What `bench/ik/run.ts` measures, a process a solver, and how its solvers are told of in a row. */

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)
const FLAGS = ['--import', 'tsx', '--conditions=@tautline/source']

/** A solver's results, or why it has none. */
export type Outcome<T> = (T & { solver: string; failed?: undefined }) | { solver: string; failed: string }

export interface Task<T> {
  task: string
  text: string
  results: Outcome<T>[]
}

/** Runs the tasks whose names begin so. `solvers`: those only; `targets`: of reach, limits and hand. */
export async function bench<T>(
  task: string,
  options: { solvers?: readonly string[]; targets?: number } = {},
): Promise<Task<T>[]> {
  const { solvers, targets } = options
  const more = [...(solvers ? ['--solvers', solvers.join()] : []), ...(targets ? ['--targets', `${targets}`] : [])]
  const script = new URL('../../../bench/ik/run.ts', import.meta.url).pathname
  const { stdout } = await run(process.execPath, [...FLAGS, script, '--json', '--task', task, ...more], {
    maxBuffer: 1 << 28,
  })
  return JSON.parse(stdout) as Task<T>[]
}

/** The results of one solver in a task; throws where it failed. */
export function of<T>({ results, task }: Task<T>, solver: string): T & { solver: string } {
  const found = results.find((result) => result.solver === solver)
  if (found === undefined || found.failed !== undefined) {
    throw new Error(`${task}: ${solver} ${found?.failed ?? 'did not run'}`)
  }
  return found
}

/** Each solver's figures, ours first as it stands. */
export function each<T>({ results }: Task<T>, text: (result: T & { solver: string }) => string): string {
  return results
    .map((result) => `${result.solver} ${result.failed === undefined ? text(result) : result.failed}`)
    .join('; ')
}

export function percent(share: number, digits = 1): string {
  return `${(100 * share).toFixed(digits)} %`
}
