/**
 * Packs all packages as they would be published: `npm run archives`, into the folder `archives`, for projects of one's own.
 * Replaces the archives that are there.
 */

import { readdirSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { runQuietly, runSteps } from './steps.js'

const PNPM = ['--yes', 'pnpm@10.34.9']
const FOLDER = resolve('archives')
const packages = readdirSync('packages').map((name) => `packages/${name}`)

try {
  rmSync(FOLDER, { recursive: true, force: true })
  await runSteps('archives', [
    { what: 'declarations', run: () => runQuietly('npx', ['tsc', '-b', ...packages]) },
    {
      what: `bundles of ${packages.length} packages`,
      run: () =>
        runQuietly('npx', [...PNPM, '--workspace-concurrency=1', '--filter', './packages/*', '-r', 'run', 'build']),
    },
    ...packages.map((folder) => ({
      what: folder,
      run: () => runQuietly('npx', [...PNPM, 'pack', '--pack-destination', FOLDER], folder),
    })),
  ])
} catch (error) {
  console.error(`archives: ${(error as Error).message}`)
  process.exit(1)
}
const made = readdirSync(FOLDER).map((name) => `archives/${name}`)
console.log(made.join('\n'))
