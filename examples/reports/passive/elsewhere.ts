/** Row 9: what the other reports measured before, and measure now. */

import type { ReportRow } from '../report.js'

export const elsewhere: readonly ReportRow[] = []
