/** Rows 1: the gallery's first screen, and the cards below it. */

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DESKTOP } from '../gallery/browser.js'
import { comparePictures } from '../gallery/pictures.js'
import { figure, type ReportRow } from '../report.js'
import { builtSite, inSite, ROOT, visit } from './site.js'

/** The scene is live by then [ms], software rendering and two cores allowed for. */
const LIVE = 3000
/** Share of the screen that it takes. */
const LARGE = 0.2
/** Of a way of the pointer [css px] the thing follows so much within a second. */
const PULL = 120
const FOLLOWS = 0.5

const live: ReportRow = {
  id: '1.1',
  claim: 'The first screen has one live scene that can be pulled at, beside the name',
  asked: `≥ ${100 * LARGE} % of the screen, moving within ${LIVE / 1000} s, untouched; a thing that is pulled follows the pointer by ≥ ${100 * FOLLOWS} %`,
  scene: `1280×800; the canvas .hero-live; the mouse pressed on the first thing that it lists, ${PULL} px to the left, held for 1 s`,
  measure: () =>
    visit('gallery/', DESKTOP, async ({ page }) => {
      const canvas = page.locator('canvas.hero-live')
      await canvas.waitFor({ timeout: LIVE })
      const box = await canvas.boundingBox()
      if (box === null) throw new Error('the canvas is not shown')
      const share =
        (Math.min(box.width, 1280) * Math.max(0, Math.min(800, box.y + box.height) - Math.max(0, box.y))) / 1280 / 800
      await page.waitForFunction(() => (window.gallery.hero?.steps ?? 0) > 0, undefined, { timeout: LIVE })
      const picture = (): Promise<string> => canvas.evaluate((element: HTMLCanvasElement) => element.toDataURL())
      const before = await picture()
      await page.waitForTimeout(700)
      const { changed } = await comparePictures(page, before, await picture())
      const at = await page.evaluate(() => window.gallery.hero?.things()[0])
      if (at === undefined) throw new Error('nothing to pull at')
      await page.mouse.move(at.x, at.y)
      await page.mouse.down()
      await page.mouse.move(at.x - PULL, at.y, { steps: 6 })
      await page.waitForTimeout(1000)
      const now = await page.evaluate(() => window.gallery.hero?.things()[0])
      await page.mouse.up()
      const away = Math.hypot((now?.x ?? 0) - (at.x - PULL), (now?.y ?? 0) - at.y)
      const followed = 1 - away / PULL
      return {
        figures: `${figure(100 * share, 2)} % of the screen; ${figure(100 * changed, 2)} % of it changed in 0.7 s; ${at.name} nearer to the pointer by ${figure(100 * followed, 2)} %`,
        holds: share >= LARGE && changed > 0 && followed >= FOLLOWS,
      }
    }),
}

const words: ReportRow = {
  id: '1.2',
  claim: 'It says what it is, how to install it, ten lines of code, and where docs and source are',
  asked:
    'a name, a sentence, commands that the first page of the docs has too, ≤ 10 lines of code, links to docs and source; all within the first screen',
  scene: '1280×800, not scrolled; .hero h1, .lead, .install code, .ten-lines code, links by their names',
  measure: () =>
    visit('gallery/', DESKTOP, async ({ page }) => {
      const seen = await page.evaluate(() => {
        const inside = (element: Element | null): boolean => {
          const box = element?.getBoundingClientRect()
          return box !== undefined && box.height > 0 && box.top >= 0 && box.bottom <= innerHeight
        }
        const text = (selector: string): string =>
          Array.from(document.querySelectorAll(selector), (each) => each.textContent).join('\n')
        const link = (name: string): Element | null =>
          Array.from(document.querySelectorAll('.hero a')).find((a) => a.textContent.trim() === name) ?? null
        const parts = ['.hero h1', '.hero .lead', '.hero .install code', '.hero .ten-lines code']
        return {
          hidden: parts.filter((part) => !inside(document.querySelector(part))),
          install: text('.hero .install code'),
          code: text('.hero .ten-lines code'),
          links: ['Docs', 'Source'].filter((name) => inside(link(name))),
          docs: (link('Docs') as HTMLAnchorElement | null)?.href,
        }
      })
      const guide =
        readFileSync(join(ROOT, 'docs/first-scene.md'), 'utf8') + readFileSync(join(ROOT, 'README.md'), 'utf8')
      const unknown = seen.install.split('\n').filter((line) => line.trim() !== '' && !guide.includes(line.trim()))
      const lines = seen.code.split('\n').filter((line) => line.trim() !== '').length
      const answers = seen.docs === undefined ? 0 : (await page.request.get(seen.docs)).status()
      const wrong = [
        ...seen.hidden.map((part) => `${part} is not in the first screen`),
        ...unknown.map((line) => `“${line}” is in no guide`),
        ...(answers === 200 ? [] : [`the docs answer ${answers}`]),
      ]
      return {
        figures: `${lines} lines of code; links: ${seen.links.join(', ') || 'none'}${wrong.length > 0 ? `; ${wrong.join('; ')}` : ''}`,
        holds: wrong.length === 0 && lines > 0 && lines <= 10 && seen.links.length === 2 && seen.install.trim() !== '',
      }
    }),
}

