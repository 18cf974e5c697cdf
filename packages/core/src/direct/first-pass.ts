/** The first pass of a substep, or of a part of one: Newton's method from the prediction. */

import type { BodyColumns } from '../state/body-columns.js'
import { assemble } from './assemble.js'
import { notePull, startFromPull } from './guess.js'
import { converge, tighten } from './newton.js'
import { note } from './poses.js'
import type { Trees } from './trees.js'

/** Most solves of a pass: of those that converge, one in a thousand takes more. */
const MOST = 20

/** Solves from the prediction; false, with poses and multipliers lost, where that does not converge. */
export function solveFirst(bodies: BodyColumns, trees: Trees): boolean {
  beginPass(bodies, trees)
  startFromPull(bodies, trees)
  assemble(bodies, trees, false)
  if (!converge(bodies, trees, MOST)) return false
  if (trees.width > 0) tighten(bodies, trees)
  notePull(bodies, trees)
  return true
}

/** Notes where a pass starts: X̂, λ, and λ°. */
export function beginPass(bodies: BodyColumns, trees: Trees): void {
  if (trees.width > 0) trees.redundant.fill(0)
  note(bodies, trees, trees.start, trees.found)
  trees.reference.set(trees.found)
  trees.base.fill(0)
}
