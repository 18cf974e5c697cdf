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

/** Sweeps over disturbed bodies at the start of a substep; they end when no row is farther off than this [m, rad]. */
const MOST_SWEEPS = 200
const REPAIRED = 1e-9
/** Share of the worst violation after a push that may stay. */
const PUSHED = 0.02
/** Repair ends where so many sweeps do not halve the worst violation. */
const PATIENCE = 20

/** By multiplier of a row: the violation that a repair leaves as it is [m, rad]. */
let goals = /* @__PURE__ */ new Float64Array(32)

/**
 * Repairs violated rows about bodies whose pose did not come from a motion, before a prediction: trees at the world's
 * `repairSpeed`, swept rows at once. A row that is violated passes the repair on to the other rows of its bodies.
 *
 * Swept rows always have a small violation, which the next sweep reduces. So after a push by a stage, they are brought back to the
 * violation that they had before it. Where a pose was set, they are brought to none.
 */
export function repairStart(world: WorldState, h: number): void {
  const bodies = world.bodies.columns
  const { solvers, stages, parts } = world
  const wasSet = hasDisturbed(world.bodies)
  for (let s = 0; s < stages.length; s++) stages[s].repair?.(h)
  const isDue = wasSet || hasDisturbed(world.bodies)
  if (isDue) for (let p = 0; p < parts.length; p++) parts[p].beginRepair?.(world)
  for (let s = 0; s < solvers.length; s++) solvers[s].repair?.(world, h)
  if (!hasDisturbed(world.bodies)) return
  repairSwept(world, wasSet ? undefined : world.startPose)
  const { rows, count } = world.bodies.awake
  for (let n = 0; n < count; n++) bodies.flags[rows[n]] &= ~DISTURBED
  for (let s = 0; s < solvers.length; s++) solvers[s].keepDisturbed?.(world)
  if (isDue) for (let p = parts.length - 1; p >= 0; p--) parts[p].endRepair?.(world)
}

/** Repairs swept rows about disturbed bodies, to the violation that they have at the pose `from`, or to none. */
function repairSwept(world: WorldState, from: BodyColumns | undefined): void {
  let tolerance = REPAIRED
  let best = Infinity
  let since = 0
  for (let sweep = 0; sweep < MOST_SWEEPS; sweep++) {
    const worst = sweepDisturbed(world, from, tolerance)
    if (sweep === 0 && from !== undefined) tolerance = Math.max(REPAIRED, PUSHED * worst)
    if (worst <= tolerance) return
    if (worst <= 0.5 * best) {
      best = worst
      since = 0
    } else if (++since === PATIENCE) return
  }
}

function hasDisturbed({ columns: { flags }, awake }: Bodies): boolean {
  const { rows, count } = awake
  for (let n = 0; n < count; n++) if ((flags[rows[n]] & DISTURBED) !== 0) return true
  return false
}

/** One sweep over the swept rows about disturbed bodies. Marks bodies of rows that are farther off than `tolerance`. Returns the worst violation [m, rad]. */
function sweepDisturbed(world: WorldState, from: BodyColumns | undefined, tolerance: number): number {
  const bodies = world.bodies.columns
  let worst = 0
  for (const batch of world.batches) {
    if (batch.type.traits?.transient === true) continue
    for (let row = 0; row < batch.swept; row++) {
      if (!isDisturbed(bodies, batch, row)) continue
      findGoals(from, batch, row)
      const violation = projectRow(bodies, batch, row)
      if (violation > tolerance) disturb(bodies, batch, row)
      if (violation > worst) worst = violation
    }
  }
  return worst
}

/** One sweep over all swept rows, contacts included. Returns the worst violation [m, rad]. */
export function projectSwept(world: WorldState): number {
  let worst = 0
  for (const batch of world.batches) {
    findGoals(undefined, batch, 0)
    for (let row = 0; row < batch.swept; row++) {
      worst = Math.max(worst, projectRow(world.bodies.columns, batch, row))
    }
  }
  return worst
}

/** Writes the violation of the rigid rows of a constraint at a pose to `goals`; without a pose, zeros. */
function findGoals(from: BodyColumns | undefined, batch: Batch, row: number): void {
  const { rows, type } = batch
  if (goals.length < type.multipliers) goals = new Float64Array(2 * type.multipliers)
  goals.fill(0)
  if (from === undefined) return
  rows.clear()
  type.evaluate(from, batch, row, rows)
  for (let g = 0; g < rows.groupCount; g++) {
    const group = rows.groups[g]
    if (!isRigid(group)) continue
    violationOf(batch, group)
    for (let k = 0; k < group.size; k++) goals[rows.multiplier[group.start + k]] = residual[k]
  }
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

/** Moves the bodies of a row to the goals of its rigid groups, one after another. Returns the worst distance from a goal [m, rad]. */
function projectRow(bodies: BodyColumns, batch: Batch, row: number): number {
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
  const { multiplier } = batch.rows
  violationOf(batch, group)
  let worst = 0
  for (let k = 0; k < size; k++) {
    residual[k] -= goals[multiplier[start + k]]
    worst = Math.max(worst, Math.abs(residual[k]))
  }
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
