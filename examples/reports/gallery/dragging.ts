/** Rows 3: real pointer events take hold of things, and the things follow. */

import type { Page } from 'playwright-core'
import { figure, median, type Measured, type ReportRow } from '../report.js'
import { inBrowser, openScene, overScenes, PHONE, withPage } from './browser.js'

/** Steps before the drag, and with the pointer held. */
const BEFORE = 30
const HELD = 60
/** Way of the pointer [css px], in so many moves. */
const WAY = 90
const MOVES = 4
/** A thing has to be nearer to the pointer by this share: more than half is no chance; ropes and limits may hold it off. */
const FOLLOWS = 0.5
/** Things that are tried in a scene: one may lie behind another, or hang where it cannot go. */
const TRIES = 8
/** Right and down. */
const DIRECTIONS = [
  [0.6, -0.8],
  [-0.6, -0.8],
  [-1, 0],
  [1, 0],
] as const

/** Every frame is drawn by the processor: fewer pixels, sooner done. */
const SMALL = { viewport: { width: 900, height: 600 } }

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

/** From the start, paused, after so many steps. */
function fromStart(page: Page, name: string, steps: number): Promise<Place> {
  return whereIs(page, name, steps, true)
}

interface Place {
  /** Of what is dragged, or of what follows a goal [m]. */
  readonly position: readonly number[]
  /** Where it is wanted: of a goal another than its position [m]. */
  readonly wanted: readonly number[]
  /** Where it is drawn [css px]. */
  readonly x: number
  readonly y: number
  readonly step: number
}

/** Where something is after so many steps more. */
async function whereIs(page: Page, name: string, steps: number, isAnew = false): Promise<Place> {
  const place = await page.evaluate(
    ([wanted, count, anew]) => {
      const { gallery } = window
      if (anew) {
        gallery.pause()
        gallery.reset()
      }
      gallery.run(count)
      const position = gallery.position(wanted)
      if (position === null) return null
      // Of a surface, the node in front is listed, which may be another by now; it stands where it is.
      const listed = gallery.draggables().find((each) => each.name === wanted)
      const { x, y } = listed ?? gallery.project(position)
      return { position, wanted: listed?.position ?? position, x, y, step: gallery.state()?.step ?? 0 }
    },
    [name, steps, isAnew] as const,
  )
  if (place === null) throw new RangeError(`position(${name}) is null`)
  return place
}

interface Dragged {
  readonly name: string
  /** By which share it is nearer to the pointer than without a hand: 1 is under it, below 0 is farther off. */
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
async function dragOne(page: Page, pointer: Pointer, name: string, direction: Pair): Promise<Dragged> {
  const { x, y } = await fromStart(page, name, BEFORE)
  await pointer.drag([x, y], [x + WAY * direction[0], y + WAY * direction[1]])
  const held = await whereIs(page, name, HELD)
  await pointer.release()
  const free = await fromStart(page, name, held.step)
  const way = apart(held.position, free.position)
  // The same bits: nothing was taken, and the drag has turned the picture.
  if (way === 0) return { name, share: 0, way }
  const pointerAt = [x + WAY * direction[0], y + WAY * direction[1]]
  const [away, freeAway] = [held, free].map((place) => apart([place.x, place.y], pointerAt))
  const onPage = 1 - away / freeAway
  const isGoal = apart(held.wanted, held.position) > 0 || apart(free.wanted, free.position) > 0
  // A goal is drawn where it is wanted; what counts is what follows it.
  return { name, share: isGoal ? onPage * Math.min(1, way / apart(held.wanted, free.wanted)) : onPage, way }
}

/** The best of some things and directions, or the first that follows. */
async function dragSome(page: Page, pointer: Pointer): Promise<Dragged> {
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
      const dragged = await dragOne(page, pointer, name, direction)
      if (dragged.share > best.share) best = dragged
      if (best.share >= FOLLOWS) return best
    }
  }
  return best
}

const ASKED = `position(name) moves; the thing is nearer to the pointer by ≥ ${100 * FOLLOWS} %, beside the same steps without a hand`

function byMouse(): ReportRow {
  return {
    id: '3.1',
    claim: 'Dragging moves the thing dragged, in every scene',
    asked: ASKED,
    scene: `900×600; the mouse pressed on a thing, ${WAY} px in ${MOVES} moves, held for ${HELD} steps; up to ${TRIES} things and ${DIRECTIONS.length} directions a scene, the first that follows`,
    async measure() {
      const outcomes = await overScenes(SMALL, ({ page }) => dragSome(page, mouse(page)))
      const wrong = outcomes.flatMap(({ scene, result, failed }) => {
        if (result === undefined) return [`${scene} (${failed})`]
        return result.share >= FOLLOWS && result.way > 0
          ? []
          : [`${scene} (${result.name}: ${figure(100 * result.share, 2)} %)`]
      })
      const shares = outcomes.flatMap(({ result }) => (result === undefined ? [] : [result.share]))
      return {
        figures: `${outcomes.length - wrong.length} of ${outcomes.length} scenes, ${figure(100 * median(shares), 2)} % nearer in the median${wrong.length > 0 ? `; not: ${wrong.join('; ')}` : ''}`,
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
          results.push(await dragSome(page, await finger(page)))
        }
        return {
          figures: results
            .map(
              ({ name, share, way }, k) =>
                `${TOUCHED[k]}, ${name}: ${figure(100 * share, 2)} % nearer, moved ${figure(way)} m`,
            )
            .join('; '),
          holds: results.every(({ share, way }) => share >= FOLLOWS && way > 0),
        }
      }),
  }
}

export const dragging: readonly ReportRow[] = [byMouse(), byFinger()].map(inBrowser)
