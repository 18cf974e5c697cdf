/** Wrong options of the commands: one line that says what, where and the value, how it is called, and exit status 2. */

import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { readOptions } from '../../tools/options.js'
import { sample } from '../lib/thorough.js'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

describe('options', () => {
  const read = (...args: string[]): unknown =>
    readOptions(args, { usage: '', counts: { edits: { least: 1 }, seed: { least: 0, otherwise: 1 } }, flags: ['json'] })

  test('are counts, flags and paths', () => {
    expect(read()).toEqual({ counts: { seed: 1 }, flags: { json: false }, paths: [] })
    expect(read('--edits', '5', '--json', '--seed=7')).toMatchObject({
      counts: { edits: 5, seed: 7 },
      flags: { json: true },
    })
    const { paths } = readOptions(['src', '--seed', '2', 'test'], {
      usage: '',
      counts: { seed: { least: 0 } },
      paths: true,
    })
    expect(paths).toEqual(['src', 'test'])
  })

  test.each([
    [['--edit', '5'], 'options must be among --edits, --seed, --json, got --edit'],
    [['-x'], 'options must be among --edits, --seed, --json, got -x'],
    [['--edits', 'many'], '--edits must be a whole number >= 1, got many'],
    [['--edits', '0'], '--edits must be a whole number >= 1, got 0'],
    [['--edits', '1.5'], '--edits must be a whole number >= 1, got 1.5'],
    [['--edits', 'NaN'], '--edits must be a whole number >= 1, got NaN'],
    [['--edits', ''], '--edits must be a whole number >= 1, got '],
    [['--seed', '-3'], '--seed must be a whole number >= 0, got -3'],
    [['--edits'], '--edits must be a whole number >= 1, got nothing'],
    [['--json=5'], '--json must have no value, got 5'],
    [['file'], 'arguments must be options, got file'],
  ])('%j are refused', (args, message) => {
    expect(() => read(...args)).toThrow(new RangeError(message))
  })
})

test.each(
  sample<[string, string[], string]>(
    [
      ['examples/soak.ts', ['--edit', '1'], 'soak: options must be among --edits, --seed, got --edit'],
      ['examples/fuzz.ts', ['--seed', 'x'], 'fuzz: --seed must be a whole number >= 0, got x'],
      [
        'tools/mutation/mutate.ts',
        ['packages/none'],
        'mutate: PATH must have sources below it, from the root of the project, got packages/none',
      ],
    ],
    3,
  ),
)('%s says what is wrong, and how it is called', (command, args, message) => {
  const options = ['--import', 'tsx', '--conditions=@tautline/source', command, ...args]
  const { status, stderr } = spawnSync(process.execPath, options, { cwd: ROOT, encoding: 'utf8' })
  const [first, usage, ...rest] = stderr.trim().split('\n')
  expect([status, first, rest]).toEqual([2, message, []])
  expect(usage).toMatch(/^usage: npm run (soak|fuzz|mutate) -- /)
})
