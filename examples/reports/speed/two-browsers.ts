/** Rows 9.3 and 9.4: the game of two in two browsers, over a network that delays and loses. */

import type { Browser, Page } from 'playwright-core'
import { findChromium, launchChromium } from '../../lib/chromium.js'
import type { PageState } from '../../rollback/page/handle.js'
import type { LinkOptions } from '../../rollback/lossy-link.js'
import { startServer } from '../../rollback/server.js'
import { loadText } from '../bench.js'
import { inBrowser } from '../gallery/browser.js'
import { figure, type Measured, median, type ReportRow } from '../report.js'

const NETWORK = { delay: 100, loss: 0.02 }
/** Of play [s], and those of the start and of what is still under way at the end, whose hashes are not asked for. */
const [SECONDS, UNDER_WAY] = [20, 2]
/** A frame of 60 a second [ms]. */
const FRAME = 1000 / 60
/** Both browsers draw by the processor: a small picture, of few pixels. */
const VIEWPORT = { width: 480, height: 300 }
const PATIENCE = 60_000

/** A page of each player, each in a browser of its own, both played by a program. */
interface Duel {
  readonly pages: readonly [Page, Page]
  /** Errors of both pages. */
  readonly errors: readonly string[]
  states(): Promise<[PageState, PageState]>
}

/** Runs server and browsers, uses them, and ends them. */
async function withDuel(network: LinkOptions, use: (duel: Duel) => Promise<Measured>): Promise<Measured> {
  const server = await startServer(network)
  const browsers: Browser[] = []
  const errors: string[] = []
  const open = async (player: number): Promise<Page> => {
    const browser = await launchChromium(findChromium() as string)
    browsers.push(browser)
    const page = await browser.newPage({ viewport: VIEWPORT })
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
    page.on('pageerror', (error) => errors.push(String(error)))
    await page.goto(`http://localhost:${server.port}/?player=${player}&bot=1&ratio=0.25`)
    return page
  }
  try {
    const pages: [Page, Page] = [await open(1), await open(2)]
    for (const page of pages) {
      await page.waitForFunction(() => window.rollback.state().standing === 'playing', undefined, { timeout: PATIENCE })
    }
    const state = (page: Page): Promise<PageState> => page.evaluate(() => window.rollback.state())
    return await use({ pages, errors, states: async () => [await state(pages[0]), await state(pages[1])] })
  } finally {
    for (const browser of browsers) await browser.close()
    await server.close()
  }
}

/** Hashes that both pages have of one tick, and how many of them differ: seen from outside, whatever the pages say. */
function compare([first, second]: readonly [PageState, PageState]): { compared: number; differing: number } {
  const hashes = new Map(first.hashes.map(({ tick, own }) => [tick, own]))
  const shared = second.hashes.filter(({ tick }) => hashes.has(tick))
  return {
    compared: shared.length,
    differing: shared.filter(({ tick, own }) => hashes.get(tick) !== own).length,
  }
}

/** Frames that were not drawn, as a share of those of 60 a second. */
function dropped({ frames }: PageState): string {
  const spans = frames.slice(1)
  const due = spans.reduce((sum, span) => sum + Math.max(1, Math.round(span / FRAME)), 0)
  return `${due - spans.length} of ${due}`
}

function text(state: PageState): string {
  const { statistics, depths, times, score } = state
  const { hashes, mismatches, rollbacks, waited, refused } = statistics
  return (
    `${hashes} hashes compared, ${mismatches} differ; ${rollbacks} rollbacks, ${median(depths)} ticks deep (most ${Math.max(0, ...depths)}), ` +
    `${figure(median(times))} ms each (most ${figure(Math.max(0, ...times))}); ${state.tick} ticks, ${waited} waited for; ` +
    `frames dropped ${dropped(state)}; packets refused ${refused}; score ${score.join(' : ')}`
  )
}

function isInStep({ statistics }: PageState, least: number): boolean {
  const { hashes, mismatches, refused, rollbacks } = statistics
  return hashes >= least && mismatches === 0 && refused === 0 && rollbacks > 0
}

const inStep: ReportRow = {
  id: '9.3',
  claim: 'Two browsers play one match by rollback, in step to the bit',
  asked: `a hash a second of each, all equal, at ${NETWORK.delay} ms and ${100 * NETWORK.loss} % of loss`,
  scene: `examples/rollback, 17 bodies, contacts, ropes, hinges; two headless Chromium over a server that keeps each packet for ${NETWORK.delay} ms and loses ${100 * NETWORK.loss} %; ${SECONDS} s, played by programs`,
  measure: () =>
    withDuel(NETWORK, async ({ pages, states, errors }) => {
      await pages[0].waitForTimeout(1000 * SECONDS)
      const both = await states()
      const { compared, differing } = compare(both)
      const wrong = errors.length > 0 ? `; ${errors[0]}` : ''
      return {
        figures: `${compared} pairs of hashes, ${differing} differ; blue: ${text(both[0])}; orange: ${text(both[1])}; ${loadText()}${wrong}`,
        holds: differing === 0 && both.every((state) => isInStep(state, SECONDS - UNDER_WAY)) && errors.length === 0,
      }
    }),
}

const comesBack: ReportRow = {
  id: '9.4',
  claim: 'A match goes on where a lost connection left it',
  asked: 'the same match, more hashes, all equal',
  scene: 'the same; after 5 s one browser loses its connection, and comes back by itself; 6 s more',
  measure: () =>
    withDuel(NETWORK, async ({ pages, states, errors }) => {
      await pages[0].waitForTimeout(5000)
      const before = await states()
      await pages[1].evaluate(() => window.rollback.drop())
      await pages[1].waitForFunction(() => window.rollback.state().standing === 'playing', undefined, {
        timeout: PATIENCE,
      })
      await pages[0].waitForTimeout(6000)
      const after = await states()
      const { compared, differing } = compare(after)
      const more = after.map(({ statistics }, k) => statistics.hashes - before[k].statistics.hashes)
      return {
        figures: `${compared} pairs of hashes, ${differing} differ; hashes since: ${more.join(', ')}; ticks ${after.map(({ tick }) => tick).join(', ')}; ${loadText()}`,
        holds:
          differing === 0 &&
          more.every((hashes) => hashes > 1) &&
          after.every((state) => isInStep(state, 1)) &&
          errors.length === 0,
      }
    }),
}

export const twoBrowserRows: readonly ReportRow[] = [inStep, comesBack].map(inBrowser)
