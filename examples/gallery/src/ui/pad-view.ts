/** The keys of a pad, and on screens that are touched a stick and buttons over the picture. */

import type { Pad } from '../../../lib/pad.js'
import { h } from './dom.js'

const KEYS: Readonly<Record<string, readonly [number, number]>> = {
  arrowleft: [-1, 0],
  arrowright: [1, 0],
  arrowup: [0, 1],
  arrowdown: [0, -1],
  a: [-1, 0],
  d: [1, 0],
  w: [0, 1],
  s: [0, -1],
}

export class PadView {
  readonly element: HTMLElement
  private readonly pad: Pad
  private readonly stop = new AbortController()
  private readonly down = new Set<string>()
  private readonly knob = h('div', { class: 'knob' })
  private readonly stick: HTMLElement
  private finger: number | undefined

  constructor(pad: Pad) {
    this.pad = pad
    this.stick = h('div', { class: 'stick', 'aria-hidden': 'true' }, this.knob)
    this.element = h(
      'div',
      { class: 'pad' },
      this.stick,
      h('div', { class: 'pad-buttons' }, ...pad.buttons.map(({ label }) => this.button(label))),
    )
    const { signal } = this.stop
    // Before the keys of the page and of the picture.
    addEventListener('keydown', (event) => this.key(event, true), { signal, capture: true })
    addEventListener('keyup', (event) => this.key(event, false), { signal, capture: true })
    addEventListener('blur', () => this.releaseAll(), { signal })
    this.stick.addEventListener('pointerdown', (event) => this.take(event), { signal })
    this.stick.addEventListener('pointermove', (event) => this.move(event), { signal })
    for (const name of ['pointerup', 'pointercancel'] as const) {
      this.stick.addEventListener(name, (event) => this.letGo(event), { signal })
    }
  }

  /** What the keys do, in a line. */
  static hint(pad: Pad): string {
    const named = pad.buttons.map(
      ({ label, key }) => `${key === ' ' ? 'Space' : key.toUpperCase()}: ${label.toLowerCase()}`,
    )
    return [`Arrows or WASD: ${pad.stick}`, ...named].join(' · ')
  }

  dispose(): void {
    this.stop.abort()
    this.element.remove()
  }

  private button(label: string): HTMLButtonElement {
    const button = h('button', { type: 'button' }, label)
    const { signal } = this.stop
    button.addEventListener(
      'pointerdown',
      (event) => {
        button.setPointerCapture(event.pointerId)
        this.pad.press(label)
      },
      { signal },
    )
    for (const name of ['pointerup', 'pointercancel'] as const) {
      button.addEventListener(name, () => this.pad.release(label), { signal })
    }
    return button
  }

  private key(event: KeyboardEvent, isDown: boolean): void {
    const { target } = event
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (target instanceof HTMLElement && target.closest('input, select, textarea, button, a') !== null) return
    const key = event.key.toLowerCase()
    const button = this.pad.buttons.find((each) => each.key === key)
    if (button === undefined && !(key in KEYS)) return
    event.preventDefault()
    event.stopPropagation()
    if (button !== undefined) {
      if (isDown) this.pad.press(button.label)
      else this.pad.release(button.label)
      return
    }
    if (isDown) this.down.add(key)
    else this.down.delete(key)
    let [x, y] = [0, 0]
    for (const name of this.down) {
      x += KEYS[name][0]
      y += KEYS[name][1]
    }
    this.pad.push(Math.sign(x), Math.sign(y))
  }

  private take(event: PointerEvent): void {
    event.preventDefault()
    this.finger = event.pointerId
    this.stick.setPointerCapture(event.pointerId)
    this.move(event)
  }

  private move(event: PointerEvent): void {
    if (event.pointerId !== this.finger) return
    const { left, top, width, height } = this.stick.getBoundingClientRect()
    const x = (2 * (event.clientX - left)) / width - 1
    const y = 1 - (2 * (event.clientY - top)) / height
    this.pad.push(x, y)
    this.knob.style.transform = `translate(${(30 * this.pad.x).toFixed(0)}px, ${(-30 * this.pad.y).toFixed(0)}px)`
  }

  private letGo(event: PointerEvent): void {
    if (event.pointerId !== this.finger) return
    this.finger = undefined
    this.pad.push(0, 0)
    this.knob.style.transform = ''
  }

  private releaseAll(): void {
    this.down.clear()
    this.pad.push(0, 0)
    for (const { label } of this.pad.buttons) this.pad.release(label)
  }
}
