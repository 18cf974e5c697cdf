// Multipliers of all rows at once (core: step/faults.ts).

import { RUNAWAY } from './constants'

/** Whether entries `from` to `to` of a column are within measure; what is not a number is not. */
export function isBounded(column: usize, from: usize, to: usize): bool {
  const most = f64x2.splat(RUNAWAY)
  let k = from
  for (; k + 1 < to; k += 2) {
    if (!i64x2.all_true(f64x2.lt(f64x2.abs(v128.load(column + (k << 3))), most))) return false
  }
  return k >= to || Math.abs(load<f64>(column + (k << 3))) < RUNAWAY
}
