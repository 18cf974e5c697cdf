/** Reporter of `npm test`: how long it takes, progress, failures, and one closing line. */

import { writeFileSync } from 'node:fs'
import {
  MinimalReporter,
  type SerializedError,
  type TestModule,
  type TestRunEndReason,
  type TestSpecification,
} from 'vitest/node'

/** How long a whole run takes on two cores that do nothing else. */
const TAKES = {
  some: 'about 3 minutes on two cores; npm run test:all runs everything',
  all: 'about 6 minutes on two cores',
}
/** A run of so many files is taken for a whole one. */
const WHOLE = 200
/** Between two lines of progress [ms]. */
const INTERVAL = 15_000

function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`
}

/** Numbers of tests. */
export interface Counts {
  passed: number
  failed: number
  skipped: number
  /** Tests with the tag `thorough`, which `npm test` leaves to `npm run test:all`. */
  left: number
}

/**
 * Counts tests. Besides failed tests it counts as failed: a file that does not load, a failing hook of a suite, an unhandled error,
 * and a test that never finished.
 */
export function countTests(
  modules: readonly TestModule[],
  unhandled: readonly SerializedError[],
  reason: TestRunEndReason,
): Counts {
  const counts: Counts = { passed: 0, failed: unhandled.length, skipped: 0, left: 0 }
  for (const module of modules) {
    counts.failed += module.errors().length
    for (const suite of module.children.allSuites()) counts.failed += suite.errors().length
    for (const test of module.children.allTests()) {
      const { state } = test.result()
      if (state === 'passed') counts.passed++
      else if (state !== 'skipped') counts.failed++
      else if (process.env.TAUTLINE_TESTS !== 'all' && test.tags.includes('thorough')) counts.left++
      else counts.skipped++
    }
  }
  // A run that failed for any other reason (no test files, interrupted) must not say "0 failed".
  if (counts.failed === 0 && reason !== 'passed') counts.failed = 1
  return counts
}

/** Prints progress and failures; closes a run with `N passed, N failed, N skipped`, or writes that line to the file TAUTLINE_COUNTS. */
export default class Reporter extends MinimalReporter {
  private files = 0
  private finished = 0
  private failed = 0
  private printed = 0

  override onTestRunStart(specifications: readonly TestSpecification[]): void {
    super.onTestRunStart(specifications)
    this.files = specifications.length
    this.finished = this.failed = 0
    this.printed = this.start
    const isWhole = this.files >= WHOLE && this.ctx.config.testNamePattern === undefined
    const takes = isWhole ? `, ${TAKES[process.env.TAUTLINE_TESTS === 'all' ? 'all' : 'some']}` : ''
    this.log(`${count(this.files, 'test file')}${takes}`)
  }

  override onTestModuleEnd(module: TestModule): void {
    super.onTestModuleEnd(module)
    this.finished++
    if (module.state() === 'failed') this.failed++
    const now = performance.now()
    if (now - this.printed < INTERVAL) return
    this.printed = now
    const failed = this.failed > 0 ? `, ${this.failed} failed` : ''
    this.log(`${this.finished} of ${this.files} files${failed}, ${Math.round((now - this.start) / 1000)} s`)
  }

  /** Leaves out vitest's own summary: the closing line says it. */
  override reportTestSummary(): void {}

  override onTestRunEnd(
    modules: readonly TestModule[],
    unhandled: readonly SerializedError[],
    reason: TestRunEndReason,
  ): void {
    super.onTestRunEnd(modules, unhandled, reason)
    const { passed, failed, skipped, left } = countTests(modules, unhandled, reason)
    const seconds = Math.round((performance.now() - this.start) / 1000)
    this.log(
      `${count(modules.length, 'file')} in ${seconds} s${left > 0 ? `; npm run test:all runs ${count(left, 'test')} more` : ''}`,
    )
    const line = `${passed} passed, ${failed} failed, ${skipped} skipped\n`
    const file = process.env.TAUTLINE_COUNTS
    if (file) writeFileSync(file, line)
    // Last of all, after anything else that is printed in this turn.
    else process.once('exit', () => process.stdout.write(line))
  }
}
