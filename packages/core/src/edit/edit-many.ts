/**
 * Many constraints of one type at once, from arrays: the rows, bits and definitions that adding them one by one gives.
 *
 * Rows that differ in their bodies and in numbers alone are written as copies of the first, with columns of those numbers laid over them; none has a
 * definition or a handle of its own until one is asked for. All others are checked one after the other, and then made.
 */

import { array, finite, inContext, integer, knownFields, object, shown } from '../define/assert.js'
import type { ConstraintsDef } from '../define/common.js'
import type { ConstraintType, ManyNumbers, ManyRows } from '../define/contract.js'
import { checkFields, checkType, type Common, givesWay } from '../define/definition.js'
import type { AnyType, Batch, CommonColumn } from '../state/batch.js'
import { Body } from '../state/body.js'
import { WORLD_BODY } from '../state/body-columns.js'
import { pushMany, repeatRow, shareDefinitions, SharedDefinitions } from '../state/bulk-rows.js'
import type { WorldState } from '../state/world-state.js'
import { ConstraintList, listOf } from './constraint-list.js'
import { anyRotates, batchFor, checkRow, disturbAround, insertRow, removeAdded, type Slot, writeRow } from './edit.js'

type Fields = Readonly<Record<string, unknown>>
type Numbers = Readonly<Record<string, Float64Array>>

/** What was asked for, as far as it does not depend on the type's own fields. */
interface Asked {
  readonly where: string
  readonly type: AnyType
  readonly count: number
  readonly arity: number
  readonly bodies: readonly (Body | null)[]
  readonly indices: ArrayLike<number>
  /** Rows of the table of bodies, `arity` a constraint. */
  readonly rows: Int32Array
  /** Whether definitions name `a` and `b` rather than `bodies`. */
  readonly isPair: boolean
  readonly shared: Fields
  readonly each: Readonly<Record<string, ArrayLike<unknown>>>
}

const FIELDS: readonly (keyof ConstraintsDef<object>)[] = ['bodies', 'indices', 'arity', 'shared', 'each']

/**
 * Adds many constraints of one type from arrays: `addConstraints(world, distance, { bodies, indices: edges, each: { length } })`. The result equals that of
 * adding them one by one, in their order. Throws `TypeError`/`RangeError`, and adds nothing, when an entry is wrong.
 */
export function addConstraints<Def extends object, Resolved extends Def = Def>(
  world: WorldState,
  type: ConstraintType<Def, string, Resolved>,
  def: ConstraintsDef<Def>,
): ConstraintList<Def> {
  world.bodies.callbacks.refuse('addConstraints')
  checkType('addConstraints: type', type)
  const asked = read(world, type as unknown as AnyType, def)
  return (addAlike(world, asked) ?? addOneByOne(world, asked)) as unknown as ConstraintList<Def>
}

function read(world: WorldState, type: AnyType, def: object): Asked {
  const where = `addConstraints: ${type.name}`
  const given = knownFields(where, def, FIELDS)
  const bodies = array(`${where}: bodies`, given.bodies) as readonly (Body | null)[]
  const arity = arityOf(where, type, given.arity)
  const tableRows = rowsOf(world, `${where}: bodies`, bodies)
  const indices = listIn(`${where}: indices`, given.indices)
  if (indices.length % arity !== 0) {
    throw new RangeError(`${where}: indices must be ${arity} a constraint, got ${indices.length} entries`)
  }
  const rows = rowsAt(`${where}: indices`, indices, tableRows)
  const count = rows.length / arity
  const fields = type.fields ?? []
  const shared = given.shared === undefined ? {} : fieldsIn(`${where}: shared`, type, given.shared)
  const each = given.each === undefined ? {} : fieldsIn(`${where}: each`, type, given.each)
  for (const field of Object.keys(each)) {
    if (field in shared) throw new TypeError(`${where}: ${field} must be in shared or in each, got both`)
    const { length } = listIn(`${where}: each.${field}`, each[field])
    if (length !== count) throw new RangeError(`${where}: each.${field} must be of ${count} entries, got ${length}`)
  }
  return {
    where,
    type,
    count,
    arity,
    bodies,
    indices: indices as ArrayLike<number>,
    rows,
    isPair: arity === 2 && (fields.includes('a') || !fields.includes('bodies')),
    shared,
    each: each as Record<string, ArrayLike<unknown>>,
  }
}

function arityOf(where: string, type: AnyType, given: unknown): number {
  if (type.arity === undefined) return integer(`${where}: arity`, given, 1)
  if (given !== undefined && given !== type.arity) {
    throw new RangeError(`${where}: arity must be ${type.arity}, got ${shown(given)}`)
  }
  return type.arity
}

