/**
 * Plots that run along with a scene: curves over time on a canvas, linear or over decades.
 *
 * Why not a package: uPlot, the smallest that is kept up, is 23 kB gzipped of a page that may have 400 kB of script, and most of it
 * is for what these do not do. What they do is below.
 */

import type { Plot } from '../exhibit.js'
import { h } from './dom.js'

/** Samples that are kept. */
const MOST = 900
/** Size of a plot and of what is around it [px]. */
const HEIGHT = 132
const LEFT = 54
const BELOW = 20
const ABOVE = 8
/** Below this a logarithmic plot shows its floor. */
const LEAST = 1e-12
/** Tones of the curves. */
const TONES = ['--tone-body', '--tone-second']

interface Drawn {
  readonly plot: Plot
  readonly canvas: HTMLCanvasElement
  /** Time, then the curves. */
  readonly data: number[][]
}

/** Plots of one scene. */
export class Plots {
  readonly element: HTMLElement
  private readonly drawn: readonly Drawn[]

  constructor(plots: readonly Plot[]) {
    this.drawn = plots.map((plot) => ({ plot, canvas: h('canvas'), data: [[], ...plot.curves.map(() => [])] }))
    this.element = h('div', { class: 'plots' }, ...this.drawn.map(figureOf))
  }

  /** Takes the curves' values at a time [s]. */
  sample(time: number): void {
    for (const { plot, data } of this.drawn) {
      data[0].push(time)
      plot.curves.forEach((curve, c) => data[c + 1].push(curve.value()))
      if (data[0].length > MOST) for (const each of data) each.shift()
    }
  }

  /** Titles of the plots, and how many samples each has. */
  get counts(): Record<string, number> {
    return Object.fromEntries(this.drawn.map(({ plot, data }) => [plot.title, data[0].length]))
  }

  draw(): void {
    const style = getComputedStyle(document.documentElement)
    const colour = (name: string): string => style.getPropertyValue(name).trim()
    for (const each of this.drawn) drawPlot(each, colour)
  }
}

function figureOf({ plot: { title, unit, curves }, canvas }: Drawn): HTMLElement {
  const name = `${title} [${unit}]`
  const legend = curves.map(({ name: curve }, c) =>
    h('li', { style: `--curve: var(${TONES[c % TONES.length]})` }, curve),
  )
  return h(
    'figure',
    { class: 'plot', role: 'img', 'aria-label': name },
    h('figcaption', {}, name),
    canvas,
    h('ul', { class: 'legend' }, ...legend),
  )
}

/** What a value is on the axis. */
function onAxis(plot: Plot, value: number): number {
  return plot.log === true ? Math.log10(Math.max(value, LEAST)) : value
}

function drawPlot({ plot, canvas, data }: Drawn, colour: (name: string) => string): void {
  const width = canvas.clientWidth
  const context = canvas.getContext('2d')
  if (width === 0 || context === null) return
  const ratio = Math.min(window.devicePixelRatio, 2)
  if (canvas.width !== Math.round(width * ratio)) {
    canvas.width = Math.round(width * ratio)
    canvas.height = Math.round(HEIGHT * ratio)
  }
  context.setTransform(ratio, 0, 0, ratio, 0, 0)
  context.clearRect(0, 0, width, HEIGHT)

  const times = data[0]
  const curves = data.slice(1).map((values) => values.map((value) => onAxis(plot, value)))
  const [low, high] = rangeOf(plot, curves)
  const [first, last] = [times[0] ?? 0, Math.max(times[times.length - 1] ?? 0, (times[0] ?? 0) + 1)]
  const x = (time: number): number => LEFT + ((width - LEFT - 4) * (time - first)) / (last - first)
  const y = (value: number): number => ABOVE + (HEIGHT - ABOVE - BELOW) * (1 - (value - low) / (high - low))

  context.font = '11px system-ui, sans-serif'
  context.lineWidth = 1
  context.strokeStyle = colour('--line')
  context.fillStyle = colour('--soft')
  context.textAlign = 'right'
  context.textBaseline = 'middle'
  for (const mark of marks(low, high, 4, plot.log === true)) {
    line(context, [LEFT, width - 4], () => y(mark))
    context.fillText(plot.log === true ? power(mark) : label(mark), LEFT - 6, y(mark))
  }
  context.textAlign = 'center'
  context.textBaseline = 'top'
  for (const mark of marks(first, last, 4, false)) {
    if (x(mark) < width - 14) context.fillText(`${label(mark)} s`, x(mark), HEIGHT - BELOW + 5)
  }
  context.lineWidth = 2
  context.lineJoin = 'round'
  curves.forEach((values, c) => {
    context.strokeStyle = colour(TONES[c % TONES.length])
    context.beginPath()
    values.forEach((value, k) => {
      if (Number.isFinite(value)) context.lineTo(x(times[k]), y(value))
    })
    context.stroke()
  })
}

function line(context: CanvasRenderingContext2D, [from, to]: [number, number], at: () => number): void {
  context.beginPath()
  context.moveTo(from, Math.round(at()) + 0.5)
  context.lineTo(to, Math.round(at()) + 0.5)
  context.stroke()
}

/** From the lowest to the highest value, with a little room; what stays as it is gets a range too. */
function rangeOf(plot: Plot, curves: readonly number[][]): [number, number] {
  let [low, high] = [Infinity, -Infinity]
  for (const values of curves) {
    for (const value of values) {
      if (!Number.isFinite(value)) continue
      low = Math.min(low, value)
      high = Math.max(high, value)
    }
  }
  if (low > high) return [0, 1]
  const least = plot.log === true ? 0.5 : Math.max(1e-3 * Math.max(Math.abs(low), Math.abs(high)), 1e-9)
  const room = Math.max(0.08 * (high - low), least)
  return [low - room, high + room]
}

/** Round numbers between two: 1, 2 or 5 times a power of ten apart, on decades whole ones. */
function marks(low: number, high: number, most: number, areDecades: boolean): number[] {
  const rough = (high - low) / most
  const decade = 10 ** Math.floor(Math.log10(rough))
  const found = [1, 2, 5, 10].map((k) => k * decade).find((each) => each >= rough) ?? 10 * decade
  const step = areDecades ? Math.max(1, Math.round(found)) : found
  const list: number[] = []
  for (let k = Math.ceil(low / step); k * step <= high; k++) list.push(k * step)
  return list
}

function power(exponent: number): string {
  const digits = '⁰¹²³⁴⁵⁶⁷⁸⁹'
  const sign = exponent < 0 ? '⁻' : ''
  return `10${sign}${Array.from(String(Math.abs(exponent)), (digit) => digits[Number(digit)]).join('')}`
}

function label(value: number): string {
  const size = Math.abs(value)
  if (size !== 0 && (size >= 1e5 || size < 1e-2)) return value.toExponential(0)
  return String(Number(value.toPrecision(4))).replace('-', '−')
}
