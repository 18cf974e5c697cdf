/** The playground: an editor for whole scenes, and a frame of an origin of its own that runs them. */

import { CATALOGUE } from '../catalogue.js'
import { entryOf } from '../load.js'
import { loadSource } from '../sources.js'
import { messageOf } from '../script-error.js'
import { pageBar } from '../ui/bar.js'
import { copyAddress, say } from '../ui/copy-link.js'
import { h } from '../ui/dom.js'
import { onTheme } from '../ui/theme-button.js'
import { compile } from './compile.js'
import { SceneEditor } from './editor.js'
import { packText, unpackText } from './link.js'
import { projectOf } from './project.js'
import { SceneFrame } from './scene-frame.js'
import starter from './starter.ts?raw'
import { Types } from './types.js'

/** Prints that are shown: beyond, the first ones go. */
const MOST_PRINTS = 30

/** A text, and whether it may run without being asked: not if somebody else's link has brought it. */
interface Given {
  readonly text: string
  readonly isOurs: boolean
}

export class Playground {
  readonly element: HTMLElement
  private readonly editor: SceneEditor
  private readonly types = new Types()
  private readonly link: (query: string) => void
  private readonly frame: SceneFrame
  private readonly prints = h('pre', { class: 'prints', role: 'log', 'aria-label': 'Prints' })
  private readonly status = h('p', { class: 'play-status', role: 'status' })
  private readonly stopListening: () => void

  private constructor({ text, isOurs }: Given, link: (query: string) => void) {
    this.link = link
    this.editor = new SceneEditor(text, this.types, () => undefined)
    this.frame = new SceneFrame(
      () => this.showState(),
      (line) => this.print(line),
    )
    const button = (label: string, onclick: (event: Event) => void, isQuiet = true): HTMLElement =>
      h('button', { type: 'button', class: isQuiet ? 'quiet' : undefined, onclick }, label)
    const choice = h(
      'select',
      {
        'aria-label': 'Begin with',
        onchange: () => (location.hash = `#/play${choice.value === '' ? '' : `?scene=${choice.value}`}`),
      },
      h('option', { value: '' }, 'Begin with …'),
      ...CATALOGUE.map(({ id, title }) => h('option', { value: id }, title)),
    )
    this.element = h(
      'div',
      { class: 'page play' },
      pageBar(),
      h(
        'main',
        {},
        h(
          'section',
          { class: 'play-text', 'aria-label': 'Text' },
          h('h1', { class: 'unseen' }, 'Playground'),
          h(
            'div',
            { class: 'play-tools' },
            button('Run', () => this.run(), false),
            button('Stop', () => this.stop()),
            button('Copy link', (event) => void this.copyLink(event)),
            button('Export', () => this.save()),
            choice,
          ),
          this.editor.element,
        ),
        h('section', { class: 'play-picture', 'aria-label': 'Scene' }, this.frame.element, this.status, this.prints),
      ),
    )
    this.stopListening = onTheme(() => this.frame.readTheme())
    if (isOurs) this.run()
    else this.status.textContent = 'This text came by a link: it is somebody else’s program. Read it, then press Run.'
  }

  /** Opens it with what a query has: a text, a scene of the gallery, or the first text. */
  static async open(query: string, link: (query: string) => void): Promise<Playground> {
    return new Playground(await givenBy(new URLSearchParams(query)), link)
  }

  get text(): string {
    return this.editor.text
  }

  /** What the frame tells; null until something runs. */
  state(): SceneFrame['state'] {
    return this.frame.state
  }

  /** Sets the text, and puts the cursor at a place of it. */
  write(text: string | undefined, at?: number): void {
    this.editor.write(text, at)
  }

  private run(): void {
    this.prints.replaceChildren()
    let code: string
    try {
      code = compile(this.text)
    } catch (error) {
      this.fail(messageOf(error))
      return
    }
    this.status.className = 'play-status'
    this.status.textContent = 'Runs …'
    this.frame.run(code)
  }

  private stop(): void {
    this.frame.stop()
    this.status.textContent = 'Stopped.'
  }

  private fail(message: string): void {
    this.status.className = 'play-status wrong'
    this.status.textContent = message
  }

  private showState(): void {
    const { state } = this.frame
    if (state === null) return
    if (state.error !== null) {
      this.fail(state.line === null ? state.error : `Line ${state.line}: ${state.error}`)
      return
    }
    const text = state.bodies === 1 ? 'One body runs.' : `${state.bodies} bodies run.`
    if (this.status.textContent !== text) this.status.textContent = text
  }

  private print(text: string): void {
    this.prints.append(`${text}\n`)
    while (this.prints.childNodes.length > MOST_PRINTS) this.prints.firstChild?.remove()
  }

  /** Puts the text into the address, and the address where it can be pasted from. */
  private async copyLink(event: Event): Promise<void> {
    const button = event.currentTarget as HTMLElement
    const code = packText(this.text)
    if (code === undefined) {
      say(button, 'Too long for a link')
      return
    }
    this.link(`text=${code}`)
    await copyAddress(button)
  }

  private save(): void {
    const url = URL.createObjectURL(new Blob([projectOf(this.text, __VERSIONS__.three)], { type: 'application/zip' }))
    h('a', { href: url, download: 'tautline-scene.zip' }).click()
    setTimeout(() => URL.revokeObjectURL(url), 1000)
  }

  dispose(): void {
    this.stopListening()
    this.frame.stop()
    this.editor.dispose()
    this.types.dispose()
  }
}

async function givenBy(query: URLSearchParams): Promise<Given> {
  const text = unpackText(query.get('text') ?? '')
  if (text !== undefined) return { text, isOurs: false }
  const entry = entryOf(query.get('scene') ?? '')
  return { text: entry === undefined ? starter : await loadSource(entry), isOurs: true }
}
