/** Plots as files. */

import * as Plot from '@observablehq/plot'
import { parseHTML } from 'linkedom'

/** Colours that differ in the dark too, and for most who see fewer of them (Okabe and Ito 2008). */
export const COLOURS = ['#0072b2', '#d55e00', '#56b4e9', '#cc79a7', '#e69f00', '#009e73', '#666666', '#f0c000'] as const

const { document } = parseHTML('<!doctype html><html><body></body></html>')

/** A plot as a file of its own: with its namespace, and with a name of its classes that is the same in each run. */
export function svgOf(options: Plot.PlotOptions): string {
  const plot: { outerHTML: string } = Plot.plot({
    document,
    width: 640,
    height: 400,
    style: { fontSize: '12px', background: 'white', color: '#222' },
    ...options,
  })
  return `${plot.outerHTML.replaceAll(/plot-[0-9a-f]+/g, 'plot').replace('<svg ', '<svg xmlns="http://www.w3.org/2000/svg" ')}\n`
}
