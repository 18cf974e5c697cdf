/** Rows 1: every scene runs, in numbers and in the picture; rows of the first page and of what is fetched. */

import { mkdirSync, statSync } from 'node:fs'
import { relative } from 'node:path'
import type { GalleryState } from '../../gallery/src/handle.js'
import { figure, median, type ReportRow } from '../report.js'
import {
  DESKTOP,
  SCREENSHOTS,
  inBrowser,
  type Opened,
  type Outcome,
  overScenes,
  sceneIds,
  traffic,
  verdict,
  withPage,
} from './browser.js'
import { comparePictures, type Compared, COLOURS, CHANGED, DRAWN, isBlank } from './pictures.js'

/** Of the clock and of the simulation [s]. */
const SECONDS = 5

interface Visit {
  readonly errors: readonly string[]
  /** After five seconds of the clock, and after those of the simulation. */
  readonly live: GalleryState
  readonly end: GalleryState
  readonly picture: Compared
  readonly file: string
}

async function visit({ page, errors }: Opened, scene: string): Promise<Visit> {
  const before = errors.length
  const first = await page.evaluate(() => window.gallery.picture())
  await page.waitForTimeout(1000 * SECONDS)
  const live = (await page.evaluate(() => window.gallery.state())) as GalleryState
  const file = `${SCREENSHOTS}desktop/${scene}.png`
  await page.screenshot({ path: file })
  const dt = live.time / live.step
  await page.evaluate((steps) => window.gallery.run(steps), Math.max(0, Math.ceil(SECONDS / dt) - live.step))
  const last = await page.evaluate(() => window.gallery.picture())
  const end = (await page.evaluate(() => window.gallery.state())) as GalleryState
  return { errors: errors.slice(before), live, end, picture: await comparePictures(page, first, last), file }
}

let visiting: Promise<Outcome<Visit>[]> | undefined

function visits(): Promise<Outcome<Visit>[]> {
  mkdirSync(`${SCREENSHOTS}desktop`, { recursive: true })
  visiting ??= overScenes(DESKTOP, visit)
  return visiting
}

/** What is wrong with a scene, by a look at its visit. */
function judged(outcomes: readonly Outcome<Visit>[], look: (visit: Visit) => string | undefined) {
  return outcomes.map(({ scene, result, failed }) => ({ scene, wrong: failed ?? (result && look(result)) }))
}

function isFinite(value: number | null): boolean {
  return value === null || Number.isFinite(value)
}

function notFinite({ finite, residual, energy, figures, time }: GalleryState): string | undefined {
  if (!finite) return 'the state is not finite'
  const numbers = Object.entries({ residual, energy, time, ...mapValues(figures) })
  return numbers.find(([, value]) => !isFinite(value))?.[0]
}

function mapValues(figures: GalleryState['figures']): Record<string, number> {
  return Object.fromEntries(Object.entries(figures).map(([name, { value }]) => [name, value]))
}

const SCENE = `1280×800, software WebGL, two pages at once; ${SECONDS} s of the clock, then the steps that are missing to ${SECONDS} s of the simulation`

