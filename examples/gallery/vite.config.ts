/** The gallery's page: from source, without a build of the packages. */

import { fileURLToPath } from 'node:url'
import { packBunny } from './pack-bunny.js'
import { defaultClientConditions, defineConfig, type Plugin } from 'vite'

/**
 * gl-matrix makes some functions by calling others at once (`forEach`, `rotationTo`), which a bundler has to keep, and with them what
 * they call. Marked as pure, those that nobody uses go.
 */
const pureMatrix: Plugin = {
  name: 'pure-matrix',
  apply: 'build',
  transform(code, id) {
    if (!/gl-matrix.esm./.test(id)) return null
    return {
      code: code.replaceAll(/^(export var \w+ = )function \(\) \{$/gm, '$1/* @__PURE__ */ function () {'),
      map: null,
    }
  },
}

/** Shaders of three are text: what is there for readers goes, indents, comments and room about brackets. Lines with # stay as they are. */
const leanShaders: Plugin = {
  name: 'lean-shaders',
  apply: 'build',
  transform(code, id) {
    if (!id.endsWith('three.module.js')) return null
    return { code: code.replaceAll(/^(?:var|const) [\w$]+ = "(?:[^"\\]|\\.)*";$/gm, leaner), map: null }
  },
}

function leaner(declaration: string): string {
  return declaration
    .split('\\n')
    .map((line) => line.replace(/^(\\t)+/, '').replace(/\/\/[^"]*$/, ''))
    .map((line) =>
      /^#| = "#/.test(line)
        ? line
        : line.replaceAll(/(?<=[(,]) | (?=\))| (?=[-+*/=<>]=? [\w(])|(?<=[\w)\]] [-+*/=<>]=?) (?=[\w(])/g, ''),
    )
    .join('\\n')
}

export default defineConfig({
  plugins: [packBunny, pureMatrix, leanShaders],
  root: fileURLToPath(new URL('.', import.meta.url)),
  // Relative addresses: the built page may lie in any folder.
  base: './',
  resolve: { conditions: ['@tautline/source', ...defaultClientConditions] },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    // One script, which a worker runs as well: there is no document to put links into.
    modulePreload: { polyfill: false },
    // One script of 500 kB gzipped, most of it three's renderer.
    chunkSizeWarningLimit: 1800,
    // Comments that mark calls as pure stand where the packages' own bundler wants them.
    rolldownOptions: { checks: { invalidAnnotation: false } },
  },
})
