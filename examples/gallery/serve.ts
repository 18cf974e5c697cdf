/**
 * Builds the gallery and serves it: `npm start`. Prints the address; a port that is taken gives way to the next one; Ctrl-C ends it.
 *
 *   --port N     the first port to try
 *   --host H     for other machines: 0.0.0.0
 *   --dev        from source, with reloading, for work on the gallery itself
 *   --build      only builds, to examples/gallery/dist
 */

import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { build, createServer, preview } from 'vite'

const PORT = 4173

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
  await build({ configFile, logLevel: isBuildOnly ? 'info' : 'warn' })
  if (!isBuildOnly) tell((await preview({ configFile, preview: where, logLevel: 'warn' })).resolvedUrls)
}

function tell(urls: { local: string[]; network: string[] } | null): void {
  console.log(`Tautline, live: ${[...(urls?.local ?? []), ...(urls?.network ?? [])].join('  ')}`)
  console.log('Ctrl-C ends it.')
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(0))
}
