/** What a world tells of its constraints: residuals, forces, and what breaks. Everything comes from `evaluate`. */

import type { Batch } from '../state/batch.js'
import type { BodyColumns } from '../state/body-columns.js'
import { measureReaction } from '../step/reaction.js'
import { groupResidual } from '../step/row-solver.js'
import type { Rows, Unit } from '../define/rows.js'
import type { WorldView } from '../define/contract.js'
import type { WorldState } from '../state/world-state.js'

/** Largest and root-mean-square error of the rows of one kind. */
export interface ErrorSummary {
  max: number
  rms: number
  /** How many were measured. */
  count: number
}

/** Errors of one constraint type. Kinds of row that it does not have are absent. */
export interface TypeResidual {
  /** [m] */
  linear?: ErrorSummary
  /** [rad] */
  angular?: ErrorSummary
  /** Six times a volume [m³], or without unit. */
  other?: ErrorSummary
}

/** Force [N] on a constraint's first body, and the couple [N m] of its angular rows. */
export interface Reaction {
  force: [number, number, number]
  torque: [number, number, number]
}

function kindOf(unit: Unit): keyof TypeResidual {
  return unit === 'm' ? 'linear' : unit === 'rad' ? 'angular' : 'other'
}

/** Largest and rms error by constraint type, at the present pose: [m] for `linear`, [rad] for `angular`. */
export function residualsOf(world: WorldState): Record<string, TypeResidual> {
  world.refreshOrder()
  const result: Record<string, TypeResidual> = {}
  for (const batch of world.batches) {
    const entry = (result[batch.type.name] ??= {})
    for (let row = 0; row < batch.active; row++) {
      const rows = evaluated(world.bodies.columns, batch, row)
      for (let g = 0; g < rows.groupCount; g++) {
        const group = rows.groups[g]
        if (group.law !== 'position') continue
        const error = groupResidual(batch, row, rows, group, world.clock.substepLength)
        const summary = (entry[kindOf(group.unit)] ??= { max: 0, rms: 0, count: 0 })
        summary.max = Math.max(summary.max, error)
        summary.rms += error * error
        summary.count++
      }
    }
  }
  for (const entry of Object.values(result)) {
    for (const summary of [entry.linear, entry.angular, entry.other]) {
      if (summary !== undefined) summary.rms = Math.sqrt(summary.rms / summary.count)
    }
  }
  return result
}

/** How many rows have a multiplier on a bound, or an inequality that does not act. */
export function clampedRows(world: WorldView): number {
  const h = world.clock.substepLength
  let clamped = 0
  for (const batch of world.batches) {
    const { lambda } = batch.common
    for (let row = 0; row < batch.active; row++) {
      const rows = evaluated(world.bodies.columns, batch, row)
      for (let g = 0; g < rows.groupCount; g++) {
        const group = rows.groups[g]
        if (group.kind !== 'scalar') continue
        const l = lambda[batch.type.multipliers * row + rows.multiplier[group.start]]
        if (l <= group.lower * h * h || l >= group.upper * h * h) clamped++
      }
    }
  }
  return clamped
}

/** The error of one constraint [m, rad, …]: the length of c over its rows that hold a position; 0 for pure forces. */
export function constraintError(bodies: BodyColumns, batch: Batch, row: number): number {
  const rows = evaluated(bodies, batch, row)
  let worst = 0
  for (let g = 0; g < rows.groupCount; g++) {
    const group = rows.groups[g]
    // Friction has no error: where it slides it is meant to.
    if (group.law !== 'position' || group.kind === 'disc') continue
    let squared = 0
    let violated = true
    for (let k = group.start; k < group.start + group.size; k++) squared += rows.c[k] * rows.c[k]
    if (group.kind === 'scalar') {
      const c = rows.c[group.start]
      violated = c > 0 ? group.lower < 0 : group.upper > 0
    }
    if (violated) worst = Math.max(worst, Math.sqrt(squared))
  }
  return worst
}

/** Force and couple of one constraint on body slot `b`, from λ/h² of the last substep. */
export function reaction(world: WorldView, batch: Batch, row: number, b: number): Reaction {
  measureReaction(world, batch, row, b, FORCE)
  return { force: [FORCE[0], FORCE[1], FORCE[2]], torque: [FORCE[3], FORCE[4], FORCE[5]] }
}

const FORCE = /* @__PURE__ */ new Float64Array(6)

function evaluated(bodies: BodyColumns, batch: Batch, row: number): Rows {
  batch.rows.clear()
  batch.type.evaluate(bodies, batch, row, batch.rows)
  return batch.rows
}
