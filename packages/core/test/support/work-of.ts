/** Runs a script that counts work (count-work.ts) in a process of its own. */

import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** The numbers that the script prints as JSON. */
export async function workOf(script: URL): Promise<Record<string, number>> {
  const flags = ['--import', 'tsx', '--conditions=@tautline/source']
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, fileURLToPath(script)])
  return JSON.parse(stdout) as Record<string, number>
}
