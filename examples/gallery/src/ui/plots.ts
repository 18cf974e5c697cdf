/** Plots that run along with a scene: curves over time by uPlot, linear or over decades, in the colours of the theme. */

import uPlot from 'uplot'
import type { Plot } from '../exhibit.js'
import { h } from './dom.js'

/** Samples that are kept: beyond, the first ones go. */
const MOST = 900
/** Of a plot [px]. */
const HEIGHT = 142
/** Below this a logarithmic plot shows its floor; 0 has no place on it. */
const LEAST = 1e-12
/** Colours of the curves, by custom property. */
const TONES = ['--tone-body', '--tone-second'] as const
const FONT = '11px system-ui, sans-serif'

interface Drawn {
  readonly plot: Plot
  readonly box: HTMLElement
  readonly chart: uPlot
  /** Time, then the curves. */
  readonly data: [number[], ...(number | null)[][]]
}

/** Plots of one scene. */
export class Plots {
  readonly element: HTMLElement
  private readonly drawn: readonly Drawn[]
  private readonly colours = new Map<string, string>()

  constructor(plots: readonly Plot[]) {
    this.readColours()
    this.drawn = plots.map((plot) => this.make(plot))
    this.element = h('div', { class: 'plots' }, ...this.drawn.map(({ box }) => box))
  }

  /** Takes the curves' values at a time [s]. */
  sample(time: number): void {
    for (const { plot, data } of this.drawn) {
      data[0].push(time)
      plot.curves.forEach((curve, c) => (data[c + 1] as (number | null)[]).push(shownValue(plot, curve.value())))
      if (data[0].length > MOST) for (const each of data) each.shift()
    }
  }

  /** Titles of the plots, and how many samples each has. */
  get counts(): Record<string, number> {
    return Object.fromEntries(this.drawn.map(({ plot, data }) => [plot.title, data[0].length]))
  }

  draw(): void {
    for (const { chart, data } of this.drawn) {
      chart.setData(data)
      // The legend has the latest values, unless somebody points at others. uPlot draws in a microtask, which clears it.
      queueMicrotask(() => {
        if (typeof chart.cursor.idx !== 'number') chart.setLegend({ idx: data[0].length - 1 })
      })
    }
  }

  /** To the width that there is. */
  resize(): void {
    for (const { chart, box } of this.drawn) {
      const width = box.clientWidth
      if (width > 0 && width !== chart.width) chart.setSize({ width, height: HEIGHT })
    }
  }

  /** Takes the theme's colours over. */
  readTheme(): void {
    this.readColours()
    for (const { chart } of this.drawn) chart.redraw(false)
  }

  dispose(): void {
    for (const { chart } of this.drawn) chart.destroy()
  }

  private readColours(): void {
    const style = getComputedStyle(document.documentElement)
    for (const name of [...TONES, '--line', '--soft']) this.colours.set(name, style.getPropertyValue(name).trim())
  }

  private make(plot: Plot): Drawn {
    const { title, unit, log = false, curves } = plot
    const name = `${title} [${unit}]`
    const colour = (property: string) => (): string => this.colours.get(property) ?? ''
    const caption = h('figcaption', {}, h('span', {}, name))
    const box = h('figure', { class: 'plot', role: 'img', 'aria-label': name }, caption)
    const axis: uPlot.Axis = {
      stroke: colour('--soft'),
      font: FONT,
      grid: { stroke: colour('--line'), width: 1 },
      ticks: { show: false },
    }
    const data: Drawn['data'] = [[], ...curves.map((): (number | null)[] => [])]
    const chart = new uPlot(
      {
        width: 320,
        height: HEIGHT,
        padding: [6, 8, 0, 0],
        scales: {
          x: { time: false, range: (_, low, high) => [low, Math.max(high, low + 1)] },
          y: log
            ? { distr: 3, range: (_, low, high) => decades(low, high) }
            : { range: (_, low, high) => room(low, high) },
        },
        series: [
          { label: 'Time', value: (_, at) => (typeof at !== 'number' ? '' : `${at.toFixed(1)} s`) },
          ...curves.map((curve, c): uPlot.Series => ({
            label: curve.name,
            stroke: colour(TONES[c % TONES.length]),
            width: 2,
            points: { show: false },
            value: (_, value) => (typeof value !== 'number' ? '' : label(value)),
          })),
        ],
        axes: [
          { ...axis, size: 24, gap: 3, values: (_, marks) => marks.map((mark) => `${label(mark)} s`) },
          {
            ...axis,
            size: 54,
            space: 26,
            ...(log && { splits: (_: uPlot, __: number, low: number, high: number) => someDecades(low, high) }),
            values: (_, marks) => marks.map((mark) => (mark === null ? '' : log ? power(mark) : label(mark))),
          },
        ],
        // To look at values; what is dragged is the scene, not the plot.
        cursor: { drag: { setScale: false }, y: false },
        legend: { mount: (_, table) => void caption.append(table) },
      },
      data,
      box,
    )
    return { plot, box, chart, data }
  }
}

/** What of a value is drawn: nothing of what has no place. */
function shownValue({ log = false }: Plot, value: number): number | null {
  if (!Number.isFinite(value)) return null
  if (!log) return value
  return value > 0 ? Math.max(value, LEAST) : null
}

/** A little more than from the lowest to the highest; what stays as it is gets a range too. */
function room(low: number | null, high: number | null): [number, number] {
  if (low === null || high === null) return [0, 1]
  const least = Math.max(1e-3 * Math.max(Math.abs(low), Math.abs(high)), 1e-9)
  const more = Math.max(0.08 * (high - low), least)
  return [low - more, high + more]
}

/** Whole decades. */
function decades(low: number | null, high: number | null): [number, number] {
  if (low === null || high === null) return [0.1, 1]
  const first = Math.floor(Math.log10(low))
  return [10 ** first, 10 ** Math.max(Math.ceil(Math.log10(high)), first + 1)]
}

/** At most five powers of ten in a range. */
function someDecades(low: number, high: number): number[] {
  const [first, last] = [Math.round(Math.log10(low)), Math.round(Math.log10(high))]
  const stride = Math.ceil((last - first) / 4)
  return Array.from({ length: Math.floor((last - first) / stride) + 1 }, (_, k) => 10 ** (first + k * stride))
}

function power(value: number): string {
  const exponent = Math.round(Math.log10(value))
  const digits = '⁰¹²³⁴⁵⁶⁷⁸⁹'
  const sign = exponent < 0 ? '⁻' : ''
  return `10${sign}${Array.from(String(Math.abs(exponent)), (digit) => digits[Number(digit)]).join('')}`
}

function label(value: number): string {
  const size = Math.abs(value)
  const text =
    size !== 0 && (size >= 1e5 || size < 1e-2) ? value.toExponential(1) : String(Number(value.toPrecision(4)))
  return text.replaceAll('-', '−')
}
