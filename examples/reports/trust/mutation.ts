/** Rows 1.10 and 8: what the tests notice, by `tools/mutate.ts`. */

import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Measured, ReportRow } from '../report.js'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const PATHS = ['packages/core/src', 'packages/constraints/src', 'packages/collision/src/contact']
const SEED = 1
/** Sources that have tests of their own, and these: what all reports run. */
const OWN = [
  'packages/core/src/direct/body-block.ts',
  'packages/collision/src/contact/row-index.ts',
  'packages/collision/src/contact/skyline.ts',
]
const OWN_TESTS = [
  'packages/core/test/kernels.test.ts',
  'packages/collision/test/row-index.test.ts',
  'packages/collision/test/skyline.test.ts',
]
const FEW = 60
const MANY = 300
/** Time of the tests of one mutant [s]. */
const BUDGET = 12
const ASKED = 0.85

interface Named {
  readonly named: number
  readonly killed: number
  readonly faults: readonly string[]
}

interface Sampled {
  readonly all: number
  readonly sampled: number
  readonly killed: number
  readonly endless: number
  readonly score: number
  readonly survivors: readonly { readonly at: string; readonly text: string; readonly reason: string }[]
}

function mutate(...options: string[]): unknown {
  const { stdout } = spawnSync(process.execPath, ['--import', 'tsx', 'tools/mutate.ts', '--json', ...options], {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  return JSON.parse(stdout)
}

function named(): Measured {
  const { named: count, killed, faults } = mutate('--named') as Named
  return { holds: killed === count, figures: [`${killed} of ${count} killed`, ...faults].join('; ') }
}

function sampled(paths: readonly string[], count: number): Measured {
  const options = ['--count', String(count), '--seed', String(SEED), '--budget', String(BUDGET)]
  const { all, sampled: drawn, killed, endless, score, survivors } = mutate(...paths, ...options) as Sampled
  const alive = survivors.map(({ at, text, reason }) => `; ${at} ${text}: ${reason}`)
  return {
    holds: score >= ASKED,
    figures: `${killed} of ${drawn} of ${all} mutants killed, ${endless} as endless, ${(100 * score).toFixed(1)} %${alive.join('')}`,
  }
}

const SCENE =
  'swapped operators, turned conditions, other constants, statements left out, by seed; each against unit tests that reach it'

export const mutation: readonly ReportRow[] = [
  {
    id: '1.10',
    claim:
      'Mutants that lived: impulses, arrivals, locked parents, a diagonal, drives off the centre, islands in place',
    asked: 'each killed',
    scene: 'each planted in memory and run against the tests named with it in tools/mutants.json, which pass without',
    measure: named,
  },
  {
    id: '8.1',
    claim: `Mutation score of parts with tests of their own: ${OWN.join(', ')}`,
    asked: `≥ ${100 * ASKED} %; that of all, of ≥ ${MANY}, is row 8.2, of --full`,
    scene: `${FEW} at random, seed ${SEED}: ${SCENE}, for ${BUDGET} s`,
    measure: () => sampled([...OWN, ...OWN_TESTS], FEW),
  },
  {
    id: '8.2',
    claim: `Mutation score of ${PATHS.join(', ')}`,
    asked: `≥ ${100 * ASKED} % of ≥ ${MANY}, survivors with a reason`,
    scene: `${MANY} at random, seed ${SEED}: ${SCENE}, for ${BUDGET} s`,
    slow: true,
    measure: () => sampled(PATHS, MANY),
  },
]
