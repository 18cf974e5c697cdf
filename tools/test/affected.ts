/** Which tests a change affects, by the imports between the folders of the workspace. */

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

/** By folder: the folders from which its files import. */
export type ImportGraph = ReadonlyMap<string, ReadonlySet<string>>

/** Files at the root that no test depends on. */
const WITHOUT_TESTS = /(\.md$|^docs\/|^LICENSE$|^\.ci\/)/

export function trackedFiles(): string[] {
  return execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' })
    .split('\n')
    .filter((path) => /\.(m?ts|tsx)$/.test(path) && folderOf(path) !== undefined)
}

/** The folder of the workspace that a file belongs to: `packages/core`, `examples`; `undefined` for files of all of it. */
export function folderOf(path: string): string | undefined {
  return /^(packages\/[^/]+|examples|bench|site|tools)\//.exec(path)?.[1]
}

/** Reads imports of the files: by the name of a package, or by a path into another folder. */
export function importGraph(
  files: readonly string[],
  read: (path: string) => string = (path) => readFileSync(path, 'utf8'),
): ImportGraph {
  const graph = new Map<string, Set<string>>()
  for (const file of files) {
    const from = folderOf(file)
    if (from === undefined) continue
    const imported = graph.get(from) ?? new Set<string>()
    graph.set(from, imported)
    for (const [, name] of read(file).matchAll(/(?:from|import\(?|URL\()\s*'([^']+)'/g)) {
      const to = folderOfImport(file, name)
      if (to !== undefined && to !== from) imported.add(to)
    }
  }
  return graph
}

function folderOfImport(file: string, name: string): string | undefined {
  const own = /^@tautline\/([^/]+)/.exec(name)
  if (own !== null) return own[1] === 'examples' ? 'examples' : `packages/${own[1]}`
  return name.startsWith('.') ? folderOf(normalize(join(dirname(file), name)).replaceAll('\\', '/')) : undefined
}

/** Paths to hand to vitest: a test file that changed runs by itself, a folder of which anything else changed with all that import from it. */
export function affectedTests(changed: readonly string[], graph: ImportGraph): string[] | 'all' {
  const tests = new Set<string>()
  const folders = new Set<string>()
  for (const path of changed) {
    const folder = folderOf(path)
    if (path.endsWith('.test.ts')) tests.add(path)
    else if (folder !== undefined) folders.add(folder)
    else if (!WITHOUT_TESTS.test(path)) return 'all'
  }
  // A set grows while it is walked.
  for (const folder of folders) {
    for (const [from, imported] of graph) if (imported.has(folder)) folders.add(from)
  }
  const covered = [...folders].filter((folder) => folder !== 'tools').sort()
  return [
    ...covered.map((folder) => `${folder}/`),
    ...[...tests].filter((test) => !covered.includes(folderOf(test)!)).sort(),
  ]
}
