/** Rows 13: `npm start`. */

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { findChromium, launchChromium, whyNoChromium } from '../../lib/chromium.js'
import { figure, type Measured, type ReportRow } from '../report.js'
import { isThere } from './browser.js'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
/** Until the page is there [s]: installed; and with everything to install. */
const WARM = 15
const COLD = 600
/** After Ctrl-C [s]. */
const END = 5

/** A command of npm that serves, in a group of processes of its own, as a terminal has it. */
export interface Started {
  readonly process: ChildProcess
  /** The address that it printed. */
  readonly address: string
  /** [s] */
  readonly seconds: number
  /** All that it has printed, and what went to stderr. */
  printed(): string
  complained(): string
}

/** Starts `npm start` at a port. */
const begin = (folder: string, port: number, patience: number): Promise<Started> =>
  serve(folder, ['start', '--', '--port', String(port)], patience)

/** Starts `npm ARGS`, and waits at most `patience` [s] for an address. */
export async function serve(folder: string, args: readonly string[], patience: number): Promise<Started> {
  const before = performance.now()
  const child = spawn('npm', args, { cwd: folder, detached: true, stdio: 'pipe' })
  let [printed, complained] = ['', '']
  child.stderr.on('data', (chunk) => (complained += String(chunk)))
  child.stdout.on('data', (chunk) => (printed += String(chunk)))
  for (;;) {
    const address = /http:\/\/\S+/.exec(printed)?.[0]
    const seconds = (performance.now() - before) / 1000
    if (address !== undefined) {
      return { process: child, address, seconds, printed: () => printed, complained: () => complained }
    }
    const command = `npm ${args.join(' ')}`
    if (child.exitCode !== null) throw new Error(`${command} ended with ${child.exitCode}: ${complained.slice(-300)}`)
    if (seconds > patience) {
      signal(child, 'SIGKILL')
      throw new Error(`${command} printed no address in ${patience} s`)
    }
    await wait(20)
  }
}

/** Sends a signal to a whole group. */
export function signal({ pid }: ChildProcess, name: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, name)
  } catch {
    // It has ended by itself.
  }
}

/** Whether a server answers there. */
export const answers = (address: string): Promise<boolean> =>
  fetch(address).then(
    () => true,
    () => false,
  )

/** Ctrl-C, to the whole group; how long it takes to end [s], and whether it did and answers no more. */
async function end({ process: child, address }: Started): Promise<{ seconds: number; hasEnded: boolean }> {
  const before = performance.now()
  const exit = child.exitCode === null ? once(child, 'exit') : undefined
  signal(child, 'SIGINT')
  await Promise.race([exit, wait(1000 * END, undefined, { ref: false })])
  const seconds = (performance.now() - before) / 1000
  const hasEnded = child.exitCode !== null || child.signalCode !== null
  signal(child, 'SIGKILL')
  return { seconds, hasEnded: hasEnded && !(await answers(address)) }
}

/** Opens the page as a visitor does; without a browser, fetches it and its script. Says how long it took [s]. */
async function open(address: string): Promise<{ seconds: number; how: string }> {
  const before = performance.now()
  const file = findChromium()
  const since = (): number => (performance.now() - before) / 1000
  if (file === undefined) {
    const html = await (await fetch(address)).text()
    const script = /<script[^>]* src="([^"]+\.js)"/.exec(html)?.[1]
    if (script === undefined) throw new Error('the page has no script')
    if (!(await fetch(new URL(script, address))).ok) throw new Error(`${script} is not served`)
    return { seconds: since(), how: `fetched, ${whyNoChromium()}` }
  }
  const browser = await launchChromium(file)
  try {
    const page = await browser.newPage()
    await page.goto(address)
    await isThere(page)
    return { seconds: since(), how: 'opened' }
  } finally {
    await browser.close()
  }
}

/** Starts it, opens it, presses Ctrl-C. */
async function session(folder: string, port: number, patience: number): Promise<Measured & { address: string }> {
  const started = await begin(folder, port, patience)
  try {
    const { seconds, how } = await open(started.address)
    const { seconds: ending, hasEnded } = await end(started)
    const total = started.seconds + seconds
    return {
      address: started.address,
      figures: `${started.address} after ${figure(started.seconds)} s, ${how} after ${figure(total)} s; Ctrl-C: ${hasEnded ? `ended in ${figure(ending, 2)} s` : 'STILL THERE'}`,
      holds: total <= patience && hasEnded,
    }
  } finally {
    signal(started.process, 'SIGKILL')
  }
}

/** A port that is free now. */
export async function freePort(): Promise<number> {
  const server = createServer()
  server.listen(0, 'localhost')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

const warm: ReportRow = {
  id: '13.1',
  claim: '`npm start` prints the address and opens; Ctrl-C ends it',
  asked: `open within ${WARM} s, warm; ended within ${END} s of Ctrl-C, and its port free`,
  scene: 'this folder, installed; from the command to the first frame in a new browser',
  async measure() {
    const port = await freePort()
    const { address, figures, holds } = await session(ROOT, port, WARM)
    return { figures, holds: holds && new URL(address).port === String(port) }
  },
}

const busy: ReportRow = {
  id: '13.2',
  claim: 'A busy port gets the next one',
  asked: 'the next port printed, and open there',
  scene: 'another server on the port that is asked for',
  async measure() {
    const port = await freePort()
    const other = createServer((_, response) => response.end('taken')).listen(port, 'localhost')
    await once(other, 'listening')
    try {
      const { address, figures, holds } = await session(ROOT, port, WARM)
      const next = Number(new URL(address).port)
      return { figures: `${port} taken: ${figures}`, holds: holds && next > port && next <= port + 3 }
    } finally {
      other.close()
    }
  },
}

const fresh: ReportRow = {
  id: '13.3',
  claim: 'So it does on a fresh clone',
  asked: `installs, prints the address and opens; the second time within ${WARM} s`,
  scene: 'git clone of what is committed here into an empty folder, with nothing installed',
  slow: true,
  async measure() {
    const folder = await mkdtemp(join(tmpdir(), 'tautline-clone-'))
    try {
      await promisify(execFile)('git', ['clone', '--quiet', ROOT, folder])
      const first = await session(folder, await freePort(), COLD)
      const second = await session(folder, await freePort(), WARM)
      return { figures: `first ${first.figures}; then ${second.figures}`, holds: first.holds && second.holds }
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
}

export const start: readonly ReportRow[] = [warm, busy, fresh]
