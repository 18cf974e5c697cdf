/** What commands that serve a page have in common: a port, and an end. */

import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'

/** Ports that are tried, from the one that is asked for. */
const PORTS = 20
/** Between two looks at the processes that started this one [ms]. */
const PAUSE = 500

/** Prints why a command cannot go on, and ends it with status 2. */
export function fail(message: string): never {
  console.error(message)
  process.exit(2)
}

/** Reads `--port`: an integer that a server may listen at; ends the command where it is none. */
export function readPort(text: string): number {
  const port = Number(text)
  if (/^\d+$/.test(text) && port >= 1 && port <= 65535) return port
  return fail(`--port must be an integer in [1, 65535], got ${text}`)
}

/** The port, or the next free one, which is said. Without a host, all addresses of this machine. Ends the command where there is none. */
export async function freePort(port: number, host?: string): Promise<number> {
  const last = Math.min(port + PORTS - 1, 65535)
  for (let tried = port; tried <= last; tried++) {
    const code = await refusal(tried, host)
    if (code === undefined) {
      if (tried > port) console.error(`Port ${port} is taken, so ${tried} is used; --port N chooses another.`)
      return tried
    }
    if (code === 'EACCES')
      fail(`Port ${tried} needs the rights of an administrator: choose one above 1023 with --port N.`)
    if (code !== 'EADDRINUSE') fail(`--host must be an address of this machine, got ${host} (${code})`)
  }
  return fail(`Ports ${port} to ${last} are taken: choose another with --port N.`)
}

/** Why nothing can listen there, as Node's error code. */
async function refusal(port: number, host: string | undefined): Promise<string | undefined> {
  // A server at one of its two addresses is enough for browsers to meet that one.
  const hosts = host === 'localhost' ? [host, '127.0.0.1', '::1'] : [host]
  for (const each of hosts) {
    const server = createServer()
    try {
      server.listen(port, each)
      await once(server, 'listening')
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      // Machines without IPv6 have no ::1.
      if (each === host || code === 'EADDRINUSE') return code
    } finally {
      server.close()
    }
  }
  return undefined
}

/** Ends this process on Ctrl-C, when it is told to, and when npm or the shell that started it has ended. */
export function endWithParent(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(0))
  const parent = process.ppid
  const npm = process.env.npm_lifecycle_event === undefined ? undefined : parentOfShell(parent)
  setInterval(() => {
    if (process.ppid !== parent || (npm !== undefined && !isAlive(npm))) process.exit(0)
  }, PAUSE).unref()
}

/** The process that started a shell: npm runs commands through one, which outlives an npm that is killed. Nothing for other programs. */
function parentOfShell(pid: number): number | undefined {
  const [, name, parent] = /^(\S+) (\d+)/.exec(describe(pid)) ?? []
  return /(^|\/)(ba|da|z)?sh$/.test(name ?? '') ? Number(parent) : undefined
}

/** Name and parent of a process, where the system tells. */
function describe(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^\d+ \((.*)\) \S/, '$1')
  } catch {
    const { stdout } = spawnSync('ps', ['-o', 'comm=,ppid=', '-p', String(pid)], { encoding: 'utf8' })
    return (stdout ?? '').trim().replace(/\s+/g, ' ')
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
