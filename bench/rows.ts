/**
 * Speed of the sweeps, in ns a row: each constraint type's loop beside the same arithmetic written by hand.
 *
 *   rows.ts               a table of all, a process a type
 *   rows.ts --list        names of the types, JSON
 *   rows.ts --type NAME   one type, JSON: { name, product, byHand, ratio, rows }, times in ns a row
 *   rows.ts --check       throws unless each loop does what its sweep does; no times
 *   rows.ts --objects     distance, colour-sorted, beside one object a constraint, JSON likewise
 *
 * Run with `npx tsx --conditions=@tautline/source bench/rows.ts`.
 */

import { execFileSync } from 'node:child_process'
import { CASES } from './lib/cases.js'
import { check, measure, type Times } from './lib/measure.js'
import { measureObjects, type ObjectTimes } from './objects.js'

const [flag, name] = process.argv.slice(2)

if (flag === '--list') {
  console.log(JSON.stringify(CASES.map((it) => it.name)))
} else if (flag === '--type') {
  const found = CASES.find((it) => it.name === name)
  if (found === undefined) throw new Error(`rows: type must be one of --list, got ${name}`)
  console.log(JSON.stringify(measure(found)))
} else if (flag === '--check') {
  for (const it of CASES) check(it)
} else if (flag === '--objects') {
  console.log(JSON.stringify(measureObjects()))
} else if (flag === undefined) {
  table()
} else {
  throw new Error(`rows: option must be --list, --type NAME, --check or --objects, got ${flag}`)
}

/** This script anew, in a process of its own: what one type teaches the compiler must not slow the next. */
function spawn<T>(...args: string[]): T {
  const node = [...process.execArgv, new URL(import.meta.url).pathname, ...args]
  return JSON.parse(execFileSync(process.execPath, node, { encoding: 'utf8' })) as T
}

function table(): void {
  const line = (cells: readonly (string | number)[]): void => {
    const [first, ...rest] = cells.map((cell) => (typeof cell === 'number' ? cell.toFixed(2) : cell))
    console.log(first.padEnd(28) + rest.map((cell) => cell.padStart(10)).join(''))
  }
  line(['ns a row', 'product', 'by hand', 'ratio'])
  for (const it of CASES) {
    const { product, byHand, ratio } = spawn<Times>('--type', it.name)
    line([it.name, product, byHand, ratio])
  }
  const objects = spawn<ObjectTimes>('--objects')
  line(['distance / objects', objects.product, objects.byHand, objects.ratio])
  line(['distance / objects shuffled', objects.product, objects.shuffled.byHand, objects.shuffled.ratio])
}