const runs: ReportRow = {
  id: '1.3',
  claim: 'The ten lines run',
  asked: 'as they stand on the page, natively: no error, and what they print is finite',
  scene: 'examples/gallery/src/ten-lines.ts, which the page shows',
  async measure() {
    const file = join(ROOT, 'examples/gallery/src/ten-lines.ts')
    if (!existsSync(file)) return { figures: 'not there', holds: false }
    const printed: unknown[] = []
    const { log } = console
    console.log = (...values: unknown[]) => void printed.push(...values)
    try {
      await import(file)
    } finally {
      console.log = log
    }
    return {
      figures: `prints ${printed.map((value) => (typeof value === 'number' ? figure(value) : String(value))).join(', ')}`,
      holds: printed.some((value) => Number.isFinite(value)),
    }
  },
}

/** Sections that the issue names, by words of their headings. */
const SECTIONS = ['Games', 'Cloth and rope', 'Soft', 'Ragdolls', 'Inverse kinematics', 'Stacks', 'Method']

const sections: ReportRow = {
  id: '1.4',
  claim: 'Below it are sections',
  asked: SECTIONS.join(', '),
  scene: 'headings of the first page; every scene in one of them',
  measure: () =>
    visit('gallery/', DESKTOP, async ({ page }) => {
      const found = await page.locator('.groups h2').allTextContents()
      const [cards, scenes] = await page.evaluate(() => [
        document.querySelectorAll('.groups .card').length,
        window.gallery.scenes.length,
      ])
      const without = SECTIONS.filter((section) => !found.some((heading) => heading.startsWith(section)))
      return {
        figures: `${found.join(', ')}; ${cards} cards of ${scenes} scenes${without.length > 0 ? `; missing: ${without.join(', ')}` : ''}`,
        holds: without.length === 0 && cards === scenes,
      }
    }),
}

/** [bytes] */
const POSTER = 25_000

const posters: ReportRow = {
  id: '1.5',
  claim: 'Every card has a baked picture, at once',
  asked: `an image a scene, each < ${POSTER / 1000} kB; those in view decoded within 1 s of opening`,
  scene: '1280×800; .card img, light and dark; files of the built gallery',
  measure: () =>
    visit('gallery/', DESKTOP, async ({ page }) => {
      await page.waitForTimeout(1000)
      const cards = await page.evaluate(() =>
        Array.from(document.querySelectorAll('.card'), (card) => {
          const image = card.querySelector('img')
          const { top, bottom } = card.getBoundingClientRect()
          const isSeen = bottom > 0 && top < innerHeight
          return { has: image !== null, isLate: isSeen && !(image?.complete === true && image.naturalWidth > 0) }
        }),
      )
      const folder = join(builtSite(), 'gallery/posters')
      const sizes = existsSync(folder) ? readdirSync(folder).map((file) => statSync(join(folder, file)).size) : []
      const largest = sizes.length > 0 ? Math.max(...sizes) : NaN
      const [with_, late] = [cards.filter(({ has }) => has).length, cards.filter(({ isLate }) => isLate).length]
      return {
        figures: `${with_} of ${cards.length} cards, ${late} in view that are not there yet; ${sizes.length} files, the largest ${figure(largest / 1000)} kB`,
        holds: with_ === cards.length && late === 0 && largest < POSTER && sizes.length >= cards.length,
      }
    }),
}

const hover: ReportRow = {
  id: '1.6',
  claim: 'A card is live under the pointer, and in the focus',
  asked: 'its picture moves within 10 s of hovering, and of being tabbed to; not before',
  scene: '1280×800, the cards of the first two scenes',
  measure: () =>
    visit('gallery/', DESKTOP, async ({ page }) => {
      const cards = page.locator('.groups .card')
      const moves = async (k: number): Promise<boolean> => {
        const canvas = cards.nth(k).locator('canvas')
        await canvas.waitFor({ timeout: 10_000 })
        const read = async (): Promise<string> => (await canvas.screenshot()).toString('base64')
        const before = await read()
        await page.waitForTimeout(800)
        return (await read()) !== before
      }
      const first = await cards.locator('canvas').count()
      await cards.nth(0).scrollIntoViewIfNeeded()
      await cards.nth(0).hover()
      const hovered = await moves(0)
      await cards.nth(1).focus()
      const focused = await moves(1)
      return {
        figures: `${first} live before; hovered ${hovered ? 'moves' : 'STILL'}, focused ${focused ? 'moves' : 'STILL'}`,
        holds: first === 0 && hovered && focused,
      }
    }),
}

export const firstScreen: readonly ReportRow[] = [...[live, words, sections, posters, hover].map(inSite), runs]
