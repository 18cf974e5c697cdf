/** The first page: what the library is, live and in ten lines, and a card a scene. */

import { CATALOGUE } from '../catalogue.js'
import { GROUPS } from '../exhibit.js'
import type { HeroLive } from '../hero/live.js'
import tenLines from '../ten-lines.ts?raw'
import { Cards } from './cards.js'
import { h, prefersStillness } from './dom.js'
import { onTheme, themeButton } from './theme-button.js'

/** As the first page of the guide has it. */
const INSTALL = ['npm run archives', 'npm install three @types/three ~/tautline/archives/*.tgz']

export class Home {
  readonly element: HTMLElement
  /** The live scene, once it is there. */
  hero: HeroLive | undefined
  private readonly cards: Cards
  private readonly stopListening: () => void
  private isStopped = false

  constructor() {
    this.cards = new Cards(GROUPS.map((group) => [group, CATALOGUE.filter((entry) => entry.group === group)] as const))
    this.stopListening = onTheme(() => {
      this.cards.readTheme()
      this.hero?.readTheme()
    })
    const canvas = h('canvas', {
      class: 'hero-live',
      role: 'img',
      'aria-label':
        'A mannequin in a cape hangs by one hand and swings a ball of a tonne on a thin chain. Pull at any of it.',
    })
    const play = h('button', { type: 'button', class: 'quiet hero-play', hidden: true })
    this.element = h(
      'div',
      { class: 'home' },
      h('header', { class: 'bar' }, h('span', { class: 'brand' }, 'Tautline'), links(), themeButton()),
      h(
        'main',
        {},
        h(
          'section',
          { class: 'hero', 'aria-label': 'Tautline' },
          h('div', { class: 'hero-words' }, ...words()),
          h(
            'figure',
            { class: 'hero-scene' },
            canvas,
            h('figcaption', {}, 'Live: pull at the ball, a foot, the head'),
            play,
          ),
          h('div', { class: 'hero-code' }, ...code()),
        ),
        this.cards.element,
      ),
      h(
        'footer',
        { class: 'foot' },
        'Drop an .obj or .glb file anywhere on this page to make cloth or a soft body of it.',
      ),
    )
    void this.begin(canvas, play)
  }

  /** Loads the live scene, after the page has been shown. */
  private async begin(canvas: HTMLCanvasElement, play: HTMLButtonElement): Promise<void> {
    await new Promise((resolve) => requestAnimationFrame(resolve))
    const { HeroLive } = await import('../hero/live.js')
    if (this.isStopped) return
    const hero = new HeroLive(canvas, prefersStillness())
    this.hero = hero
    const label = (): void => {
      play.textContent = hero.isPaused ? 'Play' : 'Pause'
    }
    play.addEventListener('click', () => {
      hero.isPaused = !hero.isPaused
      label()
    })
    label()
    play.hidden = false
  }

  dispose(): void {
    this.isStopped = true
    this.stopListening()
    this.cards.dispose()
    this.hero?.dispose()
  }
}

function links(): HTMLElement {
  return h(
    'nav',
    { 'aria-label': 'Pages' },
    h('a', { class: 'quiet', href: '#/beside' }, 'Side by side'),
    h('a', { class: 'quiet', href: '#/play' }, 'Playground'),
  )
}

function words(): HTMLElement[] {
  return [
    h('h1', {}, 'A tonne on a thin chain. Nothing stretches.'),
    h(
      'p',
      { class: 'lead' },
      'Tautline simulates joints, ropes, cloth, soft bodies, ragdolls and contacts in plain TypeScript: exact at any mass ratio, the same bits in every browser, no WebAssembly to wait for.',
    ),
    h(
      'p',
      { class: 'hero-links' },
      h('a', { class: 'button', href: __DOCS__ }, 'Docs'),
      h('a', { class: 'quiet', href: __SOURCE__ }, 'Source'),
    ),
  ]
}

function code(): HTMLElement[] {
  return [
    h(
      'div',
      { class: 'install' },
      h('h2', {}, 'Install, from a clone'),
      h('pre', { tabindex: 0 }, h('code', {}, INSTALL.join('\n'))),
    ),
    h(
      'div',
      { class: 'ten-lines' },
      h('h2', {}, 'Ten lines: a tonne on a rope'),
      h('pre', { tabindex: 0 }, h('code', {}, tenLines.trim())),
    ),
  ]
}
