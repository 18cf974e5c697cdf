/** The gallery's page: from source, without a build of the packages. */

import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { lean, leanPage } from './lean.js'
import { libraryTypes } from './library-types.js'
import { packBunny } from './pack-bunny.js'
import { defaultClientConditions, defineConfig, type Plugin } from 'vite'

/** The docs beside the page as text, where it is built by itself: its links lead there. */
const docsAsText: Plugin = {
  name: 'docs-as-text',
  apply: (_, { command }) => command === 'build' && process.env.TAUTLINE_DOCS === undefined,
  generateBundle() {
    const folder = fileURLToPath(new URL('../../docs/', import.meta.url))
    for (const name of readdirSync(folder)) {
      if (!name.endsWith('.md')) continue
      this.emitFile({
        type: 'asset',
        fileName: `docs/${name.replace(/\.md$/, '.txt')}`,
        source: readFileSync(folder + name, 'utf8'),
      })
    }
  },
}

/** Jolt asks for Node's own modules where it runs in Node: in a page there are none. */
const noNode: Plugin = {
  name: 'no-node',
  enforce: 'pre',
  resolveId: (id, importer) =>
    id === 'node:module' && importer?.includes('jolt-physics') === true ? '\0no-node' : null,
  load: (id) => (id === '\0no-node' ? 'export const createRequire = undefined' : null),
}

/** Versions of the engines that are compared, as they are installed. */
function versions(): Record<string, string> {
  const read = (path: string): { version: string; devDependencies?: Record<string, string> } =>
    JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8')) as { version: string }
  return { ...read('../../bench/engines/package.json').devDependencies, tautline: read('../../package.json').version }
}

export default defineConfig({
  plugins: [packBunny, ...leanPage, docsAsText, libraryTypes, noNode],
  // The frame of the playground is one script, and so is the worker that knows the types.
  worker: {
    format: 'iife',
    plugins: () => [...lean, libraryTypes],
    rolldownOptions: { checks: { invalidAnnotation: false, bundlerTimings: false } },
  },
  root: fileURLToPath(new URL('.', import.meta.url)),
  // Relative addresses: the built page may lie in any folder.
  base: './',
  define: {
    __VERSIONS__: JSON.stringify(versions()),
    __DOCS__: JSON.stringify(
      process.env.TAUTLINE_DOCS ? `${process.env.TAUTLINE_DOCS}first-scene.html` : 'docs/first-scene.txt',
    ),
    __SOURCE__: JSON.stringify(
      process.env.TAUTLINE_SOURCE ??
        (process.env.TAUTLINE_DOCS ? `${process.env.TAUTLINE_DOCS}architecture.html` : 'docs/architecture.txt'),
    ),
  },
  resolve: { conditions: ['@tautline/source', ...defaultClientConditions] },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // What needs what, for `weigh.ts`.
    manifest: true,
    target: 'es2022',
    // Chunks that a worker runs as well have no document to put links into. Which chunks each of 41 scenes needs is not told beforehand: the list of them all is 5 kB.
    modulePreload: { polyfill: false, resolveDependencies: () => [] },
    // The largest is Rapier, loaded side by side alone.
    chunkSizeWarningLimit: 4500,
    // Comments that mark calls as pure stand where the packages' own bundler wants them; how long plugins take is nothing to warn of.
    rolldownOptions: { checks: { invalidAnnotation: false, bundlerTimings: false } },
  },
})
