import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const SERVING = fileURLToPath(new URL('../lib/serving.ts', import.meta.url))
/** Runs a module that has the functions of `lib/serving.ts`. */
const ARGUMENTS = (code: string): string[] => [
  '--import',
  'tsx',
  '--input-type=module',
  '-e',
  `const { endWithParent, freePort, readPort } = await import(${JSON.stringify(SERVING)}); ${code}`,
]

const run = (code: string): { status: number | null; stdout: string; stderr: string } =>
  spawnSync(process.execPath, ARGUMENTS(code), { encoding: 'utf8' })

/** A server at a port that is free. */
async function busy(host: string, port = 0): Promise<{ server: Server; port: number }> {
  const server = createServer().listen(port, host)
  await once(server, 'listening')
  return { server, port: (server.address() as AddressInfo).port }
}

describe('a port', () => {
  test('that is taken at one address of localhost gives way to the next one', async () => {
    const { server, port } = await busy('127.0.0.1')
    try {
      const child = spawn(process.execPath, ARGUMENTS(`console.log(await freePort(${port}, 'localhost'))`))
      let [printed, said] = ['', '']
      child.stdout.on('data', (chunk) => (printed += String(chunk)))
      child.stderr.on('data', (chunk) => (said += String(chunk)))
      await once(child, 'close')
      expect(Number(printed)).toBeGreaterThan(port)
      expect(said).toMatch(
        new RegExp(`^Port ${port} is taken, so ${printed.trim()} is used; --port N chooses another\\.\\n$`),
      )
    } finally {
      server.close()
    }
  })

  test('is refused without a stack trace when it is no port, or the host is not of this machine', () => {
    for (const text of ['0', '65536', '1e3', 'x']) {
      const { status, stderr } = run(`readPort('${text}')`)
      expect([status, stderr]).toEqual([2, `--port must be an integer in [1, 65535], got ${text}\n`])
    }
    const { status, stderr } = run(`await freePort(4173, '192.0.2.1')`)
    expect([status, stderr]).toEqual([2, '--host must be an address of this machine, got 192.0.2.1 (EADDRNOTAVAIL)\n'])
  })

  test('beyond the last one ends the command without a stack trace', async () => {
    const { server } = await busy('127.0.0.1', 65535)
    try {
      const child = spawn(process.execPath, ARGUMENTS(`await freePort(65535, '127.0.0.1')`))
      let said = ''
      child.stderr.on('data', (chunk) => (said += String(chunk)))
      const [status] = (await once(child, 'close')) as [number]
      expect([status, said]).toEqual([2, 'Ports 65535 to 65535 are taken: choose another with --port N.\n'])
    } finally {
      server.close()
    }
  })
})

test.skipIf(process.platform === 'win32')('a server ends when the process above its shell is killed', async () => {
  const code = `endWithParent(); process.stdout.write(process.pid + ' '); setInterval(() => undefined, 1000)`
  const env = { ...process.env, npm_lifecycle_event: 'start', NODE: process.execPath, CODE: ARGUMENTS(code).at(-1) }
  // As npm does: a shell that waits for its command, below a process that is killed.
  const npm = `require('node:child_process').spawn('sh', ['-c', '"$NODE" --import tsx --input-type=module -e "$CODE"; true'], { stdio: 'inherit' })`
  const above = spawn(process.execPath, ['-e', npm], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const [chunk] = (await once(above.stdout, 'data')) as [Buffer]
  const server = Number(String(chunk))
  expect(() => process.kill(server, 0)).not.toThrow()
  above.kill('SIGKILL')
  const end = once(above.stdout, 'close') // the server held it open
  try {
    await end
    expect(() => process.kill(server, 0)).toThrow('ESRCH')
  } finally {
    try {
      process.kill(server, 'SIGKILL')
    } catch {
      // It has ended, as it should.
    }
  }
})
