/**
 * Projection of poses onto constraints, without time and without speed: nearest point projections in the mass metric, one row after
 * another, over rigid rows of position. The trees of joints have theirs in direct/projection.ts.
 */

import type { Batch } from '../state/batch.js'
import type { Bodies } from '../state/bodies.js'
import { type BodyColumns, DISTURBED, DYNAMIC, RESTS } from '../state/body-columns.js'
import { assemble, delta, displace, residual, solveDense } from './group-system.js'
import type { Group } from '../define/rows.js'
import type { WorldState } from '../state/world-state.js'

/** Sweeps over what was disturbed, at the start of a substep; they end when no row is farther off than this [m, rad]. */
const MOST_SWEEPS = 200
const REPAIRED = 1e-9

/**
 * Repairs what is violated about bodies whose pose did not come from a motion, before a prediction: trees at the world's
 * `repairSpeed`, rows that are swept at once. What a row moves is looked at in the next sweep with all its rows.
 */
export function repairStart(world: WorldState, h: number): void {
  const bodies = world.bodies.columns
  const { solvers, stages, parts } = world
  for (let s = 0; s < stages.length; s++) stages[s].repair?.(h)
  const isDue = hasDisturbed(world.bodies)
  if (isDue) for (let p = 0; p < parts.length; p++) parts[p].beginRepair?.(world)
  for (let s = 0; s < solvers.length; s++) solvers[s].repair?.(world, h)
  if (!hasDisturbed(world.bodies)) return
  for (let sweep = 0; sweep < MOST_SWEEPS; sweep++) if (projectSwept(world, false) <= REPAIRED) break
  const { rows, count } = world.bodies.awake
  for (let n = 0; n < count; n++) bodies.flags[rows[n]] &= ~DISTURBED
  for (let s = 0; s < solvers.length; s++) solvers[s].keepDisturbed?.(world)
  if (isDue) for (let p = parts.length - 1; p >= 0; p--) parts[p].endRepair?.(world)
}

function hasDisturbed({ columns: { flags }, awake }: Bodies): boolean {
  const { rows, count } = awake
  for (let n = 0; n < count; n++) if ((flags[rows[n]] & DISTURBED) !== 0) return true
  return false
}

/**
 * One sweep over the rows that no tree has: of those about disturbed bodies, or of all of them, contacts included. Returns the worst
 * violation that it found [m, rad].
 */
export function projectSwept(world: WorldState, isWhole: boolean): number {
  const bodies = world.bodies.columns
  let worst = 0
  for (const batch of world.batches) {
    if (batch.type.traits?.transient === true && !isWhole) continue
    for (let row = 0; row < batch.swept; row++) {
      if (!isWhole && !isDisturbed(bodies, batch, row)) continue
      const violation = projectRow(bodies, batch, row)
      if (violation > REPAIRED && !isWhole) disturb(bodies, batch, row)
      if (violation > worst) worst = violation
    }
  }
  return worst
}

function isDisturbed({ flags }: BodyColumns, { arity, ids }: Batch, row: number): boolean {
  for (let b = arity * row; b < arity * (row + 1); b++) if ((flags[ids[b]] & DISTURBED) !== 0) return true
  return false
}

function disturb({ flags, kind }: BodyColumns, { arity, ids }: Batch, row: number): void {
  for (let b = arity * row; b < arity * (row + 1); b++) {
    if (kind[ids[b]] === DYNAMIC && (flags[ids[b]] & RESTS) === 0) flags[ids[b]] |= DISTURBED
  }
}

/** Moves the bodies of a row onto its rigid groups, one after another. Returns the worst violation that it found [m, rad]. */
export function projectRow(bodies: BodyColumns, batch: Batch, row: number): number {
  const { rows, type } = batch
  let worst = 0
  let g = 0
  do {
    rows.clear()
    type.evaluate(bodies, batch, row, rows)
    if (g < rows.groupCount && isRigid(rows.groups[g]))
      worst = Math.max(worst, projectGroup(bodies, batch, row, rows.groups[g]))
  } while (++g < rows.groupCount)
  return worst
}

/** Rows that hold a position and do not give way; friction holds none. */
export function isRigid({ law, compliance, kind }: Group): boolean {
  return law === 'position' && compliance === 0 && kind !== 'disc'
}

/** One group, after an `evaluate`. */
function projectGroup(bodies: BodyColumns, batch: Batch, row: number, group: Group): number {
  const { start, size } = group
  const worst = violationOf(batch, group)
  if (worst === 0) return 0
  assemble(bodies, batch, row, group, 1, 1, 0)
  if (!solveDense(size, residual)) return 0
  for (let k = 0; k < size; k++) delta[k] = -residual[k]
  displace(bodies, batch, row, start, size)
  return worst
}

/** The violation of a group's rows, into `residual`, and its worst [m, rad]: of what has a bound, only what is beyond it. */
export function violationOf({ rows: { c } }: Batch, { start, size, lower, upper }: Group): number {
  let worst = 0
  for (let k = 0; k < size; k++) {
    const error = c[start + k]
    residual[k] = lower === 0 ? Math.min(error, 0) : upper === 0 ? Math.max(error, 0) : error
    worst = Math.max(worst, Math.abs(residual[k]))
  }
  return worst
}
