/** A batch: the rows of one constraint type that run through one loop. */

import type { ConstraintType, Loops } from '../define/contract.js'
import { Incidence } from '../graph/incidence.js'
import { Rows } from '../define/rows.js'
import { type Columns, FreeNumbers, type Strides, Table } from './table.js'

/** Columns that every batch has, whatever its type. */
export type CommonColumn =
  /** Accumulated multipliers λ. */
  | 'lambda'
  /** Compliance [m/N or rad/(N m)] and damping · compliance [s], as defined. */
  | 'compliance'
  | 'rayleigh'
  /** ξ and α. */
  | 'relaxation'
  | 'regularization'
  /** a and γ of this substep, from the two above. */
  | 'softness'
  | 'gamma'
  | 'breakForce'
  | 'breakTorque'
  /** 1 while the row acts. */
  | 'enabled'
  /** 1 while it takes part in the sweep: it acts, and some body of it moves. */
  | 'live'
  /** 1 when it broke, which also switched it off. */
  | 'broken'
  /** Substeps in a row in which it was not finite (faults.ts). */
  | 'faults'
  /** How it is to be solved (direct/gather.ts), and 1 while a tree does. */
  | 'solver'
  | 'direct'
  /** 1 where it gives way: it may store energy. */
  | 'yields'
  /** The handle's slot, and the count of constraints made before it. */
  | 'slot'
  | 'sequence'
  /** Rows of the bodies it joins; `ids` mirrors it as integers. */
  | 'body'
  /** Gradients kept for `jacobians: 'frozen'` and `'start'`; empty otherwise. */
  | 'jacobian'

/** Slots that the first row makes room for. */
const FIRST_SLOTS = 16

/** Stands for definitions of constraints that are made when they are asked for: apart from `SharedDefinitions`, which only `addConstraints` needs. */
export abstract class DefinitionSource {
  /** One field of the definition of a slot, other than its bodies. */
  abstract field(slot: number, name: string): unknown

  /** The definition of a slot that joins the rows `bodies`. */
  abstract make(slot: number, bodies: ArrayLike<number>): object
}

/** A constraint type with its generics forgotten: what the core stores. */
export type AnyType = ConstraintType<object>

/** Rows of one type, one arity and one variant, in sweep order: live rows first, by layer, colour and age. */
export class Batch<Column extends string = string> {
  readonly table: Table<Column | CommonColumn>
  /** Body rows, `arity` a row. */
  ids: Int32Array = new Int32Array(0)
  /** Live rows: the first `active` ones; of these the first `swept` are swept, the others belong to trees. */
  active = 0
  swept = 0
  /** Some row has damping, or a break limit. */
  damped = false
  breakable = false
  /** Some live row was not finite in the last substep. */
  faulty = false
  /** The substep [s] that `softness` and `gamma` are for; 0 when rows have changed since. */
  softFor = 0
  /** Starts of the runs of one layer and colour among the live rows, closed by `active`. */
  segments: Int32Array = new Int32Array(1)
  segmentCount = 0
  /** The first rows of those that are swept belong to nets, and the first runs with them: they are swept out and back. */
  inNets = 0
  netSegments = 0
  /** What the type's `arrange` derived from the order: made with it, and no part of the state. */
  plan: object | undefined
  /** Definitions by slot, or what makes them: `definition` reads them. Copied before a change while a snapshot holds them. */
  defs: (object | undefined)[] = []
  defsShared = false
  /** Row and generation by slot. */
  slotRow: number[] = []
  slotGeneration: number[] = []
  /** By slot: the handle that was given out, where one was (`handleOf`). */
  handles: (object | undefined)[] = []
  readonly rows: Rows
  /** By slot: the generation that it is given out with next. Never taken back, or a restore would bring stale handles to life. */
  private nextGeneration: Int32Array = new Int32Array(0)
  private readonly freeSlots = new FreeNumbers()
  /** The rows of each body, once they were asked for: see `incidence`. */
  links: Incidence | undefined
  readonly key: string

  readonly type: AnyType
  /** What the step runs over its rows: the type itself, or compiled loops in its place. */
  loops: Loops
  readonly arity: number
  readonly variant: number

