/** Cards of the first page: baked pictures at once; under the pointer and in the focus they are live. */

import type { Entry } from '../catalogue.js'
import type { LiveCard } from './live-card.js'
import { h, prefersStillness } from './dom.js'
import { isDark } from './theme-button.js'

/** Size of a picture [px]. */
const SIZE = { width: 480, height: 320 } as const
/** The pointer rests on a card for so long before its scene is loaded [ms]. */
const REST = 150
/** Once somebody scrolls, pictures are loaded so far ahead. */
const AHEAD = '900px'

interface Card {
  readonly entry: Entry
  readonly element: HTMLElement
  readonly image: HTMLImageElement
  readonly picture: HTMLElement
}

export class Cards {
  readonly element: HTMLElement
  private readonly cards: Card[] = []
  private live: LiveCard | undefined
  private alive: Card | undefined
  private timer: ReturnType<typeof setTimeout> | undefined
  private isStopped = false
  /** Pictures are loaded as they come into view; once the visitor scrolls, a screen before. */
  private observer = this.observe('0px')

  constructor(groups: readonly (readonly [string, readonly Entry[]])[]) {
    this.element = h(
      'div',
      { class: 'groups' },
      ...groups.map(([group, entries]) =>
        h(
          'section',
          { 'aria-label': group },
          h('h2', {}, group),
          h('ul', { class: 'cards' }, ...entries.map((entry) => this.card(entry))),
        ),
      ),
    )
    addEventListener('scroll', this.lookAhead, { once: true, passive: true })
  }

  private observe(rootMargin: string): IntersectionObserver {
    return new IntersectionObserver(
      (entries, observer) => {
        for (const { isIntersecting, target } of entries) {
          if (!isIntersecting) continue
          observer.unobserve(target)
          const card = this.cards.find(({ element }) => element === target)
          if (card !== undefined) card.image.src = posterOf(card.entry)
        }
      },
      { rootMargin },
    )
  }

  private readonly lookAhead = (): void => {
    this.observer.disconnect()
    this.observer = this.observe(AHEAD)
    for (const { element, image } of this.cards) if (!image.hasAttribute('src')) this.observer.observe(element)
  }

  private card(entry: Entry): HTMLElement {
    const image = h('img', { alt: '', decoding: 'async', ...SIZE })
    const picture = h('span', { class: 'card-picture' }, image)
    const element = h(
      'li',
      {},
      h(
        'a',
        { class: 'card', href: `#/${entry.id}`, 'data-scene': entry.id },
        picture,
        h('span', { class: 'card-title' }, entry.title),
        h('span', { class: 'card-blurb' }, entry.blurb),
      ),
    )
    const card: Card = { entry, element, image, picture }
    element.addEventListener('pointerenter', () => this.begin(card))
    element.addEventListener('pointerleave', () => this.end(card))
    element.addEventListener('focusin', () => this.begin(card))
    element.addEventListener('focusout', () => this.end(card))
    this.cards.push(card)
    this.observer.observe(element)
    return element
  }

  /** Loads a card's scene, and runs it as long as the card is looked at. */
  private begin(card: Card): void {
    if (prefersStillness() || this.alive === card) return
    if (this.alive !== undefined) this.end(this.alive)
    this.alive = card
    this.timer = setTimeout(() => void this.run(card), REST)
  }

  private async run(card: Card): Promise<void> {
    try {
      const { LiveCard } = await import('./live-card.js')
      if (this.isStopped || this.alive !== card) return
      this.live ??= new LiveCard(SIZE)
      await this.live.run(card.entry)
      // Another card may be looked at by now.
      if (this.alive === card && !this.isStopped) card.picture.append(this.live.canvas)
    } catch {
      // Without WebGL, or without the network, there is the baked picture.
    }
  }

  private end(card: Card): void {
    if (this.alive !== card) return
    clearTimeout(this.timer)
    this.alive = undefined
    this.live?.stop()
  }

  /** Pictures of the other theme. */
  readTheme(): void {
    this.live?.readTheme()
    for (const { image, entry } of this.cards) if (image.hasAttribute('src')) image.src = posterOf(entry)
  }

  dispose(): void {
    this.isStopped = true
    clearTimeout(this.timer)
    removeEventListener('scroll', this.lookAhead)
    this.observer.disconnect()
    this.live?.dispose()
  }
}

function posterOf({ id }: Entry): string {
  return `./posters/${id}-${isDark() ? 'dark' : 'light'}.webp`
}
