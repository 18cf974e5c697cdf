/** What is measured while a scene runs, as a table. */

import type { Statistics } from '../run.js'
import { h, shown } from './dom.js'

/** Units of what is counted. */
const COUNTED = new Set(['iterations', 'pairs'])

/** From one telling to the next [ms]: a sentence has to be heard. */
const TOLD = 10_000

export class StatisticsTable {
  readonly element: HTMLTableElement = h('table', { class: 'figures', 'aria-label': 'Measured' })
  /** The same in a line for who hears the page, now and then. */
  readonly told: HTMLElement = h('p', { class: 'unseen', 'aria-live': 'polite' })
  private lastTold = 0
  private readonly rows = new Map<string, HTMLTableCellElement>()

  show({ msPerStep, residual, energy, bodies, rows, figures }: Statistics, time: number): void {
    const list: [string, string][] = [
      ['Time', `${time.toFixed(2)} s`],
      // Browsers round what they tell of time.
      ['Time a step takes', msPerStep === 0 ? 'below 0.1 ms' : `${shown(msPerStep)} ms`],
    ]
    if (bodies > 0) list.push(['Bodies, rows', `${bodies}, ${rows}`])
    if (residual !== undefined) list.push(['Largest residual', `${shown(residual)} m`])
    if (energy !== undefined) list.push(['Energy', `${shown(energy)} J`])
    for (const [name, { value, unit }] of Object.entries(figures)) {
      if (name !== 'Energy') list.push([name, `${COUNTED.has(unit) ? value : shown(value)} ${unit}`.trim()])
    }
    const names = list.map(([name]) => name)
    if (names.join() !== [...this.rows.keys()].join()) this.make(names)
    for (const [name, text] of list) (this.rows.get(name) as HTMLElement).textContent = text
    const now = performance.now()
    if (now - this.lastTold < TOLD) return
    this.lastTold = now
    this.told.textContent = list.map(([name, text]) => `${name}: ${text}`).join('; ')
  }

  private make(names: readonly string[]): void {
    this.rows.clear()
    this.element.replaceChildren(
      ...names.map((name) => {
        const cell = h('td')
        this.rows.set(name, cell)
        return h('tr', {}, h('th', { scope: 'row' }, name), cell)
      }),
    )
  }
}
