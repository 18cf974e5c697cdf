/** Pictures as numbers: decoded in the page by the browser itself. */

import type { Page } from 'playwright-core'

/** A backdrop is one colour; a lit thing has hundreds of shades. The fog of a floor alone stays below this. */
export const COLOURS = 64
/** Share of the picture that is not the commonest colour: a cloth from afar fills more, a blank page nothing. */
export const DRAWN = 0.005
/** Share of pixels that change: a thin pendulum that swings sweeps more; noise of the renderer is none, it is deterministic. */
export const CHANGED = 0.0005
/** Of 255: a channel has changed that differs by more. */
const VISIBLE = 12

export interface Compared {
  /** Colours in the second picture. */
  readonly colours: number
  /** Share of the second that is not its commonest colour. */
  readonly drawn: number
  /** Share of pixels that differ visibly. */
  readonly changed: number
  /** Means of both, of 255. */
  readonly light: readonly [number, number]
}

/** Compares two pictures, data URLs of the same size. */
export function comparePictures(page: Page, before: string, after: string): Promise<Compared> {
  return page.evaluate(
    async ({ urls, visible }) => {
      const pictures: Uint8ClampedArray[] = []
      for (const url of urls) {
        const image = new Image()
        image.src = url
        await image.decode()
        const canvas = document.createElement('canvas')
        canvas.width = image.naturalWidth
        canvas.height = image.naturalHeight
        const context = canvas.getContext('2d') as CanvasRenderingContext2D
        context.drawImage(image, 0, 0)
        pictures.push(context.getImageData(0, 0, canvas.width, canvas.height).data)
      }
      const [p, q] = pictures
      if (p.length !== q.length)
        throw new RangeError(`pictures must be of one size, got ${p.length / 4} and ${q.length / 4} px`)
      const counts = new Map<number, number>()
      let changed = 0
      const light: [number, number] = [0, 0]
      for (let k = 0; k < q.length; k += 4) {
        const colour = (q[k] << 16) | (q[k + 1] << 8) | q[k + 2]
        counts.set(colour, (counts.get(colour) ?? 0) + 1)
        const most = Math.max(Math.abs(p[k] - q[k]), Math.abs(p[k + 1] - q[k + 1]), Math.abs(p[k + 2] - q[k + 2]))
        if (most > visible) changed++
        light[0] += (p[k] + p[k + 1] + p[k + 2]) / 3
        light[1] += (q[k] + q[k + 1] + q[k + 2]) / 3
      }
      const pixels = q.length / 4
      let commonest = 0
      for (const count of counts.values()) commonest = Math.max(commonest, count)
      return {
        colours: counts.size,
        drawn: 1 - commonest / pixels,
        changed: changed / pixels,
        light: [light[0] / pixels, light[1] / pixels] as const,
      }
    },
    { urls: [before, after], visible: VISIBLE },
  )
}

/** Why a picture counts as blank, if it does. */
export function isBlank({ colours, drawn }: Compared): string | undefined {
  if (colours < COLOURS) return `${colours} colours`
  return drawn < DRAWN ? `${(100 * drawn).toFixed(2)} % drawn` : undefined
}
