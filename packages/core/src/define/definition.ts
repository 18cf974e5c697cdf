/** What is common to all definitions of constraints: which bodies they name, and the fields of `CommonDef`. */

import { callable, flag, knownFields, nonNegative, object, oneOf, positive, shown } from './assert.js'
import { type Bodies } from '../state/bodies.js'
import { Body } from '../state/body.js'
import { WORLD_BODY } from '../state/body-columns.js'
import type { CommonDef, Solver } from './common.js'
import { relaxationOf, type Settings } from '../state/settings.js'

/** Types that were looked at. */
const sound = /* @__PURE__ */ new WeakSet()

/** Throws unless it is a constraint type, whose functions are there. */
export function checkType(where: string, type: unknown): void {
  if (sound.has(type as object)) return
  const { name, resolve, write, evaluate } = object(where, type)
  if (typeof name !== 'string' || name === '') throw new TypeError(`${where}.name must be a text, got ${shown(name)}`)
  for (const [field, value] of Object.entries({ resolve, write, evaluate })) callable(`${where}.${field}`, value)
  sound.add(type as object)
}

/** The bodies that a definition names: `{ a, b }` with `null` for the world, or `{ bodies }`; `fields` are the type's. */
export function namedBodies(where: string, bodies: Bodies, def: object, fields: readonly string[] = []): number[] {
  object(`${where}: definition`, def)
  const pair = def as { a?: Body | null; b?: Body | null; bodies?: readonly Body[] }
  const isMany = 'bodies' in def || (fields.includes('bodies') && !fields.includes('a'))
  if (isMany && !Array.isArray(pair.bodies)) {
    throw new TypeError(`${where}: bodies must be an array of bodies, got ${shown(pair.bodies)}`)
  }
  return isMany ? manyNamed(where, bodies, pair.bodies ?? []) : pairNamed(where, bodies, pair.a ?? null, pair.b ?? null)
}

function pairNamed(where: string, bodies: Bodies, a: Body | null, b: Body | null): number[] {
  const rows = [rowOf(`${where}: a`, bodies, a, false), rowOf(`${where}: b`, bodies, b, false)]
  if (a === null && b === null) throw new TypeError(`${where}: a or b must be a body, got none`)
  if (a === b) throw twice(where, a)
  return rows
}

function manyNamed(where: string, bodies: Bodies, named: readonly Body[]): number[] {
  const rows = named.map((body, k) => rowOf(`${where}: bodies[${k}]`, bodies, body, true))
  for (let k = 1; k < named.length; k++) if (named.indexOf(named[k]) !== k) throw twice(where, named[k])
  return rows
}

function twice(where: string, body: Body | null): RangeError {
  return new RangeError(`${where}: bodies must differ, got ${body?.label ?? 'the world'} twice`)
}

function rowOf(where: string, bodies: Bodies, body: Body | null, isMany: boolean): number {
  if (body === null && !isMany) return WORLD_BODY
  if (!(body instanceof Body)) {
    throw new TypeError(`${where} must be a body${isMany ? '' : ' or null'}, got ${shown(body)}`)
  }
  bodies.assertAlive(where, body)
  return body.index
}

/** The fields of `CommonDef`. */
const COMMON_FIELDS: readonly string[] = [
  'compliance',
  'stiffness',
  'frequency',
  'dampingRatio',
  'damping',
  'relaxation',
  'regularization',
  'breakForce',
  'breakTorque',
  'enabled',
  'enableCollision',
  'solver',
]

/** What names bodies, and may be `null`: the world. What a user hands to functions of their own may be anything. */
const NULLABLE: readonly string[] = ['a', 'b', 'params']

/** Fields that a type and every definition have, by those of the type. */
const known = /* @__PURE__ */ new WeakMap<readonly string[], readonly string[]>()

/** Refuses fields that neither the type nor every definition has. A type that names none may have any. */
export function checkFields(where: string, def: object, fields: readonly string[] | undefined): void {
  if (fields === undefined) return
  let all = known.get(fields)
  if (all === undefined) known.set(fields, (all = [...fields, ...COMMON_FIELDS]))
  knownFields(`${where}: definition`, def, all, NULLABLE)
}

/** How constraints may be solved, in the order of their codes. */
export const SOLVERS: readonly Solver[] = ['auto', 'direct', 'sweep']

/** Throws where the solver is none, or not one of the type's: `direct` is for joints. */
export function checkSolver(where: string, solver: Solver | undefined, isJoint: boolean): void {
  if (solver === undefined) return
  oneOf(
    `${where}: solver`,
    solver,
    SOLVERS.filter((name) => name !== 'direct' || isJoint),
  )
}

/** Common fields in the form in which they are stored. */
export interface Common {
  compliance: number
  damping: number
  relaxation: number
  regularization: number
  breakForce: number
  breakTorque: number
  enabled: boolean
  solver: Solver
}

/**
 * Checks the common fields. A type that `ownsSoftness` reads stiffness and damping itself. `frequency` is turned into
 * compliance by the world, which knows the masses.
 */
