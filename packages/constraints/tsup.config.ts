import { defineConfig } from 'tsup'

// JavaScript only, and no `clean`: tsc -b writes the declarations into the same dist.
export default defineConfig({ entry: ['src/index.ts'], format: ['esm'], target: 'es2022', sourcemap: true })
