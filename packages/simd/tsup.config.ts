import { defineConfig } from 'tsup'

// JavaScript only, and no `clean`: tsc -b writes the declarations into the same dist.
export default defineConfig({
  // A file a module: what a page does not import stays out of its bundle by `sideEffects: false` alone.
  entry: ['src/**/*.ts'],
  bundle: false,
  format: ['esm'],
  target: 'es2022',
  sourcemap: true,
})
