/** What pushes of an impact take of its energy (bounce.ts). */

import type { f64 } from '@tautline/core/kernel'

/** Energy, times h² [kg m²], that a push by dl takes of what c has come since `start`, w moved by a unit of λ. */
export function takenBy(dl: f64, c: f64, start: f64, w: f64): f64 {
  const come = start > 0 ? c - start : c
  return -dl * (come + 0.5 * w * dl)
}
