/**
 * Pictures of the README and of the guides, from the gallery itself: `npm run pictures` writes docs/scenes.webp, nine scenes side by side, and a strip each
 * for cloth, ropes and soft bodies. The states are the same bits everywhere; the pixels are Chromium's.
 */

import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { findChromium, whyNoChromium } from './lib/chromium.js'
import { close, openScene, withPage } from './reports/gallery/browser.js'

/** A scene, and the steps before the picture. */
type Shown = readonly [scene: string, steps: number]

/** Names of files in docs, and what they show side by side. */
const PICTURES: Readonly<Record<string, readonly Shown[]>> = {
  scenes: [
    ['rope', 88],
    ['cloth', 45],
    ['drape', 80],
    ['ragdoll', 75],
    ['soft', 40],
    ['bridge', 300],
    ['arch', 120],
    ['pile', 110],
    ['ik-humanoid', 70],
  ],
  cloth: [
    ['cape', 200],
    ['curtain', 95],
    ['flag', 330],
  ],
  rope: [
    ['winch', 100],
    ['winch', 240],
    ['yarn', 240],
  ],
  'soft-bodies': [
    ['hammock', 14],
    ['hammock', 20],
    ['hammock', 240],
  ],
}
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
    const bytes = await side(page, shown)
    writeFileSync(fileURLToPath(new URL(`../docs/${name}.webp`, import.meta.url)), bytes)
    console.log(`${shown.length} scenes in docs/${name}.webp, ${Math.round(bytes.length / 1000)} kB`)
  }
})
await close()

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
    { urls, columns: COLUMNS, width: WIDTH, height: HEIGHT, gap: GAP, quality: QUALITY },
  )
  return Buffer.from(url.slice(url.indexOf(',') + 1), 'base64')
}
