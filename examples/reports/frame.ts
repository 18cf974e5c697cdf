/** What a frame costs: figures, piles and impacts beside other engines and beside ourselves, and how large the solver is. */

import { exactRows } from './frame/exact.js'
import { figureRows } from './frame/figures.js'
import { ownRows } from './frame/own.js'
import { pileRows } from './frame/piles.js'
import { sizeRows } from './frame/size.js'
import type { Report } from './report.js'

export const frame: Report = {
  name: 'frame',
  title: 'Frame: what a step costs, at default settings and at 4 substeps',
  rows: [...figureRows, ...pileRows, ...ownRows, ...exactRows, ...sizeRows],
}
