import { defineConfig } from 'vitest/config'

// The source condition makes workspace packages resolve to their TypeScript: no build before tests.
const conditions = ['@tautline/source', 'module', 'node', 'development|production']

// Natively through tsx: vitest's module runner makes kernels 2 to 6 times slower. Coverage alone needs it; no vi.mock here. Files share their
// process: packages are loaded once in it (28 s in place of 216), and no test may leave anything behind.
const native = {
  isolate: false,
  pool: 'forks' as const,
  execArgv: ['--import', 'tsx', '--conditions=@tautline/source'],
  experimental: { viteModuleRunner: false, nodeLoader: false },
}
const isCovered = process.argv.includes('--coverage')

/** Ends a test that hangs [ms]. Tests must not depend on the speed of the machine, so this is far above what any test needs. */
const HANGS = 900_000

export default defineConfig(({ mode }) => {
  // `--mode all` (`npm run test:all`) runs everything; support/runs.ts reads it in the processes of tests.
  const isThorough = mode === 'all' || process.env.TAUTLINE_TESTS === 'all'
  process.env.TAUTLINE_TESTS = isThorough ? 'all' : 'some'
  const setupFiles = ['./packages/core/test/support/set-up.ts']
  // Runs all worlds on the kernels of packages/simd: `TAUTLINE_KERNELS=simd npm run test:all`.
  if (process.env.TAUTLINE_KERNELS === 'simd') setupFiles.push('./packages/simd/test/support/every-world.ts')

  return {
    resolve: { conditions },
    ssr: { resolve: { conditions } },
    test: {
      testTimeout: HANGS,
      hookTimeout: HANGS,
      setupFiles,
      tags: [{ name: 'thorough', description: 'Takes long: run by `npm run test:all` only.' }],
      ...(isThorough ? {} : { tagsFilter: ['!thorough'] }),
      // Vitest leaves one core to itself, which is half of two.
      maxWorkers: '100%',
      reporters: ['./tools/test/reporter.ts'],
      coverage: { provider: 'v8', include: ['packages/*/src/**/*.ts'] },
      projects: [
        {
          extends: true,
          test: {
            name: 'unit',
            include: ['packages/*/test/**/*.test.ts', 'site/test/**/*.test.ts'],
            exclude: ['packages/*/test/scenes/**'],
            ...(isCovered ? {} : native),
          },
        },
        {
          extends: true,
          test: {
            name: 'scenes',
            include: ['packages/*/test/scenes/**/*.test.ts', 'examples/**/*.test.ts', 'bench/**/*.test.ts'],
            exclude: ['**/node_modules/**', 'examples/gallery/dist/**'],
            ...native,
          },
        },
      ],
    },
  }
})
