/** The built gallery in a headless Chromium: built and served once for all rows; what a page says and asks for is noted. */

import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { build, preview, type PreviewServer } from 'vite'
import { findChromium, launchChromium, whyNoChromium } from '../../lib/chromium.js'
import { type Measured, type ReportRow, skipped } from '../report.js'

export const GALLERY: string = fileURLToPath(new URL('../../gallery/', import.meta.url))
/** Where a person can look at every scene; not kept in the repository. */
export const SCREENSHOTS: string = `${GALLERY}screenshots/`
const configFile = `${GALLERY}vite.config.ts`
/** The server takes the next free port. */
const PORT = 4273

export const DESKTOP: BrowserContextOptions = { viewport: { width: 1280, height: 800 } }
/** A phone held upright. */
export const PHONE: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 2,
  isMobile: true,
  hasTouch: true,
}

/** Browser pages at once, where time is not measured. */
const AT_ONCE = 2

/** Every request and every error of all pages of this report. */
export const traffic = { origins: new Map<string, number>(), foreign: new Set<string>(), errors: [] as string[] }

let building: Promise<void> | undefined
let serving: Promise<PreviewServer> | undefined
let launching: Promise<Browser> | undefined

/** Builds the page, once. */
export function built(): Promise<void> {
  building ??= build({ configFile, logLevel: 'error' }).then(() => undefined)
  return building
}

/** Where the built page is served. */
export async function address(): Promise<string> {
  await built()
  serving ??= preview({ configFile, preview: { port: PORT, host: 'localhost' }, logLevel: 'error' })
  return (await serving).resolvedUrls?.local[0] as string
}

/** Ends the browser and the server. */
export async function close(): Promise<void> {
  if (launching !== undefined) await (await launching).close()
  if (serving !== undefined) await (await serving).close()
}

/** A row that needs the browser: skipped where there is none. */
export function inBrowser(row: ReportRow): ReportRow {
  const measure = (): Measured | Promise<Measured> =>
    findChromium() === undefined ? skipped(whyNoChromium()) : row.measure()
  return { ...row, measure }
}

/** A page of its own, at the gallery's first page. */
export interface Opened {
  readonly page: Page
  readonly context: BrowserContext
  /** Errors of the console, exceptions that nobody caught, and requests that failed, so far. */
  readonly errors: readonly string[]
}

/** Opens an address of the gallery (`#/rope`) in a browser of its own: no storage, no cache. */
export async function openPage(options: BrowserContextOptions = DESKTOP, hash = ''): Promise<Opened> {
  const home = await address()
  launching ??= launchChromium(findChromium() as string)
  const context = await (await launching).newContext(options)
  const page = await context.newPage()
  const errors: string[] = []
  const wrong = (text: string): void => void (errors.push(text), traffic.errors.push(text))
  page.on('console', (message) => {
    if (message.type() === 'error') wrong(message.text())
  })
  page.on('pageerror', (error) => wrong(String(error)))
  page.on('requestfailed', (request) => wrong(`${request.url()}: ${request.failure()?.errorText ?? 'failed'}`))
  context.on('request', (request) => {
    const url = new URL(request.url())
    if (url.protocol === 'data:' || url.protocol === 'blob:') return
    traffic.origins.set(url.origin, (traffic.origins.get(url.origin) ?? 0) + 1)
    if (url.origin !== new URL(home).origin) traffic.foreign.add(request.url())
  })
  // tsx wraps named functions into calls of __name, also those that are sent to the page.
  await page.addInitScript({ content: 'globalThis.__name = (given) => given' })
  await page.goto(home + hash)
  await isThere(page)
  return { page, context, errors }
}

/** Until the page's script has run, and its first frame is drawn. */
export async function isThere(page: Page): Promise<void> {
  await page.waitForFunction(() => 'gallery' in window)
  await page.evaluate(() => window.gallery.ready)
}

/** Opens a page, uses it, and closes it. */
export async function withPage<T>(
  options: BrowserContextOptions,
  hash: string,
  use: (opened: Opened) => Promise<T>,
): Promise<T> {
  const opened = await openPage(options, hash)
  try {
    return await use(opened)
  } finally {
    await opened.context.close()
  }
}

/** Opens a scene with its defaults, by the page's own handle. */
export function openScene(page: Page, scene: string): Promise<void> {
  return page.evaluate((id) => window.gallery.open(id), scene)
}

let ids: Promise<readonly string[]> | undefined

/** Ids of all scenes, as the page has them. */
export function sceneIds(): Promise<readonly string[]> {
  ids ??= withPage(DESKTOP, '', ({ page }) => page.evaluate(() => window.gallery.scenes))
  return ids
}

/** What became of a scene: a result, or what was thrown. */
export type Outcome<T> = { readonly scene: string } & (
  { readonly result: T; readonly failed?: undefined } | { readonly result?: undefined; readonly failed: string }
)

/** Does something in every scene, one after the other in one page, or in two at once that share the scenes. */
export async function overScenes<T>(
  options: BrowserContextOptions,
  visit: (opened: Opened, scene: string) => Promise<T>,
  atOnce = AT_ONCE,
): Promise<Outcome<T>[]> {
  const scenes = await sceneIds()
  const outcomes: Outcome<T>[] = []
  let next = 0
  const work = (opened: Opened): Promise<void> => goOn(opened)
  const goOn = async (opened: Opened): Promise<void> => {
    for (let k = next++; k < scenes.length; k = next++) {
      const scene = scenes[k]
      try {
        await openScene(opened.page, scene)
        outcomes[k] = { scene, result: await visit(opened, scene) }
      } catch (error) {
        outcomes[k] = { scene, failed: String(error).split('\n')[0] }
      }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, () => withPage(options, '', work)))
  return outcomes
}

/** `27 of 28 scenes; not: pile (why)`. */
export function verdict(outcomes: readonly { scene: string; wrong: string | undefined }[]): Measured {
  const wrong = outcomes.filter((outcome) => outcome.wrong !== undefined)
  const not = wrong.map(({ scene, wrong: why }) => `${scene} (${why ?? ''})`).join('; ')
  return {
    figures: `${outcomes.length - wrong.length} of ${outcomes.length} scenes${not === '' ? '' : `; not: ${not}`}`,
    holds: outcomes.length > 0 && wrong.length === 0,
  }
}
