/** Edits of the constraints of a world: rows that are added, changed and removed by hand, with all that hangs on it. */

import { integer, object } from '../define/assert.js'
import type { CommonDef } from '../define/common.js'
import { type BlockSolver, type ConstraintType, TREES } from '../define/contract.js'
import {
  checkFields,
  checkSolver,
  checkType,
  type Common,
  givesWay,
  join,
  merge,
  namedBodies,
  resolveCommon,
  SOLVERS,
} from '../define/definition.js'
import { constraintError } from '../measure/residuals.js'
import { type AnyType, Batch } from '../state/batch.js'
import { type BodyColumns, ROTATES } from '../state/body-columns.js'
import { markEdited } from '../state/edit-marks.js'
import type { WorldState } from '../state/world-state.js'
import { MOST_FAULTS } from '../step/faults.js'
import { effectiveInverseMass } from '../step/group-system.js'

/** An edit that adds no more than this to an error [m, rad] leaves it to the next substep. */
const DISTURBING = 1e-9

/** Most bodies that a type solved by trees of joints may join. */
const MOST_JOINED = 2

/** What a handle names: a slot of a batch. */
export interface Slot {
  readonly batch: Batch
  readonly slot: number
}

/** A row before it is one: its bodies, and its definition, checked and filled in. */
export interface CheckedRow {
  readonly bodies: readonly number[]
  readonly full: object
}

/**
 * Adds a row; throws, and adds nothing, when a field is wrong. `exists` where its scene was saved with it: what has become of its bodies
 * since it was made is no reason to refuse it.
 */
export function addRow<Def extends object, Resolved extends Def>(
  world: WorldState,
  type: ConstraintType<Def, string, Resolved>,
  def: Def,
  exists: boolean,
): Slot {
  world.bodies.callbacks.refuse('add')
  checkType('add: type', type)
  return insertRow(world, type as AnyType, checkRow(world, type as AnyType, def, exists), def, exists)
}

/** Checks the definition of a row; throws, and changes nothing, when a field is wrong. */
export function checkRow(world: WorldState, type: AnyType, def: object, exists: boolean): CheckedRow {
  const where = type.name
  const bodies = namedBodies(where, world.bodies, def, type.fields)
  if (type.arity !== undefined && bodies.length !== type.arity) {
    throw new RangeError(`${where}: bodies must be ${type.arity}, got ${bodies.length}`)
  }
  if (type.joint !== undefined && bodies.length > MOST_JOINED) {
    throw new RangeError(`${where}: bodies of a joint must be at most ${MOST_JOINED}, got ${bodies.length}`)
  }
  checkFields(where, def, type.fields)
  if (bodies.length < 1) throw new RangeError(`${where}: bodies must be at least one, got none`)
  if (!exists) checkRelaxation(world, type, bodies, def)
  return { bodies, full: resolve(world, type, def, exists) }
}

/** Makes a row of what was checked; throws, and adds nothing, where a user's own function does. */
export function insertRow(
  world: WorldState,
  type: AnyType,
  { bodies, full }: CheckedRow,
  def: object,
  exists: boolean,
): Slot {
  const batch = batchFor(world, type, bodies.length, type.variant?.(full) ?? 0)
  for (const body of bodies) world.bodies.wake(body)
  const row = batch.push(bodies, world.clock.sequence++, full)
  const slot = batch.common.slot[row]
  batch.rows.strict = !exists
  try {
    writeRow(world, batch, row, full)
    applyFrequency(world, batch, row, def)
    disturbAround(world, batch, row, 0)
  } catch (error) {
    // A user's own function threw.
    batch.remove(slot)
    world.clock.sequence--
    throw error
  } finally {
    batch.rows.strict = false
  }
  world.markOrderStale(batch)
  return { batch, slot }
}

/** Takes rows back that were added last, in an edit that has failed. */
export function removeAdded(world: WorldState, slots: readonly Slot[]): void {
  for (let k = slots.length - 1; k >= 0; k--) slots[k].batch.remove(slots[k].slot)
  world.clock.sequence -= slots.length
}

