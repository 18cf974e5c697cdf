import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

/** Bytes a frame, whatever is drawn: the compiler's own, and what reading the heap's size costs. */
const FRAME = 4000
/** Bytes a body of 100, or a line of some 1000: V8 boxes a double, 12 or 16 bytes, that is handed to a function which it does not inline,
 *  or stored in an object of three. The smallest object a vertex or line would be 24. */
const BOXED = 90

test('a frame allocates no object', { tags: ['thorough'] }, async () => {
  const script = fileURLToPath(new URL('./support/allocation.ts', import.meta.url))
  const flags = ['--import', 'tsx', '--conditions=@tautline/source', '--expose-gc']
  const room = ['--min-semi-space-size=256', '--max-semi-space-size=512']
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, ...room, script])
  const bytes = JSON.parse(stdout) as Record<string, number>
  for (const name of ['dragger', 'stepper', 'line', 'tube', 'surface']) expect(bytes[name], name).toBeLessThan(FRAME)
  for (const name of ['bodies', 'instances', 'ragdoll', 'debug', 'between', 'coloured']) {
    expect(bytes[name], name).toBeLessThan(FRAME + 100 * BOXED)
  }
})
