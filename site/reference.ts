/** The reference of all exports, made of their TSDoc by TypeDoc. */

import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'

/** Part of a package's manifest. */
interface Manifest {
  readonly exports: Readonly<Record<string, string | { readonly '@tautline/source': string }>>
}

/** Writes pages of all entries to a folder. A process of its own, in the site's folder: plugins are looked up from there. */
export function writeReference(folder: string): void {
  const typedoc = resolve('site/node_modules/typedoc/bin/typedoc')
  const made = spawnSync(process.execPath, [typedoc, ...entries(), '--out', resolve(folder)], {
    cwd: 'site',
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  if (made.status !== 0 || !existsSync(`${folder}/index.md`)) throw new Error('reference: TypeDoc could not write it')
}

/** The sources of all entries of all packages, as their manifests name them. */
function entries(): string[] {
  return readdirSync('packages').flatMap((name) => {
    const { exports } = JSON.parse(readFileSync(`packages/${name}/package.json`, 'utf8')) as Manifest
    return Object.values(exports).flatMap((entry) =>
      typeof entry === 'string' ? [] : [resolve(`packages/${name}`, entry['@tautline/source'])],
    )
  })
}
