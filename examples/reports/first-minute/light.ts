/** Rows 7: what Lighthouse would ask of the gallery, and whether everybody can use it. */

import { gzipSync } from 'node:zlib'
import { DESKTOP, PHONE, verdict } from '../gallery/browser.js'
import { people } from '../gallery/people.js'
import { figure, median, type ReportRow } from '../report.js'
import { inSite, judged, overSite, visit } from './site.js'

/** [ms] */
const FIRST = 1000
/** [kB] */
const LOADED = 150
const REPEATS = 5

declare global {
  interface Window {
    seen: { shift: number; paint: number; largest: number }
  }
}

/** Notes paints and shifts from the very start. */
const OBSERVE = `window.seen = { shift: 0, paint: 0, largest: 0 }
new PerformanceObserver((list) => { for (const e of list.getEntries()) if (!e.hadRecentInput) seen.shift += e.value }).observe({ type: 'layout-shift', buffered: true })
new PerformanceObserver((list) => { for (const e of list.getEntries()) if (e.name === 'first-contentful-paint') seen.paint = e.startTime }).observe({ type: 'paint', buffered: true })
new PerformanceObserver((list) => { for (const e of list.getEntries()) seen.largest = e.startTime }).observe({ type: 'largest-contentful-paint', buffered: true })`

const first: ReportRow = {
  id: '7.1',
  claim: 'The first picture comes soon',
  asked: `largest contentful paint < ${FIRST / 1000} s, in the median`,
  scene: `1280×800 and 390×844, ${REPEATS} times each, nothing cached, from a server on this machine; software rendering`,
  async measure() {
    const times: string[] = []
    let holds = true
    for (const [name, options] of [
      ['desktop', DESKTOP],
      ['phone', PHONE],
    ] as const) {
      const largest: number[] = []
      for (let k = 0; k < REPEATS; k++) {
        largest.push(
          await visit(
            'gallery/',
            options,
            async ({ page }) => {
              await page.waitForTimeout(1500)
              return page.evaluate(() => window.seen.largest)
            },
            { before: (page) => page.addInitScript({ content: OBSERVE }) },
          ),
        )
      }
      times.push(`${name} ${figure(median(largest))} ms (${figure(Math.max(...largest))} at most)`)
      holds &&= median(largest) < FIRST && Math.min(...largest) > 0
    }
    return { figures: times.join(', '), holds }
  },
}

/** As a host sends it: what is text is compressed. */
function sent(url: string, body: Buffer): number {
  return /\.(webp|png|woff2)$/.test(new URL(url).pathname) ? body.length : gzipSync(body).length
}

const weight: ReportRow = {
  id: '7.2',
  claim: 'Little is loaded before a scene is opened',
  asked: `< ${LOADED} kB in all: page, styles, scripts, pictures, the live scene of the first screen`,
  scene:
    '1280×800 and 390×844, 5 s untouched, nothing cached; texts gzipped as hosts send them, pictures as they are; a kB has 1000 bytes',
  async measure() {
    const totals: string[] = []
    let holds = true
    for (const options of [DESKTOP, PHONE]) {
      const bytes = await visit('gallery/', options, async ({ page, loaded }) => {
        await page.waitForTimeout(5000)
        const each = await Promise.all(loaded.map(async ({ url, body }) => ({ url, size: sent(url, await body) })))
        return each.sort((a, b) => b.size - a.size)
      })
      const total = bytes.reduce((sum, { size }) => sum + size, 0) / 1000
      const most = bytes.slice(0, 3).map(({ url, size }) => `${url.split('/').at(-1) || 'page'} ${figure(size / 1000)}`)
      totals.push(`${figure(total, 4)} kB in ${bytes.length} files, the largest: ${most.join(', ')}`)
      holds &&= total < LOADED
    }
    return { figures: totals.join('; phone: '), holds }
  },
}

const shift: ReportRow = {
  id: '7.3',
  claim: 'Nothing on the page moves as it loads',
  asked: 'a cumulative layout shift of 0',
  scene: '1280×800 and 390×844: the first page for 3 s and #/rope for 3 s',
  async measure() {
    const shifts: number[] = []
    for (const options of [DESKTOP, PHONE]) {
      for (const path of ['gallery/', 'gallery/#/rope']) {
        shifts.push(
          await visit(
            path,
            options,
            async ({ page }) => {
              await page.waitForTimeout(3000)
              return page.evaluate(() => window.seen.shift)
            },
            { before: (page) => page.addInitScript({ content: OBSERVE }) },
          ),
        )
      }
    }
    return { figures: shifts.map((value) => figure(value, 2)).join(', '), holds: shifts.every((value) => value === 0) }
  },
}