/** Rows of the table of bodies. */
function rowsOf({ bodies: table }: WorldState, where: string, bodies: readonly (Body | null)[]): Int32Array {
  const rows = new Int32Array(bodies.length)
  for (let k = 0; k < rows.length; k++) {
    const body = bodies[k]
    if (body === null) rows[k] = WORLD_BODY
    else if (body instanceof Body && table.isAlive(body)) rows[k] = body.index
    else table.assertAlive(`${where}[${k}]`, body)
  }
  return rows
}

/** Those of them that places in their list say. */
function rowsAt(where: string, places: ArrayLike<unknown>, list: Int32Array): Int32Array {
  const rows = new Int32Array(places.length)
  for (let k = 0; k < rows.length; k++) {
    const at = places[k]
    const row = typeof at === 'number' ? (list[at] as number | undefined) : undefined
    if (row === undefined) throw noPlace(`${where}[${k}]`, at, list.length)
    rows[k] = row
  }
  return rows
}

function noPlace(where: string, at: unknown, length: number): Error {
  finite(where, at)
  return new RangeError(`${where} must be an integer from 0 to ${length - 1}, got ${String(at)}`)
}

function listIn(where: string, value: unknown): ArrayLike<unknown> {
  const list = value as ArrayLike<unknown> | null | undefined
  if (typeof list !== 'object' || typeof list?.length !== 'number') {
    throw new TypeError(`${where} must be an array, got ${shown(value)}`)
  }
  return list
}

/** Fields of definitions, of which none names bodies. */
function fieldsIn(where: string, type: AnyType, given: unknown): Fields {
  const fields = object(where, given)
  for (const name of ['a', 'b', 'bodies']) {
    if (name in fields)
      throw new TypeError(`${where}: ${name} must be left out, as indices say it, got ${shown(fields[name])}`)
  }
  checkFields(where, fields, type.fields)
  return fields
}

/** The definition of one of them, as a user would write it. */
function definitionAt({ arity, bodies, indices, isPair, shared, each }: Asked, k: number): object {
  const joined = Array.from({ length: arity }, (_, b) => bodies[indices[arity * k + b]])
  const def: Record<string, unknown> = isPair ? { a: joined[0], b: joined[1] } : { bodies: joined }
  Object.assign(def, shared)
  for (const field of Object.keys(each)) def[field] = each[field][k]
  return def
}

/** Checks all, then makes one after the other. */
function addOneByOne(world: WorldState, asked: Asked): ConstraintList {
  const { where, type, count } = asked
  const checked = Array.from({ length: count }, (_, k) => {
    const def = definitionAt(asked, k)
    return { def, row: inContext(`${where}: constraint ${k}`, () => checkRow(world, type, def, false)) }
  })
  const made: Slot[] = []
  try {
    for (const { def, row } of checked) made.push(insertRow(world, type, row, def, false))
  } catch (error) {
    // A user's own function threw.
    removeAdded(world, made)
    throw error
  }
  return listOf(world, made)
}

/** Common fields that may differ from row to row, each with its column: the numbers of a definition as it is stored. */
const COMMON_NUMBERS = ['compliance', 'damping', 'breakForce', 'breakTorque'] as const

/** Rows that differ in their bodies and in numbers alone. */
interface Alike {
  readonly many: ManyRows
  /** The resolved definition of the first. */
  readonly full: object
  /** Numbers of the common fields, and of the type's own. */
  readonly common: Numbers
  readonly own: ManyNumbers
}

/** Makes rows of which all is known by the first and some numbers; nothing where they are not like that, or one of them is to be refused. */
function addAlike(world: WorldState, asked: Asked): ConstraintList | undefined {
  const alike = checkAlike(world, asked)
  if (alike === undefined) return undefined
  const { type, count, arity, rows } = asked
  const batch = batchFor(world, type, arity, type.variant?.(alike.full) ?? 0)
  world.bodies.wakeAll(rows)
  const first = pushMany(batch, rows, world.clock.sequence)
  world.clock.sequence += count
  const slots = new Int32Array(batch.common.slot.subarray(first, batch.count))
  const numbers = { ...alike.common, ...alike.own.fields }
  shareDefinitions(batch, first, new SharedDefinitions(alike.full, numbers, slots, world.bodies))
  batch.rows.strict = true
  try {
    writeAlike(world, batch, first, alike)
  } catch (error) {
    // A user's own function threw.
    removeAdded(
      world,
      Array.from(slots, (slot) => ({ batch, slot })),
    )
    throw error
  } finally {
    batch.rows.strict = false
  }
  world.markOrderStale(batch)
  return new ConstraintList(world, [batch], slots)
}

