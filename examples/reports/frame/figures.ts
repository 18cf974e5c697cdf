/** Rows 1 and 2: figures of 15 parts and of 11 boxes beside other engines. */

import type { ReportRow } from '../report.js'
import { comparedRow } from './measured.js'
import { BOXES, FIGURES } from './scenes.js'

export const figureRows: readonly ReportRow[] = [...FIGURES, ...BOXES].map(comparedRow)
