/** The gallery's page: from source, without a build of the packages. */

import { fileURLToPath } from 'node:url'
import { packBunny } from './pack-bunny.ts'
import { defaultClientConditions, defineConfig } from 'vite'

export default defineConfig({
  plugins: [packBunny],
  root: fileURLToPath(new URL('.', import.meta.url)),
  // Relative addresses: the built page may lie in any folder.
  base: './',
  resolve: { conditions: ['@tautline/source', ...defaultClientConditions] },
  build: { outDir: 'dist', emptyOutDir: true, target: 'es2022', chunkSizeWarningLimit: 1500 },
})
