/** What scripts in `bench/assemblies` measure, each measurement in a process of its own. */

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { median } from '../report.js'

const run = promisify(execFile)

export const NOT_INSTALLED = 'not installed'

/** What a script prints, or that its engine is not there. */
export async function benched<T>(script: string, given: readonly string[]): Promise<T | typeof NOT_INSTALLED> {
  const path = new URL(`../../../bench/assemblies/${script}`, import.meta.url).pathname
  try {
    const flags = ['--import', 'tsx', '--conditions=@tautline/source']
    const { stdout } = await run(process.execPath, [...flags, path, ...given])
    return JSON.parse(stdout) as T
  } catch (error) {
    if (String((error as { stderr?: string }).stderr).includes('ERR_MODULE_NOT_FOUND')) return NOT_INSTALLED
    throw error
  }
}

/** Turns that each contender has, one after the other, so that a busy machine is busy for all. */
const TURNS = 3

/** Medians over turns of each contender's median and p95; `undefined` in the place of one that is not there. */
export async function inTurns<T extends { median: number; p95: number }>(
  contenders: readonly (() => Promise<T | typeof NOT_INSTALLED>)[],
): Promise<(T | undefined)[]> {
  const results: T[][] = contenders.map(() => [])
  for (let turn = 0; turn < TURNS; turn++) {
    for (const [k, contend] of contenders.entries()) {
      if (results[k].length < turn) continue
      const result = await contend()
      if (result !== NOT_INSTALLED) results[k].push(result)
    }
  }
  return results.map((turns) =>
    turns.length === 0
      ? undefined
      : { ...turns[0], median: median(turns.map((it) => it.median)), p95: median(turns.map((it) => it.p95)) },
  )
}
