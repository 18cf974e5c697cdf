/** Row 1.7: ragdolls with friction torque in every joint. */

import type { ReportRow } from '../report.js'

export const friction: readonly ReportRow[] = []
