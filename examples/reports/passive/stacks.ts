/** Rows 1.8, 6 and 7.1: stacks without sleep, the touching cradle, boxes that bounce with friction. */

import type { ReportRow } from '../report.js'

export const stacks: readonly ReportRow[] = []
