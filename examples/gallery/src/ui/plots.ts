/** Plots that run along with a scene. */

import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import type { Plot } from '../exhibit.js'
import { h } from './dom.js'

/** Samples that are kept. */
const MOST = 900
/** Height of a plot [px]. */
const HEIGHT = 130
/** Below this a logarithmic plot shows its floor. */
const LEAST = 1e-12

/** Plots of one scene. */
export class Plots {
  readonly element: HTMLElement
  private readonly plots: readonly Plot[]
  /** Time, then the curves; by plot. */
  private readonly data: number[][][]
  private charts: uPlot[] = []
  private readonly boxes: HTMLElement[]

  constructor(plots: readonly Plot[]) {
    this.plots = plots
    this.data = plots.map(({ curves }) => [[], ...curves.map(() => [])])
    this.boxes = plots.map(({ title, unit }) => {
      const name = `${title} [${unit}]`
      return h('figure', { class: 'plot', role: 'img', 'aria-label': name }, h('figcaption', {}, name))
    })
    this.element = h('div', { class: 'plots' }, ...this.boxes)
  }

  /** Makes the charts anew: when the element is in the page, and when the theme or the width has changed. */
  rebuild(): void {
    for (const chart of this.charts) chart.destroy()
    const style = getComputedStyle(document.documentElement)
    const colour = (name: string): string => style.getPropertyValue(name).trim()
    const axis = { stroke: colour('--soft'), grid: { stroke: colour('--line'), width: 1 }, ticks: { show: false } }
    const width = Math.max(160, this.element.clientWidth || 300)
    this.charts = this.plots.map(({ curves, log }, k) => {
      const options: uPlot.Options = {
        width,
        height: HEIGHT,
        cursor: { show: false },
        legend: { live: false },
        scales: { x: { time: false }, y: log === true ? { distr: 3 } : { range: rangeOf } },
        axes: [
          { ...axis, size: 24, values: (_, ticks) => ticks.map((tick) => `${tick} s`) },
          { ...axis, size: 52, values: (_, ticks) => ticks.map((tick) => (tick === null ? '' : label(tick))) },
        ],
        series: [
          {},
          ...curves.map(({ name }, c) => ({
            label: name,
            width: 2,
            stroke: colour(c === 0 ? '--tone-body' : '--tone-second'),
          })),
        ],
      }
      return new uPlot(options, this.data[k] as uPlot.AlignedData, this.boxes[k])
    })
  }

  /** Takes the curves' values at a time [s]. */
  sample(time: number): void {
    this.plots.forEach(({ curves, log }, k) => {
      const data = this.data[k]
      data[0].push(time)
      curves.forEach((curve, c) => {
        const value = curve.value()
        data[c + 1].push(log === true ? Math.max(value, LEAST) : value)
      })
      if (data[0].length > MOST) for (const each of data) each.shift()
    })
  }

  /** Names of the plots, and how many samples each has. */
  get counts(): Record<string, number> {
    return Object.fromEntries(this.plots.map(({ title }, k) => [title, this.data[k][0].length]))
  }

  draw(): void {
    this.charts.forEach((chart, k) => chart.setData(this.data[k] as uPlot.AlignedData))
  }

  dispose(): void {
    for (const chart of this.charts) chart.destroy()
    this.charts = []
  }
}

/** A little room above and below; what stays as it is gets a range too. */
function rangeOf(_: uPlot, low: number, high: number): [number, number] {
  if (!Number.isFinite(low) || !Number.isFinite(high)) return [0, 1]
  const room = Math.max(0.08 * (high - low), 1e-3 * Math.max(Math.abs(low), Math.abs(high)), 1e-9)
  return [low - room, high + room]
}

function label(value: number): string {
  const size = Math.abs(value)
  if (size !== 0 && (size >= 1e5 || size < 1e-2)) return value.toExponential(0).replace('e', ' e')
  return String(Number(value.toPrecision(4)))
}
