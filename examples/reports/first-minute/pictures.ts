/** Rows 5: pictures that one had to squint at. */

import { cards } from '../../gallery/src/exhibits/cards.js'
import { Run } from '../../gallery/src/run.js'
import { defaultsOf } from '../../gallery/src/settings.js'
import { DESKTOP, PHONE, verdict } from '../gallery/browser.js'
import { figure, type ReportRow } from '../report.js'
import { inSite, judged, overSite, visit } from './site.js'

/** Of places on the torus. */
const SEEN = 0.9

const torus: ReportRow = {
  id: '5.1',
  claim: 'The torus of “write a constraint” is visible',
  asked: `≥ ${100 * SEEN} % of places on it are of another colour than the backdrop`,
  scene: '1280×800, #/write paused at the start; colours at 400 places of the torus against the corner of the picture',
  measure: () =>
    visit('gallery/#/write', DESKTOP, async ({ page }) => {
      const share = await page.evaluate(async () => {
        window.gallery.pause()
        window.gallery.reset()
        const image = new Image()
        image.src = window.gallery.picture()
        await image.decode()
        const canvas = document.createElement('canvas')
        Object.assign(canvas, { width: image.naturalWidth, height: image.naturalHeight })
        const context = canvas.getContext('2d') as CanvasRenderingContext2D
        context.drawImage(image, 0, 0)
        const box = (document.querySelector('canvas.picture') as Element).getBoundingClientRect()
        const scale = canvas.width / box.width
        const at = (x: number, y: number): Uint8ClampedArray =>
          context.getImageData(Math.round(x * scale), Math.round(y * scale), 1, 1).data
        const [back] = [at(4, 4)]
        let seen = 0
        for (let k = 0; k < 400; k++) {
          const [a, b] = [(2 * Math.PI * (k % 40)) / 40, (2 * Math.PI * Math.floor(k / 40)) / 10 + 0.3]
          const r = 1 + 0.4 * Math.cos(b)
          const { x, y } = window.gallery.project([r * Math.cos(a), 0.4 * Math.sin(b), r * Math.sin(a)])
          const pixel = at(x - box.left, y - box.top)
          if (Math.abs(pixel[0] - back[0]) + Math.abs(pixel[1] - back[1]) + Math.abs(pixel[2] - back[2]) > 20) seen++
        }
        return seen / 400
      })
      return { figures: `${figure(100 * share, 3)} % of the places are not backdrop`, holds: share >= SEEN }
    }),
}
/** Ropes take at least this of the picture's width or height. */
const FILLS = 0.6
const ROPES = ['rope', 'winch', 'yarn', 'net', 'bridge', 'grapple']

const ropes: ReportRow = {
  id: '5.2',
  claim: 'Ropes fill their picture',
  asked: `what is drawn takes ≥ ${100 * FILLS} % of its width or height, at the start or within 3 s`,
  scene: `1280×800; ${ROPES.join(', ')}; the part in the picture of the box about ropes as they are drawn and the middles of bodies that can be pulled at, every 0.5 s of the simulation`,
  measure: () =>
    visit('gallery/', DESKTOP, async ({ page }) => {
      const outcomes = []
      for (const scene of ROPES) {
        if (!(await page.evaluate((id) => window.gallery.scenes.includes(id), scene))) continue
        await page.evaluate((id) => window.gallery.open(id), scene)
        const share = await page.evaluate(async () => {
          let most = 0
          for (let k = 0; k <= 6; k++) {
            window.gallery.run(k === 0 ? 1 : 30)
            const { left, top, right, bottom } = window.gallery.extent()
            const box = (document.querySelector('canvas.picture') as Element).getBoundingClientRect()
            const across = Math.min(right, box.right) - Math.max(left, box.left)
            const down = Math.min(bottom, box.bottom) - Math.max(top, box.top)
            most = Math.max(most, across / box.width, down / box.height)
          }
          return most
        })
        outcomes.push({ scene, wrong: share >= FILLS ? undefined : `${figure(100 * share, 2)} %` })
      }
      return verdict(outcomes)
    }),
}
/** Of all things, so many may lie outside: what was thrown and rolls away. */
const OUTSIDE = 0.02
const STEPS = 180

const phone: ReportRow = {
  id: '5.3',
  claim: 'Things stay in the picture on a phone',
  asked: `≤ ${100 * OUTSIDE} % of the things outside of it, at the start and after ${STEPS} steps, in every scene`,
  scene:
    '390×844; middles of all that can be pulled at, against the canvas, as it is drawn after the last step: a picture that goes along with a player has gone along',
  async measure() {
    const outcomes = await overSite(PHONE, ({ page }) =>
      page.evaluate((steps) => {
        const outside = (): number => {
          const box = (document.querySelector('canvas.picture') as Element).getBoundingClientRect()
          const things = window.gallery.draggables()
          const out = things.filter(({ x, y }) => x < box.left || x > box.right || y < box.top || y > box.bottom)
          return out.length / Math.max(1, things.length)
        }
        window.gallery.run(1)
        const first = outside()
        window.gallery.run(steps)
        return Math.max(first, outside())
      }, STEPS),
    )
    return verdict(judged(outcomes, (share) => (share <= OUTSIDE ? undefined : `${figure(100 * share, 2)} % outside`)))
  },
}

/** [s] */
const STANDS = 20
/** A card's middle may move by this [m]: a card is 9 cm long. */
const MOVED = 0.01

const house: ReportRow = {
  id: '5.4',
  claim: 'The house of cards stands at the solvers’ defaults',
  asked: `no card's middle moves by > ${100 * MOVED} cm in ${STANDS} s of the simulation; the picture's steps are the scene's`,
  scene: 'exhibit cards with its defaults; natively, the same bits as in the page',
  measure() {
    const run = new Run(cards, defaultsOf(cards.settings))
    const [world] = run.live.worlds
    const bodies = world.bodies.all().filter(({ type }) => type === 'dynamic')
    const start = bodies.map(({ position }) => [...position])
    while (run.time < STANDS) run.step()
    const ways = bodies.map(({ position }, k) => Math.hypot(...start[k].map((x, axis) => position[axis] - x)))
    const most = Math.max(...ways)
    const { substeps, iterations } = world.settings
    return {
      figures: `${bodies.length} cards, ${substeps} substeps of ${iterations}; the farthest has moved ${figure(100 * most, 2)} cm`,
      holds: most <= MOVED && bodies.length > 0,
    }
  },
}

export const pictures: readonly ReportRow[] = [...[torus, ropes, phone].map(inSite), house]
