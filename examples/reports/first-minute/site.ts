/** The built site, docs and gallery, on a plain static server under a sub-path: built once, where something is newer than it. */

import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { findChromium, launchChromium, whyNoChromium } from '../../lib/chromium.js'
import { isThere, type Outcome } from '../gallery/browser.js'
import { type Measured, type ReportRow, skipped } from '../report.js'

export const ROOT: string = fileURLToPath(new URL('../../../', import.meta.url))
/** Where the site lies on its host. */
export const BASE = '/lib/tautline/'
const OUT = 'site/.first-minute/dist'
export const SITE: string = join(ROOT, OUT)
/** What the site is made of. */
const SOURCES = ['docs', 'packages', 'examples/gallery', 'examples/scenes', 'examples/lib', 'site', 'README.md']
const NOT_SOURCES = new Set(['node_modules', 'dist', 'screenshots', 'cache', '.pages', '.reference'])

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
  '.wasm': 'application/wasm',
  '.txt': 'text/plain; charset=utf-8',
}

/** When the newest file below a path was written [ms]. */
function newest(path: string): number {
  const { mtimeMs } = statSync(path)
  if (!statSync(path).isDirectory()) return mtimeMs
  const below = readdirSync(path, { withFileTypes: true }).filter(({ name }) => !NOT_SOURCES.has(name))
  return below.reduce(
    (most, entry) => (entry.isSymbolicLink() ? most : Math.max(most, newest(join(path, entry.name)))),
    0,
  )
}

let isBuilt = false

/** Builds the site where it is not there, or older than what it is made of. Returns its folder. */
export function builtSite(): string {
  const index = join(SITE, 'gallery/index.html')
  const isFresh = (): boolean => {
    const built = existsSync(index) ? statSync(index).mtimeMs : 0
    return SOURCES.every((path) => newest(join(ROOT, path)) <= built)
  }
  if (!isBuilt && !isFresh()) {
    const made = spawnSync('npm', ['run', '--silent', 'site', '--', '--base', BASE, '--out', OUT, '--no-reference'], {
      cwd: ROOT,
      encoding: 'utf8',
    })
    if (made.status !== 0) throw new Error(`npm run site: ${made.stderr.slice(-300)}`)
  }
  isBuilt = true
  return SITE
}

/** Addresses that the server had nothing for. */
export const missing = new Set<string>()

/** A server that knows files and nothing else: no rewriting, no headers. */
async function serveFolder(folder: string, base: string): Promise<Server> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const inside = decodeURIComponent(pathname).startsWith(base)
    const path = join(folder, decodeURIComponent(pathname).slice(base.length))
    const file = pathname.endsWith('/') ? join(path, 'index.html') : path
    if (!inside || !existsSync(file) || statSync(file).isDirectory()) {
      missing.add(pathname)
      response.writeHead(404).end()
      return
    }
    response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' })
    response.end(readFileSync(file))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

let serving: Promise<Server> | undefined
let launching: Promise<Browser> | undefined

/** Where the site begins: `http://127.0.0.1:PORT/lib/tautline/`. */
export async function siteAddress(): Promise<string> {
  serving ??= serveFolder(builtSite(), BASE)
  const { port } = (await serving).address() as AddressInfo
  return `http://127.0.0.1:${port}${BASE}`
}

export async function close(): Promise<void> {
  if (launching !== undefined) await (await launching).close()
  if (serving !== undefined) (await serving).close()
}

/** Requests of all pages of this report that went to another origin. */
export const foreign = new Set<string>()
/** Requests in all. */
export const requests = { count: 0 }

export interface Visit {
  readonly page: Page
  readonly context: BrowserContext
  /** What has come so far: address and bytes as they came, uncompressed. */
  readonly loaded: { readonly url: string; readonly body: Promise<Buffer> }[]
  readonly errors: string[]
}

/** Opens a page of the site in a browser of its own, does something, and closes it. `ready` waits for the gallery's handle. */
export async function visit<T>(
  path: string,
  options: BrowserContextOptions,
  use: (visit: Visit) => Promise<T>,
  { ready = path.startsWith('gallery/'), before }: { ready?: boolean; before?: (page: Page) => Promise<unknown> } = {},
): Promise<T> {
  const home = await siteAddress()
  launching ??= launchChromium(findChromium() as string)
  const context = await (await launching).newContext(options)
  try {
    const page = await context.newPage()
    const errors: string[] = []
    const loaded: { url: string; body: Promise<Buffer> }[] = []
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text())
    })
    page.on('pageerror', (error) => errors.push(String(error)))
    context.on('request', (request) => {
      requests.count++
      const url = request.url()
      if (!/^(data|blob|about):/.test(url) && !url.startsWith(new URL(home).origin)) foreign.add(url)
    })
    context.on('response', (response) => {
      if (/^https?:/.test(response.url()))
        loaded.push({ url: response.url(), body: response.body().catch(() => Buffer.alloc(0)) })
    })
    // tsx wraps named functions into calls of __name, also those that are sent to the page.
    await page.addInitScript({ content: 'globalThis.__name = (given) => given' })
    await before?.(page)
    await page.goto(home + path)
    if (ready) await isThere(page)
    return await use({ page, context, loaded, errors })
  } finally {
    await context.close()
  }
}

/** A row that needs the browser: skipped where there is none. */
export function inSite(row: ReportRow): ReportRow {
  const measure = (): Measured | Promise<Measured> =>
    findChromium() === undefined ? skipped(whyNoChromium()) : row.measure()
  return { ...row, measure }
}

/** Does something in every scene of the gallery, one after the other in one page. */
export function overSite<T>(
  options: BrowserContextOptions,
  look: (visit: Visit, scene: string) => Promise<T>,
): Promise<Outcome<T>[]> {
  return visit('gallery/', options, async (opened) => {
    const scenes = await opened.page.evaluate(() => window.gallery.scenes)
    const outcomes: Outcome<T>[] = []
    for (const scene of scenes) {
      try {
        await opened.page.evaluate((id) => window.gallery.open(id), scene)
        outcomes.push({ scene, result: await look(opened, scene) })
      } catch (error) {
        outcomes.push({ scene, failed: String(error).split('\n')[0] })
      }
    }
    return outcomes
  })
}

/** A verdict over scenes: what `judge` says is wrong with each. */
export function judged<T>(
  outcomes: readonly Outcome<T>[],
  judge: (result: T) => string | undefined,
): { scene: string; wrong: string | undefined }[] {
  return outcomes.map(({ scene, result, failed }) => ({ scene, wrong: failed ?? judge(result as T) }))
}
