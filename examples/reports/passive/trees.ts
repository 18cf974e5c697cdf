/** Rows 1.1 to 1.3: failed passes, limits and violated starts of joint trees. */

import type { ReportRow } from '../report.js'

export const trees: readonly ReportRow[] = []
