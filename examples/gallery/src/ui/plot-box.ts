/** Plots under a picture, where somebody wants them: what draws them is loaded then. */

import type { Run } from '../run.js'
import { h } from './dom.js'
import type { Plots } from './plots.js'

/** From one sample to the next, while the clock runs [ms]. */
const SAMPLE = 50

export class PlotBox {
  readonly element: HTMLElement = h('div', { class: 'under' })
  readonly button: HTMLButtonElement
  private plots: Plots | undefined
  private run: Run | undefined
  private areWanted = false
  private sampled = 0

  constructor() {
    this.button = h(
      'button',
      { type: 'button', 'aria-pressed': 'false', hidden: true, onclick: () => this.toggle() },
      'Plots',
    )
  }

  /** Titles of the plots that are there, and how many samples each has. */
  get counts(): Readonly<Record<string, number>> {
    return this.plots?.counts ?? {}
  }

  /** Begins with a scene, or with the same from its start. */
  begin(run: Run): void {
    this.run = run
    this.button.hidden = (run.live.plots ?? []).length === 0
    void this.make()
  }

  private toggle(): void {
    this.areWanted = !this.areWanted
    this.button.setAttribute('aria-pressed', String(this.areWanted))
    void this.make()
  }

  private async make(): Promise<void> {
    this.clear()
    const { run } = this
    const { plots = [] } = run?.live ?? {}
    if (!this.areWanted || plots.length === 0) return
    const { Plots } = await import('./plots.js')
    // Meanwhile the scene may have begun anew.
    if (run === undefined || run !== this.run || !this.areWanted || this.plots !== undefined) return
    this.plots = new Plots(plots)
    this.element.replaceChildren(this.plots.element)
    this.plots.sample(run.time)
    this.plots.resize()
  }

  private clear(): void {
    this.plots?.dispose()
    this.plots = undefined
    this.element.replaceChildren()
  }

  /** After a step that somebody has asked for. */
  sample(time: number): void {
    this.plots?.sample(time)
  }

  /** After steps that the clock has asked for, at its time [ms]. */
  sampleAt(now: number, time: number): void {
    if (now - this.sampled <= SAMPLE) return
    this.plots?.sample(time)
    this.sampled = now
  }

  draw(): void {
    this.plots?.draw()
  }

  resize(): void {
    this.plots?.resize()
  }

  readTheme(): void {
    this.plots?.readTheme()
  }

  dispose(): void {
    this.run = undefined
    this.clear()
  }
}
