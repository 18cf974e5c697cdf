/** Marks on bodies whose constraints the user has edited since the last step. */

import type { Batch } from './batch.js'
import type { Bodies } from './bodies.js'
import { type BodyColumns, EDITED, RESET, RETARGETED } from './body-columns.js'

/**
 * Marks the bodies of a constraint that was changed under load: the change may give them energy in the next step, which counts as work of the user. A
 * constraint without load may not have been in a step yet, and counts as if it had been added so.
 */
export function markEdited(bodies: BodyColumns, batch: Batch, row: number): void {
  const { body, lambda } = batch.common
  const { multipliers } = batch.type
  let bears = false
  for (let k = multipliers * row; k < multipliers * (row + 1); k++) if (lambda[k] !== 0) bears = true
  if (!bears) return
  for (let b = batch.arity * row; b < batch.arity * (row + 1); b++) bodies.flags[body[b]] |= EDITED
}

/** Clears the marks of all edits after the step that followed them. */
export function clearEdited({ columns: { flags }, awake }: Bodies): void {
  const all = EDITED | RETARGETED | RESET
  const { rows, count } = awake
  for (let n = 0; n < count; n++) if ((flags[rows[n]] & all) !== 0) flags[rows[n]] &= ~all
}
