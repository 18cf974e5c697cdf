/** What `window.gallery` reads from the page of an exhibit. */

import { extentPoints, findDraggables, positionOf } from './draggables.js'
import type { Triple } from './exhibit.js'
import type { Draggable, Extent, GalleryState } from './handle.js'
import type { Statistics } from './run.js'
import type { Page } from './ui/page.js'

/** Reads a page. */
export interface PageReading {
  state(): GalleryState
  draggables(): Draggable[]
  position(name: string): Triple | null
  extent(): Extent
  project(point: Triple): { x: number; y: number }
  picture(): string
}

/** What a call returns, or something else where a visitor's own constraint throws in it. */
function attempt<T>(call: () => T, otherwise: T): T {
  try {
    return call()
  } catch {
    return otherwise
  }
}

function stateOf(page: Page): GalleryState {
  const { run, exhibit, isPaused, query, settings, mistake, plots } = page
  const {
    msPerStep,
    bodies,
    rows,
    residual = null,
    energy = null,
    figures,
  } = attempt<Statistics>(() => run.statistics(), {
    msPerStep: run.msPerStep,
    residual: undefined,
    energy: undefined,
    bodies: 0,
    rows: 0,
    figures: {},
  })
  return {
    scene: exhibit.id,
    step: run.steps,
    time: run.time,
    hash: run.hash(),
    finite: attempt(() => run.isFinite(), false),
    msPerStep,
    bodies,
    rows,
    residual,
    energy,
    figures,
    settings,
    query,
    paused: isPaused,
    frames: page.frames,
    plots: plots.counts,
    error: mistake ?? null,
  }
}

/** The readings of a page. */
export function readPage(page: Page): PageReading {
  const onPage = (point: Triple): { x: number; y: number } => {
    const { viewer } = page
    if (viewer === undefined) return { x: NaN, y: NaN }
    const { left, top } = viewer.canvas.getBoundingClientRect()
    const { x, y } = viewer.project(point)
    return { x: left + x, y: top + y }
  }
  return {
    state: () => stateOf(page),
    draggables() {
      const { viewer, run } = page
      if (viewer === undefined) return []
      // Where things are after the last step, not where they were drawn last.
      page.follow()
      viewer.picture?.update(run.alpha)
      return findDraggables(viewer).map(({ name, position, drawn }) => ({ name, ...onPage(drawn), position }))
    },
    position: (name) => (page.viewer === undefined ? null : positionOf(page.viewer, name)),
    extent() {
      const { viewer, run } = page
      if (viewer === undefined) return { left: NaN, top: NaN, right: NaN, bottom: NaN }
      page.follow()
      viewer.picture?.update(run.alpha)
      const points = extentPoints(viewer).map(onPage)
      const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)]
      return { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) }
    },
    project: onPage,
    picture: () => page.viewer?.read(page.run.alpha) ?? '',
  }
}
