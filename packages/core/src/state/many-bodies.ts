/** Writes rows of many bodies at once, all of whose columns hold zeros. */

import { unitQuaternion } from '../define/assert.js'
import { type BodyColumns, DYNAMIC, STATIC } from './body-columns.js'
import { type BodiesDef, orientationAt } from './body-definition.js'

/** Where they are, also at the start of the substep and of the step. */
export function writePoses(c: BodyColumns, rows: Int32Array, { positions, orientations }: BodiesDef): void {
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
export function writeMotions(c: BodyColumns, rows: Int32Array, def: BodiesDef): void {
  const { velocities, angularVelocities, gravityScale = 1, linearDamping, angularDamping } = def
  if (velocities !== undefined) writeVectors(c.velocity, rows, velocities)
  if (angularVelocities !== undefined) writeVectors(c.angularVelocity, rows, angularVelocities)
  writeNumber(c.gravityScale, rows, gravityScale)
  if (linearDamping !== undefined) writeNumber(c.linearDamping, rows, linearDamping)
  if (angularDamping !== undefined) writeNumber(c.angularDamping, rows, angularDamping)
}

/** What particles weigh: they have no inertia. */
export function writeParticles(c: BodyColumns, rows: Int32Array, mass: number | ArrayLike<number>): void {
  const { kind, inverseMass, inertiaFrame, position, startPosition } = c
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]
    const m = typeof mass === 'number' ? mass : mass[i]
    kind[row] = m === Infinity ? STATIC : DYNAMIC
    inverseMass[row] = position[4 * row + 3] = startPosition[4 * row + 3] = 1 / m
    inertiaFrame[4 * row + 3] = 1
  }
}

function writeVectors(column: Float64Array, rows: Int32Array, vectors: ArrayLike<number>): void {
  for (let i = 0; i < rows.length; i++) for (let k = 0; k < 3; k++) column[3 * rows[i] + k] = vectors[3 * i + k]
}

function writeNumber(column: Float64Array, rows: Int32Array, value: number): void {
  for (let i = 0; i < rows.length; i++) column[rows[i]] = value
}
