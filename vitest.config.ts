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
// The same suite on the kernels of packages/simd: `TAUTLINE_KERNELS=simd npm test`.
const setupFiles = process.env.TAUTLINE_KERNELS === 'simd' ? ['./packages/simd/test/support/every-world.ts'] : []
const isCovered = process.argv.includes('--coverage')

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    // The longest takes 20 s on a slow machine, and vitest's five seconds are too few for many.
    testTimeout: 60_000,
    setupFiles,
    // Vitest leaves one core to itself, which is half of two.
    maxWorkers: '100%',
    reporters: ['default', './tools/plain-reporter.ts'],
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
})
