/** Rows 10: Firefox, where it is installed. */

import { findChromium, whyNoChromium } from '../../lib/chromium.js'
import { Firefox, findFirefox, FIREFOX_NAMES } from '../../lib/firefox.js'
import { DESKTOP, verdict } from '../gallery/browser.js'
import { comparePictures, isBlank } from '../gallery/pictures.js'
import { type Measured, type ReportRow, skipped } from '../report.js'
import { siteAddress, visit } from './site.js'

/** What a page of the gallery is ready by, and other pages. */
const READY = 'window.gallery.ready'
const LOADED = 'document.fonts.ready'

/** Does something in a Firefox of its own; skipped where there is none, or no Chromium to compare with. */
async function inFirefox(use: (firefox: Firefox) => Promise<Measured>): Promise<Measured> {
  const file = findFirefox()
  if (file === undefined)
    return skipped(`no Firefox (none of ${FIREFOX_NAMES.join(', ')} on the path; FIREFOX says where it is)`)
  if (findChromium() === undefined) return skipped(whyNoChromium())
  const { width, height } = DESKTOP.viewport as { width: number; height: number }
  const firefox = await Firefox.launch(file, width, height)
  try {
    return await use(firefox)
  } finally {
    await firefox.close()
  }
}

/** A picture of a page as Firefox draws it, decoded by Chromium. */
function look(path: string): Promise<Measured> {
  return inFirefox(async (firefox) => {
    await firefox.open((await siteAddress()) + path)
    const until = path.startsWith('gallery/') ? READY : LOADED
    await firefox.evaluate(`${until}.then(() => new Promise((go) => setTimeout(go, 1000))).then(() => 1)`)
    const message = String(
      await firefox.evaluate("document.querySelector('.message:not([hidden]), .notice')?.textContent ?? ''"),
    )
    const url = `data:image/png;base64,${await firefox.picture()}`
    const compared = await visit('', DESKTOP, ({ page }) => comparePictures(page, url, url))
    const wrong = isBlank(compared) ?? (message === '' ? undefined : message)
    return {
      figures: `${compared.colours} colours${wrong === undefined ? '' : `: ${wrong}`}`,
      holds: wrong === undefined,
    }
  })
}

const PAGES: readonly (readonly [path: string, what: string])[] = [
  ['', 'The site’s first page'],
  ['gallery/', 'The gallery'],
  ['gallery/#/rope', 'A scene'],
  ['method.html', 'The method with its equations'],
]

const pages = PAGES.map(([path, what], k): ReportRow => ({
  id: `10.${k + 1}`,
  claim: `${what} shows in Firefox`,
  asked: 'a picture that is not blank, and no message of an error',
  scene: `1280×800, unseen (on Xvfb where it is there, else headless), /${path}, a second after it is ready`,
  measure: () => look(path),
}))

const SAMPLE = ['rope', 'cape', 'ragdoll', 'pile', 'doors', 'ik-humanoid']
const STEPS = 120

/** Some scenes, or every one where none are named. */
const bits = (id: string, scenes?: readonly string[]): ReportRow => ({
  id,
  claim: 'Scenes have the same bits in Firefox and in Chromium',
  asked: 'the same hash',
  scene: `${scenes?.join(', ') ?? 'every scene'} with defaults, after ${STEPS} steps from the start`,
  slow: scenes === undefined,
  measure: () =>
    inFirefox(async (firefox) => {
      await firefox.open(`${await siteAddress()}gallery/`)
      const hashOf = (scene: string): string =>
        `window.gallery.open('${scene}').then(() => { gallery.reset(); gallery.run(${STEPS}); return gallery.state().hash })`
      await firefox.evaluate(`${READY}.then(() => 1)`)
      const outcomes = await visit('gallery/', DESKTOP, async ({ page }) => {
        const rows = []
        for (const scene of scenes ?? (await page.evaluate(() => window.gallery.scenes))) {
          const [theirs, ours] = [await firefox.evaluate(hashOf(scene)), await page.evaluate(hashOf(scene))]
          rows.push({ scene, wrong: theirs === ours ? undefined : `${String(theirs)}, not ${String(ours)}` })
        }
        return rows
      })
      return verdict(outcomes)
    }),
})

export const firefox: readonly ReportRow[] = [...pages, bits('10.5', SAMPLE), bits('10.5.full')]
