// Writes the tables of options and fields from the declarations: `npm run docs:tables`. With --check nothing is written, and a page
// that would change fails, as does a field that says nothing or hides its default.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { readDeclarations } from './docs/declarations.js'
import { readHandles } from './docs/handles.js'
import { REFERENCE, stalePages, writtenPages } from './docs/pages.js'
import { lacking } from './docs/table.js'

const declarations = readDeclarations()
const pages = writtenPages(declarations, readHandles())
const stale = stalePages(pages)
const problems = declarations.flatMap(lacking)

if (process.argv.includes('--check')) {
  problems.push(...stale.map((page) => `${page} is stale: npm run docs:tables`))
} else {
  mkdirSync(REFERENCE, { recursive: true })
  for (const page of stale) {
    const text = pages.get(page)
    if (text === undefined) rmSync(page)
    else writeFileSync(page, text)
  }
  if (stale.length > 0) console.log(`written: ${stale.join(', ')}`)
}
for (const problem of problems) console.error(problem)
const fields = declarations.reduce((sum, declared) => sum + declared.fields.length, 0)
console.log(`${declarations.length} tables, ${fields} fields, ${pages.size} pages, ${problems.length} problems`)
process.exitCode = problems.length === 0 ? 0 : 1
