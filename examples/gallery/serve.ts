/**
 * Builds the gallery and serves it: `npm start`. Says what it is at, prints the address and opens it, where there is a screen; a port that is taken gives
 * way to the next one; Ctrl-C ends it.
 *
 *   --port N      the first port to try
 *   --host H      for other machines: 0.0.0.0
 *   --no-open     leaves the browser alone, as CI, SSH_CONNECTION and BROWSER=none do
 *   --dev         from source, with reloading, for work on the gallery itself
 *   --build       only builds, to examples/gallery/dist, and says how large it is; exit status 1 when it is too large
 *   --docs PATH   with --build: where the site of the docs lies, seen from the page; without it the docs are copied as text
 *   --source URL  with --build: where the source can be seen
 */

import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { build, createServer, preview } from 'vite'
import { openBrowser } from '../lib/open-browser.js'
import { buildProgress } from './build-progress.js'
import { weigh } from './weigh.js'

const PORT = 4173
function fail(message: string): never {
  console.error(message)
  process.exit(2)
}

function readArguments() {
  try {
    const { values } = parseArgs({
      options: {
        port: { type: 'string', default: String(PORT) },
        host: { type: 'string', default: 'localhost' },
        dev: { type: 'boolean', default: false },
        build: { type: 'boolean', default: false },
        open: { type: 'boolean', default: true },
        docs: { type: 'string' },
        source: { type: 'string' },
      },
      allowNegative: true,
    })
    const port = Number(values.port)
    if (!(Number.isInteger(port) && port >= 1 && port <= 65535)) {
      fail(`--port must be an integer in [1, 65535], got ${values.port}`)
    }
    return { ...values, port }
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error))
  }
}

const { port, host, dev, build: isBuildOnly, open, docs, source } = readArguments()
if (docs !== undefined) process.env.TAUTLINE_DOCS = docs
if (source !== undefined) process.env.TAUTLINE_SOURCE = source
const configFile = fileURLToPath(new URL('vite.config.ts', import.meta.url))
const where = { port, host, strictPort: false }
if (dev) {
  const server = await createServer({ configFile, server: where, logLevel: 'warn' })
  await server.listen()
  tell(server.resolvedUrls)
} else {
  await build({ configFile, logLevel: 'warn', plugins: [buildProgress('the gallery')] })
  if (isBuildOnly) process.exitCode = weigh(fileURLToPath(new URL('dist/', import.meta.url))) ? 0 : 1
  else tell((await preview({ configFile, preview: where, logLevel: 'warn' })).resolvedUrls)
}

function tell(urls: { local: string[]; network: string[] } | null): void {
  console.log(`Tautline, live: ${[...(urls?.local ?? []), ...(urls?.network ?? [])].join('  ')}`)
  console.log('Ctrl-C ends it.')
  const [first] = urls?.local ?? []
  if (open && first !== undefined) openBrowser(first)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(0))
}
