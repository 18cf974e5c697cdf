/** Rows 1.5 and 7.2: spins beyond a turn a substep, fast tops. */

import type { ReportRow } from '../report.js'

export const spin: readonly ReportRow[] = []