/** A row of the gallery's own report under a number of this one. */
function shared(id: string, own: string): ReportRow {
  const row = people.find((each) => each.id === own)
  if (row === undefined) throw new RangeError(`gallery: rows must include ${own}`)
  return { ...row, id }
}

const reader: ReportRow = {
  id: '7.5',
  claim: 'A screen reader is told roles, names and live values',
  asked:
    'every control has a role and a name, every image a text; one h1 and a main a page; sliders tell their value with its unit; what is measured is told as it changes, politely',
  scene: 'the accessibility tree of the first page and of every scene, 1280×800',
  async measure() {
    const faults = (): string => {
      const wrong: string[] = []
      if (document.querySelectorAll('h1').length !== 1) wrong.push(`${document.querySelectorAll('h1').length} h1`)
      if (document.querySelectorAll('main').length !== 1) wrong.push('no main')
      const nameOf = (element: HTMLElement): string =>
        (element.getAttribute('aria-label') ?? '') ||
        (element as HTMLInputElement).labels?.[0]?.textContent.trim() ||
        element.textContent.trim() ||
        (element.getAttribute('title') ?? '')
      for (const element of document.querySelectorAll<HTMLElement>(
        'button, a[href], input, select, textarea, canvas',
      )) {
        if (!element.checkVisibility() || element.closest('[aria-hidden=true]') !== null) continue
        if (nameOf(element) === '') wrong.push(`${element.tagName.toLowerCase()}.${element.className} has no name`)
        if (element.matches('canvas') && element.getAttribute('role') === null) wrong.push('a canvas has no role')
        if (element.matches('[type=range]') && !element.getAttribute('aria-valuetext'))
          wrong.push(`${element.id} tells no value`)
      }
      for (const image of document.images) if (image.getAttribute('alt') === null) wrong.push('an image has no text')
      if (
        document.querySelector('.stage') !== null &&
        document.querySelector('[aria-live=polite].figures-told, .side [aria-live=polite]') === null
      )
        wrong.push('what is measured is not told')
      return wrong.slice(0, 3).join(', ')
    }
    const home = await visit('gallery/', DESKTOP, ({ page }) => page.evaluate(faults))
    const outcomes = await overSite(DESKTOP, ({ page }) => page.evaluate(faults))
    const { figures, holds } = verdict([
      { scene: 'first page', wrong: home || undefined },
      ...judged(outcomes, (wrong) => wrong || undefined),
    ])
    return { figures: figures.replace('scenes', 'pages'), holds }
  },
}

/** Frames a second that are asked, and by how much a clock of a display may be off. */
const RATE = 60
const NEARLY = 0.97

const frames: ReportRow = {
  id: '7.7',
  claim: 'Default scenes run at 60 frames a second',
  asked: `≥ ${RATE} a second (${NEARLY} of it counts: a display's clock), in every scene`,
  scene:
    '1280×800, 2 s each after 1 s; this machine draws by its processor: without a graphics card the drawing takes most of the time, and the row says so',
  slow: true,
  async measure() {
    const outcomes = await overSite(DESKTOP, async ({ page }) => {
      await page.waitForTimeout(1000)
      const [count, seconds, step] = await page.evaluate(async () => {
        const [before, from] = [window.gallery.state()?.frames ?? 0, performance.now()]
        await new Promise((resolve) => setTimeout(resolve, 2000))
        const now = window.gallery.state()
        return [(now?.frames ?? 0) - before, (performance.now() - from) / 1000, now?.msPerStep ?? NaN] as const
      })
      return { rate: count / seconds, step }
    })
    const { figures, holds } = verdict(
      judged(outcomes, ({ rate, step }) =>
        rate >= NEARLY * RATE
          ? undefined
          : `${figure(rate, 2)}, of which simulating takes ${figure(step, 2)} ms a step`,
      ),
    )
    return { figures: `drawn by software: ${figures}`, holds }
  },
}

export const light: readonly ReportRow[] = [
  ...[first, weight, shift, reader, frames].map(inSite),
  shared('7.4', '9'),
  shared('7.6', '10'),
].sort((a, b) => Number(a.id) - Number(b.id))