  constructor(type: AnyType, arity: number, variant: number, keepsJacobians: boolean) {
    this.type = type
    this.loops = type.loop ?? {}
    this.arity = arity
    this.variant = variant
    this.key = batchKey(type, arity, variant)
    const multipliers = type.multipliers
    const common: Strides<CommonColumn> = {
      lambda: multipliers,
      compliance: 1,
      rayleigh: 1,
      relaxation: 1,
      regularization: 1,
      softness: 1,
      gamma: 1,
      breakForce: 1,
      breakTorque: 1,
      enabled: 1,
      live: 1,
      broken: 1,
      faults: 1,
      solver: 1,
      direct: 1,
      yields: 1,
      slot: 1,
      sequence: 1,
      body: arity,
      jacobian: keepsJacobians ? 6 * arity * multipliers : 0,
    }
    this.table = new Table({ ...type.columns, ...common } as Strides<Column | CommonColumn>)
    this.rows = new Rows(arity, multipliers, type.traits?.hasTangent === true)
  }

  get columns(): Columns<Column | CommonColumn> {
    return this.table.columns
  }

  /** The common columns, for code that knows no type. */
  get common(): Columns<CommonColumn> {
    return this.table.columns as Columns<CommonColumn>
  }

  /** All rows, disabled ones included. */
  get count(): number {
    return this.table.count
  }

  /** Appends a row for `bodies` and gives it a slot. The caller writes it and marks the order stale. */
  push(bodies: ArrayLike<number>, sequence: number, def: object): number {
    const row = this.table.push()
    const slot = this.takeSlot()
    const { body, slot: slots, sequence: sequences } = this.common
    for (let b = 0; b < this.arity; b++) body[this.arity * row + b] = bodies[b]
    this.mirrorRow(row)
    slots[row] = slot
    sequences[row] = sequence
    this.slotRow[slot] = row
    this.setDef(slot, def)
    this.links?.add(slot, bodies, 0)
    return row
  }

  /** The definition of what a slot holds, with everything that was left out filled in. */
  definition(slot: number): object | undefined {
    const def = this.defs[slot]
    if (!(def instanceof DefinitionSource)) return def
    const at = this.arity * this.slotRow[slot]
    // A snapshot may keep it too: it says the same.
    return (this.defs[slot] = def.make(slot, this.common.body.subarray(at, at + this.arity)))
  }

  /** One field of it, other than bodies: where many rows are looked through, no definition is made for that. */
  definitionField(slot: number, name: string): unknown {
    const def = this.defs[slot]
    return def instanceof DefinitionSource ? def.field(slot, name) : (def as Record<string, unknown>)[name]
  }

  /** Which rows each body has: made when it is first asked for, kept up to date from then on, and forgotten when the table is overwritten. */
  get incidence(): Incidence {
    if (this.links !== undefined) return this.links
    this.links = new Incidence(this.arity)
    const { body, slot } = this.common
    for (let row = 0; row < this.count; row++) this.links.add(slot[row], body, this.arity * row)
    return this.links
  }

  /** Gives a row up: the last row takes its place until the next ordering. */
  remove(slot: number): void {
    const row = this.slotRow[slot]
    const last = this.table.count - 1
    this.table.copyRow(last, row)
    this.mirrorRow(row)
    this.slotRow[this.common.slot[row]] = row
    this.table.count--
    this.slotRow[slot] = -1
    this.freeSlots.add(slot)
    this.slotGeneration[slot] = this.nextGeneration[slot]
    if (slot < this.handles.length) this.handles[slot] = undefined
    this.setDef(slot, undefined)
    this.links?.remove(slot)
  }

  /** One run of all rows that act: how rows of an unordered type are swept. */
  closeSegments(): void {
    if (this.segments.length < 2) this.segments = new Int32Array(2)
    this.segments[0] = this.inNets = this.netSegments = 0
    this.segments[1] = this.active
    this.segmentCount = this.active > 0 ? 1 : 0
  }

  setDef(slot: number, def: object | undefined): void {
    if (this.defsShared) {
      this.defs = this.defs.slice()
      this.defsShared = false
    }
    this.defs[slot] = def
  }

  /** Removes every row. */
  clear(): void {
    this.table.count = 0
    this.slotRow.fill(-1)
    this.restored()
  }

