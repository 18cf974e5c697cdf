/** The first page: what the library is, and a card a scene. */

import { type Exhibit, GROUPS } from '../exhibit.js'
import { EXHIBITS } from '../exhibits/index.js'
import { Cards } from './cards.js'
import { h } from './dom.js'
import { onTheme, themeButton } from './theme-button.js'

export class Home {
  readonly element: HTMLElement
  private readonly cards: Cards
  private readonly stopListening: () => void

  constructor() {
    const groups = GROUPS.map((group): [string, Exhibit[]] => [
      group,
      EXHIBITS.filter((exhibit) => exhibit.group === group),
    ])
    this.cards = new Cards(groups)
    this.stopListening = onTheme(() => this.cards.readTheme())
    this.element = h(
      'div',
      { class: 'home' },
      h(
        'header',
        { class: 'hero' },
        h('div', { class: 'bar' }, h('span', { class: 'brand' }, 'Tautline'), themeButton()),
        h('h1', {}, 'Rope that does not stretch. Stacks that stand. Joints that hold.'),
        h(
          'p',
          { class: 'lead' },
          'Tautline simulates mechanical constraints and poses skeletons, in plain TypeScript: it moves things to where they have to be. Every scene below runs in your browser; open one, pull at it, and change how it is solved.',
        ),
        h(
          'ul',
          { class: 'facts' },
          h('li', {}, 'Any mass ratio'),
          h('li', {}, 'The same bits in every browser'),
          h('li', {}, 'No WebAssembly to wait for'),
          h('li', {}, 'A new constraint in twenty lines'),
        ),
      ),
      h('main', {}, this.cards.element),
      h(
        'footer',
        { class: 'foot' },
        'Drop an .obj or .glb file anywhere on this page to make cloth or a soft body of it.',
      ),
    )
  }

  dispose(): void {
    this.stopListening()
    this.cards.dispose()
  }
}
