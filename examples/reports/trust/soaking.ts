/** Row 6: a world that lives long. */

import { describeSoak, isFlat, soak } from '../../fuzz/soak.js'
import type { ReportRow } from '../report.js'

const SEED = 16

function row(id: string, edits: number, slow: boolean): ReportRow {
  return {
    id,
    claim: `Soak: ${edits} edits of one world${slow ? '' : ', a sample'}`,
    asked: 'heap growth < 5 MB, time per step ± 10 %',
    scene: `40 bodies, 24 joints, edits of ten kinds, a step every 10, JSON every 5000; seed ${SEED}; heap after collection by tenths, fastest of 60 steps of one scene`,
    ...(slow ? { slow } : {}),
    measure() {
      const result = soak(edits, SEED)
      return { figures: describeSoak(result), holds: isFlat(result) }
    },
  }
}

export const soaking: readonly ReportRow[] = [row('6', 20_000, false), row('6.full', 1_000_000, true)]
