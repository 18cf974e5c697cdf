/** A scene within a page of the docs: that page gives the text and its visitor has pressed Run. Texts of other origins are not heard. */

import { messageOf } from '../script-error.js'
import { h } from '../ui/dom.js'
import { compile } from './compile.js'
import { SceneFrame } from './scene-frame.js'

/** From the page around: a text to run. */
interface EmbedMessage {
  readonly kind: 'embed'
  readonly text: string
}

export class Embed {
  readonly element: HTMLElement
  private readonly status = h('p', { class: 'play-status', role: 'status' }, 'Loads …')
  private readonly prints: string[] = []
  private readonly frame = new SceneFrame(
    () => this.showState(),
    (text) => this.prints.push(text),
  )
  private readonly listen = ({ data, origin, source }: MessageEvent<EmbedMessage>): void => {
    if (origin === location.origin && source === parent && data.kind === 'embed') this.run(data.text)
  }

  constructor() {
    this.element = h('main', { class: 'embed', 'data-play': 'loads' }, this.frame.element, this.status)
    addEventListener('message', this.listen)
    if (parent !== window) parent.postMessage({ kind: 'embed-ready' }, location.origin)
  }

  private run(text: string): void {
    this.prints.length = 0
    try {
      this.frame.run(compile(text))
    } catch (error) {
      this.tell(`error: ${messageOf(error)}`, messageOf(error))
    }
  }

  private showState(): void {
    const { state } = this.frame
    if (state === null) return
    if (state.error !== null) this.tell(`error: ${state.error}`, state.error)
    else if (state.step > 0 || state.bodies > 0) {
      this.tell('runs', this.prints.length > 0 ? `Printed: ${this.prints.slice(-4).join(' · ')}` : 'Pull at it.')
    }
  }

  private tell(state: string, text: string): void {
    this.element.dataset.play = state
    this.status.classList.toggle('wrong', state !== 'runs')
    if (this.status.textContent !== text) this.status.textContent = text
  }

  dispose(): void {
    removeEventListener('message', this.listen)
    this.frame.stop()
  }
}
