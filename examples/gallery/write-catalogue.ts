/**
 * Writes what the first page knows of its scenes, `npm run posters`: `src/catalogue.ts`, and in a headless Chromium a picture a scene,
 * light and dark, into `public/posters`. So the page need not load a scene to show its card.
 *
 *   --catalogue   without the pictures
 *   --scene ID    the pictures of this one only; may be given more than once
 */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { Page } from 'playwright-core'
import { format, resolveConfig } from 'prettier'
import { findChromium, whyNoChromium } from '../lib/chromium.js'
import { close, openScene, withPage } from '../reports/gallery/browser.js'
import { EXHIBITS } from './src/exhibits/index.js'

const HERE = fileURLToPath(new URL('.', import.meta.url))
const FILE = `${HERE}src/catalogue.ts`
const FOLDER = `${HERE}public/posters`
/** Size of a picture [px], and its quality. */
const SIZE = { width: 480, height: 320 }
const QUALITY = 0.82
/** Largest file [bytes]. */
const MOST = 25_000

/** Files of the exhibits, by what they export, as the index imports them. */
async function fileOf(exhibit: unknown): Promise<string> {
  const index = readFileSync(`${HERE}src/exhibits/index.ts`, 'utf8')
  for (const [, name, file] of index.matchAll(/import \{ (\w+) \} from '\.\/([\w-]+)\.js'/g)) {
    const module = (await import(`./src/exhibits/${file}.js`)) as Record<string, unknown>
    if (module[name] === exhibit) return file
  }
  throw new RangeError('catalogue: every exhibit must be imported by exhibits/index.ts')
}

async function writeCatalogue(): Promise<void> {
  const entries = []
  for (const exhibit of EXHIBITS) {
    const { id, title, blurb, group } = exhibit
    entries.push({ id, title, blurb, group, file: await fileOf(exhibit) })
  }
  const text = `/** What the first page knows of every scene. Written by \`npm run posters\`. */

import type { Group } from './exhibit.js'

export interface Entry {
  /** Its place in the address. */
  readonly id: string
  readonly title: string
  readonly blurb: string
  readonly group: Group
  /** Its file in \`exhibits\`, without what it ends in. */
  readonly file: string
}

export const CATALOGUE: readonly Entry[] = ${JSON.stringify(entries, null, 2)}
`
  writeFileSync(FILE, await format(text, { ...(await resolveConfig(FILE)), parser: 'typescript' }))
}

/** The picture as a WebP, drawn to its size by the browser. */
async function poster(page: Page, png: string): Promise<Buffer> {
  const base64 = await page.evaluate(
    async ({ url, size, quality }) => {
      const image = new Image()
      image.src = url
      await image.decode()
      const canvas = Object.assign(document.createElement('canvas'), size)
      const context = canvas.getContext('2d') as CanvasRenderingContext2D
      context.imageSmoothingQuality = 'high'
      context.drawImage(image, 0, 0, size.width, size.height)
      return canvas.toDataURL('image/webp', quality).split(',')[1]
    },
    { url: png, size: SIZE, quality: QUALITY },
  )
  return Buffer.from(base64, 'base64')
}

async function writePosters(scenes: readonly string[]): Promise<void> {
  mkdirSync(FOLDER, { recursive: true })
  const options = { viewport: SIZE, deviceScaleFactor: 2, reducedMotion: 'reduce' as const }
  for (const colorScheme of ['light', 'dark'] as const) {
    await withPage({ ...options, colorScheme }, '', async ({ page }) => {
      // The picture alone, as large as a card's.
      await page.addStyleTag({
        content: `.stage { position: fixed !important; inset: 0; width: ${SIZE.width}px; height: ${SIZE.height}px !important }`,
      })
      for (const { id, pose = 60 } of EXHIBITS) {
        if (!scenes.includes(id)) continue
        await openScene(page, id)
        const png = await page.evaluate((steps) => {
          window.gallery.run(steps)
          return window.gallery.picture()
        }, pose)
        const file = await poster(page, png)
        if (file.length > MOST) throw new RangeError(`posters: ${id} must be at most ${MOST} bytes, got ${file.length}`)
        writeFileSync(`${FOLDER}/${id}-${colorScheme}.webp`, file)
        console.log(`${id} ${colorScheme}: ${(file.length / 1000).toFixed(1)} kB`)
      }
    })
  }
}

const { values } = parseArgs({
  options: { catalogue: { type: 'boolean', default: false }, scene: { type: 'string', multiple: true } },
})
await writeCatalogue()
if (!values.catalogue) {
  if (findChromium() === undefined) {
    console.error(`posters: ${whyNoChromium()}`)
    process.exit(2)
  }
  await writePosters(values.scene ?? EXHIBITS.map(({ id }) => id))
  await close()
}
