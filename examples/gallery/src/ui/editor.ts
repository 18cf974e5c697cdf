/** An editor of a few lines: numbers beside them, and what is wrong under the line where it is. */

import type { FindMistake } from '../script.js'
import { messageOf, ScriptError } from '../script-error.js'
import { h } from './dom.js'

/** Typing stops this long before the text runs [ms]. */
const PAUSE = 350

export interface Mistake {
  readonly message: string
  /** From 1. */
  readonly line: number | undefined
}

export class Editor {
  readonly element: HTMLElement
  /** What is wrong now, if anything. */
  mistake: Mistake | undefined
  private readonly area: HTMLTextAreaElement
  private readonly gutter: HTMLElement
  private readonly mark: HTMLElement
  private readonly status: HTMLElement
  private readonly go: HTMLButtonElement
  private readonly run: (text: string) => Promise<void>
  /** Texts that were run: what comes of an earlier one is not shown. */
  private runs = 0
  private timer: ReturnType<typeof setTimeout> | undefined

  /** `run` gets the text, and rejects when it cannot be run. */
  constructor(text: string, first: string, run: (text: string) => Promise<void>) {
    this.run = run
    this.area = h('textarea', {
      spellcheck: 'false',
      autocapitalize: 'off',
      autocomplete: 'off',
      'aria-label': 'Your scene, in JavaScript',
      wrap: 'off',
    })
    this.area.value = text
    this.gutter = h('div', { class: 'gutter', 'aria-hidden': 'true' })
    this.mark = h('div', { class: 'mistake', role: 'alert', hidden: true })
    this.status = h('span', { class: 'status', role: 'status' }, 'runs')
    const again = h('button', { type: 'button', class: 'quiet' }, 'Start over')
    again.addEventListener('click', () => {
      this.area.value = first
      void this.runNow()
    })
    this.go = h('button', { type: 'button', hidden: true }, 'Run it')
    this.go.addEventListener('click', () => void this.runNow())
    this.element = h(
      'section',
      { class: 'editor', 'aria-label': 'Editor' },
      h('div', { class: 'editor-head' }, h('strong', {}, 'Your scene'), this.status, this.go, again),
      h('div', { class: 'editor-body' }, this.gutter, this.area, this.mark),
    )
    this.area.addEventListener('input', () => {
      this.number()
      clearTimeout(this.timer)
      this.timer = setTimeout(() => void this.runNow(), PAUSE)
    })
    this.area.addEventListener('scroll', () => this.follow())
    this.area.addEventListener('keydown', (event) => this.key(event))
    this.number()
  }

  get text(): string {
    return this.area.value
  }

  /** Sets the text as if it were typed, without the pause. Resolves when it runs, or is refused. */
  setText(text: string): Promise<void> {
    this.area.value = text
    return this.runNow()
  }

  /** Shows a text that a link brought. It is somebody else's: it runs when the visitor says so, or changes it. */
  offer(text: string): void {
    clearTimeout(this.timer)
    this.runs++
    this.area.value = text
    this.tell(undefined)
    this.status.textContent = 'from the link'
    this.go.hidden = false
  }

  private async runNow(): Promise<void> {
    clearTimeout(this.timer)
    this.go.hidden = true
    this.number()
    const run = ++this.runs
    let mistake: unknown
    try {
      await this.run(this.area.value)
    } catch (error) {
      mistake = error
    }
    if (run === this.runs) this.tell(mistake)
  }

  /** Shows what is wrong, in its place, or that nothing is. */
  tell(error: unknown): void {
    const { mark, status } = this
    if (error === undefined) {
      this.mistake = undefined
      mark.hidden = true
      status.textContent = 'runs'
      status.className = 'status'
    } else {
      const line = error instanceof ScriptError ? error.line : undefined
      this.mistake = { message: messageOf(error), line }
      mark.textContent = this.mistake.message
      mark.hidden = false
      status.textContent = line === undefined ? 'does not run' : `line ${line} does not run`
      status.className = 'status wrong'
    }
    this.number()
    this.follow()
  }

  private number(): void {
    const count = this.area.value.split('\n').length
    this.area.rows = Math.min(30, count + 1)
    const wrong = this.mistake?.line
    this.gutter.replaceChildren(
      ...Array.from({ length: count }, (_, k) =>
        h('div', { class: k + 1 === wrong ? 'wrong' : undefined }, `${k + 1}`),
      ),
    )
    this.follow()
  }

  private follow(): void {
    this.gutter.scrollTop = this.area.scrollTop
    const line = this.mistake?.line ?? this.area.value.split('\n').length
    const height = parseFloat(getComputedStyle(this.area).lineHeight) || 18
    this.mark.style.top = `${Math.max(0, line * height + 8 - this.area.scrollTop)}px`
  }

  /** Tab indents, and Escape gives the keyboard back. */
  private key(event: KeyboardEvent): void {
    const { area } = this
    event.stopPropagation()
    if (event.key === 'Escape') area.blur()
    if (event.key !== 'Tab' || event.shiftKey) return
    event.preventDefault()
    area.setRangeText('  ', area.selectionStart, area.selectionEnd, 'end')
    area.dispatchEvent(new Event('input'))
  }

  dispose(): void {
    clearTimeout(this.timer)
  }
}

/**
 * Finds the line of a mistake in the grammar by an inline script element: the window's error event knows the line, which `new Function`
 * does not tell. Nothing of the text runs: should the element accept it, its first line ends it.
 */
export const findMistakeInPage: FindMistake = (text) => {
  let line: number | undefined
  const listen = (event: ErrorEvent): void => {
    event.preventDefault()
    // What is missing at the end is told of the line after it.
    if (event.error instanceof SyntaxError && event.lineno > 1)
      line = Math.min(event.lineno - 1, text.split('\n').length)
  }
  addEventListener('error', listen)
  const element = document.createElement('script')
  element.textContent = `throw 0; (function () { 'use strict';\n${text}\n})`
  document.head.append(element)
  element.remove()
  removeEventListener('error', listen)
  return line
}
