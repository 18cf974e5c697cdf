/** The gallery: a page of cards, and a page an exhibit, by the address after the #. */

import { findDraggables, positionOf } from './draggables.js'
import { EXHIBITS, exhibitOf } from './exhibits/index.js'
import { ownMesh, setMesh } from './exhibits/own-mesh.js'
import { setFindMistake } from './exhibits/write-your-own.js'
import type { GalleryHandle, GalleryState } from './handle.js'
import type { Statistics } from './run.js'
import { messageOf } from './script.js'
import { settingsOf } from './show.js'
import { decodeText } from './text-link.js'
import { fromQuery, type Values } from './settings.js'
import { findMistakeInPage } from './ui/editor.js'
import { h } from './ui/dom.js'
import { Home } from './ui/home.js'
import { onDrop, readMesh } from './ui/mesh-file.js'
import { Page, type PageActions } from './ui/page.js'

let current: Home | Page | undefined
/** The address that is shown. */
let shown: string | undefined

/** `#/id?query` in parts. */
function address(): { id: string; query: string } {
  const [path, query = ''] = location.hash.replace(/^#\/?/, '').split('?')
  return { id: decodeURIComponent(path), query }
}

function route(): void {
  const { id, query } = address()
  const exhibit = exhibitOf(id)
  const wanted = `${exhibit?.id ?? ''}?${query}`
  if (wanted === shown) return
  if (exhibit !== undefined && current instanceof Page && current.exhibit === exhibit) {
    // Only the settings have changed, by hand or by going back.
    shown = wanted
    if (current.query === query) return
    const text = textOf(query)
    if (text !== undefined) current.takeText(text)
    current.takeValues(fromQuery(settingsOf(exhibit), query))
    return
  }
  shown = wanted
  current?.dispose()
  current = exhibit === undefined ? new Home() : openPage(exhibit, fromQuery(settingsOf(exhibit), query), textOf(query))
  document.getElementById('app')?.replaceChildren(current.element)
  document.title = exhibit === undefined ? 'Tautline: see it move' : `${exhibit.title} · Tautline`
  scrollTo(0, 0)
}

/** The editor's text in a link, if it has one. */
function textOf(query: string): string | undefined {
  return decodeText(new URLSearchParams(query).get('text') ?? '') || undefined
}

function openPage(exhibit: (typeof EXHIBITS)[number], values: Values, text: string | undefined): Page {
  const actions: PageActions = {
    link(query) {
      shown = `${exhibit.id}?${query}`
      history.replaceState(null, '', `#/${exhibit.id}${query === '' ? '' : `?${query}`}`)
    },
    takeFile: (file) => void takeFile(file),
  }
  return new Page(exhibit, values, actions, text)
}

async function takeFile(file: File): Promise<void> {
  try {
    setMesh(await readMesh(file))
    if (current instanceof Page && current.exhibit === ownMesh) current.rebuild()
    else location.hash = `#/${ownMesh.id}`
  } catch (error) {
    if (current instanceof Page) current.tell(messageOf(error))
    else notice(messageOf(error))
  }
}

/** A message that goes by itself. */
function notice(text: string): void {
  const element = h('div', { class: 'notice', role: 'alert' }, text)
  document.body.append(element)
  setTimeout(() => element.remove(), 6000)
}

function onKey(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey || !(current instanceof Page)) return
  const { target } = event
  if (target instanceof HTMLElement && target.closest('input, select, textarea') !== null) return
  if (event.key === 'Escape') location.hash = '#/'
  else if (event.key === '.') current.stepOnce()
  else if (event.key === 'r' || event.key === 'R') current.rebuild()
  else if (event.key === ' ' && !(target instanceof HTMLButtonElement)) {
    event.preventDefault()
    current.pause(!current.isPaused)
  }
}

/** The page after the next frame but one: what was opened is drawn then. */
function frames(count: number): Promise<void> {
  return new Promise((resolve) => {
    const next = (left: number): void => {
      if (left === 0) resolve()
      else requestAnimationFrame(() => next(left - 1))
    }
    next(count)
  })
}

function page(): Page {
  if (!(current instanceof Page)) throw new TypeError('gallery: an exhibit must be open, got the first page')
  return current
}

/** What a call returns, or something else where a visitor's own constraint throws in it. */
function attempt<T>(call: () => T, otherwise: T): T {
  try {
    return call()
  } catch {
    return otherwise
  }
}

function state(): GalleryState | null {
  if (!(current instanceof Page) || current.run === undefined) return null
  const { run, exhibit, isPaused, query, settings, mistake, plots } = current
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
    frames: current.frames,
    plots: plots?.counts ?? {},
    error: mistake ?? null,
  }
}

const handle: GalleryHandle = {
  scenes: EXHIBITS.map(({ id }) => id),
  get ready() {
    return frames(2)
  },
  async open(scene, settings = {}) {
    const exhibit = exhibitOf(scene)
    if (scene !== '' && exhibit === undefined) {
      throw new RangeError(`gallery: scene must be one of ${handle.scenes.join(', ')}, got ${scene}`)
    }
    const entries = Object.entries(settings).map(([name, value]) => [
      name,
      typeof value === 'boolean' ? String(Number(value)) : String(value),
    ])
    const query = new URLSearchParams(entries).toString()
    const hash = `#/${scene}${query === '' ? '' : `?${query}`}`
    history.pushState(null, '', hash)
    shown = undefined
    current?.dispose()
    current = undefined
    route()
    await frames(2)
  },
  state,
  pause: () => page().pause(true),
  play: () => page().pause(false),
  reset: () => page().rebuild(),
  run(steps) {
    page().pause(true)
    page().step(steps)
  },
  draggables() {
    const { viewer, run } = page()
    if (viewer === undefined) return []
    // Where things are after the last step, not where they were drawn last.
    viewer.picture?.update(run.alpha)
    const { left, top } = viewer.canvas.getBoundingClientRect()
    return findDraggables(viewer).map(({ name, position, drawn }) => {
      const { x, y } = viewer.project(drawn)
      return { name, x: left + x, y: top + y, position }
    })
  },
  position(name) {
    const { viewer } = page()
    return viewer === undefined ? null : positionOf(viewer, name)
  },
  project(point) {
    const { viewer } = page()
    if (viewer === undefined) return { x: NaN, y: NaN }
    const { left, top } = viewer.canvas.getBoundingClientRect()
    const { x, y } = viewer.project(point)
    return { x: left + x, y: top + y }
  },
  picture() {
    const { viewer, run } = page()
    viewer?.draw(run.alpha)
    return viewer?.canvas.toDataURL('image/png') ?? ''
  },
  get editor() {
    const editor = current instanceof Page ? current.editor : undefined
    if (editor === undefined) return null
    const { mistake } = editor
    return {
      text: editor.text,
      error: mistake === undefined ? null : { message: mistake.message, line: mistake.line ?? null },
      set: (text: string) => editor.setText(text),
    }
  },
}
/** Makes the page, and keeps it as the address wants it. */
export function openGallery(): void {
  setFindMistake(findMistakeInPage)
  addEventListener('hashchange', route)
  onDrop((file) => void takeFile(file))
  addEventListener('keydown', onKey)
  window.gallery = handle
  route()
}
