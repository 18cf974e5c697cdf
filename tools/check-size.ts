// Holds the built packages to their promises: small, shakeable, free of side effects. A few lines over esbuild rather
// than size-limit, whose figures come from the same esbuild, because the side effects need a look of their own.
import { existsSync } from 'node:fs'
import { builtEntry, foldersOf, gzipped, leftovers } from './bundle.js'
import { BUDGETS, kB, knownOverweights, OTHER_PAGES, type Page, TOLERANCE } from './sizes.js'

const packages = ['core', 'constraints', 'collision', 'assemblies', 'impulse-compat', 'ik', 'three', 'worker', 'simd']
/** Folders that are listed of a page over its budget. */
const LISTED = 10

const missing = packages.filter((name) => !existsSync(builtEntry(name)))
if (missing.length > 0) {
  console.error(`Nothing built for ${missing.join(', ')}: npm run build first.`)
  process.exit(1)
}

let failed = 0
const report = (holds: boolean, text: string): void => {
  if (!holds) failed++
  console.log(`${holds ? 'ok  ' : 'FAIL'}  ${text}`)
}

/** Checks one page: within its budget, or as far over it as is known. */
async function checkPage({ name, budget, code }: Page): Promise<void> {
  const size = (await gzipped(code, 'dist')) / kB
  const text = `${name}: ${size.toFixed(2)} kB of ${budget} kB gzipped`
  const known = knownOverweights().find(({ page }) => page === name)
  if (size <= budget) {
    report(known === undefined, known === undefined ? text : `${text}: take it out of tools/known-overweights.json`)
    return
  }
  if (known === undefined || size > known.kB + TOLERANCE) {
    report(false, known === undefined ? text : `${text}, where ${known.kB} kB are known (issue ${known.issue})`)
  } else console.log(`over budget  ${text} (issue ${known.issue})`)
  const folders = (await foldersOf(code)).slice(0, LISTED)
  console.log(`      ${folders.map(([folder, bytes]) => `${folder} ${(bytes / kB).toFixed(1)}`).join(', ')}`)
}

for (const page of [...BUDGETS, ...OTHER_PAGES]) await checkPage(page)

// Scratch arrays need `/* @__PURE__ */` before `new Float64Array(…)`.
for (const name of packages) {
  const left = await leftovers(`@tautline/${name}`, 'dist')
  report(left === '', `import '@tautline/${name}' leaves ${left === '' ? 'nothing' : `\n${left}`}`)
}
process.exitCode = failed === 0 ? 0 : 1
