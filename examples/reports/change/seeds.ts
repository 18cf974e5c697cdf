/** Seeds of random tests that once failed: each test is run again with its seed, in a process of its own. */

import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { ReportRow } from '../report.js'

/** A seed that failed, the file of the test and the words of its name. */
interface KnownSeed {
  readonly seed: number
  readonly file: string
  readonly name: string
}

const CONFORMANCE = 'packages/constraints/test/conformance.test.ts'
const IMPULSE = 'packages/impulse-compat/test/solver-conformance.test.ts'

const KNOWN: readonly KnownSeed[] = [
  { seed: 598155180, file: CONFORMANCE, name: 'neoHookean one correction keeps momentum' },
  { seed: 592162373, file: CONFORMANCE, name: 'neoHookean one correction keeps momentum' },
  { seed: 437745363, file: CONFORMANCE, name: 'neoHookean one correction keeps momentum' },
  { seed: 600918690, file: 'packages/collision/test/query-cast.test.ts', name: 'compound' },
  { seed: 110, file: IMPULSE, name: 'pointContact with friction' },
  { seed: 20261130, file: IMPULSE, name: 'pointContact with friction' },
  { seed: 20261130, file: 'packages/collision/test/shapes-hull.test.ts', name: 'of a sheet' },
  { seed: 391222737, file: 'packages/constraints/test/joints/conformance.test.ts', name: 'swingTwist' },
  { seed: 419758394, file: 'packages/collision/test/particles.test.ts', name: 'both ways' },
]

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

/** What a run of one test gave: how many tests ran under its name, and whether all passed. */
interface Outcome {
  readonly known: KnownSeed
  readonly passed: number
  readonly failed: number
}

function run(known: KnownSeed): Promise<Outcome> {
  const args = ['vitest', 'run', known.file, '-t', known.name, '--reporter=json']
  const child = spawn('npx', args, {
    cwd: ROOT,
    env: { ...process.env, FC_SEED: String(known.seed) },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let output = ''
  child.stdout.on('data', (data: Buffer) => (output += data.toString()))
  return new Promise((resolve) => {
    child.on('error', () => resolve({ known, passed: 0, failed: 1 }))
    child.on('close', () => resolve({ known, ...countsOf(output) }))
  })
}

/** Counts of vitest's JSON; a run without it failed. */
function countsOf(output: string): { passed: number; failed: number } {
  const begin = output.indexOf('{"numTotalTestSuites"')
  if (begin < 0) return { passed: 0, failed: 1 }
  const end = output.lastIndexOf('}') + 1
  const counts = JSON.parse(output.slice(begin, end)) as { numPassedTests: number; numFailedTests: number }
  return { passed: counts.numPassedTests, failed: counts.numFailedTests }
}

export const SEED_ROWS: readonly ReportRow[] = [
  {
    id: '3.3',
    claim: 'Tests pass with the seeds that once failed',
    asked: `${KNOWN.length} of ${KNOWN.length}`,
    scene: KNOWN.map(({ seed, name }) => `${name}: ${seed}`).join('; '),
    slow: true,
    async measure() {
      const bad: string[] = []
      for (const known of KNOWN) {
        const { passed, failed } = await run(known)
        if (passed === 0 || failed > 0) bad.push(`${known.name} ${known.seed}`)
      }
      const failures = bad.length > 0 ? `; failed: ${bad.join(', ')}` : ''
      return { figures: `${KNOWN.length - bad.length} of ${KNOWN.length}${failures}`, holds: bad.length === 0 }
    },
  },
]
