/** Constants that were defined more than once with the same name and value. */

import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { ReportRow } from '../report.js'

/** The constants that issue 43 names, section 6. */
const NAMES: readonly string[] = ['IMMOVABLE', 'BLOCK', 'GROWN', 'TREMOR']
/** A definition at the top of a file: its name and value. */
const DEFINITION = /^(?:export )?const ([A-Z][A-Z0-9_]*)(?:: number)? = (.+)$/gm

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

/** TypeScript files in the sources of all packages, as paths from the root. */
function sources(): string[] {
  return readdirSync(`${ROOT}/packages`).flatMap((name) => {
    const folder = `packages/${name}/src`
    const files = readdirSync(`${ROOT}/${folder}`, { recursive: true, encoding: 'utf8' })
    return files.filter((file) => file.endsWith('.ts')).map((file) => `${folder}/${file}`)
  })
}

/** Files that define each name and value. */
function definitions(): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const file of sources()) {
    for (const [, name, value] of readFileSync(`${ROOT}/${file}`, 'utf8').matchAll(DEFINITION)) {
      if (!NAMES.includes(name)) continue
      const key = `${name} = ${value}`
      found.set(key, [...(found.get(key) ?? []), file])
    }
  }
  return found
}

export const CONSTANT_ROWS: readonly ReportRow[] = [
  {
    id: '6.3',
    claim: 'Constants are defined once',
    asked: `0 of ${NAMES.join(', ')} defined more than once with the same value`,
    scene: 'const NAME = VALUE at the top of the files in packages/*/src',
    measure() {
      const repeated = [...definitions()].filter(([, files]) => files.length > 1)
      const list = repeated.map(([key, files]) => `${key} in ${files.join(', ')}`).join('; ')
      return { figures: `${repeated.length} repeated${list === '' ? '' : `: ${list}`}`, holds: repeated.length === 0 }
    },
  },
]
