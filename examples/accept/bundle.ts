/** The gate's child and all packages as one file: a process per scene then starts in a fraction of a second. */

import { build, type Plugin } from 'esbuild'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const HERE = fileURLToPath(new URL('.', import.meta.url))

/** Files that read others beside themselves keep their own address. */
const ADDRESSES: Plugin = {
  name: 'addresses',
  setup(builder) {
    builder.onLoad({ filter: /examples\/.*\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8')
      if (!text.includes('import.meta.url')) return undefined
      return { contents: text.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href)), loader: 'ts' }
    })
  },
}

/** Builds it; returns its path. */
export async function bundled(): Promise<string> {
  const folder = join(HERE, '../node_modules/.cache/tautline-accept')
  const outfile = join(folder, 'child.mjs')
  await build({
    entryPoints: [join(HERE, 'child.ts')],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    conditions: ['@tautline/source'],
    plugins: [ADDRESSES],
    logLevel: 'error',
  })
  return outfile
}
