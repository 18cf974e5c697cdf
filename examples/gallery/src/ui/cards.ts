/** Pictures on the cards of the first page: each scene is run for a moment, and again while the pointer or the keyboard is on it. */

import { defaultsOf } from '../settings.js'
import type { Exhibit } from '../exhibit.js'
import { Run } from '../run.js'
import { Viewer } from '../viewer/viewer.js'
import { h, prefersStillness } from './dom.js'

/** Size of a picture [px]. */
const SIZE = { width: 480, height: 320 } as const
/** For so long at a time a scene is run towards its picture [ms]: the page stays quick meanwhile. */
const SLICE = 14

interface Card {
  readonly exhibit: Exhibit
  readonly canvas: HTMLCanvasElement
  readonly element: HTMLElement
  isDrawn: boolean
}

export class Cards {
  readonly element: HTMLElement
  private readonly viewer: Viewer | undefined
  private readonly cards: Card[] = []
  private readonly waiting: Card[] = []
  private readonly observer: IntersectionObserver
  private isStopped = false
  private alive: { card: Card; run: Run } | undefined
  private last = 0

  constructor(groups: readonly (readonly [string, readonly Exhibit[]])[]) {
    try {
      this.viewer = new Viewer(document.createElement('canvas'), { shadowSize: 1024 })
      this.viewer.resize(SIZE.width, SIZE.height, 1)
    } catch {
      // Without WebGL there are cards without pictures.
    }
    this.element = h(
      'div',
      { class: 'groups' },
      ...groups.map(([group, exhibits]) =>
        h(
          'section',
          { 'aria-label': group },
          h('h2', {}, group),
          h('ul', { class: 'cards' }, ...exhibits.map((exhibit) => this.card(exhibit))),
        ),
      ),
    )
    this.observer = new IntersectionObserver(
      (entries) => {
        for (const { isIntersecting, target } of entries) {
          const card = this.cards.find(({ element }) => element === target)
          if (!isIntersecting || card === undefined || card.isDrawn || this.waiting.includes(card)) continue
          this.waiting.push(card)
        }
      },
      { rootMargin: '300px' },
    )
    for (const { element } of this.cards) this.observer.observe(element)
    requestAnimationFrame((now) => this.frame(now))
  }

  private card(exhibit: Exhibit): HTMLElement {
    const canvas = h('canvas', { width: SIZE.width, height: SIZE.height, 'aria-hidden': 'true' })
    const element = h(
      'li',
      {},
      h(
        'a',
        { class: 'card', href: `#/${exhibit.id}`, 'data-scene': exhibit.id },
        canvas,
        h('span', { class: 'card-title' }, exhibit.title),
        h('span', { class: 'card-blurb' }, exhibit.blurb),
      ),
    )
    const card: Card = { exhibit, canvas, element, isDrawn: false }
    const start = (): void => {
      if (!prefersStillness() && this.alive?.card !== card) this.begin(card)
    }
    const stop = (): void => {
      if (this.alive?.card === card) this.alive = undefined
    }
    element.addEventListener('pointerenter', start)
    element.addEventListener('pointerleave', stop)
    element.addEventListener('focusin', start)
    element.addEventListener('focusout', stop)
    this.cards.push(card)
    return element
  }

  private begin(card: Card): void {
    try {
      const run = new Run(card.exhibit, defaultsOf(card.exhibit.settings))
      this.alive = { card, run }
      this.viewer?.show(run.live, run.live.view ?? card.exhibit.view)
    } catch {
      this.alive = undefined
    }
  }

  private making: { card: Card; run: Run } | undefined

  private frame(now: number): void {
    if (this.isStopped) return
    const elapsed = Math.min(0.1, (now - this.last) / 1000)
    this.last = now
    if (this.alive !== undefined) {
      const { card, run } = this.alive
      try {
        run.advance(elapsed)
        this.draw(card, run.alpha)
      } catch {
        this.alive = undefined
      }
    } else this.makeSome()
    requestAnimationFrame((next) => this.frame(next))
  }

  /** Goes on towards the next picture for a slice of time. */
  private makeSome(): void {
    const until = performance.now() + SLICE
    if (this.making === undefined) {
      const card = this.waiting.shift()
      if (card === undefined) return
      card.isDrawn = true
      try {
        this.making = { card, run: new Run(card.exhibit, defaultsOf(card.exhibit.settings)) }
      } catch {
        return
      }
    }
    const { card, run } = this.making
    const wanted = card.exhibit.pose ?? 60
    while (run.steps < wanted && performance.now() < until) run.step()
    if (run.steps < wanted) return
    this.making = undefined
    this.viewer?.show(run.live, run.live.view ?? card.exhibit.view)
    this.draw(card, 1)
  }

  private draw(card: Card, alpha: number): void {
    const { viewer } = this
    if (viewer === undefined) return
    viewer.draw(alpha)
    card.canvas.getContext('2d')?.drawImage(viewer.canvas, 0, 0, SIZE.width, SIZE.height)
  }

  /** Draws all pictures anew, in new colours. */
  readTheme(): void {
    this.viewer?.readTheme()
    for (const card of this.cards) {
      if (!card.isDrawn) continue
      card.isDrawn = false
      this.observer.unobserve(card.element)
      this.observer.observe(card.element)
    }
  }

  dispose(): void {
    this.isStopped = true
    this.observer.disconnect()
    this.viewer?.dispose()
  }
}