export function resolveCommon(where: string, def: CommonDef, settings: Settings, ownsSoftness: boolean): Common {
  if (ownsSoftness) refuseSoftness(where, def)
  if (def.enableCollision !== undefined) flag(`${where}: enableCollision`, def.enableCollision)
  const soft = ownsSoftness || isRigid(def) ? RIGID : resolveSoftness(where, def)
  return {
    compliance: soft.compliance,
    damping: soft.damping,
    relaxation: relaxationOf(`${where}: relaxation`, def.relaxation ?? settings.relaxation, settings.iterations),
    regularization: nonNegative(`${where}: regularization`, def.regularization ?? settings.regularization),
    breakForce: limit(where, 'breakForce', def.breakForce),
    breakTorque: limit(where, 'breakTorque', def.breakTorque),
    enabled: def.enabled === undefined ? true : flag(`${where}: enabled`, def.enabled),
    solver: def.solver ?? 'auto',
  }
}

const RIGID = { compliance: 0, damping: 0 } as const

/** Whether a definition says nothing of softness. */
function isRigid({ compliance, stiffness, frequency, dampingRatio, damping }: CommonDef): boolean {
  return (
    compliance === undefined &&
    stiffness === undefined &&
    frequency === undefined &&
    dampingRatio === undefined &&
    damping === undefined
  )
}

/** A type with stiffness and damping of its own has no use for the other ways to say them. */
function refuseSoftness(where: string, def: CommonDef): void {
  for (const field of ['compliance', 'frequency', 'dampingRatio'] as const) {
    if (def[field] === undefined) continue
    throw new TypeError(
      `${where}: ${field} must be left out, as it has a stiffness of its own, got ${shown(def[field])}`,
    )
  }
}

/** Compliance and damping of anything that may be soft: a constraint, a limit. */
export function resolveSoftness(where: string, def: CommonDef): { compliance: number; damping: number } {
  const given = [def.compliance, def.stiffness, def.frequency].filter((value) => value !== undefined)
  if (given.length > 1) {
    throw new TypeError(`${where}: give one of compliance, stiffness and frequency, got ${given.length} of them`)
  }
  if (def.frequency !== undefined) positive(`${where}: frequency`, def.frequency)
  if (def.dampingRatio !== undefined) {
    nonNegative(`${where}: dampingRatio`, def.dampingRatio)
    if (def.frequency === undefined) throw new TypeError(`${where}: dampingRatio must go with frequency, got it alone`)
  }
  return {
    compliance:
      def.stiffness === undefined
        ? nonNegative(`${where}: compliance`, def.compliance ?? 0)
        : Math.min(1 / positive(`${where}: stiffness`, def.stiffness), Number.MAX_VALUE),
    damping: nonNegative(`${where}: damping`, def.damping ?? 0),
  }
}

/** A type's resolved definition with the common fields in stored form: what a handle, JSON and `set` start from. */
export function join<Def extends object>(resolved: Def, common: Common, ownsSoftness: boolean): Def & Common {
  // `assign`, as to spread a second object into a literal takes V8 ten times as long.
  const full = Object.assign({}, resolved) as Record<string, unknown>
  if (ownsSoftness) {
    const { compliance: _compliance, damping: _damping, ...others } = common
    return Object.assign(full, others) as unknown as Def & Common
  }
  // What is deleted makes a hash table of an object, four times as large.
  for (const field of ['stiffness', 'frequency', 'dampingRatio']) if (field in full) delete full[field]
  return Object.assign(full, common) as unknown as Def & Common
}

function limit(where: string, field: string, value: number | undefined): number {
  return value === undefined || value === Infinity ? Infinity : positive(`${where}: ${field}`, value)
}

/**
 * `changes` over a stored definition: a new softness, point or axis replaces what it stood for. Of objects in it (`drive`, `limits`,
 * `swing.y`) the fields that are not named stay; what a user hands to functions of their own is replaced as a whole.
 */
export function merge<Def extends object>(def: Def, changes: Partial<Def>): Def {
  const base = { ...def } as Record<string, unknown>
  for (const [fields, replaced] of REPLACES) {
    if (fields.some((field) => field in changes)) for (const field of replaced) delete base[field]
  }
  for (const [field, change] of Object.entries(changes)) {
    base[field] = field === 'params' ? change : mergeValue(base[field], change, 1)
  }
  return base as Def
}

function mergeValue(value: unknown, change: unknown, depth: number): unknown {
  if (!isPlain(value) || !isPlain(change) || depth > DEEPEST) return change
  const merged = { ...value } as Record<string, unknown>
  for (const [field, inner] of Object.entries(change)) merged[field] = mergeValue(merged[field], inner, depth + 1)
  return merged
}

const REPLACES: readonly (readonly [readonly string[], readonly string[]])[] = [
  [
    ['compliance', 'stiffness', 'frequency'],
    ['compliance', 'stiffness', 'frequency', 'dampingRatio'],
  ],
  [['point'], ['anchorA', 'anchorB']],
  [['axis'], ['axisA', 'axisB']],
]

/** Deepest object in a definition whose numbers are looked at: `swing: { y: { compliance } }`. */
const DEEPEST = 3

/** Fields that say how a row gives way: `compliance`, `angularCompliance`, `stiffness`, `bendStiffness`. */
const SOFTNESS = /(compliance|stiffness)$/i

/** Whether a resolved definition has rows that give way, or springs that drive. */
export function givesWay(def: object, depth = 0): boolean {
  const fields = def as Record<string, unknown>
  for (const field of Object.keys(def)) {
    const value = fields[field]
    // Most fields are seen not to be by their values, before their names are read.
    if (typeof value === 'number' && value > 0 && value < Infinity && SOFTNESS.test(field)) return true
    if (depth < DEEPEST && isPlain(value) && givesWay(value, depth + 1)) return true
  }
  return false
}

function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}
