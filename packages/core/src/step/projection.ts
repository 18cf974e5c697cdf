/**
 * Projection of poses onto constraints, without time and without speed: nearest point projections in the mass metric, one row after
 * another, over rigid rows of position. The trees of joints have theirs in direct/projection.ts.
 */

import type { Batch } from '../state/batch.js'
import type { Bodies } from '../state/bodies.js'
import { type BodyColumns, DISTURBED, DYNAMIC, RESTS } from '../state/body-columns.js'
import { assemble, delta, displace, residual, solveDense } from './group-system.js'
import { refreshInertia } from './inertia.js'
import { rotationBetween, rotate } from '../math/rotation.js'
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
  const { solvers, stages } = world
  for (let s = 0; s < stages.length; s++) stages[s].repair?.(h)
  const isDue = hasDisturbed(world.bodies)
  if (isDue) world.guard.beginRepair(world)
  for (let s = 0; s < solvers.length; s++) solvers[s].repair?.(world, h)
  if (!hasDisturbed(world.bodies)) return
  for (let sweep = 0; sweep < MOST_SWEEPS; sweep++) if (projectSwept(world, false) <= REPAIRED) break
  const { rows, count } = world.bodies.awake
  for (let n = 0; n < count; n++) bodies.flags[rows[n]] &= ~DISTURBED
  for (let s = 0; s < solvers.length; s++) solvers[s].keepDisturbed?.(world)
  if (isDue) world.guard.endRepair(world)
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
    if (batch.type.transient === true && !isWhole) continue
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
function violationOf({ rows: { c } }: Batch, { start, size, lower, upper }: Group): number {
  let worst = 0
  for (let k = 0; k < size; k++) {
    const error = c[start + k]
    residual[k] = lower === 0 ? Math.min(error, 0) : upper === 0 ? Math.max(error, 0) : error
    worst = Math.max(worst, Math.abs(residual[k]))
  }
  return worst
}

/** Sweeps over what no tree has, in a pass: a pile passes an overlap on by one contact a sweep. */
const SWEEPS_A_PASS = 16

/** How `world.project` goes about it. */
export interface ProjectOptions {
  /** Ends when no row is farther off than this [m, rad]. @defaultValue 1e-9 */
  tolerance?: number
  /** Most passes over all that is violated. @defaultValue 20 */
  iterations?: number
  /** Farthest that a body is moved [m] and turned [rad]. @defaultValue Infinity */
  maxMove?: number
}

/** What a projection has come to. */
export interface ProjectReport {
  /** Passes made. */
  passes: number
  /** Worst violation that is left of a rigid row [m, rad]; contacts and limits count where they are violated. */
  violation: number
  /** The same by constraint type. */
  residual: Record<string, number>
}

/** Projects the whole world: see `World.project`. */
export function projectWorld(world: WorldState, tolerance: number, iterations: number, far: number): ProjectReport {
  const { columns, count } = world.bodies
  const position = columns.position.slice(0, 4 * count)
  const orientation = columns.orientation.slice(0, 4 * count)
  let passes = 0
  let violation = Infinity
  while (passes < iterations) {
    for (const stage of world.stages) stage.findContacts?.()
    world.putInOrder(true)
    for (let i = 0; i < count; i++) if (columns.kind[i] === DYNAMIC) refreshInertia(columns, i)
    for (const solver of world.solvers) solver.project?.(world)
    for (let sweep = 0; sweep < SWEEPS_A_PASS; sweep++) if (projectSwept(world, true) <= tolerance) break
    passes++
    violation = worstViolation(world, undefined)
    if (violation <= tolerance) break
  }
  if (far < Infinity) {
    limitMoves(world, position, orientation, far)
    violation = worstViolation(world, undefined)
  }
  const residual: Record<string, number> = {}
  for (const { type } of world.batches) residual[type.name] = worstViolation(world, type.name)
  return { passes, violation, residual }
}

/** Worst violation of the rigid rows of a type, or of all. */
function worstViolation(world: WorldState, name: string | undefined): number {
  let worst = 0
  for (const batch of world.batches) {
    if (name !== undefined && batch.type.name !== name) continue
    for (let row = 0; row < batch.active; row++) {
      const { rows, type } = batch
      rows.clear()
      type.evaluate(world.bodies.columns, batch, row, rows)
      for (let g = 0; g < rows.groupCount; g++) {
        if (isRigid(rows.groups[g])) worst = Math.max(worst, violationOf(batch, rows.groups[g]))
      }
    }
  }
  return worst
}

/** Puts bodies back on the way from where they were, where one was moved or turned too far. */
function limitMoves(world: WorldState, position: Float64Array, orientation: Float64Array, far: number): void {
  const { columns, count } = world.bodies
  const turned = new Float64Array(3)
  for (let i = 0; i < count; i++) {
    if (columns.kind[i] !== DYNAMIC) continue
    let squared = 0
    for (let k = 4 * i; k < 4 * i + 3; k++) {
      const d = columns.position[k] - position[k]
      squared += d * d
    }
    rotationBetween(columns.orientation, 4 * i, orientation, 4 * i, turned, 0)
    squared = Math.max(squared, turned[0] * turned[0] + turned[1] * turned[1] + turned[2] * turned[2])
    if (squared <= far * far) continue
    const share = far / Math.sqrt(squared)
    for (let k = 4 * i; k < 4 * i + 3; k++)
      columns.position[k] = position[k] + share * (columns.position[k] - position[k])
    for (let k = 4 * i; k < 4 * i + 4; k++) columns.orientation[k] = orientation[k]
    rotate(columns.orientation, 4 * i, share * turned[0], share * turned[1], share * turned[2])
  }
}
