/** The gallery's page: from source, without a build of the packages. */

import { fileURLToPath } from 'node:url'
import { packBunny } from './pack-bunny.js'
import { defaultClientConditions, defineConfig } from 'vite'

export default defineConfig({
  plugins: [packBunny],
  root: fileURLToPath(new URL('.', import.meta.url)),
  // Relative addresses: the built page may lie in any folder.
  base: './',
  resolve: { conditions: ['@tautline/source', ...defaultClientConditions] },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    // One script of 400 kB gzipped, most of it three's renderer.
    chunkSizeWarningLimit: 1500,
    // Comments that mark calls as pure stand where the packages' own bundler wants them.
    rolldownOptions: { checks: { invalidAnnotation: false } },
  },
})
