/** Rows 5.1 to 5.7: what pages weigh, by the list that `npm run size` checks. */

import { foldersOf, gzipped } from '../../../tools/bundle.js'
import { BUDGETS, kB } from '../../../tools/sizes.js'
import { figure, type ReportRow } from '../report.js'

/** Folders that are listed of a page over its budget. */
const LISTED = 10

export const sizes: readonly ReportRow[] = BUDGETS.map(({ row, name, budget, code }) => ({
  id: row,
  claim: `Size: ${name}`,
  asked: `<= ${budget} kB`,
  scene: 'bundle of the sources by esbuild, minified, gzip level 9; a kB has 1000 bytes',
  async measure() {
    const size = (await gzipped(code)) / kB
    const holds = size <= budget
    if (holds) return { figures: `${figure(size, 4)} kB`, holds }
    const folders = (await foldersOf(code)).slice(0, LISTED)
    const list = folders.map(([folder, bytes]) => `${folder} ${figure(bytes / kB)}`).join(', ')
    return { figures: `${figure(size, 4)} kB: ${list}`, holds }
  },
}))
