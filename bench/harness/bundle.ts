/** The bench and its packages as one file that plain Node runs: quicker to start than sources, and what a page would run. */

import { build } from 'esbuild'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Makes it of the sources in `tree`; returns its path. Other engines stay what is installed. */
export async function bundled(tree: string): Promise<string> {
  const bench = join(tree, 'bench')
  // Where Node looks for them.
  const folder = join(bench, 'node_modules/.cache/tautline-bench')
  const { devDependencies } = JSON.parse(readFileSync(join(bench, 'package.json'), 'utf8')) as {
    devDependencies: Record<string, string>
  }
  await build({
    entryPoints: [join(bench, 'harness/child.ts')],
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    conditions: ['@tautline/source'],
    external: Object.keys(devDependencies),
    logLevel: 'error',
  })
  return join(folder, 'child.mjs')
}
