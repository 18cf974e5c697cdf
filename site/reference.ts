/** The reference of all exports, made of their TSDoc by TypeDoc. */

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { join } from 'node:path/posix'
import { runQuietly } from '../tools/steps.js'

/** Part of a package's manifest. */
interface Manifest {
  readonly name: string
  readonly exports: Readonly<Record<string, string | { readonly '@tautline/source': string }>>
}

/** An entry of a package: what it is imported as, and its source. */
interface Entry {
  readonly name: string
  readonly source: string
}

/** Writes pages of all entries to a folder. A process of its own, in the site's folder: plugins are looked up from there. */
export async function writeReference(folder: string): Promise<void> {
  const typedoc = resolve('site/node_modules/typedoc/bin/typedoc')
  const all = entries()
  const sources = all.map(({ source }) => resolve(source))
  await runQuietly(process.execPath, [typedoc, ...sources, '--out', resolve(folder)], 'site')
  if (!existsSync(`${folder}/index.md`)) throw new Error('reference: TypeDoc could not write it')
  nameEntries(folder, all)
}

/** Has pages and their list say what is imported, where TypeDoc says where it lies. */
function nameEntries(folder: string, all: readonly Entry[]): void {
  const names = new Map(all.map(({ name, source }) => [moduleOf(source), name]))
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.md')) continue
    const path = `${folder}/${file}`
    const text = readFileSync(path, 'utf8')
      .replace(/^# (.*)$/m, (whole, module: string) => `# ${names.get(module) ?? module}`)
      .replaceAll(/^- \[([^\]]+)\]/gm, (whole, module: string) => `- [${names.get(module) ?? module}]`)
    writeFileSync(path, text)
  }
}

/** What TypeDoc calls an entry: its path without `packages`, `index` and what it ends in. */
function moduleOf(source: string): string {
  return source.replace(/^packages\//, '').replace(/(\/index)?\.ts$/, '')
}

/** All entries of all packages, as their manifests name them. */
function entries(): Entry[] {
  return readdirSync('packages').flatMap((folder) => {
    const { name, exports } = JSON.parse(readFileSync(`packages/${folder}/package.json`, 'utf8')) as Manifest
    return Object.entries(exports).flatMap(([key, entry]) =>
      typeof entry === 'string'
        ? []
        : [{ name: join(name, key), source: join('packages', folder, entry['@tautline/source']) }],
    )
  })
}