/** Changes the definition of what a slot holds; throws, and changes nothing, when a value is wrong. */
export function changeRow(world: WorldState, { batch, slot }: Slot, changes: object): void {
  const { type } = batch
  world.bodies.callbacks.refuse(`${type.name}: set`)
  object(`${type.name}: changes`, changes)
  for (const field of ['a', 'b', 'bodies']) {
    if (field in changes) throw new TypeError(`${type.name}: ${field} must stay, got a change of it`)
  }
  checkFields(type.name, changes, type.fields)
  const { arity, common } = batch
  const row = batch.slotRow[slot]
  checkRelaxation(world, type, common.body.subarray(arity * row, arity * (row + 1)), changes)
  const full = resolve(world, type, merge(batch.definition(slot) as object, changes), true)
  if ((type.variant?.(full) ?? 0) !== batch.variant) {
    throw new TypeError(
      `${type.name}: a change must not move the constraint to another variant; remove it and add it anew`,
    )
  }
  const bodies = world.bodies.columns
  world.wakeAround(batch, row)
  const error = batch.common.enabled[row] === 0 ? 0 : constraintError(bodies, batch, row)
  markEdited(bodies, batch, row)
  batch.setDef(slot, full)
  if ('enabled' in changes) mend(world, batch, row)
  writeRow(world, batch, row, full)
  applyFrequency(world, batch, row, changes)
  disturbAround(world, batch, row, error)
  world.markOrderStale(batch)
}

/** Removes what a slot holds; when the step is over where one of a user's functions asks for it within one. */
export function removeRow(world: WorldState, { batch, slot }: Slot): void {
  const generation = batch.slotGeneration[slot]
  const again = (): void => {
    if (batch.slotGeneration[slot] === generation) removeRow(world, { batch, slot })
  }
  if (world.bodies.callbacks.defer(again)) return
  world.wakeAround(batch, batch.slotRow[slot])
  batch.remove(slot)
  world.markOrderStale(batch)
}

/** The batch of a type, arity and variant; made when it is new. */
export function batchFor(world: WorldState, type: AnyType, arity: number, variant: number): Batch {
  for (const batch of world.batches)
    if (batch.type === type && batch.arity === arity && batch.variant === variant) return batch
  checkType('batchFor: type', type)
  integer('batchFor: arity', arity, 1)
  integer('batchFor: variant', variant, 0)
  for (const batch of world.batches) {
    if (batch.type.name === type.name && batch.type !== type)
      throw new TypeError(`${type.name}: type names must differ within a world, got another type of that name`)
  }
  const batch = new Batch(type, arity, variant, world.settings.jacobians !== 'fresh')
  batch.rows.substep = world.clock.substepLength
  world.batches.push(batch)
  if (type.joint !== undefined && world.jointSolver !== undefined) bring(world, world.jointSolver)
  if (type.blockSolver !== undefined) bring(world, type.blockSolver)
  return batch
}

/** Takes the solver that a type brings along, once; those of joints come last, as they see what others have lent. */
function bring(world: WorldState, make: () => BlockSolver): void {
  if (world.brought.has(make)) return
  const solver = make()
  world.brought.add(make)
  const trees = world.solvers.findIndex(({ name }) => name === TREES)
  world.solvers.splice(trees < 0 ? world.solvers.length : trees, 0, solver)
}

/** Refuses the direct solution of joints in a world that cannot do it. */
export function requireJointSolver(where: string, { jointSolver }: WorldState): void {
  if (jointSolver !== undefined) return
  throw new RangeError(`${where}: solver 'direct' needs a world with jointTrees among its parts, got one without`)
}

function resolve<Def extends object, Resolved extends Def>(
  world: WorldState,
  type: ConstraintType<Def, string, Resolved>,
  def: Def,
  exists: boolean,
): Resolved & Common {
  const { settings, bodies } = world
  const owns = type.traits?.ownsSoftness === true
  checkSolver(type.name, (def as CommonDef).solver, type.joint !== undefined || type.blockSolver !== undefined)
  if ((def as CommonDef).solver === 'direct' && type.joint !== undefined) requireJointSolver(type.name, world)
  const common = resolveCommon(type.name, def, settings, owns)
  const context = { bodies: bodies.columns, iterations: settings.iterations, exists }
  return join(type.resolve(def, context), common, owns)
}

/** Refuses ξ above 1 where an error is no straight line along which to go further: what goes too far comes back as motion. */
function checkRelaxation(
  { bodies, settings }: WorldState,
  type: AnyType,
  rows: ArrayLike<number>,
  def: CommonDef,
): void {
  const { relaxation } = def
  // What is no number is refused with the other fields.
  if (typeof relaxation !== 'number' || !(relaxation > 1)) return
  const most = `${type.name}: relaxation must be <= 1`
  if (settings.jacobians !== 'fresh') throw new RangeError(`${most} with gradients that are kept, got ${relaxation}`)
  if (type.traits?.isCurved === true) throw new RangeError(`${most} (its error is bent), got ${relaxation}`)
  if (anyRotates(bodies.columns, rows)) throw new RangeError(`${most} where bodies rotate, got ${relaxation}`)
}

