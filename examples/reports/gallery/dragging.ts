/** Rows 3: real pointer events take hold of things, and the things follow. */

import type { Page } from 'playwright-core'
import { figure, median, type Measured, type ReportRow } from '../report.js'
import { DESKTOP, inBrowser, openScene, overScenes, PHONE, withPage } from './browser.js'

/** Steps before the drag, and with the pointer held. */
const BEFORE = 30
const HELD = 60
/** Way of the pointer [css px], in so many moves. */
const WAY = 90
const MOVES = 6
/** Share of the pointer's way that a thing has to go: more than half is no chance; ropes and limits may hold it short of all. */
const FOLLOWS = 0.5
/** Things that are tried in a scene: one may lie behind another, or hang where it cannot go. */
const TRIES = 4
/** Right and down. */
const DIRECTIONS = [
  [0.6, -0.8],
  [-0.6, -0.8],
  [-1, 0],
  [1, 0],
] as const

type Pair = readonly [number, number]

/** Presses at a point, moves by a way, and holds. */
interface Pointer {
  drag(from: Pair, to: Pair): Promise<void>
  release(): Promise<void>
}

function mouse(page: Page): Pointer {
  return {
    async drag([x, y], [u, v]) {
      await page.mouse.move(x, y)
      await page.mouse.down()
      await page.mouse.move(u, v, { steps: MOVES })
    },
    release: () => page.mouse.up(),
  }
}

async function finger(page: Page): Promise<Pointer> {
  const session = await page.context().newCDPSession(page)
  const send = (
    type: 'touchStart' | 'touchMove' | 'touchEnd',
    touchPoints: { x: number; y: number }[],
  ): Promise<unknown> => session.send('Input.dispatchTouchEvent', { type, touchPoints })
  return {
    async drag([x, y], [u, v]) {
      await send('touchStart', [{ x, y }])
      for (let k = 1; k <= MOVES; k++) {
        const share = k / MOVES
        await send('touchMove', [{ x: x + share * (u - x), y: y + share * (v - y) }])
      }
    },
    async release() {
      await send('touchEnd', [])
    },
  }
}

/** Where something is: in the scene, by `position(name)`, and what is drawn at which place of the page. */
async function whereIs(page: Page, name: string) {
  const found = await page.evaluate((wanted) => {
    const { gallery } = window
    const drawn = gallery.draggables().find((each) => each.name === wanted)
    return { position: gallery.position(wanted), drawn, step: gallery.state()?.step ?? 0 }
  }, name)
  if (found.position === null) throw new RangeError(`position(${name}) is null`)
  return { ...found, position: found.position }
}

interface Dragged {
  readonly name: string
  /** Share of the pointer's way that the thing went, beside where it would be without. */
  readonly share: number
  /** [m] */
  readonly way: number
}

function apart(a: readonly number[], b: readonly number[]): number {
  return Math.hypot(...a.map((x, k) => x - b[k]))
}

/**
 * Drags something, holds it, and looks where it is; then the same scene from the start for as many steps without a hand: they are
 * the same bits, so that all of the difference is the hand's.
 */
async function dragOne(page: Page, pointer: Pointer, scene: string, name: string, direction: Pair): Promise<Dragged> {
  await page.evaluate((steps) => {
    window.gallery.reset()
    window.gallery.run(steps)
  }, BEFORE)
  const { drawn } = await whereIs(page, name)
  if (drawn === undefined) throw new RangeError(`${name} is not drawn`)
  await pointer.drag([drawn.x, drawn.y], [drawn.x + WAY * direction[0], drawn.y + WAY * direction[1]])
  await page.evaluate((steps) => window.gallery.run(steps), HELD)
  const held = await whereIs(page, name)
  await pointer.release()
  // Opened anew: goals that were dragged stay where they were left.
  await openScene(page, scene)
  await page.evaluate((steps) => window.gallery.run(steps - (window.gallery.state()?.step ?? 0)), held.step)
  const free = await whereIs(page, name)
  if (free.step !== held.step) throw new RangeError(`steps differ: ${held.step}, ${free.step}`)
  const way = apart(held.position, free.position)
  if (held.drawn === undefined || free.drawn === undefined) return { name, share: 0, way }
  // A goal is drawn where it is wanted; what follows it is at its position.
  const goal = apart(held.drawn.position, free.drawn.position)
  const isGoal = apart(held.drawn.position, held.position) > 1e-12 || apart(free.drawn.position, free.position) > 1e-12
  const [right, down] = [held.drawn.x - free.drawn.x, held.drawn.y - free.drawn.y]
  const onPage = (right * direction[0] + down * direction[1]) / WAY
  return { name, share: isGoal ? onPage * Math.min(1, way / goal) : onPage, way }
}

