/**
 * Real files that do not come with the repository: of the folder ../shared/data beside it, or where the environment variable
 * TAUTLINE_DATA says; and of npm packages.
 */

import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Bytes of a file, or why there are none. */
export type Input = { readonly bytes: Uint8Array } | { readonly missing: string }

/** A file of the data folder. */
export function dataFile(name: string): Input {
  const folder = process.env.TAUTLINE_DATA ?? fileURLToPath(new URL('../../../../shared/data', import.meta.url))
  const file = join(folder, name)
  if (existsSync(file)) return { bytes: new Uint8Array(readFileSync(file)) }
  return { missing: `${name} is not in ../shared/data, nor where TAUTLINE_DATA says` }
}

/** A file of an npm package that may be absent: `npm run setup` installs all of them. */
export function packageFile(name: string, path: string): Input {
  try {
    const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`)
    return { bytes: new Uint8Array(readFileSync(join(dirname(manifest), path))) }
  } catch {
    return { missing: `${name} is not installed: npm run setup` }
  }
}
