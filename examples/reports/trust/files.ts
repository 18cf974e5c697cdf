import type { ReportRow } from '../report.js'

export const files: readonly ReportRow[] = []
