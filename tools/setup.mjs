// Installs the workspace when it is missing or out of date; runs before `npm start`, `npm test`, `npm run demo` and
// `npm run report`.
// Plain JavaScript on Node alone, because nothing is installed yet. Everything it says goes to stderr, so that
// `npm run --silent demo -- --json` writes JSON and nothing else to stdout.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const stamp = join(root, 'node_modules/.cache/tautline-setup')

// What an install depends on: the lockfile, the workspace file and every manifest.
const members = ['.', 'examples', 'bench', ...readdirSync(join(root, 'packages')).map((name) => `packages/${name}`)]
const inputs = ['pnpm-lock.yaml', 'pnpm-workspace.yaml', ...members.map((member) => `${member}/package.json`)]
const hash = createHash('sha256').update(process.version)
for (const file of inputs) {
  if (existsSync(join(root, file))) hash.update(`\0${file}\0`).update(readFileSync(join(root, file)))
}
const wanted = hash.digest('hex')

const isInstalled =
  members.every((member) => existsSync(join(root, member, 'node_modules'))) &&
  existsSync(stamp) &&
  readFileSync(stamp, 'utf8') === wanted
if (!isInstalled) {
  rmSync(stamp, { force: true }) // a failed install may leave half of it
  // pnpm through npx: corepack refuses on Node 20, and a global pnpm must not be needed.
  const command = 'npx --yes pnpm@10.34.9 install --frozen-lockfile'
  console.error(`tautline: setting up (${command})`)
  const { status, error } = spawnSync(command, {
    cwd: root,
    shell: true,
    stdio: ['ignore', 2, 2],
    // Problems only, and those even under `npm --silent`, whose level children inherit.
    env: { ...process.env, npm_config_loglevel: 'warn' },
  })
  if (error) console.error(error.message)
  if (status !== 0) process.exit(status ?? 1)
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, wanted)
}
