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
import { build, createServer, preview, type ViteDevServer } from 'vite'
import { heldLog } from '../lib/held-log.js'
import { openBrowser } from '../lib/open-browser.js'
import { endWithParent, fail, freePort, readPort } from '../lib/serving.js'
import { buildProgress } from './build-progress.js'
import { weigh } from './weigh.js'

const PORT = 4173

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
    return { ...values, port: readPort(values.port) }
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error))
  }
}

const { port, host, dev, build: isBuildOnly, open, docs, source } = readArguments()
if (docs !== undefined) process.env.TAUTLINE_DOCS = docs
if (source !== undefined) process.env.TAUTLINE_SOURCE = source
const configFile = fileURLToPath(new URL('vite.config.ts', import.meta.url))
const customLogger = heldLog()
if (isBuildOnly) {
  await buildPage()
  process.exitCode = weigh(fileURLToPath(new URL('dist/', import.meta.url))) ? 0 : 1
} else {
  endWithParent()
  const where = { port: await freePort(port, host), host }
  if (!dev) await buildPage()
  tell((dev ? await serveSource(where) : await preview({ configFile, preview: where, logLevel: 'warn' })).resolvedUrls)
}

/** Builds the page; what the bundler said is shown if it fails. */
async function buildPage(): Promise<void> {
  try {
    await build({ configFile, customLogger, logLevel: 'warn', plugins: [buildProgress('the gallery')] })
  } catch (error) {
    customLogger.show()
    throw error
  }
}

async function serveSource(where: { port: number; host: string }): Promise<ViteDevServer> {
  return (await createServer({ configFile, server: where, logLevel: 'warn' })).listen()
}

function tell(urls: { local: string[]; network: string[] } | null): void {
  console.log(`Tautline, live: ${[...(urls?.local ?? []), ...(urls?.network ?? [])].join('  ')}`)
  console.log('Ctrl-C ends it.')
  const [first] = urls?.local ?? []
  if (open && first !== undefined) openBrowser(first)
}
