/**
 * Screenshots of the gallery for a person to look at: `npm run screenshots` writes the first page and every scene to
 * examples/gallery/screenshots, as a desktop and a phone show them in the light, and some in the dark.
 */

import type { BrowserContextOptions } from 'playwright-core'
import { findChromium, whyNoChromium } from './lib/chromium.js'
import { close, DESKTOP, openScene, PHONE, SCREENSHOTS, sceneIds, withPage } from './reports/gallery/browser.js'

/** Shown at this time of the simulation [s]. */
const SECONDS = 2
const IN_THE_DARK = ['', 'rope', 'soft', 'joints', 'pile', 'ik-humanoid', 'solvers', 'write']

async function shoot(folder: string, options: BrowserContextOptions, scenes: readonly string[]): Promise<void> {
  await withPage(options, '', async ({ page }) => {
    for (const scene of scenes) {
      await openScene(page, scene)
      if (scene === '') {
        // Cards are drawn as they come into view.
        for (const card of await page.locator('.card').all()) {
          await card.scrollIntoViewIfNeeded()
          await page.waitForTimeout(250)
        }
        await page.evaluate(() => scrollTo(0, 0))
      } else {
        await page.evaluate((time) => {
          window.gallery.reset()
          window.gallery.run(1)
          const dt = window.gallery.state()?.time ?? 1 / 60
          window.gallery.run(Math.round(time / dt) - 1)
        }, SECONDS)
      }
      await page.waitForTimeout(300)
      await page.screenshot({ path: `${SCREENSHOTS}${folder}/${scene || 'first-page'}.png`, fullPage: scene === '' })
    }
  })
  console.log(`${scenes.length} in ${SCREENSHOTS}${folder}`)
}

if (findChromium() === undefined) {
  console.error(`screenshots: ${whyNoChromium()}`)
  process.exit(2)
}
const all = ['', ...(await sceneIds())]
await shoot('desktop', DESKTOP, all)
await shoot('phone', PHONE, all)
await shoot('desktop-dark', { ...DESKTOP, colorScheme: 'dark' }, IN_THE_DARK)
await shoot('phone-dark', { ...PHONE, colorScheme: 'dark' }, IN_THE_DARK)
await close()
