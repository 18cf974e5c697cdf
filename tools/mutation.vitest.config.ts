/** Unit tests over changed sources (mutation-hook.mjs), natively: loops are several times faster so than in vitest's module runner. */

import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files in the order in which they are given: vitest would begin with the largest. */
class AsGiven extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const order = (process.env['MUTATION_TESTS'] ?? '').split(',')
    const placeOf = ({ moduleId }: TestSpecification): number => order.findIndex((test) => moduleId.endsWith(test))
    return Promise.resolve(files.sort((a, b) => placeOf(a) - placeOf(b)))
  }
}

const isPlanned = process.env['MUTATION_PLAN'] !== undefined

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    // What takes long is found by passes of loops and by a watchdog: a machine that does something else must not kill mutants.
    testTimeout: 3_600_000,
    hookTimeout: 3_600_000,
    include: ['packages/*/test/**/*.test.ts'],
    exclude: ['packages/*/test/scenes/**', '**/node_modules/**'],
    setupFiles: isPlanned ? ['tools/mutation-runner.ts'] : [],
    tags: [{ name: 'thorough' }],
    sequence: { sequencer: AsGiven },
    pool: 'forks',
    execArgv: ['--import', 'tsx', '--conditions=@tautline/source'],
    experimental: { viteModuleRunner: false, nodeLoader: false },
  },
})
