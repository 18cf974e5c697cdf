// Holds the built packages to their promises: small, shakeable, free of side effects. A few lines over esbuild rather
// than size-limit, whose figures come from the same esbuild, because the side effects need a look of their own.
import { build } from 'esbuild'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { gzipSync } from 'node:zlib'

const kB = 1000
const limits = [
  {
    name: 'core + constraints, everything',
    limit: 30 * kB,
    code: `export * from '@tautline/core'; export * from '@tautline/constraints'`,
  },
  {
    name: 'core + distance',
    limit: 10 * kB,
    code: `export { World } from '@tautline/core'; export { distance } from '@tautline/constraints'`,
  },
]
const packages = ['core', 'constraints']

const entry = (name: string) => resolve(`packages/${name}/dist/index.js`)

const missing = packages.filter((name) => !existsSync(entry(name)))
if (missing.length > 0) {
  console.error(`Nothing built for ${missing.join(', ')}: npm run build first.`)
  process.exit(1)
}

/** What a page gets from `code`, as esbuild bundles and minifies it; with `strict`, no module is dropped unread. */
async function bundle(code: string, minify: boolean, strict: boolean): Promise<string> {
  const { outputFiles } = await build({
    // examples depends on every package by name.
    stdin: { contents: code, resolveDir: resolve('examples') },
    bundle: true,
    format: 'esm',
    target: 'es2022',
    minify,
    write: false,
    legalComments: 'none',
    plugins: [
      {
        name: 'dist',
        setup({ onResolve }) {
          // `sideEffects: true` overrides the promise made in package.json, to see whether the code keeps it.
          onResolve({ filter: /^@tautline\// }, ({ path }) => ({
            path: entry(path.slice('@tautline/'.length)),
            sideEffects: strict,
          }))
        },
      },
    ],
  })
  return outputFiles[0]!.text
}

let failed = 0
const report = (holds: boolean, text: string) => {
  if (!holds) failed++
  console.log(`${holds ? 'ok  ' : 'FAIL'}  ${text}`)
}

for (const { name, limit, code } of limits) {
  const bytes = gzipSync(await bundle(code, true, false), { level: 9 }).length
  report(bytes <= limit, `${name}: ${(bytes / kB).toFixed(2)} kB of ${limit / kB} kB gzipped`)
}

// Statements that remain of `import '@tautline/core'` run on import and stay in every bundle. Scratch arrays need
// `/* @__PURE__ */` before `new Float64Array(…)`.
for (const name of packages) {
  const left = (await bundle(`import '@tautline/${name}'`, false, true)).replace(/^\/\/.*$/gm, '').trim()
  report(left === '', `import '@tautline/${name}' leaves ${left === '' ? 'nothing' : `\n${left}`}`)
}
process.exitCode = failed === 0 ? 0 : 1
