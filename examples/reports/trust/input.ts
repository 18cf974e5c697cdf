import type { ReportRow } from '../report.js'

export const input: readonly ReportRow[] = []
