/**
 * The README's picture, from the gallery itself: `npm run pictures` writes docs/scenes.webp, nine scenes side by side.
 * The states are the same bits everywhere; the pixels are Chromium's.
 */

import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { findChromium, whyNoChromium } from './lib/chromium.js'
import { close, openScene, withPage } from './reports/gallery/browser.js'

/** Scenes, the steps before the picture, and settings other than the defaults. */
const SHOWN: readonly (readonly [string, number])[] = [
  ['rope', 88],
  ['cloth', 45],
  ['drape', 80],
  ['ragdoll', 75],
  ['soft', 40],
  ['bridge', 300],
  ['arch', 120],
  ['pile', 110],
  ['ik-humanoid', 70],
]
const COLUMNS = 3
/** Of a picture [px], and between two. */
const [WIDTH, HEIGHT] = [480, 320]
const GAP = 8
const QUALITY = 0.85

if (findChromium() === undefined) {
  console.error(`pictures: ${whyNoChromium()}`)
  process.exit(2)
}
const file = fileURLToPath(new URL('../docs/scenes.webp', import.meta.url))
// Wide enough for the page's layout with a panel, which takes 370 px; the header takes 55.
const viewport = { width: WIDTH + 370, height: HEIGHT + 55 }
await withPage({ viewport, deviceScaleFactor: 2, colorScheme: 'light' }, '', async ({ page }) => {
  // The picture has the page's height to itself.
  await page.addStyleTag({ content: '.plots { display: none }' })
  const pictures: string[] = []
  for (const [scene, steps] of SHOWN) {
    await openScene(page, scene)
    pictures.push(
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
    { urls: pictures, columns: COLUMNS, width: WIDTH, height: HEIGHT, gap: GAP, quality: QUALITY },
  )
  const bytes = Buffer.from(url.slice(url.indexOf(',') + 1), 'base64')
  writeFileSync(file, bytes)
  console.log(`${SHOWN.length} scenes in docs/scenes.webp, ${Math.round(bytes.length / 1000)} kB`)
})
await close()
