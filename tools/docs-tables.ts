// Writes the tables of options and fields from the declarations: `npm run docs:tables`. With --check nothing is written, and a page
// that would change fails, as does a field that says nothing or hides its default.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readDeclarations } from './docs/declarations.js'
import { REFERENCE, writtenPages } from './docs/pages.js'
import { lacking } from './docs/table.js'

const isCheck = process.argv.includes('--check')
const declarations = readDeclarations()
const pages = writtenPages(declarations)
const problems = declarations.flatMap(lacking)

const isStale = (page: string): boolean => !existsSync(page) || readFileSync(page, 'utf8') !== pages.get(page)
const left = existsSync(REFERENCE)
  ? readdirSync(REFERENCE).map((name) => join(REFERENCE, name).replaceAll('\\', '/'))
  : []
const changed = [...pages.keys()].filter(isStale)
const orphans = left.filter((page) => !pages.has(page))
if (isCheck) {
  problems.push(...changed.map((page) => `${page} is stale: npm run docs:tables`))
  problems.push(...orphans.map((page) => `${page} is of no package: npm run docs:tables`))
} else {
  mkdirSync(REFERENCE, { recursive: true })
  for (const page of changed) writeFileSync(page, pages.get(page)!)
  for (const page of orphans) rmSync(page)
  if (changed.length > 0) console.log(`written: ${changed.join(', ')}`)
}
for (const problem of problems) console.error(problem)
const fields = declarations.reduce((sum, declared) => sum + declared.fields.length, 0)
console.log(`${declarations.length} tables, ${fields} fields, ${pages.size} pages, ${problems.length} problems`)
process.exitCode = problems.length === 0 ? 0 : 1
