/** Rows 1.10 and 8: what the tests notice, by `tools/mutate.ts`. */

import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Measured, ReportRow } from '../report.js'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const PATHS = ['packages/core/src', 'packages/constraints/src', 'packages/collision/src/contact']
const SEED = 1
/** Mutants of the row that all reports run, and of the one of `--full`. */
const FEW = 4
/** Time of the tests of one mutant [s], of the few and of the many. */
const BRIEF = 20
const LONG = 150
const MANY = 300
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

function sampled(count: number, budget: number): Measured {
  const result = mutate(
    ...PATHS,
    '--count',
    String(count),
    '--seed',
    String(SEED),
    '--budget',
    String(budget),
  ) as Sampled
  const { all, sampled: drawn, killed, score, survivors } = result
  const alive = survivors.map(({ at, text, reason }) => `; ${at} ${text}: ${reason}`)
  return {
    holds: score >= ASKED,
    figures: `${killed} of ${drawn} of ${all} mutants killed, ${(100 * score).toFixed(1)} %${alive.join('')}`,
  }
}

const SCENE =
  'swapped operators, turned conditions, other constants, statements left out, by seed; each against the unit tests that run the changed function'

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
    claim: `Mutation score of ${PATHS.join(', ')}: a few`,
    asked: `≥ ${100 * ASKED} %; the sample of ≥ ${MANY} is row 8.2, of --full`,
    scene: `${FEW} at random, seed ${SEED}: ${SCENE}, for ${BRIEF} s`,
    measure: () => sampled(FEW, BRIEF),
  },
  {
    id: '8.2',
    claim: `Mutation score of ${PATHS.join(', ')}`,
    asked: `≥ ${100 * ASKED} % of ≥ ${MANY}, survivors with a reason`,
    scene: `${MANY} at random, seed ${SEED}: ${SCENE}, for ${LONG} s`,
    slow: true,
    measure: () => sampled(MANY, LONG),
  },
]
