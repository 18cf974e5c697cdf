/** What `npm run test:changed` runs. */

import { describe, expect, test } from 'vitest'
import { affectedTests, folderOf, importGraph, trackedFiles } from '../../tools/test/affected.js'

const FILES: Record<string, string> = {
  'packages/low/src/index.ts': '',
  'packages/high/src/index.ts': "import { x } from '@tautline/low'",
  'packages/high/test/a.test.ts': "import { y } from '../../other/test/support/y.js'",
  'packages/other/test/support/y.ts': "import './z.js'",
  'examples/a.ts': "import('@tautline/high')",
  'tools/b.ts': '',
}
const graph = importGraph(Object.keys(FILES), (path) => FILES[path])

describe('folders', () => {
  test('import by names of packages and by paths', () => {
    expect(Object.fromEntries([...graph].map(([from, to]) => [from, [...to]]))).toEqual({
      'packages/low': [],
      'packages/high': ['packages/low', 'packages/other'],
      'packages/other': [],
      examples: ['packages/high'],
      tools: [],
    })
  })

  test.each([
    ['packages/core/src/world.ts', 'packages/core'],
    ['examples/test/a.test.ts', 'examples'],
    ['README.md', undefined],
  ])('of %s: %s', (path, folder) => expect(folderOf(path)).toBe(folder))
})

describe('a change', () => {
  test.each([
    [
      'of a source runs its folder and those that import from it',
      ['packages/low/src/index.ts'],
      ['examples/', 'packages/high/', 'packages/low/'],
    ],
    [
      'of support files likewise',
      ['packages/other/test/support/y.ts'],
      ['examples/', 'packages/high/', 'packages/other/'],
    ],
    ['of a test runs that test', ['packages/high/test/a.test.ts'], ['packages/high/test/a.test.ts']],
    ['of pages and tools runs nothing', ['docs/a.md', 'README.md', 'tools/b.ts'], []],
    ['of the root runs everything', ['package.json'], 'all'],
  ])('%s', (_, changed, wanted) => expect(affectedTests(changed, graph)).toEqual(wanted))

  test('of core concerns every package, one of the bench does not', () => {
    const real = importGraph(trackedFiles())
    const packages = [...real.keys()].filter((folder) => folder.startsWith('packages/'))
    const all = affectedTests(['packages/core/src/world.ts'], real)
    for (const folder of packages) expect(all).toContain(`${folder}/`)
    expect(affectedTests(['bench/run.ts'], real)).not.toContain('packages/core/')
  })
})
