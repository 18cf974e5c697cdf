import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

/** Bodies, and rows, of each case, times its substeps. */
const UNITS = 30 * 8
/** Bytes a step, whatever it holds: the compiler's own, and what reading the heap's size costs. The smallest object a
 *  unit would be 24 · 240 = 5760. */
const STEP = 4000
/** Bytes a unit: V8 boxes a double, 16 bytes, that is handed to or returned by a function which it does not inline. Which
 *  ones varies from run to run: none to four for a row or a body that tumbles. A typed array's view would be 100. */
const BOXED = 90

test('a step allocates no object', { tags: ['thorough'] }, async () => {
  const script = fileURLToPath(new URL('./support/allocation.ts', import.meta.url))
  const flags = ['--import', 'tsx', '--conditions=@tautline/source', '--expose-gc']
  const room = ['--min-semi-space-size=256', '--max-semi-space-size=512']
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, ...room, script])
  const bytes = JSON.parse(stdout) as Record<string, number>
  for (const name of ['particles', 'loop', 'alternating']) expect(bytes[name], name).toBeLessThan(STEP)
  for (const name of ['rows', 'tolerance', 'frozen']) expect(bytes[name], name).toBeLessThan(STEP + UNITS * BOXED)
  for (const name of ['tumbling', 'effective']) expect(bytes[name], name).toBeLessThan(STEP + UNITS * BOXED)
})
