/** Rows 1.4 and 4: small fast bodies, random impacts, thin walls. */

import type { ReportRow } from '../report.js'

export const impacts: readonly ReportRow[] = []
