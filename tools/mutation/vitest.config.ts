/** Unit tests over changed sources: a copy of the repository that Stryker has changed, or one planted mutant. */

import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig, type Plugin } from 'vitest/config'
import type { Planted } from './planted.js'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const SOURCE = '@tautline/source'

interface Manifest {
  readonly name: string
  readonly exports: Readonly<Record<string, Readonly<Record<string, string>> | string>>
}

/** Source files by import name. The links in `node_modules` lead out of a copy, to sources without mutants. */
function aliases(): { find: RegExp; replacement: string }[] {
  return readdirSync(`${ROOT}/packages`).flatMap((folder) => {
    const { name, exports } = JSON.parse(readFileSync(`${ROOT}/packages/${folder}/package.json`, 'utf8')) as Manifest
    return Object.entries(exports).flatMap(([entry, target]) =>
      typeof target === 'string' || !(SOURCE in target)
        ? []
        : [
            {
              find: new RegExp(`^${name}${entry.slice(1)}$`),
              replacement: `${ROOT}/packages/${folder}/${target[SOURCE]}`,
            },
          ],
    )
  })
}

/** Replaces one piece of text in one source: `PLANTED` of the environment. */
function plant(): Plugin {
  const planted = JSON.parse(process.env['PLANTED'] ?? 'null') as Planted | null
  return {
    name: 'planted-mutant',
    enforce: 'pre',
    transform: (code, id) =>
      planted !== null && id.endsWith(planted.file) ? code.replace(planted.find, () => planted.replacement) : undefined,
  }
}

/** Leaves out what `npm test` leaves out. */
const QUICK = { tagsFilter: ['!thorough'] }

export default defineConfig({
  root: ROOT,
  plugins: [plant()],
  resolve: { alias: aliases() },
  test: {
    // Stryker ends what hangs: a slow test must not kill a mutant.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    include: ['packages/*/test/**/*.test.ts'],
    exclude: ['packages/*/test/scenes/**', '**/node_modules/**'],
    setupFiles: ['packages/core/test/support/set-up.ts'],
    tags: [{ name: 'thorough' }],
    ...QUICK,
    isolate: false,
  },
})
