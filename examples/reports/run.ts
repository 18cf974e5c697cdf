/**
 * Runs reports: `npm run report -- NAME [--row ID[,ID…]] [--json] [--full]`, `all`, or nothing for the list.
 * Exit status 1 when a row does not hold (a skipped one is neither), 2 when the call is wrong.
 */

import { parseArgs } from 'node:util'
import { assemblies } from './assemblies.js'
import { cases } from './cases.js'
import { change } from './change.js'
import { contacts } from './contacts.js'
import { engines } from './engines.js'
import { firstMinute } from './first-minute.js'
import { foundation } from './foundation.js'
import { frame } from './frame.js'
import { gallery } from './gallery.js'
import { house } from './house.js'
import { ik } from './ik.js'
import { impulse } from './impulse.js'
import { jointTrees } from './joint-trees.js'
import { kernels } from './kernels.js'
import { passive } from './passive.js'
import { ragdolls } from './ragdolls.js'
import type { Report, ReportRow } from './report.js'
import { speed } from './speed.js'
import { trust } from './trust.js'

const REPORTS: readonly Report[] = [
  foundation,
  contacts,
  impulse,
  ik,
  jointTrees,
  passive,
  assemblies,
  ragdolls,
  speed,
  frame,
  kernels,
  trust,
  house,
  engines,
  gallery,
  firstMinute,
  change,
  cases,
]

interface Outcome {
  id: string
  claim: string
  asked: string
  scene: string
  measured: string
  holds: boolean
  skipped?: true
}

async function outcome(row: ReportRow): Promise<Outcome> {
  const { id, claim, asked, scene } = row
  try {
    const { figures, ...verdict } = await row.measure()
    return { id, claim, asked, scene, measured: figures, ...verdict }
  } catch (error) {
    return { id, claim, asked, scene, measured: `failed: ${String(error).split('\n')[0]}`, holds: false }
  }
}

function print(report: Report, outcomes: readonly Outcome[], slow: number): void {
  console.log(`# ${report.title}\n`)
  console.log('| # | claim | asked | measured | holds |\n|---|---|---|---|---|')
  for (const { id, claim, asked, scene, measured, holds, skipped } of outcomes) {
    const verdict = skipped === true ? 'skipped' : holds ? 'yes' : 'NO'
    const cells = [id, `${claim} (${scene})`, asked, measured, verdict]
    console.log(`| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
  }
  const held = outcomes.filter(({ holds }) => holds).length
  const left = outcomes.filter(({ skipped }) => skipped === true).length
  const more = [left > 0 && `, ${left} skipped`, slow > 0 && `; ${slow} more with --full`]
  console.log(`\n${held} of ${outcomes.length} rows hold${more.filter(Boolean).join('')}`)
}

function fail(message: string): never {
  console.error(message)
  process.exit(2)
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'boolean' }, full: { type: 'boolean' }, row: { type: 'string' } },
})
const known = REPORTS.map(({ name }) => name)
if (positionals.length === 0) {
  console.log(REPORTS.map(({ name, title }) => `${name}  ${title}`).join('\n'))
  process.exit(0)
}
if (positionals.length > 1 || !['all', ...known].includes(positionals[0])) {
  fail(`report: name must be one of all, ${known.join(', ')}, got ${positionals.join(' ')}`)
}

for (const { name, rows } of REPORTS) {
  const twice = rows.find(({ id }, k) => rows.findIndex((other) => other.id === id) !== k)
  if (twice !== undefined) fail(`report: rows of ${name} must have an id each, got ${twice.id} twice`)
}

const asked = values.row?.split(',')
let failed = false
const results: { report: string; rows: Outcome[] }[] = []
for (const report of REPORTS) {
  if (positionals[0] !== 'all' && report.name !== positionals[0]) continue
  const named = report.rows.filter(({ id }) => asked?.some((row) => id === row || id.startsWith(`${row}.`)) ?? true)
  if (named.length === 0)
    fail(`report: row must be one of ${report.rows.map(({ id }) => id).join(', ')}, got ${values.row ?? ''}`)
  const chosen = named.filter(({ slow }) => slow !== true || values.full === true || values.row !== undefined)
  const rows: Outcome[] = []
  for (const row of chosen) {
    if (process.stderr.isTTY) process.stderr.write(`\r${report.name} ${row.id} …   `)
    rows.push(await outcome(row))
  }
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K')
  if (values.json !== true) print(report, rows, named.length - chosen.length)
  results.push({ report: report.name, rows })
  failed ||= rows.some(({ holds, skipped }) => !holds && skipped !== true)
  await report.close?.()
}
if (values.json === true) console.log(JSON.stringify(results, null, 2))
process.exit(failed ? 1 : 0)
