/**
 * Pictures of the README and of the guides, from the gallery itself: `npm run pictures` writes docs/scenes.webp, nine scenes side by side, a strip each
 * for cloth, ropes and soft bodies, and a picture a symptom; with names as arguments only these. The states are the same bits everywhere; the pixels are Chromium's.
 */

import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { findChromium, whyNoChromium } from './lib/chromium.js'
import { PICTURES, type Shown, SYMPTOM_FOLDER } from './pictures/list.js'
import { SYMPTOMS, textOf } from './pictures/symptoms.js'
import { close, openScene, withPage } from './reports/gallery/browser.js'

const COLUMNS = 3
/** Of a picture [px], and between two. */
const [WIDTH, HEIGHT] = [480, 320]
const GAP = 8
const QUALITY = 0.85

if (findChromium() === undefined) {
  console.error(`pictures: ${whyNoChromium()}`)
  process.exit(2)
}
// Wide enough for the page's layout with a panel, which takes 330 px; the header takes 55.
const viewport = { width: WIDTH + 330, height: HEIGHT + 55 }
await withPage({ viewport, deviceScaleFactor: 2, colorScheme: 'light' }, '', async ({ page }) => {
  // The picture has the page's height to itself.
  await page.addStyleTag({ content: '.plots { display: none }' })
  for (const [name, shown] of Object.entries(PICTURES)) {
    if (!isWanted(name)) continue
    const bytes = await side(page, shown)
    writeFileSync(docsFile(`${name}.webp`), bytes)
    console.log(`${shown.length} scenes in docs/${name}.webp, ${Math.round(bytes.length / 1000)} kB`)
  }
})
await withPage(
  { viewport: { width: 1440, height: 700 }, colorScheme: 'light', reducedMotion: 'reduce' },
  '#/play',
  async ({ page }) => {
    mkdirSync(docsFile(SYMPTOM_FOLDER), { recursive: true })
    for (const name of Object.keys(SYMPTOMS)) {
      if (!isWanted(name)) continue
      const bytes = await symptom(page, textOf(name))
      writeFileSync(docsFile(`${SYMPTOM_FOLDER}/${name}.webp`), bytes)
      console.log(`docs/${SYMPTOM_FOLDER}/${name}.webp, ${Math.round(bytes.length / 1000)} kB`)
    }
  },
)
await close()

function isWanted(name: string): boolean {
  const names = process.argv.slice(2)
  return names.length === 0 || names.includes(name)
}

function docsFile(path: string): string {
  return fileURLToPath(new URL(`../docs/${path}`, import.meta.url))
}

/** The picture of a text that runs in the playground, as a file. */
async function symptom(page: Page, text: string): Promise<Buffer> {
  await page.evaluate((given) => window.gallery.playground?.write(given), text)
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await page.waitForFunction(() => (window.gallery.playground?.state()?.step ?? 0) > 5, undefined, { timeout: 60_000 })
  const picture = await page.locator('.play-picture iframe').screenshot()
  return webpOf(page, [`data:image/png;base64,${picture.toString('base64')}`], 1)
}

/** Pictures of scenes side by side, as a file. */
async function side(page: Page, shown: readonly Shown[]): Promise<Buffer> {
  const urls: string[] = []
  for (const [scene, steps] of shown) {
    await openScene(page, scene)
    urls.push(
      await page.evaluate((count) => {
        window.gallery.pause()
        window.gallery.reset()
        window.gallery.run(count)
        return window.gallery.picture()
      }, steps),
    )
  }
  return webpOf(page, urls, COLUMNS)
}

/** Pictures side by side in so many columns, as a file. */
async function webpOf(page: Page, urls: readonly string[], columns: number): Promise<Buffer> {
  const url = await page.evaluate(
    async ({ urls, columns, width, height, gap, quality }) => {
      const canvas = document.createElement('canvas')
      canvas.width = columns * (width + gap) - gap
      canvas.height = Math.ceil(urls.length / columns) * (height + gap) - gap
      const context = canvas.getContext('2d') as CanvasRenderingContext2D
      context.imageSmoothingQuality = 'high'
      for (const [k, picture] of urls.entries()) {
        const image = new Image()
        image.src = picture
        await image.decode()
        // The middle of it, as large as it fits.
        const scale = Math.max(width / image.naturalWidth, height / image.naturalHeight)
        const [w, h] = [width / scale, height / scale]
        const [x, y] = [(k % columns) * (width + gap), Math.floor(k / columns) * (height + gap)]
        context.drawImage(image, (image.naturalWidth - w) / 2, (image.naturalHeight - h) / 2, w, h, x, y, width, height)
      }
      return canvas.toDataURL('image/webp', quality)
    },
    { urls, columns, width: WIDTH, height: HEIGHT, gap: GAP, quality: QUALITY },
  )
  return Buffer.from(url.slice(url.indexOf(',') + 1), 'base64')
}
