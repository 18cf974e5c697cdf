/** `World.project`: moves all bodies onto the rigid constraints, without time and without speed. */

import { integer, knownFields, nonNegative } from '../define/assert.js'
import { rotationBetween, rotate } from '../math/rotation.js'
import { DYNAMIC } from '../state/body-columns.js'
import { refreshInertia } from '../state/inertia.js'
import type { WorldState } from '../state/world-state.js'
import { isRigid, projectSwept, violationOf } from './projection.js'

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

/**
 * Moves bodies onto all rigid constraints, inside limits and out of contacts, to a pose near the present one in the metric of mass. No
 * time passes and no velocity changes; compliant constraints, springs and drives take no part. Trees of joints are solved
 * together, loops by their border, the rest by sweeps. The report holds the violation that `maxMove` or `iterations` leave.
 * (Waterson, section 11.) Throws `TypeError`/`RangeError` for a wrong option.
 */
export function projectWorld(world: WorldState, options: ProjectOptions = {}): ProjectReport {
  world.bodies.callbacks.refuse('project')
  knownFields('project: options', options, ['tolerance', 'iterations', 'maxMove'])
  const { tolerance = 1e-9, iterations = 20, maxMove = Infinity } = options
  nonNegative('project: tolerance', tolerance)
  integer('project: iterations', iterations, 1, 1e6)
  if (maxMove !== Infinity) nonNegative('project: maxMove', maxMove)
  world.markGraphStale()
  const report = project(world, tolerance, iterations, maxMove)
  world.markGraphStale()
  world.bodies.callbacks.finish()
  return report
}

function project(world: WorldState, tolerance: number, iterations: number, far: number): ProjectReport {
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
    for (let sweep = 0; sweep < SWEEPS_A_PASS; sweep++) if (projectSwept(world) <= tolerance) break
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
