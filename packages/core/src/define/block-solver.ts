/**
 * What solves many rows at once within the step, in place of their sweep: trees of joints are one (direct/direct.ts), which types of
 * joints bring along. `World.addSolver` takes those of users.
 *
 * A solver takes rows by setting their `direct` column while it gathers. Rows that are taken come last in their batch, from `swept` to
 * `active`, and move when rows are ordered: `locate` tells when. Their multipliers λ are the batch's: forces, breaking, energy
 * and snapshots read them there. At the start of a substep they are those of the last one, scaled to its length, and bodies are predicted
 * without them: a solver that counts changes of λ from the prediction sets them to 0 first.
 */

import type { World } from '../world.js'

/** Many rows as one block of the sweep. Only `gather` and `solve` must be there; the rest is called where it is. */
export interface BlockSolver {
  /** Unique among the solvers of a world; its report stands under it. */
  readonly name: string
  /**
   * After an edit: takes rows, by setting `batch.common.direct[row]` to 1 where it is 0 (the column is clear at first; other solvers may
   * have taken some). All rows that it can take where `all`, as a projection wants them.
   */
  gather(world: World, all: boolean): void
  /** After rows were put in order. */
  locate?(world: World): void
  /** Before the substeps of a step. */
  beginStep?(world: World): void
  /** Once a substep of `h` [s], before the prediction: repairs what was disturbed, without speed. */
  repair?(world: World, h: number): void
  /** After that: marks again what is not repaired yet. */
  keepDisturbed?(world: World): void
  /** Moves bodies onto its rows, without time. */
  project?(world: World): void
  /** Once a substep of `h` [s], before bodies are predicted. */
  beginSubstep?(world: World, h: number): void
  /** Once a substep of `h` [s], at the predicted state. */
  prepare?(world: World, h: number): void
  /** Before each sweep of a substep of `h` [s]: moves bodies, and sets λ; `first` in the first of them. */
  solve(world: World, h: number, first: boolean): void
  /** After the last sweep of a substep: solves again what that has struck. Whether anything was. */
  resolveImpacts?(world: World, h: number): boolean
  /** After all sweeps of a substep: solves again what they have moved. */
  finish?(world: World, h: number): void
  /** What it did in the last step, for `world.report.solvers`. */
  report?(world: World): unknown
  /** What it keeps from step to step beyond the world's tables, for snapshots; it must not change afterwards. */
  save?(): unknown
  /** Back to what was saved, or to nothing where it was not there yet. */
  restore?(saved: unknown): void
}

/** Name of the solver that joints bring along. */
export const TREES = 'trees'

/** What a solver may do. */
export const SOLVER_HOOKS: readonly (keyof BlockSolver)[] = [
  'gather',
  'locate',
  'beginStep',
  'repair',
  'keepDisturbed',
  'project',
  'beginSubstep',
  'prepare',
  'solve',
  'resolveImpacts',
  'finish',
  'report',
  'save',
  'restore',
]
