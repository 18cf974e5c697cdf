/** Measurements in processes of their own, by scripts of `bench/trees`. */

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

export const NOT_INSTALLED = 'not installed'

/** What `bench/trees/NAME.ts` prints as JSON; `not installed` where an engine is missing. */
export async function bench<Result>(name: string, args: readonly string[]): Promise<Result | typeof NOT_INSTALLED> {
  const script = new URL(`../../../bench/trees/${name}.ts`, import.meta.url).pathname
  const node = ['--import', 'tsx', '--conditions=@tautline/source', script, ...args]
  try {
    const { stdout } = await run(process.execPath, node, { maxBuffer: 1 << 24 })
    return JSON.parse(stdout) as Result
  } catch (error) {
    if (String((error as { stderr?: string }).stderr).includes('ERR_MODULE_NOT_FOUND')) return NOT_INSTALLED
    throw error
  }
}
