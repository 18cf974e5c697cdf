/** Row 9: a snapshot and the way back. */

import { contend, errorOf, loadText, type Timed, timedOf } from '../bench.js'
import { figure, type ReportRow } from '../report.js'

/** [ms] and [B] */
const MOST = { time: 0.02, bytes: 110 }

function rollback(id: string, scene: string, text: string): ReportRow {
  return {
    id,
    claim: `Rollback of 100 bodies ${text}`,
    asked: `snapshot and restore ≤ ${1e3 * MOST.time} µs, ≤ ${MOST.bytes} B a body`,
    scene: `100 boxes with colliders, 4 substeps; bench scene \`${scene}\`, 20 in a row, median; bytes: all arrays of numbers that it keeps`,
    async measure() {
      const outcomes = await contend(scene)
      const own = timedOf(outcomes, 'tautline')
      if ('failed' in own) throw new Error(own.failed)
      const bytes = errorOf(own, 'bytes')
      const others = outcomes
        .filter((one): one is Timed => 'median' in one && one !== own)
        .map(({ engine, median, figures }) => {
          const size = figures.bytes === undefined ? '' : `, ${figure(figures.bytes ?? NaN, 4)} B a body`
          return `${engine} ${figure(1e3 * median)} µs${size}`
        })
      return {
        figures: `${figure(1e3 * own.median)} µs (p95 ${figure(1e3 * own.p95)}), ${figure(bytes, 4)} B a body; ${others.join('; ')}; ${loadText()}`,
        holds: own.median <= MOST.time && bytes <= MOST.bytes,
      }
    },
  }
}

export const rollbackRows: readonly ReportRow[] = [
  rollback('9.1', 'snapshot-free', 'in free fall'),
  rollback('9.2', 'snapshot-heap', 'in a heap, with their contacts'),
]
