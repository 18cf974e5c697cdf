/** The frame that a text runs in: sandboxed, without an origin, a network or a page around it. It is made when something is to run. */

import { h } from '../ui/dom.js'
import scriptUrl from './frame.ts?worker&url'
import type { FromFrame, ToFrame } from './protocol.js'

/** From one ping to the next, and without an answer for so long a text counts as one that never ends [ms]. */
const PING = 500
const PATIENCE = 6000

type State = Omit<Extract<FromFrame, { kind: 'state' }>, 'kind'>

export class SceneFrame {
  readonly element: HTMLElement = h('div', { class: 'frame-box' })
  state: State | null = null
  private frame: HTMLIFrameElement | undefined
  private code = ''
  private timer: number | undefined
  /** When the frame answered last [ms]. */
  private heard = 0
  private readonly onState: () => void
  private readonly onPrint: (text: string) => void
  private readonly listen = (event: MessageEvent<FromFrame>): void => this.hear(event)

  constructor(onState: () => void, onPrint: (text: string) => void) {
    this.onState = onState
    this.onPrint = onPrint
  }

  /** Runs JavaScript in a new frame: nothing of the text before is left. */
  run(code: string): void {
    this.stop()
    this.code = code
    addEventListener('message', this.listen)
    this.frame = h('iframe', { sandbox: 'allow-scripts', title: 'The scene of the text', srcdoc: page() })
    this.element.append(this.frame)
  }

  stop(): void {
    removeEventListener('message', this.listen)
    clearInterval(this.timer)
    this.frame?.remove()
    this.frame = undefined
    this.state = null
  }

  readTheme(): void {
    this.send({ kind: 'theme', theme: theme() })
  }

  private send(message: ToFrame): void {
    this.frame?.contentWindow?.postMessage(message, '*')
  }

  /** Takes a frame away that does not answer: browsers run it beside the page, which goes on. */
  private watch(): void {
    this.send({ kind: 'ping' })
    // Timers of a page that is not seen come late.
    if (document.hidden) this.heard = performance.now()
    if (performance.now() - this.heard < PATIENCE) return
    this.stop()
    this.state = {
      step: 0,
      bodies: 0,
      error: `stopped: it has not answered for ${PATIENCE / 1000} s. Does a loop never end?`,
      line: null,
    }
    this.onState()
  }

  private hear({ data, source }: MessageEvent<FromFrame>): void {
    if (this.frame === undefined || source !== this.frame.contentWindow) return
    this.heard = performance.now()
    if (data.kind === 'ready') {
      this.send({ kind: 'run', code: this.code })
      this.timer = window.setInterval(() => this.watch(), PING)
    } else if (data.kind === 'pong') return
    else if (data.kind === 'print') this.onPrint(data.text)
    else {
      const { step, bodies, error, line } = data
      this.state = { step, bodies, error, line }
      this.onState()
    }
  }
}

function theme(): string {
  return document.documentElement.dataset.theme ?? ''
}

/** The page of the frame. It may load its script and its style, and nothing else. */
function page(): string {
  const script = new URL(scriptUrl, import.meta.url).href
  const style = document.querySelector<HTMLLinkElement>('link[rel=stylesheet]')?.href ?? ''
  const policy = `default-src 'none'; script-src ${script} 'unsafe-eval'; style-src ${style} 'unsafe-inline'; img-src data: blob:`
  return `<!doctype html>
<html lang="en"${theme() === '' ? '' : ` data-theme="${theme()}"`}>
<head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}"><link rel="stylesheet" href="${style}"></head>
<body><script src="${script}"></script></body>
</html>`
}
