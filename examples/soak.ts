/**
 * Soak: `npm run soak -- [--edits 100000] [--seed 1]`. One world that is edited, stepped, saved and restored so many times, with as many
 * things in it at the end as at the start; prints the heap after collection of garbage and the time of a step, by tenths. Exit status 1
 * when the heap grows by 5 MB, or a step takes a tenth longer; 2 when the call is wrong.
 */

import { optionsOf } from '../tools/options.js'
import { describeSoak, isFlat, soak } from './fuzz/soak.js'

const { edits = 0, seed = 0 } = optionsOf('soak', {
  usage: 'npm run soak -- [--edits 100000] [--seed 1]',
  counts: { edits: { least: 1000, otherwise: 100_000 }, seed: { least: 0, otherwise: 1 } },
}).counts
const result = soak(edits, seed)
console.log(describeSoak(result))
process.exit(isFlat(result) ? 0 : 1)
