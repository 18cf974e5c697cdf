/**
 * Soak: `npm run soak -- [--edits 100000] [--seed 1]`. One world that is edited, stepped, saved and restored so many times, with as many
 * things in it at the end as at the start; prints the heap after collection of garbage and the time of a step, by tenths. Exit status 1
 * when the heap grows by 5 MB, or a step takes a tenth longer; 2 when the call is wrong.
 */

import { parseArgs } from 'node:util'
import { describeSoak, isFlat, soak } from './fuzz/soak.js'

const { values } = parseArgs({
  options: { edits: { type: 'string', default: '100000' }, seed: { type: 'string', default: '1' } },
})
const [edits, seed] = [values.edits, values.seed].map(Number)
if (!Number.isInteger(edits) || edits < 1000 || !Number.isInteger(seed)) {
  console.error(
    `soak: edits must be a whole number >= 1000 and seed a whole number, got ${values.edits} and ${values.seed}`,
  )
  process.exit(2)
}
const result = soak(edits, seed)
console.log(describeSoak(result))
process.exit(isFlat(result) ? 0 : 1)
