/** What the page of an exhibit is made of: its bar with the way to other scenes, and what stands beside the picture. */

import { CATALOGUE, type Entry } from '../catalogue.js'
import type { Exhibit } from '../exhibit.js'
import type { Setting } from '../settings.js'
import { allScenes, bar } from './bar.js'
import { h } from './dom.js'

/** Settings of the solver, by their names: they are folded. */
const SOLVER = new Set(['substeps', 'iterations', 'relaxation', 'solver', 'compliance'])

/** Whether a setting is one of the solver, of a scene of a world. */
export function isSolverSetting({ name }: Setting): boolean {
  return SOLVER.has(name)
}

function neighbour(id: string, k: number): Entry {
  const at = CATALOGUE.findIndex((entry) => entry.id === id)
  return CATALOGUE[(at + k + CATALOGUE.length) % CATALOGUE.length]
}

function wayTo({ id, title }: Entry, name: string, ...label: (Node | string)[]): HTMLElement {
  return h('a', { class: 'quiet', href: `#/${id}`, title, 'aria-label': name }, ...label)
}

/** The bar of a scene: previous, all, next. */
export function sceneBar(id: string): HTMLElement {
  const word = (text: string): HTMLElement => h('span', { class: 'word' }, text)
  return bar(
    'Scenes',
    wayTo(neighbour(id, -1), 'Previous scene', '←', word(' Previous')),
    allScenes(),
    wayTo(neighbour(id, 1), 'Next scene', word('Next '), '→'),
  )
}

/** Its name, what to try, what it is. */
export function introduction({ title, tries, text }: Exhibit): HTMLElement[] {
  return [
    h('h1', {}, title),
    h('ul', { class: 'try', 'aria-label': 'Try' }, ...tries.map((each) => h('li', {}, each))),
    ...text.map((paragraph) => h('p', {}, paragraph)),
  ]
}

/** A part that is folded until it is asked for; `onOpen` is told the first time. */
export function fold(
  name: string,
  label: string,
  content: HTMLElement,
  isOpen: boolean,
  onOpen?: () => void,
): HTMLElement {
  const element = h('details', { class: `fold ${name}`, open: isOpen }, h('summary', {}, label), content)
  if (onOpen !== undefined) {
    if (isOpen) onOpen()
    else element.addEventListener('toggle', () => onOpen(), { once: true })
  }
  return element
}

/** A button that takes a file with a mesh. */
export function fileButton(take: (file: File) => void): HTMLElement {
  const input = h('input', {
    type: 'file',
    accept: '.obj,.glb',
    id: 'mesh-file',
    onchange: () => {
      const [file] = input.files ?? []
      if (file !== undefined) take(file)
      input.value = ''
    },
  })
  return h('div', { class: 'file' }, h('label', { for: 'mesh-file' }, 'Choose an .obj or .glb'), input)
}
