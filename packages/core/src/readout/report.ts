/** What the last step has to say: `World.report`. */

import { type ReportView, TREES } from '../define/contract.js'
import { type Constraint, handleOf } from '../edit/constraint.js'
import type { GuardReport } from '../guard/guard.js'
import type { Body } from '../state/body.js'
import { FROZEN } from '../state/body-columns.js'
import type { RowRef, WorldState } from '../state/world-state.js'
import { clampedRows } from './readout.js'

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

/** What the direct solution of trees did in the last step. */
export interface DirectReport {
  /** Trees, and joints in them. */
  trees: number
  joints: number
  /** Passes over what hangs together: one a sweep. */
  passes: number
  /** Newton's solves in all passes. */
  solves: number
  /** Passes that did not converge at once, and whose trees repeated their substep as two halves, or in shorter parts. */
  halved: number
  /**
   * Passes that left residuals: part of a substep was flown without joints, or poses were left as others had pushed them. The joints
   * are brought together before the next prediction, without speed; where that is not over in a substep, it counts as well.
   */
  unsolved: number
  /** Joints that close loops, and are solved with the trees that they join. */
  loops: Constraint[]
  /** Joints that close loops beyond those that are worth it: the sweep has them. */
  cuts: Constraint[]
  /** Joints that hold something which others hold already: what is redundant bears next to no load. */
  singular: Constraint[]
}

/** What there is to say of it where there are no joints. */
function nothingDirect(): DirectReport {
  return { trees: 0, joints: 0, passes: 0, solves: 0, halved: 0, unsolved: 0, loops: [], cuts: [], singular: [] }
}

/** The report of a world whose rows are in order. */
export function reportOf(world: WorldState & ReportView): StepReport {
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
    guard: world.guard.report(world.bodies),
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
