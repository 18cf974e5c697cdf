/** Row 2: random scenes, wrong calls and mutated files, as `npm run fuzz` has them. */

import { counts, fuzz, type FuzzResult } from '../../fuzz/fuzz.js'
import type { FailureKind } from '../../fuzz/failure.js'
import type { Measured, ReportRow } from '../report.js'

const SEED = 16
const KINDS: readonly (readonly [string, readonly FailureKind[]])[] = [
  ['throws from a step', ['throw from a step']],
  ['NaN', ['NaN']],
  ['mismatches', ['replay', 'snapshot', 'JSON', 'changed by a refused call']],
  ['steps over 2 s', ['slow step', 'hang']],
  ['internal errors', ['internal error']],
]

function verdict(result: FuzzResult): Measured {
  const found = KINDS.map(([name, kinds]) => {
    const seen = result.failures.filter(({ failure }) => kinds.includes(failure.kind))
    return `${seen.reduce((sum, { seen: times }) => sum + times, 0)} ${name}`
  })
  const list = result.failures.map(({ failure, seed }) => `; seed ${seed}: ${failure.name}`)
  return { figures: `${found.join(', ')}; ${counts(result)}${list.join('')}`, holds: result.failures.length === 0 }
}

function row(id: string, seconds: number, slow: boolean): ReportRow {
  return {
    id,
    claim: `${seconds} s of fuzzing${slow ? '' : ', a sample'}`,
    asked: '0 throws from a step, 0 NaN anywhere, 0 mismatches, 0 steps over 2 s, 0 internal errors',
    scene: `random scenes × edits, settings, wrong calls, snapshots and JSON, a third with extreme numbers; mutated files of seven kinds; seed ${SEED}`,
    ...(slow ? { slow } : {}),
    async measure() {
      return verdict(await fuzz({ seed: SEED, seconds }))
    },
  }
}

export const fuzzing: readonly ReportRow[] = [row('2', 60, false), row('2.full', 1800, true)]