function checkAlike(world: WorldState, asked: Asked): Alike | undefined {
  const { where, type, count, rows } = asked
  const { many } = type
  if (many === undefined || count === 0 || !isPlain(asked, many)) return undefined
  const def = definitionAt(asked, 0)
  const { full } = inContext(`${where}: constraint 0`, () => checkRow(world, type, def, false))
  const given = numbersIn(asked.each)
  const common = given === undefined ? undefined : commonNumbers(given)
  if (given === undefined || common === undefined) return undefined
  const own = (many as ManyRows<object>).numbers(def, rows, given, world.bodies.columns)
  return own === undefined ? undefined : { many, full, common, own }
}

function writeAlike(world: WorldState, batch: Batch, first: number, { many, full, common, own }: Alike): void {
  writeRow(world, batch, first, full)
  repeatRow(batch, first, batch.count)
  writeCommon(world, batch, first, full as Common, common)
  for (const [field, column] of Object.entries(many.columns)) {
    if (field in own.fields) batch.common[column as CommonColumn].set(own.fields[field], first)
  }
  if (!own.isSatisfied) for (let row = first; row < batch.count; row++) disturbAround(world, batch, row, 0)
}

/** Whether nothing but bodies and numbers may set the rows apart. */
function isPlain({ type, arity, rows, isPair, shared, each }: Asked, many: ManyRows): boolean {
  // Frequencies go by masses, and large relaxations by whether bodies rotate.
  if (type.traits?.ownsSoftness === true || shared.frequency !== undefined || Number(shared.relaxation) > 1)
    return false
  for (const field of Object.keys(each)) {
    const isCommon = field === 'stiffness' || (COMMON_NUMBERS as readonly string[]).includes(field)
    if (!isCommon && !(field in many.columns)) return false
  }
  return (isPair || !rows.includes(WORLD_BODY)) && !isAnyTwice(rows, arity)
}

/** Whether one of them has a body twice. */
function isAnyTwice(rows: Int32Array, arity: number): boolean {
  for (let k = 0; k < rows.length; k += arity) {
    for (let b = k + 1; b < k + arity; b++)
      for (let other = k; other < b; other++) if (rows[other] === rows[b]) return true
  }
  return false
}

/** Copies of the arrays; nothing where an entry is no number. */
function numbersIn(each: Asked['each']): Numbers | undefined {
  const numbers: Record<string, Float64Array> = {}
  for (const field of Object.keys(each)) {
    const list = each[field]
    const column = (numbers[field] = new Float64Array(list.length))
    for (let k = 0; k < column.length; k++) {
      const value = list[k]
      if (typeof value !== 'number') return undefined
      column[k] = value
    }
  }
  return numbers
}

/** Those of the common fields, as definitions store them; nothing where one is to be refused. */
function commonNumbers(given: Numbers): Numbers | undefined {
  const numbers: Record<string, Float64Array> = {}
  for (const field of COMMON_NUMBERS) if (field in given) numbers[field] = given[field]
  if ('stiffness' in given) {
    if (!given.stiffness.every((k) => k > 0 && k < Infinity)) return undefined
    numbers.compliance = given.stiffness.map((k) => 1 / k)
  }
  for (const field of Object.keys(numbers)) {
    const isLimit = field === 'breakForce' || field === 'breakTorque'
    const isRight = isLimit ? (x: number) => x > 0 : (x: number) => x >= 0 && (x < Infinity || 'stiffness' in given)
    if (!numbers[field].every(isRight)) return undefined
  }
  return numbers
}

/** Writes what differs of the common columns. */
function writeCommon(world: WorldState, batch: Batch, first: number, full: Common, numbers: Numbers): void {
  const { compliance, rayleigh, breakForce, breakTorque, relaxation, yields, body } = batch.common
  if ('breakForce' in numbers) breakForce.set(numbers.breakForce, first)
  if ('breakTorque' in numbers) breakTorque.set(numbers.breakTorque, first)
  if ('compliance' in numbers || 'damping' in numbers) {
    const gives = givesWay({ ...full, compliance: 0 })
    for (let row = first, k = 0; row < batch.count; row++, k++) {
      const c = 'compliance' in numbers ? numbers.compliance[k] : full.compliance
      compliance[row] = c
      rayleigh[row] = ('damping' in numbers ? numbers.damping[k] : full.damping) * c
      yields[row] = gives || (c > 0 && c < Infinity) ? 1 : 0
    }
  }
  if (!(full.relaxation > 1)) return
  const { arity, type } = batch
  for (let row = first; row < batch.count; row++) {
    const isStraight =
      type.traits?.isCurved !== true && !anyRotates(world.bodies.columns, body.subarray(arity * row, arity * (row + 1)))
    relaxation[row] = isStraight ? full.relaxation : Math.min(1, full.relaxation)
  }
}
