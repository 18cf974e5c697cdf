import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

/**
 * Bytes a row and assembly: V8 boxes a double, 16 bytes, that is handed to or returned by a function which it does not inline,
 * a few for a row, and as many again for its body. A typed array's view for each would be 100 and more on top.
 */
const BOXED = 120

test('a step of trees allocates no object', async () => {
  const script = fileURLToPath(new URL('./allocation.ts', import.meta.url))
  const flags = ['--import', 'tsx', '--conditions=@tautline/source', '--expose-gc']
  const room = ['--min-semi-space-size=256', '--max-semi-space-size=512']
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, ...room, script])
  const bytes = JSON.parse(stdout) as Record<string, number>
  expect(Object.keys(bytes)).toHaveLength(5)
  for (const [name, each] of Object.entries(bytes)) expect(each, name).toBeLessThan(BOXED)
})
