/** Snapshot and restore: the live part of every table in one Float64Array. */

import { object } from '../define/assert.js'
import type { Batch } from '../state/batch.js'
import type { BlockSolver } from '../define/contract.js'
import type { Body } from '../state/body.js'
import type { Stage } from '../define/stage.js'
import { CLOCK_FIELDS } from '../state/settings.js'
import type { WorldState } from '../state/world-state.js'

/** A world's state. Keep it as long as you like; it can be restored any number of times. */
export interface Snapshot {
  /** Clock, bodies, then each batch: rows, slots, columns; room to spare behind them where it took a former one's place. */
  readonly data: Float64Array
  /** Which batches `data` holds, and their definitions and handles by slot. */
  readonly batches: readonly SavedBatch[]
  /** What each stage of the step had to keep. */
  readonly stages: readonly { readonly stage: Stage; readonly saved: unknown }[]
  /** What each block solver had to keep. */
  readonly solvers: readonly { readonly solver: BlockSolver; readonly saved: unknown }[]
  /** Handles by row: what names them. */
  readonly handles: readonly (Body | undefined)[]
  /** How often the world had ordered its rows: while that stands, the order in `data` is the world's. */
  readonly orderings: number
  /** The world it was taken from. */
  readonly world: WorldState
  /** Whether a later snapshot has taken its array: it cannot be restored any more. */
  spent: boolean
}

/** A batch in a snapshot, but for its numbers. */
interface SavedBatch {
  readonly batch: Batch
  readonly defs: readonly (object | undefined)[]
  readonly handles: readonly (object | undefined)[]
}

/** Of an array that has become too small, what the next one has of what is needed. */
const ROOM = 1.25

/**
 * A copy of the state: everything that the next steps depend on. It takes the array of `former` if that is large enough; `former` cannot be restored
 * then.
 */
export function takeSnapshot(world: WorldState, former?: Snapshot): Snapshot {
  if (former !== undefined) object('snapshot: former', former)
  world.refreshOrder()
  let size = CLOCK_FIELDS.length + 1 + world.bodies.table.size
  for (const batch of world.batches) size += 2 + 2 * batch.slotRow.length + batch.table.size
  const data = roomFor(size, world, former)
  let at = 0
  for (const field of CLOCK_FIELDS) data[at++] = world.clock[field]
  data[at++] = world.bodies.count
  at = world.bodies.table.save(data, at)
  for (const batch of world.batches) {
    data[at++] = batch.count
    data[at++] = batch.slotRow.length
    data.set(batch.slotRow, at)
    data.set(batch.slotGeneration, at + batch.slotRow.length)
    at = batch.table.save(data, at + 2 * batch.slotRow.length)
    batch.defsShared = true
  }
  return {
    data,
    batches: world.batches.map((batch) => ({ batch, defs: batch.defs, handles: batch.handles.slice() })),
    stages: world.stages.map((stage) => ({ stage, saved: stage.save?.() })),
    solvers: world.solvers.map((solver) => ({ solver, saved: solver.save?.() })),
    handles: world.bodies.handlesByRow(),
    orderings: world.orderings,
    world,
    spent: false,
  }
}

/** An array of so many numbers or more: a former snapshot's, which is spent from then on. */
function roomFor(size: number, world: WorldState, former: Snapshot | undefined): Float64Array {
  if (former === undefined) return new Float64Array(size)
  assertWhole('snapshot: former', world, former)
  former.spent = true
  // Contacts come and go: with room to spare the next one fits too.
  return former.data.length >= size ? former.data : new Float64Array(Math.ceil(ROOM * size))
}

function assertWhole(where: string, world: WorldState, snapshot: Snapshot): void {
  if (snapshot.world !== world) throw new RangeError(`${where} must be of this world, got an object of another`)
  if (snapshot.spent) throw new RangeError(`${where} must have its array, got one that gave it to a later snapshot`)
}

/** Goes back to a snapshot of this world; the order is kept where the snapshot has the present one. */
export function restoreSnapshot(world: WorldState, snapshot: Snapshot): void {
  world.bodies.callbacks.refuse('restore')
  object('restore: snapshot', snapshot)
  const isInOrder = world.isOrderedAs(snapshot.orderings)
  assertWhole('restore: snapshot', world, snapshot)
  world.skipped.length = world.overloaded.length = 0
  const { data } = snapshot
  let at = 0
  for (const field of CLOCK_FIELDS) world.clock[field] = data[at++]
  const count = data[at++]
  at = world.bodies.table.load(data, at, count)
  world.bodies.refreshHandles(snapshot.handles)
  for (const batch of world.batches) {
    if (!snapshot.batches.some((kept) => kept.batch === batch)) batch.clear()
  }
  for (const { batch, defs, handles } of snapshot.batches) {
    const rows = data[at++]
    const slots = data[at++]
    readIntegers(data, at, slots, batch.slotRow)
    readIntegers(data, at + slots, slots, batch.slotGeneration)
    at = batch.table.load(data, at + 2 * slots, rows)
    batch.defs = defs as (object | undefined)[]
    batch.defsShared = true
    batch.handles = handles.slice()
    batch.restored()
    batch.rows.substep = world.clock.substepLength
  }
  for (const stage of world.stages) {
    stage.restore?.(snapshot.stages.find((kept) => kept.stage === stage)?.saved)
  }
  for (const solver of world.solvers) {
    solver.restore?.(snapshot.solvers.find((kept) => kept.solver === solver)?.saved)
  }
  if (isInOrder) world.keepOrder()
  else world.markGraphStale()
}

/** Overwrites a list by `count` integers: sixteen times as fast as `Array.from`. */
function readIntegers(data: Float64Array, from: number, count: number, out: number[]): void {
  out.length = Math.min(out.length, count)
  for (let k = 0; k < count; k++) out[k] = data[from + k] | 0
}
