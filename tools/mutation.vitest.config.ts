/**
 * Unit tests over one changed source, or over sources that note which of their functions ran. Nothing is written to them: they change
 * as they are loaded.
 *   MUTATION  { file, start, end, replacement }, the file from the root
 *   TRACE     folder in which each test file leaves what it ran
 */

import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { functionsOf, parse } from './mutants.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const conditions = ['@tautline/source', 'module', 'node', 'development|production']
const change = JSON.parse(process.env.MUTATION ?? 'null') as {
  file: string
  start: number
  end: number
  replacement: string
} | null
const isTraced = process.env.TRACE !== undefined

/** The source with a mark in each function. */
function traced(file: string, code: string): string {
  const bodies = functionsOf(parse(file, code))
  let text = code
  // From the end, so that places before stay.
  bodies
    .map((body, k) => [body.getStart() + 1, k] as const)
    .sort((a, b) => b[0] - a[0])
    .forEach(([at, k]) => (text = `${text.slice(0, at)}__ran[${k}] = 1;${text.slice(at)}`))
  const all = `const __ran = ((globalThis.__ran ??= {})[${JSON.stringify(file)}] ??= new Uint8Array(${bodies.length}));`
  return `${all}${text}`
}

export default defineConfig({
  root,
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  plugins: [
    {
      name: 'mutation',
      enforce: 'pre',
      transform(code, id) {
        const file = id.startsWith(root) ? id.slice(root.length) : ''
        if (change?.file === file) return code.slice(0, change.start) + change.replacement + code.slice(change.end)
        return isTraced && /^packages\/\w[\w-]*\/src\/.*\.ts$/.test(file) ? traced(file, code) : undefined
      },
    },
  ],
  test: {
    testTimeout: 30_000,
    include: ['packages/*/test/**/*.test.ts'],
    exclude: ['packages/*/test/scenes/**', '**/node_modules/**'],
    setupFiles: isTraced ? ['tools/mutation-trace.ts'] : [],
  },
})
