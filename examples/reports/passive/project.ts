/** Row 8: projection of poses onto their constraints. */

import type { ReportRow } from '../report.js'

export const project: readonly ReportRow[] = []
