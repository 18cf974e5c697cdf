/** Rows 1.6, 1.9 and 3: cloths, nets and ropes of particles. */

import type { ReportRow } from '../report.js'

export const cloth: readonly ReportRow[] = []
