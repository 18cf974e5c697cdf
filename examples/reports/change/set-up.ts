/** Rows 7: what set-up installs, how long it takes, how `npm start` ends, and what a taken port does. */

import { execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { answers, freePort, serve, signal } from '../gallery/start.js'
import { figure, type Measured, type ReportRow } from '../report.js'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
/** Most that a set-up may install [MB]. */
const MOST = 300
/** Until a command prints its address, with all that it installs and builds [s]. */
const PATIENCE = 600
/** After a signal [s]. */
const END = 5

/** Calls it with a fresh clone of what is committed here, and removes the clone. */
async function inClone<T>(use: (folder: string) => T | Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'tautline-clone-'))
  try {
    execFileSync('git', ['clone', '--quiet', ROOT, folder])
    return await use(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** All node_modules of a clone together, files that are there twice counted once [MB]. */
function installed(folder: string): number {
  const find = ['.', '-name', 'node_modules', '-prune', '-exec', 'du', '-skc', '{}', '+']
  const lines = execFileSync('find', find, { cwd: folder, encoding: 'utf8' }).trim().split('\n')
  return parseInt(lines.at(-1) ?? '', 10) / 1024
}

/** What a set-up of a fresh clone installs [MB]. */
const sizeOf = (command: string): Promise<number> =>
  inClone((folder) => {
    const { status, stderr } = spawnSync(process.execPath, ['tools/setup.mjs', command], {
      cwd: folder,
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(`set-up for ${command} failed: ${stderr.slice(-300)}`)
    return installed(folder)
  })

const sizes: ReportRow = {
  id: '7.1',
  claim: '`npm start` and `npm test` install what they need, and no more',
  asked: `at most ${MOST} MB each`,
  scene: 'fresh clones; all node_modules of the workspace by du, without the store of pnpm',
  slow: true,
  async measure() {
    const [start, test] = [await sizeOf('start'), await sizeOf('test')]
    return {
      figures: `${figure(start)} MB for npm start, ${figure(test)} MB for npm test`,
      holds: start <= MOST && test <= MOST,
    }
  },
}

const seconds: ReportRow = {
  id: '7.2',
  claim: 'From `npm start` in a fresh clone to the address',
  asked: `the time, at most ${PATIENCE} s`,
  scene: 'fresh clone; packages come from the store of pnpm where they are in it, else from the network',
  slow: true,
  measure: () =>
    inClone(async (folder) => {
      const started = await serve(folder, ['start', '--', '--port', String(await freePort())], PATIENCE)
      signal(started.process, 'SIGINT')
      const setUp = /set-up: done in (\d+) s/.exec(started.complained())?.[1]
      return { figures: `${figure(started.seconds)} s, of which set-up ${setUp} s`, holds: setUp !== undefined }
    }),
}

/** A way to stop `npm start`: Ctrl-C reaches the whole group, the others npm alone. */
const STOPS = [
  { name: 'Ctrl-C', by: 'SIGINT', isGroup: true },
  { name: 'SIGTERM to npm', by: 'SIGTERM', isGroup: false },
  { name: 'SIGHUP to npm', by: 'SIGHUP', isGroup: false },
  { name: 'SIGKILL to npm', by: 'SIGKILL', isGroup: false },
] as const

/** Whether the server is gone within the time that it has. */
async function hasEnded(address: string): Promise<boolean> {
  for (let waited = 0; waited < END; waited += 0.1) {
    if (!(await answers(address))) return true
    await wait(100)
  }
  return false
}

const stopped: ReportRow = {
  id: '7.3',
  claim: 'Stopping `npm start` stops the server',
  asked: `no server left ${END} s after Ctrl-C, nor after npm alone has ended`,
  scene: STOPS.map(({ name }) => name).join(', '),
  slow: true,
  async measure(): Promise<Measured> {
    const left: string[] = []
    for (const { name, by, isGroup } of STOPS) {
      const started = await serve(ROOT, ['start', '--', '--port', String(await freePort())], PATIENCE)
      try {
        if (isGroup) signal(started.process, by)
        else started.process.kill(by)
        if (!(await hasEnded(started.address))) left.push(name)
      } finally {
        signal(started.process, 'SIGKILL')
      }
    }
    const all = STOPS.length
    return {
      figures: `ended ${all - left.length} of ${all} times${left.map((name) => `, NOT by ${name}`).join('')}`,
      holds: left.length === 0,
    }
  },
}

/** Every command that serves. */
const SERVED: readonly (readonly string[])[] = [
  ['start', '--'],
  ['start', '--', '--dev'],
  ['run', 'rollback', '--'],
  ['run', 'site', '--', '--serve', '--no-reference'],
]

const taken: ReportRow = {
  id: '7.4',
  claim: 'A taken port gives no stack trace',
  asked: 'every command says that it is taken, and serves at the next free one',
  scene: SERVED.map((args) => `npm ${args.filter((word) => word !== '--').join(' ')}`).join(', '),
  slow: true,
  async measure() {
    const wrong: string[] = []
    for (const args of SERVED) {
      const port = await freePort()
      const other: Server = createServer((_, response) => response.end()).listen(port, 'localhost')
      await once(other, 'listening')
      try {
        const started = await serve(ROOT, [...args, '--port', String(port)], PATIENCE)
        signal(started.process, 'SIGINT')
        const said = started.complained()
        const isPlain = said.includes(`Port ${port} is taken`) && !/^ +at /m.test(said + started.printed())
        if (!isPlain || Number(new URL(started.address).port) <= port) wrong.push(args.join(' '))
      } finally {
        other.close()
      }
    }
    return {
      figures: `${SERVED.length - wrong.length} of ${SERVED.length} commands${wrong.map((name) => `, NOT ${name}`).join('')}`,
      holds: wrong.length === 0,
    }
  },
}

export const setUp: readonly ReportRow[] = [sizes, seconds, stopped, taken]
