import type { ReportRow } from '../report.js'

export const state: readonly ReportRow[] = []
