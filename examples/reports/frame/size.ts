/** Row 10: how large the solver is. */

import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { ReportRow } from '../report.js'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const DIRECT = 'packages/core/src/direct'
const FOLDERS = [
  DIRECT,
  'packages/core/src/guard',
  'packages/core/src/step',
  'packages/collision/src/contact',
  'packages/collision/src/impact',
]
const MOST_LINES = 11_000
const MOST_CONSTANTS = 150
const MOST_FILES = 12
/** A constant at the top of a file whose value is a number or computed of numbers and other constants. */
const NUMBER = /^(?:export )?const [A-Z][A-Z0-9_]*(?:: (?:number|f64|i32))? = [-+*/(). \w]*$/gm

/** Files of a folder, as paths from the root. */
function filesOf(folder: string): string[] {
  return readdirSync(`${ROOT}/${folder}`, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => `${folder}/${file}`)
}

function text(file: string): string {
  return readFileSync(`${ROOT}/${file}`, 'utf8')
}

function linesOf(folder: string): number {
  return filesOf(folder).reduce((sum, file) => sum + text(file).trimEnd().split('\n').length, 0)
}

function constantsOf(folder: string): number {
  return filesOf(folder).reduce((sum, file) => sum + [...text(file).matchAll(NUMBER)].length, 0)
}

/** A count in all folders, and in each. */
function counted(id: string, claim: string, most: number, count: (folder: string) => number): ReportRow {
  return {
    id,
    claim,
    asked: `≤ ${most}`,
    scene: FOLDERS.join(', '),
    measure() {
      const counts = FOLDERS.map(count)
      const sum = counts.reduce((r, s) => r + s, 0)
      const each = FOLDERS.map((folder, k) => `${folder.split('/').at(-1) ?? folder} ${counts[k]}`)
      return { figures: `${sum}: ${each.join(', ')}`, holds: sum <= most }
    },
  }
}

export const sizeRows: readonly ReportRow[] = [
  counted('10.1', 'Lines of the solver', MOST_LINES, linesOf),
  counted('10.2', 'Named numeric constants of the solver', MOST_CONSTANTS, constantsOf),
  {
    id: '10.3',
    claim: 'Files of the direct solution',
    asked: `≤ ${MOST_FILES}`,
    scene: DIRECT,
    measure() {
      const { length } = filesOf(DIRECT)
      return { figures: `${length} files`, holds: length <= MOST_FILES }
    },
  },
]
