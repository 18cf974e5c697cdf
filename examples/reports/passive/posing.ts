/** Row 1.10: five-point posing without jumps. */

import type { ReportRow } from '../report.js'

export const posing: readonly ReportRow[] = []
