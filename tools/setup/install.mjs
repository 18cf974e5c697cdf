import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { PARTS } from './parts.mjs'
import { progress } from './progress.mjs'
import { root } from './state.mjs'

/** pnpm through npx: corepack refuses on Node 20, and a global pnpm must not be needed. */
const PNPM = 'npx --yes pnpm@10.34.9'
/** Lines of pnpm that are shown when it fails. */
const SHOWN = 20
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP']

/** Installs parts, of which some are new and the others were there before; resolves to the exit status. */
export async function install(parts, fresh) {
  const filters = parts.flatMap((part) => PARTS[part].members).map((member) => `--filter "${member}"`)
  let pnpm = undefined
  const bar = progress(process.stderr)
  const stop = (signal) => {
    if (pnpm !== undefined) end(pnpm)
    bar.close()
    console.error('set-up: stopped; the next command continues it')
    process.exit(signal === 'SIGINT' ? 130 : 143)
  }
  for (const signal of SIGNALS) process.once(signal, stop)
  // Signals are heard before there is a process to end: one of its own group would go on without us.
  const child = spawn(`${PNPM} install --frozen-lockfile --reporter=ndjson ${filters.join(' ')}`, {
    cwd: root,
    shell: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, so that a signal to this process ends pnpm and not only the shell.
    detached: process.platform !== 'win32',
    // Problems only, and those even under `npm --silent`, whose level children inherit.
    env: { ...process.env, npm_config_loglevel: 'warn' },
  })
  pnpm = child
  console.error(`set-up: ${describe(fresh)}`)
  const said = []
  createInterface({ input: child.stdout }).on('line', (line) => read(line, bar, said))
  createInterface({ input: child.stderr }).on('line', (line) => said.push(line))
  const status = await new Promise((resolve) => {
    child.once('error', (error) => {
      said.push(error.message)
      resolve(1)
    })
    child.once('close', (code) => resolve(code ?? 1))
  })
  for (const signal of SIGNALS) process.off(signal, stop)
  bar.close()
  if (status === 0) {
    console.error(`set-up: done in ${bar.seconds().toFixed(0)} s`)
  } else {
    const lines = said.filter((line) => !/^npm error +at /.test(line)) // no stack traces of npm
    console.error(lines.slice(-SHOWN).join('\n'))
    console.error(
      'set-up: pnpm could not install. Packages come from the network unless npm has them; the next command tries again.',
    )
  }
  return status
}

/** What is done, how large it is and how long it takes. */
function describe(fresh) {
  if (fresh.length === 0) return 'brings packages up to date with the lockfile'
  const size = fresh.reduce((sum, part) => sum + PARTS[part].size, 0)
  const what = fresh.map((part) => PARTS[part].what).join('; ')
  return `installs ${what}: ${size} MB, once; one or two minutes, or seconds if they were downloaded before`
}

/** Ends a process and its children. */
function end(child) {
  if (child.pid === undefined) return
  try {
    if (process.platform === 'win32') child.kill()
    else process.kill(-child.pid, 'SIGTERM')
  } catch {
    // It has ended by itself.
  }
}

/** Reads one line of pnpm's log: counts packages, and keeps errors. */
function read(line, bar, said) {
  let entry
  try {
    entry = JSON.parse(line)
  } catch {
    said.push(line)
    return
  }
  if (entry.name === 'pnpm:stats' && entry.added > 0) bar.expect(entry.added)
  if (entry.name === 'pnpm:progress' && entry.status === 'imported') bar.count()
  if (entry.level === 'error') said.push(entry.err?.message ?? entry.message ?? line)
}
