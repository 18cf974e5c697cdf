import type { ReportRow } from '../report.js'

export const engines: readonly ReportRow[] = []
