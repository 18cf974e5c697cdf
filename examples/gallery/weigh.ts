/** What the built gallery weighs: its first page, and a scene with all that it needs. */

import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'

/** A built file: what it is called, and what it needs before it runs. */
interface Chunk {
  readonly file: string
  readonly imports?: readonly string[]
}

type Manifest = Readonly<Record<string, Chunk>>

/** Entries that are there before a scene is opened, and those of its page. */
const FIRST = ['index.html', 'src/hero/live.ts']
const SCENE = ['index.html', 'src/exhibit-page.ts']
/** Budgets of scripts, gzipped [bytes]: those of row 7.1 of the report `gallery`. */
const MOST_FIRST = 150_000
const MOST_SCENE = 400_000
/** Scenes over the budget, and the limit of each until issue 44 is done: `Collisions` brings contacts of particles, which they do not use. */
const KNOWN: Readonly<Record<string, number>> = {
  character: 434_000,
  balance: 428_000,
  'write-your-own': 415_000,
  hammock: 405_000,
}

/** Files that entries need, with what these need. */
function needed(manifest: Manifest, entries: readonly string[]): Set<string> {
  const files = new Set<string>()
  const add = (name: string): void => {
    const { file, imports = [] } = manifest[name]
    if (files.has(file)) return
    files.add(file)
    imports.forEach(add)
  }
  entries.forEach(add)
  return files
}

/** What pages of a build load before they run [bytes, gzipped]. */
export interface Weights {
  readonly first: number
  /** By the file of the exhibit. */
  readonly scenes: ReadonlyMap<string, number>
}

/** Weighs a build. */
export function weights(folder: string): Weights {
  const manifest = JSON.parse(readFileSync(`${folder}.vite/manifest.json`, 'utf8')) as Manifest
  const sizeOf = (entries: readonly string[]): number =>
    [...needed(manifest, entries)].reduce((sum, file) => sum + gzipSync(readFileSync(folder + file)).length, 0)
  const scenes = Object.keys(manifest).flatMap((name) => /^src\/exhibits\/([\w-]+)\.ts$/.exec(name)?.[1] ?? [])
  return {
    first: sizeOf(FIRST),
    scenes: new Map(scenes.map((name) => [name, sizeOf([...SCENE, `src/exhibits/${name}.ts`])])),
  }
}

/** Prints the weights of a build; says whether they hold. */
export function weigh(folder: string): boolean {
  const { first, scenes } = weights(folder)
  const over = [...scenes].filter(([, size]) => size > MOST_SCENE)
  const news = over.filter(([name, size]) => size > (KNOWN[name] ?? MOST_SCENE))
  const [heaviest, most] = [...scenes].reduce((a, b) => (b[1] > a[1] ? b : a))
  const kB = (size: number): string => `${(size / 1000).toFixed(1)} kB`
  console.log(`first page: ${kB(first)} of script gzipped, at most ${kB(MOST_FIRST)}`)
  console.log(`heaviest of ${scenes.size} scenes (${heaviest}): ${kB(most)}, at most ${kB(MOST_SCENE)}`)
  for (const [name, size] of over)
    console.log(`over budget: ${name}, ${kB(size)}${name in KNOWN ? ' (known, issue 44)' : ''}`)
  return first <= MOST_FIRST && news.length === 0
}
