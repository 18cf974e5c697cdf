/** Rows 1.10 and 8: which faults the tests notice, by `npm run mutate`. */

import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { runPlanted } from '../../../tools/mutation/planted.js'
import type { Measured, ReportRow } from '../report.js'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const PATHS = ['packages/core/src', 'packages/constraints/src', 'packages/collision/src/contact']
const SEED = 1
/** Sources with tests of their own, and these tests: small enough for every report. */
const OWN = ['packages/core/src/direct/body-block.ts', 'packages/collision/src/contact/row-index.ts']
const OWN_TESTS = ['packages/core/test/kernels.test.ts', 'packages/collision/test/row-index.test.ts']
/** Lines that are mutated: each holds three mutants on average. */
const FEW = 20
const MANY = 120
const ASKED = 0.85

interface Sampled {
  readonly mutants: number
  readonly killed: number
  readonly timeouts: number
  readonly score: number
  readonly survivors: readonly { readonly at: string; readonly text: string }[]
}

function planted(): Measured {
  const { count, killed, faults } = runPlanted()
  return { holds: killed === count, figures: [`${killed} of ${count} killed`, ...faults].join('; ') }
}

function sampled(paths: readonly string[], lines: number): Measured {
  const options = ['--json', '--lines', String(lines), '--seed', String(SEED)]
  const { stdout, stderr } = spawnSync('npm', ['run', '--silent', 'mutate', '--', ...paths, ...options], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  if (!stdout.startsWith('{')) return { holds: false, figures: `no result: ${stdout}${stderr}` }
  const { mutants, killed, timeouts, score, survivors } = JSON.parse(stdout) as Sampled
  const alive = survivors.map(({ at, text }) => `; ${at} ${text}`)
  return {
    holds: score >= ASKED,
    figures: `${killed} of ${mutants} mutants killed, ${timeouts} by time-out, ${(100 * score).toFixed(1)} %${alive.join('')}`,
  }
}

const SCENE = 'Stryker mutates them and runs the unit tests that reach each mutant'

export const mutation: readonly ReportRow[] = [
  {
    id: '1.10',
    claim:
      'Mutants that lived: impulses, arrivals, locked parents, a diagonal, drives off the centre, islands in place',
    asked: 'each killed',
    scene:
      'each planted in memory and run against the tests named with it in tools/mutation/planted.json, which pass without',
    measure: planted,
  },
  {
    id: '8.1',
    claim: `Mutation score of parts with tests of their own: ${OWN.join(', ')}`,
    asked: `≥ ${100 * ASKED} %; that of all is row 8.2, of --full`,
    scene: `${FEW} lines at random, seed ${SEED}: ${SCENE}`,
    measure: () => sampled([...OWN, ...OWN_TESTS], FEW),
  },
  {
    id: '8.2',
    claim: `Mutation score of ${PATHS.join(', ')}`,
    asked: `≥ ${100 * ASKED} % of ≥ 300`,
    scene: `${MANY} lines at random, seed ${SEED}: ${SCENE}`,
    slow: true,
    measure: () => sampled(PATHS, MANY),
  },
]