export function anyRotates({ flags }: BodyColumns, rows: ArrayLike<number>): boolean {
  for (let b = 0; b < rows.length; b++) if ((flags[rows[b]] & ROTATES) !== 0) return true
  return false
}

/** Writes a resolved definition to a row. */
export function writeRow({ bodies }: WorldState, batch: Batch, row: number, def: object): void {
  const common = def as Common
  const c = batch.common
  c.compliance[row] = common.compliance ?? 0
  c.rayleigh[row] = (common.damping ?? 0) * (common.compliance ?? 0)
  if (batch.type.traits?.ownsSoftness === true) c.compliance[row] = c.rayleigh[row] = 0
  const rows = c.body.subarray(batch.arity * row, batch.arity * (row + 1))
  const isStraight = batch.type.traits?.isCurved !== true && !anyRotates(bodies.columns, rows)
  c.relaxation[row] = isStraight ? common.relaxation : Math.min(1, common.relaxation)
  c.regularization[row] = common.regularization
  c.breakForce[row] = common.breakForce
  c.breakTorque[row] = common.breakTorque
  c.enabled[row] = common.enabled && c.broken[row] === 0 && c.faults[row] < MOST_FAULTS ? 1 : 0
  c.solver[row] = SOLVERS.indexOf(common.solver)
  batch.type.write(batch, row, def)
  c.yields[row] = givesWay(def) ? 1 : 0
}

/** Turns frequency and damping ratio into compliance and damping, for the masses as they are joined now. */
function applyFrequency(
  world: WorldState,
  batch: Batch,
  row: number,
  def: { frequency?: number; dampingRatio?: number },
): void {
  const { bodies } = world
  if (def.frequency === undefined || batch.type.traits?.ownsSoftness === true) return
  const omega = Math.min(2 * Math.PI * def.frequency, Number.MAX_VALUE)
  const { rows } = batch
  rows.clear()
  batch.type.evaluate(bodies.columns, batch, row, rows)
  const soft: Record<string, number> = {}
  for (let g = 0; g < rows.groupCount; g++) {
    const group = rows.groups[g]
    const angular = group.unit === 'rad' && 'angularCompliance' in batch.columns
    const field = angular ? 'angularCompliance' : 'compliance'
    if (group.law !== 'position' || field in soft) continue
    // Frequencies, masses and levers that overflow count as the largest number: a scene that is saved must be read again.
    const measured = effectiveInverseMass(bodies.columns, batch, row, group)
    const w = measured >= 0 ? Math.min(measured, Number.MAX_VALUE) : Number.MAX_VALUE
    // Between bodies that do not move w is 0, and ω² of the slowest is 0 too.
    soft[field] = w > 0 ? Math.min(w / (omega * omega), Number.MAX_VALUE) : 0
    const damping = w > 0 ? (2 * (def.dampingRatio ?? 1) * omega) / w : 0
    soft[angular ? 'angularDamping' : 'damping'] = Math.min(damping, Number.MAX_VALUE)
  }
  const full = { ...batch.definition(batch.common.slot[row]), ...soft }
  batch.setDef(batch.common.slot[row], full)
  writeRow(world, batch, row, full)
}

/** Has the error of a row repaired without speed where an edit made it larger than it was. */
export function disturbAround({ bodies }: WorldState, batch: Batch, row: number, error: number): void {
  if (batch.common.enabled[row] === 0) return
  if (!(constraintError(bodies.columns, batch, row) > error + DISTURBING)) return
  const { body } = batch.common
  for (let b = batch.arity * row; b < batch.arity * (row + 1); b++) bodies.disturb(body[b])
}

/** Forgets that a constraint broke, or was off for not being finite. */
function mend({ skipped }: WorldState, batch: Batch, row: number): void {
  batch.common.broken[row] = batch.common.faults[row] = 0
  for (let k = skipped.length - 1; k >= 0; k--) {
    if (skipped[k].batch === batch && skipped[k].slot === batch.common.slot[row]) skipped.splice(k, 1)
  }
}
