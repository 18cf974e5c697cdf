/** Rows 8 to 11: phones, keyboards, those who prefer less motion, light and dark. */

import type { Page } from 'playwright-core'
import type { GalleryState } from '../../gallery/src/handle.js'
import { figure, type ReportRow } from '../report.js'
import { DESKTOP, inBrowser, isThere, openScene, overScenes, PHONE, verdict, withPage } from './browser.js'
import { comparePictures } from './pictures.js'

function state(page: Page): Promise<GalleryState> {
  return page.evaluate(() => window.gallery.state() as GalleryState)
}

/** Least size of what a finger has to hit [css px]: WCAG 2.2, 2.5.8. */
const TARGET = 24

/** What is wrong with a page on a phone: it is wider than the screen, or a control cannot be reached. */
function phoneFaults(page: Page): Promise<string[]> {
  return page.evaluate((target) => {
    const faults: string[] = []
    const { scrollWidth, clientWidth } = document.documentElement
    if (scrollWidth > clientWidth) faults.push(`${scrollWidth} px wide`)
    for (const control of document.querySelectorAll<HTMLElement>('button, a, input, select, textarea')) {
      if (!control.checkVisibility()) continue
      // A file's input is behind its label.
      const hit = control.matches('[type=file]')
        ? (control.closest('.file')?.querySelector('label') ?? control)
        : control
      hit.scrollIntoView({ block: 'end' })
      const { left, top, width, height } = hit.getBoundingClientRect()
      const name = control.getAttribute('aria-label') ?? (control.id || control.textContent?.trim().slice(0, 24)) ?? ''
      const [x, y] = [left + width / 2, top + Math.min(height, innerHeight) / 2]
      const found = document.elementFromPoint(x, y)
      if (found === null || !(hit.contains(found) || found.contains(hit))) faults.push(`${name} is covered`)
      else if (left < 0 || left + width > clientWidth) faults.push(`${name} sticks out`)
      // Links in a line of text may be small; a box to tick has its label.
      else if (Math.min(width, height) < target && !control.matches('[type=checkbox], a.brand')) {
        faults.push(`${name} is ${Math.round(width)}×${Math.round(height)} px`)
      }
    }
    scrollTo(0, 0)
    return faults
  }, TARGET)
}

const phone: ReportRow = {
  id: '8',
  claim: 'The page fits a phone',
  asked: `no horizontal scroll; every button, link, slider, choice and text field is reachable, none smaller than ${TARGET} px`,
  scene: '390×844, the first page and every scene; each control scrolled to and hit at its middle',
  async measure() {
    const first = await withPage(PHONE, '', ({ page }) => phoneFaults(page))
    const outcomes = await overScenes(PHONE, ({ page }) => phoneFaults(page))
    const rows = outcomes.map(({ scene, result, failed }) => ({ scene, faults: failed ?? result?.join(', ') ?? '' }))
    const all = [{ scene: 'first page', faults: first.join(', ') }, ...rows]
    const { figures, holds } = verdict(all.map(({ scene, faults }) => ({ scene, wrong: faults || undefined })))
    return { figures: figures.replace('scenes', 'pages'), holds }
  },
}

const keyboard: ReportRow = {
  id: '9',
  claim: 'The keyboard suffices',
  asked:
    'Tab reaches a card and Enter opens it; space pauses and goes on, full stop steps once, R resets, arrows turn, Esc goes back',
  scene: '#/rope from the first page, keys alone',
  measure: () =>
    withPage(DESKTOP, '', async ({ page }) => {
      const { keyboard } = page
      const seen: Record<string, boolean> = {}
      for (let k = 0; k < 40; k++) {
        await keyboard.press('Tab')
        if (await page.evaluate(() => document.activeElement?.getAttribute('data-scene') === 'rope')) break
      }
      await keyboard.press('Enter')
      await page.waitForFunction(() => (window.gallery.state()?.step ?? 0) > 0, undefined, { timeout: 10_000 })
      seen.opens = (await state(page)).scene === 'rope'
      await keyboard.press('Space')
      const paused = await state(page)
      await page.waitForTimeout(300)
      seen.pause = paused.paused && (await state(page)).step === paused.step
      await keyboard.press('.')
      seen.step = (await state(page)).step === paused.step + 1
      await keyboard.press('r')
      seen.reset = (await state(page)).step === 0
      for (let k = 0; k < 20; k++) {
        await keyboard.press('Tab')
        if (await page.evaluate(() => document.activeElement?.matches('canvas.picture'))) break
      }
      const before = await page.evaluate(() => window.gallery.picture())
      await keyboard.press('ArrowLeft')
      seen.arrows = (await page.evaluate(() => window.gallery.picture())) !== before
      await keyboard.press('Space')
      const { paused: still, step } = await state(page)
      await page.waitForTimeout(500)
      seen.play = !still && (await state(page)).step > step
      await keyboard.press('Escape')
      await page.waitForTimeout(200)
      seen.back = (await page.evaluate(() => window.gallery.state())) === null
      return {
        figures: Object.entries(seen)
          .map(([name, works]) => `${name} ${works ? 'yes' : 'NO'}`)
          .join(', '),
        holds: Object.values(seen).every(Boolean),
      }
    }),
}