/** The best of some things and directions, or the first that follows. */
async function dragSome(page: Page, pointer: Pointer, scene: string): Promise<Dragged> {
  await page.evaluate((steps) => window.gallery.run(steps), BEFORE)
  const { canvas, things } = await page.evaluate(() => {
    const { left, top, right, bottom } = (document.querySelector('canvas.picture') as Element).getBoundingClientRect()
    return { canvas: { left, top, right, bottom }, things: window.gallery.draggables() }
  })
  const inView = things.filter(
    ({ x, y }) => x > canvas.left + 10 && x < canvas.right - 10 && y > canvas.top + 10 && y < canvas.bottom - 60,
  )
  if (inView.length === 0) throw new RangeError(`nothing to drag in view, of ${things.length}`)
  let best: Dragged = { name: '', share: -Infinity, way: 0 }
  for (let k = 0; k < Math.min(TRIES, inView.length); k++) {
    // From all over the list, the last first: what hangs at the end of something is freer than its beginning.
    const { name } = inView[Math.floor((inView.length - 1) * (1 - k / Math.max(1, Math.min(TRIES, inView.length) - 1)))]
    for (const direction of DIRECTIONS) {
      const dragged = await dragOne(page, pointer, scene, name, direction)
      if (dragged.share > best.share) best = dragged
      if (best.share >= FOLLOWS) return best
    }
  }
  return best
}

const ASKED = `position(name) moves; ≥ ${100 * FOLLOWS} % of the pointer's way, beside the same steps without a hand`

function byMouse(): ReportRow {
  return {
    id: '3.1',
    claim: 'Dragging moves the thing dragged, in every scene',
    asked: ASKED,
    scene: `the mouse pressed on a thing, ${WAY} px in ${MOVES} moves, held for ${HELD} steps; up to ${TRIES} things and ${DIRECTIONS.length} directions a scene, the first that follows`,
    async measure() {
      const outcomes = await overScenes(DESKTOP, ({ page }, scene) => dragSome(page, mouse(page), scene))
      const wrong = outcomes.flatMap(({ scene, result, failed }) => {
        if (result === undefined) return [`${scene} (${failed})`]
        return result.share >= FOLLOWS && result.way > 0
          ? []
          : [`${scene} (${result.name}: ${figure(100 * result.share, 2)} %)`]
      })
      const shares = outcomes.flatMap(({ result }) => (result === undefined ? [] : [result.share]))
      return {
        figures: `${outcomes.length - wrong.length} of ${outcomes.length} scenes, ${figure(100 * median(shares), 2)} % of the way in the median${wrong.length > 0 ? `; not: ${wrong.join('; ')}` : ''}`,
        holds: outcomes.length > 0 && wrong.length === 0,
      }
    },
  }
}

/** Scenes that a finger drags in: a chain, a cloth, a goal. */
const TOUCHED = ['rope', 'cloth', 'ik-hand']

function byFinger(): ReportRow {
  return {
    id: '3.2',
    claim: 'So does a finger',
    asked: ASKED,
    scene: `touch events on a page of 390×844, ${TOUCHED.join(', ')}; else the same`,
    measure: () =>
      withPage(PHONE, '', async ({ page }): Promise<Measured> => {
        const results: Dragged[] = []
        for (const scene of TOUCHED) {
          await openScene(page, scene)
          results.push(await dragSome(page, await finger(page), scene))
        }
        return {
          figures: results
            .map(({ name, share, way }, k) => `${TOUCHED[k]}, ${name}: ${figure(100 * share, 2)} %, ${figure(way)} m`)
            .join('; '),
          holds: results.every(({ share, way }) => share >= FOLLOWS && way > 0),
        }
      }),
  }
}

export const dragging: readonly ReportRow[] = [byMouse(), byFinger()].map(inBrowser)
