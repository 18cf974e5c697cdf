/** Adds many bodies at once: rows of columns that are written together. */

import { finite, finiteVector, integer, knownFields, nonNegative, object, unitQuaternion } from '../define/assert.js'
import type { Bodies } from '../state/bodies.js'
import type { Body } from '../state/body.js'
import { type BodyColumns, DYNAMIC, STATIC } from '../state/body-columns.js'
import { type BodiesDef, inertiaOf, massOf } from '../state/body-definition.js'
import type { WorldState } from '../state/world-state.js'

const BODIES_FIELDS: readonly (keyof BodiesDef)[] = [
  'count',
  'positions',
  'orientations',
  'velocities',
  'angularVelocities',
  'mass',
  'inertia',
  'gravityScale',
  'linearDamping',
  'angularDamping',
]

/** Adds many bodies or particles from typed arrays; throws, and adds nothing, when an entry is wrong. */
export function addBodies({ bodies }: WorldState, def: BodiesDef): Body[] {
  bodies.callbacks.refuse('addBodies')
  checkBodies(def)
  bodies.table.reserve(bodies.count + def.count)
  const rows = Int32Array.from({ length: def.count }, () => bodies.takeRow())
  writePoses(bodies.columns, rows, def)
  writeMotions(bodies.columns, rows, def)
  const { inertia, mass = 1 } = def
  if (inertia === undefined) writeParticles(bodies.columns, rows, mass)
  else writeSolids(bodies, rows, mass, inertia)
  const made = new Array<Body>(rows.length)
  for (let i = 0; i < rows.length; i++) made[i] = bodies.giveOut(rows[i], undefined)
  return made
}

/** Throws when an entry of the definition of many bodies is wrong. */
function checkBodies(def: BodiesDef): void {
  const where = 'addBodies'
  object(`${where}: definition`, def)
  knownFields(where, def, BODIES_FIELDS)
  const { mass, inertia, orientations } = def
  const n = integer(`${where}: count`, def.count, 0)
  finiteVector(`${where}: positions`, def.positions, 3 * n)
  if (orientations !== undefined) finiteVector(`${where}: orientations`, orientations, 4 * n)
  if (def.velocities !== undefined) finiteVector(`${where}: velocities`, def.velocities, 3 * n)
  if (def.angularVelocities !== undefined) finiteVector(`${where}: angularVelocities`, def.angularVelocities, 3 * n)
  if (mass !== undefined && typeof mass !== 'object') massOf(`${where}: mass`, mass)
  const shared = inertia !== undefined && inertia.length === 3
  if (inertia !== undefined) finiteVector(`${where}: inertia`, inertia, shared ? 3 : 3 * n)
  if (typeof mass === 'object' && mass.length !== n) {
    throw new RangeError(`${where}: mass must be a number or an array of ${n} numbers, got ${mass.length} entries`)
  }
  for (let i = 0; i < n; i++) {
    if (typeof mass === 'object' && !isMass(mass[i])) massOf(`${where}: mass[${i}]`, mass[i])
    if (orientations !== undefined) unitQuaternion(`${where}: orientations[${i}]`, orientationAt(orientations, i))
    if (inertia !== undefined && (!shared || i === 0)) inertiaOf(`${where}: inertia[${i}]`, momentsAt(inertia, i))
  }
  finite(`${where}: gravityScale`, def.gravityScale ?? 1)
  nonNegative(`${where}: linearDamping`, def.linearDamping ?? 0)
  nonNegative(`${where}: angularDamping`, def.angularDamping ?? 0)
}

/** The `i`-th of rotations in a row. */
function orientationAt(flat: ArrayLike<number>, i: number): [number, number, number, number] {
  return [flat[4 * i], flat[4 * i + 1], flat[4 * i + 2], flat[4 * i + 3]]
}

/** Principal moments of the `i`-th of many bodies, or those of all. */
function momentsAt(flat: ArrayLike<number>, i: number): [number, number, number] {
  const at = flat.length === 3 ? 0 : 3 * i
  return [flat[at], flat[at + 1], flat[at + 2]]
}

function isMass(mass: unknown): boolean {
  return typeof mass === 'number' && mass > 0 && 1 / mass < Infinity
}

/** Where they are, also at the start of the substep and of the step. */
function writePoses(c: BodyColumns, rows: Int32Array, { positions, orientations }: BodiesDef): void {
  const { position, startPosition, previousPosition } = c
  const { orientation, startOrientation, previousOrientation } = c
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]
    for (let k = 0; k < 3; k++) {
      position[4 * row + k] = startPosition[4 * row + k] = previousPosition[3 * row + k] = positions[3 * i + k]
    }
    const w = 4 * row + 3
    orientation[w] = startOrientation[w] = previousOrientation[w] = 1
  }
  if (orientations === undefined) return
  for (let i = 0; i < rows.length; i++) {
    const q = unitQuaternion('addBodies: orientations', orientationAt(orientations, i))
    orientation.set(q, 4 * rows[i])
    startOrientation.set(q, 4 * rows[i])
    previousOrientation.set(q, 4 * rows[i])
  }
}

/** Their velocities, and what changes those. */
function writeMotions(c: BodyColumns, rows: Int32Array, def: BodiesDef): void {
  const { velocities, angularVelocities, gravityScale = 1, linearDamping, angularDamping } = def
  if (velocities !== undefined) writeVectors(c.velocity, rows, velocities)
  if (angularVelocities !== undefined) writeVectors(c.angularVelocity, rows, angularVelocities)
  writeNumber(c.gravityScale, rows, gravityScale)
  if (linearDamping !== undefined) writeNumber(c.linearDamping, rows, linearDamping)
  if (angularDamping !== undefined) writeNumber(c.angularDamping, rows, angularDamping)
}

/** What particles weigh: they have no inertia. */
function writeParticles(c: BodyColumns, rows: Int32Array, mass: number | ArrayLike<number>): void {
  const { kind, inverseMass, inertiaFrame, position, startPosition } = c
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]
    const m = typeof mass === 'number' ? mass : mass[i]
    kind[row] = m === Infinity ? STATIC : DYNAMIC
    inverseMass[row] = position[4 * row + 3] = startPosition[4 * row + 3] = 1 / m
    inertiaFrame[4 * row + 3] = 1
  }
}

/** What bodies that turn weigh. */
function writeSolids(
  bodies: Bodies,
  rows: Int32Array,
  mass: number | ArrayLike<number>,
  inertia: ArrayLike<number>,
): void {
  const { kind, position, startPosition } = bodies.columns
  for (let i = 0; i < rows.length; i++) {
    const m = typeof mass === 'number' ? mass : mass[i]
    kind[rows[i]] = m === Infinity ? STATIC : DYNAMIC
    bodies.writeMass(rows[i], m, inertiaOf('addBodies: inertia', momentsAt(inertia, i)))
    startPosition[4 * rows[i] + 3] = position[4 * rows[i] + 3]
  }
}

function writeVectors(column: Float64Array, rows: Int32Array, vectors: ArrayLike<number>): void {
  for (let i = 0; i < rows.length; i++) for (let k = 0; k < 3; k++) column[3 * rows[i] + k] = vectors[3 * i + k]
}

function writeNumber(column: Float64Array, rows: Int32Array, value: number): void {
  for (let i = 0; i < rows.length; i++) column[rows[i]] = value
}
