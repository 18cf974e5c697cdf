/** Row 9: the suite that users run on a type of their own finds what is wrong with it. */

import { type CheckName, conformance } from '@tautline/fast-check'
import type { Measured, ReportRow } from '../report.js'
import { PLANTED, rods, soundRod } from './planted.js'

const SEED = 16
/** Scenes a check. */
const RUNS = 30

/** Names of the checks that a type fails. */
function failures(type: typeof soundRod): CheckName[] {
  return conformance(type, rods, { seed: SEED, runs: RUNS, shrinks: 0 })
    .filter((check) => {
      try {
        check.run()
        return false
      } catch {
        return true
      }
    })
    .map(({ name }) => name)
}

function measure(): Measured {
  const sound = failures(soundRod)
  const found = Object.entries(PLANTED).map(([fault, make]): [string, CheckName[]] => [fault, failures(make())])
  const caught = found.filter(([, names]) => names.length > 0).length
  const list = found.map(([fault, names]) => `${fault}: ${names.length === 0 ? 'not found' : names.join(', ')}`)
  return {
    figures: `${caught} of ${found.length}; the rod without a fault fails ${sound.length} checks; ${list.join('; ')}`,
    holds: caught === found.length && found.length >= 10 && sound.length === 0,
  }
}

export const testing: readonly ReportRow[] = [
  {
    id: '9',
    claim: '`conformance` finds each of ten planted faults in a custom type',
    asked: 'each found, and nothing in the type without a fault',
    scene: `a rod between points of two bodies, by custom; ${RUNS} scenes a check, seed ${SEED}; after each fault the checks that found it`,
    measure,
  },
]
