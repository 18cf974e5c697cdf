/** Row 5: a link and a reset bring the same bits back. */

import type { Page } from 'playwright-core'
import type { GalleryState } from '../../gallery/src/handle.js'
import type { ReportRow } from '../report.js'
import { address, DESKTOP, inBrowser, isThere, type Opened, overScenes } from './browser.js'

/** Steps from the start that are compared. */
const STEPS = 90
/** Marks of a slider that may belong to the same value. */
const MARKS = 40

interface Linked {
  readonly query: string
  readonly wrong: string | undefined
}

/** Changes the first setting by its control, as a person does. Says whether there was one. */
async function changeSetting(page: Page): Promise<boolean> {
  const control = page.locator('.settings input, .settings select').first()
  if ((await control.count()) === 0) return false
  const kind = await control.evaluate((element: HTMLInputElement | HTMLSelectElement) => element.type)
  if (kind === 'checkbox') await control.press('Space')
  else if (kind === 'range') {
    // Marks of a logarithmic slider are close together: a whole number may take several.
    const query = (): Promise<string | undefined> => page.evaluate(() => window.gallery.state()?.query)
    for (const key of ['ArrowRight', 'ArrowLeft']) {
      for (let k = 0; k < MARKS && (await query()) === ''; k++) await control.press(key)
    }
  } else {
    const other = await control.evaluate((element: HTMLSelectElement) => (element.selectedIndex === 0 ? 1 : 0))
    await control.selectOption({ index: other })
  }
  return true
}

/** The state after so many steps from the start; the clock may have made some of them. */
async function after(page: Page, steps: number): Promise<GalleryState> {
  return page.evaluate((wanted) => {
    const { gallery } = window
    gallery.pause()
    const made = gallery.state()?.step ?? 0
    if (made > wanted) throw new RangeError(`steps must be at most ${wanted}, got ${made}`)
    gallery.run(wanted - made)
    return gallery.state() as ReturnType<typeof gallery.state> & object
  }, steps)
}

async function link({ page, context }: Opened, scene: string): Promise<Linked> {
  const isSet = await changeSetting(page)
  await page.evaluate(() => window.gallery.reset())
  const first = await after(page, STEPS)
  await page.evaluate(() => window.gallery.reset())
  const again = await after(page, STEPS)
  const hash = new URL(page.url()).hash
  const other = await context.newPage()
  try {
    await other.addInitScript({ content: 'globalThis.__name = (given) => given' })
    await other.goto((await address()) + hash)
    await isThere(other)
    const opened = await after(other, STEPS)
    const settings = (of: GalleryState): string => JSON.stringify(of.settings)
    const wrong =
      isSet && first.query === ''
        ? 'the setting is not in the address'
        : again.hash !== first.hash
          ? `reset: ${again.hash} instead of ${first.hash}`
          : opened.scene !== scene || settings(opened) !== settings(first)
            ? `${hash} opens ${opened.scene} ${settings(opened)}`
            : opened.hash !== first.hash
              ? `link: ${opened.hash} instead of ${first.hash}`
              : undefined
    return { query: first.query, wrong }
  } finally {
    await other.close()
  }
}

const restored: ReportRow = {
  id: '5',
  claim: 'Reset and deep link restore the same hash, in every scene',
  asked: 'the same bits after as many steps',
  scene: `the first setting changed by its control, reset, ${STEPS} steps; reset, ${STEPS} steps; the address opened in a new page, ${STEPS} steps`,
  async measure() {
    const outcomes = await overScenes(DESKTOP, link)
    const wrong = outcomes.flatMap(({ scene, result, failed }) => {
      const why = failed ?? result?.wrong
      return why === undefined ? [] : [`${scene} (${why})`]
    })
    const queries = outcomes.flatMap(({ scene, result }) =>
      result === undefined || result.query === '' ? [] : [`#/${scene}?${result.query}`],
    )
    return {
      figures: `${outcomes.length - wrong.length} of ${outcomes.length} scenes, ${queries.length} with a setting (${queries.slice(0, 3).join(', ')} …)${wrong.length > 0 ? `; not: ${wrong.join('; ')}` : ''}`,
      holds: outcomes.length > 0 && wrong.length === 0,
    }
  },
}

export const links: readonly ReportRow[] = [restored].map(inBrowser)
