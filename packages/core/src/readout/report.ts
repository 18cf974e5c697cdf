/** What the last step has to say: `World.report`. */

import { type ReportView, TREES } from '../define/contract.js'
import { type Constraint, handleOf } from '../edit/constraint.js'
import type { DirectReport } from '../direct/direct.js'
import { ENERGY_GUARD } from '../define/step-part.js'
import type { GuardReport } from '../guard/guard.js'
import type { Body } from '../state/body.js'
import { FROZEN } from '../state/body-columns.js'
import type { RowRef, WorldState } from '../state/world-state.js'
import { clampedRows } from '../measure/residuals.js'

/** What the last step has to say. Read it when you want to know: nothing is gathered during the step. */
export interface StepReport {
  /** Bodies that became non-finite and stand still at their last finite pose. */
  nonFinite: Body[]
  /**
   * Constraints, contacts among them, that were not finite in some substep of the last step and moved nothing there. One that stays so for 32 substeps is
   * switched off (`enabled` is false) and stays in the list until it is switched on again.
   */
  skipped: Constraint[]
  /** Constraints that broke in this step. */
  broken: Constraint[]
  /** Rows whose multiplier lies on a bound. */
  clampedRows: number
  /** Sweeps of the last substep. */
  iterations: number
  /** Trees of joints that are solved together. */
  direct: DirectReport
  /** What each block solver has to say, by name. */
  solvers: Record<string, unknown>
  /** What the guard scaled back, for it had gained energy from nothing. */
  guard: GuardReport
}

/** What there is to say of it where there are no joints. */
function nothingDirect(): DirectReport {
  return { trees: 0, joints: 0, passes: 0, solves: 0, halved: 0, unsolved: 0, loops: [], cuts: [], singular: [] }
}

/** What the last step of a world has to say. */
export function reportOf(world: WorldState & ReportView): StepReport {
  world.refreshOrder()
  const { flags } = world.bodies.columns
  const solvers = Object.fromEntries(world.solvers.map((solver) => [solver.name, solver.report?.(world)]))
  return {
    nonFinite: world.bodies.all().filter((body) => (flags[body.index] & FROZEN) !== 0),
    skipped: skippedConstraints(world),
    broken: handlesOf(world, world.overloaded),
    clampedRows: clampedRows(world),
    iterations: world.clock.iterations,
    direct: (solvers[TREES] as DirectReport | undefined) ?? nothingDirect(),
    solvers,
    guard: (world.partReport(ENERGY_GUARD) as GuardReport | undefined) ?? { components: 0, bodies: [] },
  }
}

/** Those of the last step that still exist, and those that are off, each once. */
function skippedConstraints(world: WorldState): Constraint[] {
  const found = new Set(handlesOf(world, world.skipped))
  for (const batch of world.batches) {
    const { faults, slot } = batch.common
    for (let row = 0; row < batch.count; row++) {
      if (faults[row] > 0) found.add(handleOf(world, batch, slot[row]))
    }
  }
  return [...found]
}

/** Those that still exist. */
function handlesOf(world: WorldState, list: readonly RowRef[]): Constraint[] {
  return list
    .filter(({ batch, slot, generation }) => batch.slotRow[slot] >= 0 && batch.slotGeneration[slot] === generation)
    .map(({ batch, slot }) => handleOf(world, batch, slot))
}
