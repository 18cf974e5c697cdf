/** Rows 2 and 5: random chains, trees and ragdolls, and solvers that are switched in mid-run. */

import type { ReportRow } from '../report.js'

export const scenes: readonly ReportRow[] = []