const motion: ReportRow = {
  id: '10',
  claim: 'Who prefers less motion gets scenes that wait for Play',
  asked: 'no step and the same picture until Play is pressed, cards that stay still under the pointer, no transitions',
  scene: 'prefers-reduced-motion: reduce; a second in #/rope, then Play; the pointer on its card for three seconds',
  measure: () =>
    withPage({ ...DESKTOP, reducedMotion: 'reduce' }, '#/rope', async ({ page }) => {
      const before = await page.evaluate(() => window.gallery.picture())
      await page.waitForTimeout(1000)
      const waiting = await state(page)
      const stays = (await page.evaluate(() => window.gallery.picture())) === before
      await page.getByRole('button', { name: 'Play' }).click()
      await page.waitForTimeout(1000)
      const { step } = await state(page)
      await openScene(page, '')
      const card = page.locator('.card[data-scene="rope"]')
      const transition = await card.evaluate((e) => getComputedStyle(e).transitionDuration)
      await card.hover()
      await page.waitForTimeout(3000)
      // What is live is drawn on a canvas over the baked picture.
      const isStill = (await card.locator('canvas').count()) === 0
      return {
        figures: `${waiting.step} steps before Play, ${step} in the second after; picture ${stays ? 'the same' : 'CHANGED'}; card under the pointer ${isStill ? 'still' : 'MOVES'}; transitions ${transition}`,
        holds: waiting.step === 0 && waiting.paused && stays && step > 0 && isStill && /^0s/.test(transition),
      }
    }),
}

/** Least contrast of text, and of large text: WCAG 2.2, 1.4.3 (AA). */
const CONTRAST = 4.5
const LARGE = 3

interface Contrast {
  readonly ratio: number
  readonly needed: number
  readonly text: string
}

/** Contrast of every text on the page with what is behind it, the least first. */
function contrasts(page: Page): Promise<Contrast[]> {
  return page.evaluate(
    ([usual, large]) => {
      const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
      if (context === null) throw new TypeError('no canvas')
      const read = (colour: string): number[] => {
        context.clearRect(0, 0, 1, 1)
        context.fillStyle = colour
        context.fillRect(0, 0, 1, 1)
        const [r, g, b, a] = context.getImageData(0, 0, 1, 1).data
        return [r, g, b, a / 255]
      }
      const over = (top: number[], below: number[]): number[] => [
        ...[0, 1, 2].map((k) => top[3] * top[k] + (1 - top[3]) * below[k]),
        1,
      ]
      const behind = (element: Element | null): number[] => {
        if (element === null) return [255, 255, 255, 1]
        const own = read(getComputedStyle(element).backgroundColor)
        return own[3] === 1 ? own : over(own, behind(element.parentElement))
      }
      const luminance = (colour: number[]): number => {
        const [r, g, b] = colour.slice(0, 3).map((c) => {
          const s = c / 255
          return s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4
        })
        return 0.2126 * r + 0.7152 * g + 0.0722 * b
      }
      const found: { ratio: number; needed: number; text: string }[] = []
      for (const element of document.querySelectorAll('body *')) {
        const isField = element.matches('select, textarea')
        const text = isField
          ? element.tagName
          : [...element.childNodes]
              .filter((n) => n.nodeType === 3)
              .map((n) => n.textContent)
              .join('')
              .trim()
        if (text === '' || element.matches('script, style, noscript, option')) continue
        if (!element.checkVisibility() || element.getClientRects().length === 0) continue
        const style = getComputedStyle(element)
        const back = behind(element)
        const [a, b] = [luminance(over(read(style.color), back)), luminance(back)]
        const size = parseFloat(style.fontSize)
        const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700)
        found.push({
          ratio: (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05),
          needed: isLarge ? large : usual,
          text: text.slice(0, 24),
        })
      }
      return found.sort((r, s) => r.ratio / r.needed - s.ratio / s.needed)
    },
    [CONTRAST, LARGE],
  )
}