export const runs: readonly ReportRow[] = [
  {
    id: '1.1',
    claim: 'Every scene runs',
    asked: `${SECONDS} s with no error in the console, none thrown, none shown`,
    scene: SCENE,
    async measure() {
      const outcomes = await visits()
      const { figures, holds } = verdict(
        judged(outcomes, ({ errors, end, live }) => {
          if (errors.length > 0) return errors[0]
          if (end.error !== null) return end.error
          return live.step > 0 && live.frames > 0 && end.time > SECONDS - 1e-9 ? undefined : `${live.step} steps`
        }),
      )
      const frames = outcomes.flatMap(({ result }) => (result === undefined ? [] : [result.live.frames]))
      return {
        figures: `${figures}; ${figure(median(frames) / SECONDS, 2)} frames a second in the median scene`,
        holds,
      }
    },
  },
  {
    id: '1.2',
    claim: 'Every scene stays finite',
    asked: 'state, residual, energy and all figures finite after them',
    scene: SCENE,
    async measure() {
      return verdict(judged(await visits(), ({ end }) => notFinite(end)))
    },
  },
  {
    id: '1.3',
    claim: 'Every scene has a picture that is not blank and changes',
    asked: `at least ${COLOURS} colours and ${100 * DRAWN} % of the picture other than the backdrop; at least ${100 * CHANGED} % changed`,
    scene: `${SCENE}; the canvas alone at the start and at the end, decoded by the browser`,
    async measure() {
      const outcomes = await visits()
      const { figures, holds } = verdict(
        judged(outcomes, ({ picture }) => {
          const blank = isBlank(picture)
          return picture.changed >= CHANGED ? blank : `${figure(100 * picture.changed, 2)} % changed`
        }),
      )
      const all = outcomes.flatMap(({ result, scene }) => (result === undefined ? [] : [{ scene, ...result.picture }]))
      const least = (of: 'colours' | 'drawn' | 'changed'): (typeof all)[number] =>
        all.reduce((a, b) => (b[of] < a[of] ? b : a))
      const [c, d, m] = [least('colours'), least('drawn'), least('changed')]
      return {
        figures: `${figures}; least: ${c.colours} colours (${c.scene}), ${figure(100 * d.drawn, 2)} % drawn (${d.scene}), ${figure(100 * m.changed, 2)} % changed (${m.scene})`,
        holds,
      }
    },
  },
  {
    id: '1.4',
    claim: 'Screenshots of every scene are written',
    asked: 'one of every scene, where a person can look at them',
    scene: 'the whole page, 1280×800, after five seconds',
    async measure() {
      const outcomes = await visits()
      const files = outcomes.flatMap(({ result }) => (result === undefined ? [] : [result.file]))
      const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0)
      return {
        figures: `${files.length} in ${relative(process.cwd(), SCREENSHOTS)}/desktop, ${figure(bytes / 1e6, 2)} MB`,
        holds: files.length > 0 && files.length === outcomes.length,
      }
    },
  },
].map(inBrowser)

/** A card's picture has to come within this [s], software rendering and two cores allowed for. */
const CARDS = 90

const firstPage: ReportRow = {
  id: '2',
  claim: 'The first page has a card with a picture for every scene',
  asked: `a link and a picture that is not blank for each, within ${CARDS} s; no error`,
  scene: '1280×800, software WebGL, scrolled to the end card by card',
  measure: () =>
    withPage(DESKTOP, '', async ({ page, errors }) => {
      const scenes = await sceneIds()
      const until = Date.now() + 1000 * CARDS
      const blank: string[] = []
      for (const scene of scenes) {
        const card = page.locator(`.card[data-scene="${scene}"][href="#/${scene}"]`)
        await card.scrollIntoViewIfNeeded()
        let colours = 0
        while (Date.now() < until && colours < COLOURS) {
          colours = await card.locator('img').evaluate((image: HTMLImageElement) => {
            if (!image.complete || image.naturalWidth === 0) return 0
            const canvas = document.createElement('canvas')
            Object.assign(canvas, { width: image.naturalWidth, height: image.naturalHeight })
            const context = canvas.getContext('2d') as CanvasRenderingContext2D
            context.drawImage(image, 0, 0)
            const { data } = context.getImageData(0, 0, canvas.width, canvas.height)
            return new Set(new Uint32Array(data.buffer)).size
          })
          if (colours < COLOURS) await page.waitForTimeout(200)
        }
        if (colours < COLOURS) blank.push(scene)
      }
      const seconds = CARDS - (until - Date.now()) / 1000
      await page.evaluate(() => scrollTo(0, 0))
      await page.screenshot({ path: `${SCREENSHOTS}desktop/first-page.png`, fullPage: true })
      return {
        figures: `${scenes.length - blank.length} of ${scenes.length} cards in ${figure(seconds)} s${blank.length > 0 ? `; blank: ${blank.join(', ')}` : ''}${errors.length > 0 ? `; ${errors[0]}` : ''}`,
        holds: blank.length === 0 && errors.length === 0,
      }
    }),
}

const network: ReportRow = {
  id: '12',
  claim: 'Nothing is loaded from elsewhere',
  asked: 'no request to another origin',
  scene: 'all requests of all pages of this run of the report; with --row 12 of the first page and of every scene',
  async measure() {
    await visits()
    const counts = [...traffic.origins].map(([origin, count]) => `${count} to ${origin}`)
    const foreign = [...traffic.foreign].slice(0, 3).join(', ')
    return {
      figures: `requests: ${counts.join(', ')}${foreign === '' ? '' : `; foreign: ${foreign}`}`,
      holds: traffic.foreign.size === 0 && traffic.origins.size === 1,
    }
  },
}

export const wholePages: readonly ReportRow[] = [firstPage, network].map(inBrowser)
