import type { ReportRow } from '../report.js'

export const testing: readonly ReportRow[] = []
