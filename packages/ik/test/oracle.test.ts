/** Gradients by differences, and a step for the whole mass in maximal coordinates. MuJoCo's masses are in the report. */

import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import type { Oracle } from './support/oracle.js'

/** Central differences of 1e-5: h² and ε/h. */
const DIFFERENCES = 1e-8
/** As a share of the largest turn: the least damping of a row is 1e-10. */
const SAME = 1e-6

test('gradients and steps are those that other ways find', async () => {
  const script = fileURLToPath(new URL('./support/oracle.ts', import.meta.url))
  const child = promisify(execFile)(process.execPath, ['--import', 'tsx', '--conditions=@tautline/source', script])
  child.child.stdin?.end()
  const { gradients, step } = JSON.parse((await child).stdout) as Oracle
  for (const [name, worst] of Object.entries(gradients)) expect(worst, name).toBeLessThan(DIFFERENCES)
  expect(step.worst).toBeLessThan(SAME)
})
