/** The scene of a card, live: one canvas for all cards, over the baked picture of the one that is looked at. */

import type { Entry } from '../catalogue.js'
import { loadExhibit } from '../load.js'
import { Run } from '../run.js'
import { defaultsOf } from '../settings.js'
import { Viewer } from '../viewer/viewer.js'
import { h } from './dom.js'

export class LiveCard {
  readonly canvas: HTMLCanvasElement = h('canvas', { 'aria-hidden': 'true' })
  private readonly viewer: Viewer
  private current: Run | undefined
  private turn = 0
  private last = 0

  /** A picture of a size [px]. Throws where there is no WebGL 2. */
  constructor({ width, height }: { readonly width: number; readonly height: number }) {
    this.viewer = new Viewer(this.canvas, { shadowSize: 1024 })
    this.viewer.resize(width, height, 1)
  }

  /** Begins a scene; resolves when its first picture is drawn. */
  async run(entry: Entry): Promise<void> {
    this.stop()
    const turn = ++this.turn
    const exhibit = await loadExhibit(entry)
    if (turn !== this.turn) return
    const run = new Run(exhibit, defaultsOf(exhibit.settings))
    this.current = run
    this.viewer.show(run.live, run.live.view ?? exhibit.view)
    this.viewer.draw(run.alpha)
    requestAnimationFrame((now) => this.frame(run, now))
  }

  private frame(run: Run, now: number): void {
    if (run !== this.current) return
    const elapsed = Math.min(0.1, (now - this.last) / 1000)
    this.last = now
    try {
      run.advance(elapsed)
      this.viewer.drawFrame(now, run.alpha)
      requestAnimationFrame((next) => this.frame(run, next))
    } catch {
      this.stop()
    }
  }

  stop(): void {
    this.turn++
    this.current = undefined
    this.canvas.remove()
  }

  readTheme(): void {
    this.viewer.readTheme()
  }

  dispose(): void {
    this.stop()
    this.viewer.dispose()
  }
}