/** The first page, and scenes with labels, plots and a mistake in the editor. */
const CHECKED = ['', 'rope', 'joints', 'solvers', 'write', 'mesh']

const contrast: ReportRow = {
  id: '11.1',
  claim: 'Text is legible, light and dark',
  asked: `contrast ≥ ${CONTRAST}, of large text ≥ ${LARGE} (WCAG AA)`,
  scene: `every text of the first page, ${CHECKED.slice(1).join(', ')}, a mistake in the editor among them; against the colours behind it, the picture's backdrop included`,
  async measure() {
    const results: string[] = []
    let holds = true
    for (const colorScheme of ['light', 'dark'] as const) {
      await withPage({ ...DESKTOP, colorScheme }, '', async ({ page }) => {
        const all: Contrast[] = []
        for (const scene of CHECKED) {
          await openScene(page, scene)
          if (scene === 'write') await page.evaluate(() => window.gallery.editor?.set('world.add('))
          all.push(...(await contrasts(page)))
        }
        const wrong = all.filter(({ ratio, needed }) => ratio < needed)
        const least = all.reduce((a, b) => (b.ratio < a.ratio ? b : a))
        const names = [...new Set(wrong.map(({ text, ratio }) => `“${text}” ${figure(ratio)}`))].slice(0, 5).join(', ')
        results.push(
          `${colorScheme}: ${all.length} texts, least ${figure(least.ratio)} (“${least.text}”)${names === '' ? '' : `; too little: ${names}`}`,
        )
        holds &&= wrong.length === 0 && all.length > 0
      })
    }
    return { figures: results.join('; '), holds }
  },
}

const themes: ReportRow = {
  id: '11.2',
  claim: 'Light and dark follow the system, and the button',
  asked: 'page and picture lighter in one than in the other; the button changes both and the choice lasts',
  scene:
    '#/rope at its start; prefers-color-scheme light and dark; the button pressed in the light one, then the page loaded anew',
  async measure() {
    const colours = (page: Page): Promise<string> =>
      page.evaluate(() => {
        const { backgroundColor } = getComputedStyle(document.documentElement)
        return `${getComputedStyle(document.body).color} on ${backgroundColor}`
      })
    const look = async (page: Page) => {
      await page.evaluate(() => {
        window.gallery.pause()
        window.gallery.reset()
      })
      return { css: await colours(page), picture: await page.evaluate(() => window.gallery.picture()) }
    }
    const dark = await withPage({ ...DESKTOP, colorScheme: 'dark' }, '#/rope', ({ page }) => look(page))
    return withPage({ ...DESKTOP, colorScheme: 'light' }, '#/rope', async ({ page }) => {
      const light = await look(page)
      await page.getByRole('button', { name: 'Light or dark' }).click()
      const pressed = await look(page)
      await page.reload()
      await isThere(page)
      const later = await look(page)
      const system = await comparePictures(page, light.picture, dark.picture)
      const button = await comparePictures(page, light.picture, pressed.picture)
      return {
        figures: `${light.css}, ${dark.css}; mean of the picture ${figure(system.light[0])} and ${figure(system.light[1])} of 255; by the button ${pressed.css}, ${figure(button.light[1])}; loaded anew ${later.css}`,
        holds:
          light.css !== dark.css &&
          system.light[1] < 0.5 * system.light[0] &&
          pressed.css === dark.css &&
          button.light[1] < 0.5 * button.light[0] &&
          later.css === dark.css,
      }
    })
  },
}

export const people: readonly ReportRow[] = [phone, keyboard, motion, contrast, themes].map(inBrowser)
