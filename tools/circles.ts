// No circle of files in packages/*/src, imports of types included, but for pairs that define one concept and name each other; no import of core
// from a layer above; and no file that is too long to be read as one. `npm run deps` runs it, and report `house` prints what it finds.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import ts from 'typescript'

const PACKAGES = 'packages'
/** Lines of the longest file. */
export const MOST_LINES = 450
/** Pairs that may be named. */
export const MOST_PAIRS = 4

/** Two files that name each other, and why. */
export const PAIRS: readonly (readonly [one: string, other: string, reason: string])[] = [
  [
    'core/src/define/contract.ts',
    'core/src/state/batch.ts',
    'a type is called with the batch of its rows, and a batch knows the type that it calls',
  ],
  [
    'core/src/state/bodies.ts',
    'core/src/state/body.ts',
    'the table gives out handles, and a handle reads and writes the table',
  ],
]

/** All sources of the packages. */
export function sourceFiles(): string[] {
  return readdirSync(PACKAGES).flatMap((name) => {
    const folder = join(PACKAGES, name, 'src')
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => resolve(folder, file))
  })
}

/** Files that a file imports, types included. */
export function importsOf(file: string): string[] {
  return ts
    .preProcessFile(readFileSync(file, 'utf8'))
    .importedFiles.filter(({ fileName }) => fileName.startsWith('.'))
    .map(({ fileName }) => resolve(dirname(file), fileName.replace(/\.js$/, '.ts')))
}

/** Sets of files that import each other, all of those that can be reached from one another (Tarjan 1972). */
export function circles(files: readonly string[]): string[][] {
  const index = new Map<string, number>()
  const low = new Map<string, number>()
  const open: string[] = []
  const found: string[][] = []
  const visit = (file: string): void => {
    const own = index.size
    index.set(file, own)
    low.set(file, own)
    open.push(file)
    for (const next of importsOf(file)) {
      if (!index.has(next)) visit(next)
      else if (!open.includes(next)) continue
      low.set(file, Math.min(low.get(file) as number, low.get(next) as number))
    }
    if (low.get(file) !== own) return
    const members = open.splice(open.indexOf(file))
    if (members.length > 1) found.push(members)
  }
  for (const file of files) if (!index.has(file)) visit(file)
  return found.sort((a, b) => b.length - a.length)
}

/** How a file is told. */
export const nameOf = (file: string): string => relative(PACKAGES, file).replaceAll('\\', '/')

/** Whether a circle is one of the pairs above. */
export function isNamed(circle: readonly string[]): boolean {
  const names = circle.map(nameOf)
  return names.length === 2 && PAIRS.some(([one, other]) => names.includes(one) && names.includes(other))
}

/** Folders of core from bottom to top, those of one layer in a list: a file imports from its own layer and from those below. */
export const LAYERS: readonly (readonly string[])[] = [
  ['math'],
  ['define', 'graph', 'mass', 'state'],
  ['step'],
  ['measure'],
  ['guard', 'ledger'],
  ['edit'],
  ['direct'],
  ['readout'],
]

/** Place of a file of core among the layers; files beside the folders are above all of them. */
function layerOf(name: string): number {
  const folder = /^core\/src\/([a-z]+)\//.exec(name)?.[1]
  const layer = LAYERS.findIndex((folders) => folder !== undefined && folders.includes(folder))
  return layer < 0 ? LAYERS.length : layer
}

/** Imports of core that run up the layers, types included. */
export function upwardImports(files: readonly string[]): (readonly [from: string, to: string])[] {
  return files
    .filter((file) => nameOf(file).startsWith('core/src/'))
    .flatMap((file) => importsOf(file).map((to) => [nameOf(file), nameOf(to)] as const))
    .filter(([from, to]) => layerOf(to) > layerOf(from))
}

/** Files of more lines than one should have. */
export function longFiles(files: readonly string[]): (readonly [name: string, lines: number])[] {
  return files
    .map((file) => [nameOf(file), readFileSync(file, 'utf8').split('\n').length - 1] as const)
    .filter(([, lines]) => lines > MOST_LINES)
    .sort((a, b) => b[1] - a[1])
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const files = sourceFiles()
  const problems = [
    ...circles(files)
      .filter((circle) => !isNamed(circle))
      .map((circle) => `files that import each other: ${circle.map(nameOf).join(', ')}`),
    ...upwardImports(files).map(([from, to]) => `${from} imports ${to}, which is in a layer above`),
    ...longFiles(files).map(([name, lines]) => `${name} has ${lines} lines, at most ${MOST_LINES}`),
    ...(PAIRS.length > MOST_PAIRS ? [`${PAIRS.length} pairs are named, at most ${MOST_PAIRS}`] : []),
  ]
  for (const problem of problems) console.error(problem)
  console.log(`${files.length} files, ${PAIRS.length} pairs that name each other, ${problems.length} problems`)
  if (problems.length > 0) process.exitCode = 1
}
