import { writeFileSync } from 'node:fs'
import type { Reporter, SerializedError, TestModule, TestRunEndReason } from 'vitest/node'

/**
 * Closes a run with one plain line, `N passed, N failed, N skipped`, after the default reporter's own summary.
 * Besides failed tests it counts as failed: a file that does not load, a failing hook of a suite, an unhandled error,
 * and a test that never finished. With TAUTLINE_COUNTS set, it writes the line to that file instead (see .ci/run).
 */
export default class PlainReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[], reason: TestRunEndReason): void {
    let passed = 0
    let failed = unhandled.length
    let skipped = 0
    for (const module of modules) {
      failed += module.errors().length
      for (const suite of module.children.allSuites()) failed += suite.errors().length
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        if (state === 'passed') passed++
        else if (state === 'skipped') skipped++
        else failed++
      }
    }
    // A run that failed for any other reason (no test files, interrupted) must not say "0 failed".
    if (failed === 0 && reason !== 'passed') failed = 1

    const line = `${passed} passed, ${failed} failed, ${skipped} skipped\n`
    const file = process.env['TAUTLINE_COUNTS']
    // After the default reporter, whose summary is written in the same turn.
    if (file) writeFileSync(file, line)
    else process.once('exit', () => process.stdout.write(line))
  }
}
