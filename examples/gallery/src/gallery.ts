/** The gallery: a page of cards, and a page an exhibit, by the address after the #. What a page needs is loaded when it is opened. */

import { CATALOGUE } from './catalogue.js'
import type { GalleryHandle } from './handle.js'
import { entryOf } from './load.js'
import { messageOf } from './script-error.js'
import { h } from './ui/dom.js'
import { Home } from './ui/home.js'
import { onDrop } from './ui/mesh-file.js'
import type { Page } from './ui/page.js'
import type * as exhibits from './exhibit-page.js'
import type { Beside } from './beside/page.js'
import type { Embed } from './play/embed.js'
import type { Playground } from './play/page.js'

type ExhibitModule = typeof exhibits
/** What can be shown. */
type Shown =
  | { readonly kind: 'home'; readonly page: Home }
  | { readonly kind: 'exhibit'; readonly page: Page; readonly module: ExhibitModule }
  | { readonly kind: 'beside'; readonly page: Beside }
  | { readonly kind: 'play'; readonly page: Playground }
  | { readonly kind: 'embed'; readonly page: Embed }

let current: Shown | undefined
/** The address that is shown, or is being loaded. */
let shown: string | undefined
/** Ends when the address is shown. */
let opening: Promise<void> = Promise.resolve()
/** Pages that were asked for: one that another has overtaken is not shown. */
let turns = 0

/** Exhibit that takes a visitor's mesh. */
const OWN_MESH = 'mesh'
/** Pages besides exhibits. */
const TITLES: Readonly<Record<string, string>> = { beside: 'Side by side', play: 'Playground', embed: 'A scene' }

/** `#/id?query` in parts. */
function address(): { id: string; query: string } {
  const [path, query = ''] = location.hash.replace(/^#\/?/, '').split('?')
  return { id: decodeURIComponent(path), query }
}

function route(): void {
  const { id, query } = address()
  const place = entryOf(id)?.id ?? (id in TITLES ? id : '')
  const wanted = `${place}?${query}`
  if (wanted === shown) return
  shown = wanted
  if (current?.kind === 'exhibit' && current.page.exhibit.id === place) {
    // Only the settings have changed, by hand or by going back.
    const { page, module } = current
    if (page.query !== query) page.takeQuery(query, module.valuesOf(page.exhibit, query))
    return
  }
  opening = show(place, query)
}

async function show(id: string, query: string): Promise<void> {
  const turn = ++turns
  let next: Shown
  try {
    next = await make(id, query)
  } catch (error) {
    notice(`This page could not be loaded: ${messageOf(error)}`)
    return
  }
  if (turn !== turns) {
    next.page.dispose()
    return
  }
  current?.page.dispose()
  current = next
  document.getElementById('app')?.replaceChildren(next.page.element)
  const title = TITLES[id] ?? entryOf(id)?.title
  document.title = title === undefined ? 'Tautline: see it move' : `${title} · Tautline`
  scrollTo(0, 0)
}

async function make(id: string, query: string): Promise<Shown> {
  const link = (now: string): void => {
    shown = `${id}?${now}`
    history.replaceState(null, '', `#/${id}${now === '' ? '' : `?${now}`}`)
  }
  const entry = entryOf(id)
  if (entry !== undefined) {
    const module = await import('./exhibit-page.js')
    const page = await module.openExhibit(entry, query, { link, takeFile: (file) => void takeFile(file) })
    return { kind: 'exhibit', page, module }
  }
  if (id === 'beside') {
    const { Beside } = await import('./beside/page.js')
    return { kind: 'beside', page: new Beside() }
  }
  if (id === 'play') {
    const { Playground } = await import('./play/page.js')
    return { kind: 'play', page: await Playground.open(query, link) }
  }
  if (id === 'embed') {
    const { Embed } = await import('./play/embed.js')
    return { kind: 'embed', page: new Embed() }
  }
  return { kind: 'home', page: new Home() }
}

async function takeFile(file: File): Promise<void> {
  try {
    const [{ readMesh }, { setMesh }] = await Promise.all([
      import('./ui/read-mesh.js'),
      import('./exhibits/own-mesh.js'),
    ])
    setMesh(await readMesh(file))
    if (current?.kind === 'exhibit' && current.page.exhibit.id === OWN_MESH) current.page.rebuild()
    else location.hash = `#/${OWN_MESH}`
  } catch (error) {
    if (current?.kind === 'exhibit') current.page.tell(messageOf(error))
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
  if (event.ctrlKey || event.metaKey || event.altKey || current === undefined || current.kind === 'home') return
  const { target } = event
  if (target instanceof HTMLElement && target.closest('input, select, textarea, [contenteditable]') !== null) return
  if (event.key === 'Escape') location.hash = '#/'
  if (current.kind !== 'exhibit') return
  const { page } = current
  if (event.key === '.') page.stepOnce()
  else if (event.key === 'r' || event.key === 'R') page.rebuild()
  else if (event.key === ' ' && !(target instanceof HTMLElement && target.closest('button, summary') !== null)) {
    event.preventDefault()
    page.pause(!page.isPaused)
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
  if (current?.kind !== 'exhibit') throw new TypeError('gallery: an exhibit must be open, got another page')
  return current.page
}

function reading(): ReturnType<ExhibitModule['readPage']> {
  if (current?.kind !== 'exhibit') throw new TypeError('gallery: an exhibit must be open, got another page')
  return current.module.readPage(current.page)
}

const handle: GalleryHandle = {
  scenes: CATALOGUE.map(({ id }) => id),
  get ready() {
    return opening.then(() => frames(2))
  },
  async open(scene, settings = {}) {
    if (scene !== '' && entryOf(scene) === undefined) {
      throw new RangeError(`gallery: scene must be one of ${handle.scenes.join(', ')}, got ${scene}`)
    }
    const entries = Object.entries(settings).map(([name, value]) => [
      name,
      typeof value === 'boolean' ? String(Number(value)) : String(value),
    ])
    const query = new URLSearchParams(entries).toString()
    history.pushState(null, '', `#/${scene}${query === '' ? '' : `?${query}`}`)
    current?.page.dispose()
    shown = current = undefined
    route()
    await opening
    await frames(2)
  },
  state: () => (current?.kind === 'exhibit' ? reading().state() : null),
  pause: () => page().pause(true),
  play: () => page().pause(false),
  reset: () => page().rebuild(),
  run(steps) {
    page().pause(true)
    page().step(steps)
  },
  draggables: () => reading().draggables(),
  extent: () => reading().extent(),
  position: (name) => reading().position(name),
  project: (point) => reading().project(point),
  picture: () => reading().picture(),
  get editor() {
    const editor = current?.kind === 'exhibit' ? current.page.editor : undefined
    if (editor === undefined) return null
    const { mistake } = editor
    return {
      text: editor.text,
      error: mistake === undefined ? null : { message: mistake.message, line: mistake.line ?? null },
      set: (text: string) => editor.setText(text),
    }
  },
  get hero() {
    return current?.kind === 'home' ? (current.page.hero ?? null) : null
  },
  get playground() {
    return current?.kind === 'play' ? current.page : null
  },
}

/** Makes the page, and keeps it as the address wants it. */
export function openGallery(): void {
  addEventListener('hashchange', route)
  onDrop((file) => void takeFile(file))
  addEventListener('keydown', onKey)
  window.gallery = handle
  route()
}