  /** Brings what is kept outside the table up to date after it was overwritten. */
  restored(): void {
    this.links = undefined
    this.freeSlots.clear()
    for (let slot = 0; slot < this.slotRow.length; slot++) if (this.slotRow[slot] < 0) this.freeSlots.add(slot)
    this.refresh()
  }

  /** Rebuilds what mirrors the table: integer ids, rows by slot, and the flags. */
  refresh(): void {
    const { count, slotRow } = this
    const { body, slot, rayleigh, breakForce, breakTorque, faults } = this.common
    this.reserveIds()
    this.softFor = 0
    this.ids.set(body.subarray(0, this.arity * count))
    for (let row = 0; row < count; row++) slotRow[slot[row]] = row
    this.damped = isAnyAbove(rayleigh, count, 0)
    this.faulty = isAnyAbove(faults, count, 0)
    this.breakable = isAnyBelow(breakForce, count, Infinity) || isAnyBelow(breakTorque, count, Infinity)
    this.countActive()
    if (this.type.traits?.unordered === true) this.closeSegments()
  }

  /** Counts the rows that are live, and those of them that no tree solves. */
  private countActive(): void {
    const { live, direct } = this.common
    let active = 0
    let swept = 0
    for (let row = 0; row < this.count; row++) {
      active += live[row]
      if (direct[row] === 0) swept += live[row]
    }
    this.active = active
    this.swept = swept
  }

  /** Keeps `ids` right for one row until the next ordering: a handle may ask for its error before. */
  private mirrorRow(row: number): void {
    this.reserveIds()
    const { body } = this.common
    for (let k = this.arity * row; k < this.arity * (row + 1); k++) this.ids[k] = body[k]
  }

  reserveIds(): void {
    const length = this.arity * this.table.capacity
    if (this.ids.length === length) return
    const { ids } = this
    this.ids = new Int32Array(length)
    this.ids.set(ids.subarray(0, Math.min(ids.length, length)))
  }

  /** The lowest free slot, so that the same adds and removes give the same slots. */
  takeSlot(): number {
    const slot = this.freeSlots.count > 0 ? this.freeSlots.take() : this.slotRow.push(-1) - 1
    if (slot >= this.nextGeneration.length) this.reserveGenerations(2 * slot + FIRST_SLOTS)
    this.slotGeneration[slot] = this.nextGeneration[slot]++
    return slot
  }

  private reserveGenerations(length: number): void {
    const before = this.nextGeneration
    this.nextGeneration = new Int32Array(length)
    this.nextGeneration.set(before)
  }
}

function isAnyAbove(column: Float64Array, count: number, least: number): boolean {
  for (let row = 0; row < count; row++) if (column[row] > least) return true
  return false
}

function isAnyBelow(column: Float64Array, count: number, most: number): boolean {
  for (let row = 0; row < count; row++) if (column[row] < most) return true
  return false
}

/** What tells batches apart: type, arity, variant. */
export function batchKey(type: AnyType, arity: number, variant: number): string {
  return `${type.name}/${arity}/${variant}`
}

/**
 * Makes a batch `count` rows long, of which the first `active` act: slots are rows. Existing rows keep their contents, others hold zeros or anything: the
 * caller writes its columns, `body` and `ids`.
 */
export function setRows(batch: Batch, count: number, active: number): void {
  const before = batch.table.count
  if (count > batch.table.capacity) batch.table.reserve(2 * count)
  batch.table.count = count
  batch.reserveIds()
  const { slotRow, slotGeneration } = batch
  for (let row = slotRow.length; row < count; row++) slotGeneration[row] = slotRow.push(row) - 1 - row
  const c = batch.common
  for (let row = before; row < count; row++) {
    c.enabled[row] = c.relaxation[row] = 1
    c.breakForce[row] = c.breakTorque[row] = Infinity
    c.compliance[row] = c.rayleigh[row] = c.regularization[row] = c.softness[row] = c.gamma[row] = 0
    c.broken[row] = c.faults[row] = c.solver[row] = c.direct[row] = c.yields[row] = 0
    c.slot[row] = c.sequence[row] = slotRow[row] = row
  }
  for (let row = count; row < before; row++) slotRow[row] = -1
  for (let row = 0; row < count; row++) c.live[row] = row < active ? 1 : 0
  batch.links = undefined
  batch.damped = batch.breakable = false
  batch.active = batch.swept = active
  batch.closeSegments()
}
