/**
 * Packs all packages as they would be published: `npm run archives`, into the folder `archives`, for projects of one's own.
 * What is there of before goes.
 */

import { spawnSync } from 'node:child_process'
import { readdirSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'

const PNPM = 'pnpm@10.34.9'
const FOLDER = resolve('archives')

function run(where, ...command) {
  const { status } = spawnSync('npx', ['--yes', ...command], { cwd: where, stdio: ['ignore', 'ignore', 'inherit'] })
  if (status !== 0) {
    console.error(`archives: ${command.join(' ')} failed in ${where}`)
    process.exit(1)
  }
}

rmSync(FOLDER, { recursive: true, force: true })
run('.', 'tsc', '-b')
run('.', PNPM, '--workspace-concurrency=1', '--filter', './packages/*', '-r', 'run', 'build')
for (const name of readdirSync('packages')) run(`packages/${name}`, PNPM, 'pack', '--pack-destination', FOLDER)
console.log(
  readdirSync(FOLDER)
    .map((name) => `archives/${name}`)
    .join('\n'),
)
